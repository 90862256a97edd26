//! Private keys in PEM and its relatives (RFC 7468, OpenSSH, OpenPGP): the label, then base64.
//!
//! Text carries them in many ways: whole, cut off, with `\n` written out in a JSON string, on one
//! line in a variable, quoted line by line in a program. A label without a key is prose.

use std::{borrow::Cow, ops::Range};

use super::{
    candidate::{Candidate, Certainty},
    charset::{BASE64, Charset},
    entropy, placeholder, samples,
};

pub(super) const ANCHOR: &str = "-----BEGIN ";

const LONGEST_LABEL: usize = 64;
/// A piece of base64 shorter than this, before any other, is a word of a sentence.
const SHORTEST_FIRST_PIECE: usize = 16;
/// Header lines take no more than this.
const LONGEST_HEADERS: usize = 1024;
/// Less is no secret, whatever it was cut from.
const SHORTEST_BODY: usize = 20;

/// What every key of a kind begins with, before its first secret bit.
const CONSTANT_HEADS: [&str; 6] = [
    // PKCS #8: RSA (the third to sixth characters are a length), P-256, Ed25519.
    "IBADANBgkqhkiG9w0BAQEFAASC",
    "AgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg",
    "AgEAMBMGByqGSM49AgEGCCqGSM49AwEHBIG",
    "MC4CAQAwBQYDK2VwBCIEI",
    // PKCS #1.
    "AIBAAKCAQEA",
    // OpenSSH: the format, no cipher, no derivation.
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB",
];

/// The key whose label begins where [`ANCHOR`] stands.
pub(super) fn at<'t>(text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    let label = label(&text[anchor.end..])?;
    let after_label = anchor.end + label.len() + "-----".len();
    let body = Body::read(&text[after_label..]);
    if !body.is_key() {
        return None;
    }
    Some(Candidate {
        rule: "private-key",
        certainty: Certainty::Block,
        span: anchor.start..after_label + body.end,
        value: Cow::Owned(body.base64),
        cleared: false,
    })
}

/// The label of a private key: `RSA PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`, …
fn label(text: &str) -> Option<&str> {
    const LETTERS: Charset = Charset::of("A-Z0-9 -");
    let end = text
        .as_bytes()
        .windows(5)
        .take(LONGEST_LABEL)
        .position(|five| five == b"-----")?;
    let label = &text[..end];
    (LETTERS.holds(label) && label.contains("PRIVATE KEY")).then_some(label)
}

/// What follows a label.
struct Body {
    /// The base64 alone.
    base64: String,
    /// Where it ends.
    end: usize,
    /// It goes on with dots.
    is_elided: bool,
}

impl Body {
    fn read(text: &str) -> Self {
        let mut body = Self {
            base64: String::new(),
            end: 0,
            is_elided: false,
        };
        let mut at = 0;
        loop {
            at += gap(&text[at..], body.base64.is_empty());
            let length = BASE64.run(&text.as_bytes()[at..], usize::MAX);
            let piece = &text[at..at + length];
            let rest = &text[at + length..];
            body.is_elided = rest.starts_with("..") || rest.starts_with('…');
            let is_word = body.base64.is_empty() && length < SHORTEST_FIRST_PIECE;
            // `+` alone joins strings in a program.
            let is_joint = piece == "+" || piece == "//" || piece == "=";
            if length == 0 || (is_word && !is_joint) {
                return body;
            }
            at += length;
            if !is_joint {
                body.base64.push_str(piece);
                body.end = at;
            }
        }
    }

    fn is_key(&self) -> bool {
        let beginning = &self.base64[..self.base64.len().min(256)];
        let secret = CONSTANT_HEADS
            .iter()
            .find_map(|head| {
                let (before, after) = beginning.split_once(head)?;
                (before.len() <= 8).then_some(after)
            })
            .unwrap_or(beginning);
        let is_shortened = self.is_elided && self.base64.len() < 64;
        secret.len() >= SHORTEST_BODY
            && !is_shortened
            && beginning.bytes().any(|byte| !byte.is_ascii_lowercase())
            && entropy::is_random(beginning)
            && !placeholder::is_repetitive(beginning)
            && !placeholder::is_sequence(beginning)
            && !placeholder::names_itself(beginning)
            && !samples::is_documented(&self.base64)
    }
}

/// The length of what may stand between two pieces: white space, written-out line ends, quotes,
/// comment marks and, before the first piece, header lines such as `Proc-Type: 4,ENCRYPTED`.
fn gap(text: &str, is_first: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let escape = [&b"\\n"[..], b"\\r", b"\\t"]
            .iter()
            .any(|mark| rest.starts_with(mark));
        at += match rest {
            _ if escape => 2,
            [
                b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b',' | b'\\' | b'#' | b'*' | b'>'
                | b'|' | b'`',
                ..,
            ] => 1,
            _ if is_first && at < LONGEST_HEADERS => match header_line(rest) {
                Some(length) => length,
                None => return at,
            },
            _ => return at,
        };
    }
}

/// The length of a header line, such as `Proc-Type: 4,ENCRYPTED`, up to its end.
fn header_line(bytes: &[u8]) -> Option<usize> {
    const NAME: Charset = Charset::of("0-9A-Za-z-");
    const LONGEST: usize = 120;
    let name = NAME.run(bytes, 32);
    if name == 0 || !bytes[name..].starts_with(b": ") {
        return None;
    }
    let line = &bytes[..bytes.len().min(LONGEST)];
    let end = line
        .iter()
        .position(|&byte| matches!(byte, b'\n' | b'\r' | b'\\' | b'"'))?;
    Some(end)
}
