//! The scanner as its callers see it. Every value is made at run time.

mod found;
mod generate;
mod harmless;
mod robust;
mod rows;

use super::{Finding, scan};

/// The one finding in a text.
#[track_caller]
fn the_finding(text: &str) -> Finding {
    let findings = scan(text);
    let [finding] = <[Finding; 1]>::try_from(findings)
        .unwrap_or_else(|findings| panic!("{text:?} gave {findings:#?}"));
    finding
}

/// That a finding tells no more of a value than it may.
#[track_caller]
fn assert_secret_is_kept(finding: &Finding, value: &str) {
    let shown = serde_json::to_string(finding).unwrap();
    let (start, _) = finding.masked.split_once('…').unwrap();
    assert!(start.chars().count() <= 4, "{finding:?}");
    assert!(!shown.contains(value), "{finding:?}");
    for part in value.as_bytes().windows(8) {
        let part = std::str::from_utf8(part).unwrap();
        let in_label = finding.rule.contains(part);
        assert!(in_label || !shown.contains(part), "{part:?} in {finding:?}");
    }
}
