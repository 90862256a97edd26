//! Finding credentials in text before it is kept anywhere.
//!
//! A table of token formats is searched for by the literals in them; what stands
//! around a literal must have the format's shape. Then a right checksum proves a value, and
//! without one it must look random and be no placeholder: a wrong checksum clears nothing. Beside
//! the formats there are blocks, tokens and addresses that hold a credential by their own rules,
//! and values that only their name gives away. Where two rules see the same bytes, the more
//! specific one speaks.
//!
//! Time is linear in the text's length. The search is built at the first scan.

mod assignment;
mod aws;
mod base64;
mod blob;
mod border;
mod candidate;
mod charset;
mod checksum;
mod door;
mod encoding;
mod entropy;
mod format;
mod formats;
mod jwt;
mod lines;
mod literals;
mod login;
mod name;
mod opaque;
mod password;
mod pem;
mod placeholder;
mod samples;
mod search;
#[cfg(test)]
mod tests;
mod url;
mod value;
mod words;

use std::borrow::Cow;

use imprint_format::Digest;
use serde::{Deserialize, Serialize};

use candidate::Candidate;
use lines::Lines;

pub(crate) use checksum::{BASE62, crc32_base62, crc32_base62_of};
pub use door::{scan_bundle, scan_files, summary};

/// A credential that was found. Carries nothing of it but the first four characters at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The format's stable name, such as `github-token`.
    pub rule: String,
    /// The file inside the item, where the text is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// At most the first four characters and the length, such as `ghp_… (40 characters)`.
    pub masked: String,
    /// What names this value without telling it: SHA-256 of a fixed prefix, the rule and the
    /// value. A user accepts a finding by it.
    pub fingerprint: Digest,
}

/// Every credential in a text, in the order in which they stand. Linear in the text's length.
pub fn scan(text: &str) -> Vec<Finding> {
    let mut lines = Lines::new(text);
    candidate::settle(search::candidates(text))
        .iter()
        .map(|credential| Finding {
            rule: credential.rule.to_owned(),
            file: None,
            line: lines.line_of(credential.span.start),
            masked: masked(&credential.value),
            fingerprint: fingerprint(credential),
        })
        .collect()
}

/// [`scan`] over bytes that need not be UTF-8: what is not is skipped over, not refused, and
/// UTF-16 is read as such.
pub fn scan_bytes(bytes: &[u8]) -> Vec<Finding> {
    scan(&encoding::text_of(bytes))
}

/// The text with every credential in it masked: for errors and records that quote what came in.
pub fn masked_in(text: &str) -> Cow<'_, str> {
    let found = candidate::settle(search::candidates(text));
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for credential in found {
        out.push_str(&text[end..credential.span.start]);
        out.push_str(&masked(&credential.value));
        end = credential.span.end;
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

/// The first characters, at most four and never more than a quarter, and the length.
fn masked(value: &str) -> String {
    let length = value.chars().count();
    let shown: String = value.chars().take(4.min(length / 4)).collect();
    format!("{shown}… ({length} characters)")
}

fn fingerprint(credential: &Candidate<'_>) -> Digest {
    const LABEL: &[u8] = b"imprint secret fingerprint v1";
    let parts = [
        LABEL,
        credential.rule.as_bytes(),
        credential.value.as_bytes(),
    ];
    Digest::of(&parts.join(&b"\0"[..]))
}
