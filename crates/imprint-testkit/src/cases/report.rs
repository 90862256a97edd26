//! How a run of many cases is told.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::{Finished, Outcome};

/// What a run came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// By kind.
    pub kinds: BTreeMap<String, KindCount>,
    /// The failed cases, in order of their ids.
    #[serde(skip)]
    pub failed: Vec<Failed>,
}

/// How many cases of one kind came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// Passed and failed ones.
    pub ran: usize,
    /// As they should be.
    pub passed: usize,
    /// Not run, because this system lacks what they require.
    pub skipped: usize,
    /// Not run, because the product has no such part yet.
    pub unsupported: usize,
    /// The ids of the others.
    pub failed: Vec<String>,
}

/// One case that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Its id.
    pub id: String,
    /// What differs.
    pub differences: Vec<String>,
}

impl Report {
    /// Whether nothing failed.
    pub fn is_good(&self) -> bool {
        self.failed.is_empty()
    }

    pub(super) fn add(&mut self, finished: Finished) {
        let count = self.kinds.entry(finished.kind).or_default();
        match finished.outcome {
            Outcome::Passed => {
                count.ran += 1;
                count.passed += 1;
            }
            Outcome::Failed(differences) => {
                count.ran += 1;
                count.failed.push(finished.id.clone());
                self.failed.push(Failed {
                    id: finished.id,
                    differences,
                });
            }
            Outcome::Skipped => count.skipped += 1,
            Outcome::Unsupported => count.unsupported += 1,
        }
    }

    fn total(&self, of: impl Fn(&KindCount) -> usize) -> usize {
        self.kinds.values().map(of).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failed in &self.failed {
            writeln!(f, "FAILED {}", failed.id)?;
            for difference in &failed.differences {
                writeln!(f, "  - {}", difference.replace('\n', "\n    "))?;
            }
        }
        if !self.failed.is_empty() {
            writeln!(f)?;
        }
        writeln!(
            f,
            "{:<16}{:>6}{:>8}{:>8}{:>9}{:>13}",
            "kind", "ran", "passed", "failed", "skipped", "unsupported"
        )?;
        let mut row = |name: &str, count: [usize; 5]| {
            writeln!(
                f,
                "{name:<16}{:>6}{:>8}{:>8}{:>9}{:>13}",
                count[0], count[1], count[2], count[3], count[4]
            )
        };
        let columns = |count: &KindCount| {
            [
                count.ran,
                count.passed,
                count.failed.len(),
                count.skipped,
                count.unsupported,
            ]
        };
        for (kind, count) in &self.kinds {
            row(kind, columns(count))?;
        }
        let totals = [0, 1, 2, 3, 4].map(|column| self.total(|count| columns(count)[column]));
        row("all", totals)
    }
}
