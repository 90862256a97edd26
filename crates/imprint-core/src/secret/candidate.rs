//! What the rules propose, and which proposals remain where they overlap.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeMap, ops::Range};

/// How sure a rule is of what it proposes; the surer wins where two overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// A random value beside a telling name.
    Name,
    /// The password's place in an address or a header.
    Place,
    /// A shape that means something only near another credential.
    Neighbour,
    /// A JSON Web Token, which may be a part of an issuer's own format.
    Token,
    /// An issuer's format.
    Format,
    /// A block with a label.
    Block,
}

/// A place that may hold a credential.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'t> {
    pub(super) rule: &'static str,
    pub(super) certainty: Certainty,
    /// Where it stands, for its line and for overlaps.
    pub(super) span: Range<usize>,
    /// The credential itself, without the text around it.
    pub(super) value: Cow<'t, str>,
    /// It is a placeholder: reported to nobody, but no vaguer rule may propose it again.
    pub(super) cleared: bool,
}

impl<'t> Candidate<'t> {
    /// What stands at `span`, taken for a credential.
    pub(super) fn new(
        rule: &'static str,
        certainty: Certainty,
        text: &'t str,
        span: Range<usize>,
    ) -> Self {
        Self {
            rule,
            certainty,
            value: Cow::Borrowed(&text[span.clone()]),
            span,
            cleared: false,
        }
    }
}

/// The credentials among the candidates, in the order of the text, none over another.
pub(super) fn settle(mut candidates: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    candidates.sort_by_key(|candidate| {
        (
            Reverse(candidate.certainty),
            Reverse(candidate.span.len()),
            Reverse(candidate.cleared),
            candidate.span.start,
        )
    });
    let mut kept: BTreeMap<usize, Candidate<'_>> = BTreeMap::new();
    for candidate in candidates {
        let Range { start, end } = candidate.span;
        let overlaps = kept
            .range(..end)
            .next_back()
            .is_some_and(|(_, before)| before.span.end > start);
        if !overlaps {
            kept.insert(start, candidate);
        }
    }
    kept.into_values()
        .filter(|candidate| !candidate.cleared)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(
        rule: &'static str,
        certainty: Certainty,
        span: Range<usize>,
    ) -> Candidate<'static> {
        const TEXT: &str = "0123456789012345678901234567890123456789012345678901234567890";
        Candidate::new(rule, certainty, TEXT, span)
    }

    fn rules(candidates: Vec<Candidate<'static>>) -> Vec<&'static str> {
        settle(candidates)
            .iter()
            .map(|candidate| candidate.rule)
            .collect()
    }

    #[test]
    fn the_surer_then_the_longer_wins() {
        assert_eq!(
            rules(vec![
                candidate("name", Certainty::Name, 0..40),
                candidate("short", Certainty::Format, 4..20),
                candidate("long", Certainty::Format, 4..30),
                candidate("apart", Certainty::Name, 40..50),
            ]),
            ["long", "apart"]
        );
    }

    #[test]
    fn a_cleared_format_silences_vaguer_rules() {
        let cleared = Candidate {
            cleared: true,
            ..candidate("format", Certainty::Format, 5..20)
        };
        assert!(rules(vec![candidate("name", Certainty::Name, 0..20), cleared]).is_empty());
    }
}
