//! Looking for many literals at once.

use aho_corasick::{AhoCorasick, MatchKind};

/// An automaton that finds every literal, also where they overlap.
#[expect(
    clippy::expect_used,
    reason = "a few hundred short literals fit into any automaton"
)]
pub(super) fn automaton(literals: &[&str], ignore_case: bool) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(ignore_case)
        .build(literals)
        .expect("the literals are few and short")
}
