//! Finding credentials in text before it is kept anywhere.

mod door;

use imprint_format::Digest;
use serde::{Deserialize, Serialize};

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
    let _ = text;
    todo!()
}

/// [`scan`] over bytes that need not be UTF-8 (what is not is skipped over, not refused).
pub fn scan_bytes(bytes: &[u8]) -> Vec<Finding> {
    scan(&String::from_utf8_lossy(bytes))
}
