//! Comparing the diagnostics of a reading with those that a case expects.

use imprint_format::{Diagnostic, Severity};

use super::{
    schema::{ExpectedDiagnostic, ExpectedDiagnostics, ExpectedSeverity},
    verdict::Verdict,
};

/// Each expected diagnostic must be matched by one of the reading's own, and where no others are
/// allowed, none may be left over.
pub(super) fn compare(
    verdict: &mut Verdict,
    expected: &ExpectedDiagnostics,
    actual: &[Diagnostic],
) {
    let mut left: Vec<&Diagnostic> = actual.iter().collect();
    // Those that say more choose first, so that a loose one never takes what a strict one needs.
    let mut least: Vec<_> = expected.least.iter().collect();
    least.sort_by_key(|expected| {
        (
            expected.path.is_none(),
            expected.severity == ExpectedSeverity::Any,
        )
    });
    for expected in least {
        match left.iter().position(|actual| matches(expected, actual)) {
            Some(at) => {
                left.remove(at);
            }
            None => verdict.differs(format!(
                "no diagnostic matches {}; there {}",
                describe(expected),
                listed(actual)
            )),
        }
    }
    if expected.no_other && !left.is_empty() {
        let others: Vec<_> = left.into_iter().cloned().collect();
        verdict.differs(format!("unexpected diagnostics: {}", listed(&others)));
    }
}

fn matches(expected: &ExpectedDiagnostic, actual: &Diagnostic) -> bool {
    let severity = match expected.severity {
        ExpectedSeverity::Any => true,
        ExpectedSeverity::Error => actual.severity == Severity::Error,
        ExpectedSeverity::Warning => actual.severity == Severity::Warning,
    };
    let path = expected.path.as_ref().is_none_or(|end| {
        actual
            .path
            .as_ref()
            .is_some_and(|path| path.replace('\\', "/").ends_with(end))
    });
    severity && path && actual.about.as_str() == expected.about.as_str()
}

fn describe(expected: &ExpectedDiagnostic) -> String {
    let path = expected
        .path
        .as_ref()
        .map(|path| format!(" at `{path}`"))
        .unwrap_or_default();
    format!(
        "{:?} about `{}`{path}",
        expected.severity,
        expected.about.as_str()
    )
}

fn listed(diagnostics: &[Diagnostic]) -> String {
    if diagnostics.is_empty() {
        return "are none".to_owned();
    }
    let each: Vec<_> = diagnostics
        .iter()
        .map(|one| format!("{:?} about `{}` ({one})", one.severity, one.about.as_str()))
        .collect();
    format!("are: {}", each.join("; "))
}

#[cfg(test)]
mod tests {
    use imprint_format::About;

    use super::*;

    fn expected(json: &str, no_other: bool) -> ExpectedDiagnostics {
        ExpectedDiagnostics {
            least: serde_json::from_str(json).unwrap(),
            no_other,
        }
    }

    fn differences(expected: &ExpectedDiagnostics, actual: &[Diagnostic]) -> usize {
        let mut verdict = Verdict::default();
        compare(&mut verdict, expected, actual);
        verdict.differences.len()
    }

    #[test]
    fn severity_about_and_the_end_of_the_path_decide() {
        let actual = [
            Diagnostic::warning(About::Name, "odd").at_path("root/a/SKILL.md"),
            Diagnostic::error(About::File, "no text"),
        ];
        let matched = r#"[{"severity": "warning", "about": "name", "path": "a/SKILL.md"},
                          {"severity": "any", "about": "file"}]"#;
        assert_eq!(differences(&expected(matched, true), &actual), 0);
        let wrong = r#"[{"severity": "error", "about": "name"},
                        {"severity": "any", "about": "file", "path": "x"}]"#;
        assert_eq!(differences(&expected(wrong, false), &actual), 2);
    }

    #[test]
    fn one_diagnostic_matches_one_expectation_only() {
        let twice = r#"[{"severity": "any", "about": "name"},
                        {"severity": "warning", "about": "name"}]"#;
        let one = [Diagnostic::warning(About::Name, "odd")];
        assert_eq!(differences(&expected(twice, false), &one), 1);
        let both = [
            Diagnostic::warning(About::Name, "odd"),
            Diagnostic::error(About::Name, "a path"),
        ];
        assert_eq!(differences(&expected(twice, true), &both), 0);
    }

    #[test]
    fn others_are_allowed_unless_said() {
        let actual = [Diagnostic::warning(About::Name, "odd")];
        assert_eq!(differences(&expected("[]", false), &actual), 0);
        assert_eq!(differences(&expected("[]", true), &actual), 1);
    }
}
