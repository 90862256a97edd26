//! One pass over a text that finds the literals by which credentials are told, and hands each to
//! the rule that knows what has to stand around it.

use std::{ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::{
    assignment, aws,
    candidate::{Candidate, Certainty},
    format::Format,
    formats, jwt,
    literals::automaton,
    login, name, pem, url,
};

/// What looks at the place where a literal stands.
#[derive(Clone, Copy, Debug)]
enum Reader {
    Format(&'static Format),
    AwsSecretName,
    CurlFlag,
    GoNetwork,
    Jwt,
    Pem,
    Url,
}

/// The literals as one automaton, with the reader of each.
struct Literals {
    automaton: AhoCorasick,
    readers: Vec<Reader>,
}

/// Built at the first scan, so that a process that scans nothing pays nothing.
static LITERALS: LazyLock<Literals> = LazyLock::new(|| {
    let formats = formats::all().flat_map(|format| {
        let reader = Reader::Format(format);
        format.anchors.iter().map(move |&anchor| (anchor, reader))
    });
    let others = [
        (jwt::ANCHOR, Reader::Jwt),
        (pem::ANCHOR, Reader::Pem),
        (url::ANCHOR, Reader::Url),
    ];
    let (literals, readers): (Vec<&str>, Vec<Reader>) = formats
        .chain(others)
        .chain(aws::NAMES.map(|name| (name, Reader::AwsSecretName)))
        .chain(login::FLAGS.map(|flag| (flag, Reader::CurlFlag)))
        .chain(login::NETWORKS.map(|network| (network, Reader::GoNetwork)))
        .unzip();
    Literals {
        automaton: automaton(&literals, false),
        readers,
    }
});

/// The pieces of telling names, in either case.
static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(&name::ANCHORS, true));

/// All that the rules propose, in no particular order.
pub(super) fn candidates(text: &str) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    // A value holds no other of its own kind: what one reading went over, the next skips.
    let mut read_to = vec![0; LITERALS.readers.len()];
    for literal in LITERALS.automaton.find_overlapping_iter(text) {
        let pattern = literal.pattern().as_usize();
        if literal.start() < read_to[pattern] {
            continue;
        }
        let before = found.len();
        LITERALS.readers[pattern].read(text, &literal.range(), &mut found);
        if let Some(candidate) = found[before..].last() {
            read_to[pattern] = candidate.span.end;
        }
    }
    let mut name_end = 0;
    found.extend(
        NAMES
            .find_iter(text)
            .filter_map(|name| assignment::at(text, &name.range(), &mut name_end)),
    );
    found
}

impl Reader {
    fn read<'t>(self, text: &'t str, anchor: &Range<usize>, found: &mut Vec<Candidate<'t>>) {
        match self {
            Self::Format(format) => {
                let Some(candidate) = of_format(format, text, anchor) else {
                    return;
                };
                if candidate.rule == aws::ID_RULE {
                    found.extend(aws::near_id(text, &candidate.span));
                }
                found.push(candidate);
            }
            Self::AwsSecretName => found.extend(aws::after_name(text, anchor)),
            Self::CurlFlag => found.extend(login::after_flag(text, anchor)),
            Self::GoNetwork => found.extend(login::before_network(text, anchor)),
            Self::Jwt => found.extend(jwt::at(text, anchor)),
            Self::Pem => found.extend(pem::at(text, anchor)),
            Self::Url => found.extend(url::at(text, anchor)),
        }
    }
}

fn of_format<'t>(format: &Format, text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    let matched = format.match_at(text, anchor.clone())?;
    Some(Candidate {
        cleared: matched.cleared,
        ..Candidate::new(format.rule, Certainty::Format, text, matched.span)
    })
}
