//! Counting what passed and failed.

use std::time::Duration;

/// How many checks came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
}

impl Counts {
    /// A step that is one check.
    pub(super) const fn one() -> Self {
        Self {
            passed: 1,
            failed: 0,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// The result as cargo words it, then as a short sentence.
    pub(super) fn print(self, took: Duration) {
        let Self { passed, failed } = self;
        let word = if failed == 0 { "ok" } else { "FAILED" };
        println!(
            "test result: {word}. {passed} passed; {failed} failed; finished in {:.1}s",
            took.as_secs_f64()
        );
        println!("{passed} passed, {failed} failed");
    }
}

/// Reads the output of `cargo test --quiet`.
#[derive(Debug, Default)]
pub(super) struct CrateTests {
    pub(super) counts: Counts,
}

impl CrateTests {
    /// Counts what a line says, and tells whether it is worth showing.
    pub(super) fn take(&mut self, line: &str) -> bool {
        if let Some(result) = line.strip_prefix("test result: ") {
            let count = |what: &str| {
                let part = result.split([';', '.']).find(|part| part.ends_with(what));
                let number = part.and_then(|part| part.split_whitespace().next()?.parse().ok());
                number.unwrap_or(0)
            };
            self.counts.add(Counts {
                passed: count(" passed"),
                failed: count(" failed"),
            });
            return count(" passed") + count(" failed") > 0;
        }
        let is_progress = line.chars().all(|c| matches!(c, '.' | 'i' | 'F' | ' '))
            || line.starts_with("running ")
            || is_dots_with_count(line);
        !is_progress
    }
}

/// `........ 80/104`
fn is_dots_with_count(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(dots, count)| {
        dots.chars().all(|c| matches!(c, '.' | 'i' | 'F'))
            && count.chars().all(|c| c.is_ascii_digit() || c == '/')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed_and_progress_is_not_shown() {
        let mut tests = CrateTests::default();
        let shown: Vec<_> = [
            "running 12 tests",
            "............",
            "..i. 80/104",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.05s",
            "",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "failures:",
        ]
        .into_iter()
        .filter(|line| tests.take(line))
        .map(|line| line.split('.').next().unwrap_or_default())
        .collect();
        assert_eq!(
            shown,
            ["test result: ok", "test result: FAILED", "failures:"]
        );
        assert_eq!(
            tests.counts,
            Counts {
                passed: 15,
                failed: 2
            }
        );
    }
}
