//! AWS secret access keys: 40 characters of base64 without a mark of their own. They are told
//! only by their neighbourhood: an access key id, or a name.

use std::ops::Range;

use super::{
    candidate::{Candidate, Certainty},
    charset::{Charset, DIGITS, LOWER, UPPER},
    entropy, placeholder,
};

pub(super) const ID_RULE: &str = "aws-access-key-id";

/// Names of a secret access key; its value follows.
pub(super) const NAMES: [&str; 6] = [
    "aws_secret",
    "AWS_SECRET",
    "SecretAccessKey",
    "secretAccessKey",
    "secret_access_key",
    "SECRET_ACCESS_KEY",
];

const LENGTH: usize = 40;
/// A pair of id and secret stands on neighbouring lines.
const AFTER: usize = 240;
const BEFORE: usize = 160;
/// Random base64 of this length has about 4.8 bits a byte; paths and words have less.
const FLOOR: f64 = 4.1;

/// The secret nearest to an access key id at `id`.
pub(super) fn near_id<'t>(text: &'t str, id: &Range<usize>) -> Option<Candidate<'t>> {
    first_in(text, id.end..id.end + AFTER)
        .or_else(|| first_in(text, id.start.saturating_sub(BEFORE)..id.start))
}

/// The secret that follows one of [`NAMES`].
pub(super) fn after_name<'t>(text: &'t str, name: &Range<usize>) -> Option<Candidate<'t>> {
    first_in(text, name.end..name.end + 80)
}

fn first_in(text: &str, window: Range<usize>) -> Option<Candidate<'_>> {
    const BASE64_UNPADDED: Charset = Charset::of("0-9A-Za-z+/");
    let bytes = text.as_bytes();
    let mut at = window.start;
    while at < window.end.min(bytes.len()) {
        let length = BASE64_UNPADDED.run(&bytes[at..], LENGTH + 1);
        let begins = at == 0 || !BASE64_UNPADDED.contains(bytes[at - 1]);
        let span = at..at + length;
        if begins && length == LENGTH && is_secret(&text[span.clone()]) {
            let rule = "aws-secret-access-key";
            return Some(Candidate::new(rule, Certainty::Neighbour, text, span));
        }
        at += length.max(1);
    }
    None
}

fn is_secret(text: &str) -> bool {
    let has = |set: Charset| text.bytes().any(|byte| set.contains(byte));
    has(LOWER)
        && has(UPPER)
        && has(DIGITS)
        && entropy::shannon(text) >= FLOOR
        && !placeholder::is_filler(text)
}
