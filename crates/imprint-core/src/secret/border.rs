//! Where a value may begin and end.
//!
//! A credential stands apart from the letters and digits around it, but text is escaped: in
//! `"\nghp_…"` or `%22ghp_…` the byte before the value is a letter or digit that belongs to an
//! escape, and in a terminal recording it is the `m` of a colour.

use super::charset::{DIGITS, HEX};

/// How much apart a value has to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// No letter or digit next to it.
    Word,
    /// Nor `-` or `_`, on either side: for short prefixes that also end words.
    Apart,
}

impl Border {
    /// Whether a value may begin at `at`.
    pub(super) fn opens(self, bytes: &[u8], at: usize) -> bool {
        let Some(&before) = at.checked_sub(1).and_then(|i| bytes.get(i)) else {
            return true;
        };
        match before {
            b'-' | b'_' => self == Self::Word,
            before if before.is_ascii_alphanumeric() => ends_escape(&bytes[..at]),
            _ => true,
        }
    }

    /// Whether a value may end before `at`.
    pub(super) fn closes(self, bytes: &[u8], at: usize) -> bool {
        match bytes.get(at) {
            None => true,
            Some(b'-' | b'_') => self == Self::Word,
            Some(after) => !after.is_ascii_alphanumeric(),
        }
    }
}

/// Whether the last byte belongs to an escape: `\n`, `\x1b`, `\u003d`, `%3D`, `ESC[32m`.
fn ends_escape(bytes: &[u8]) -> bool {
    let hex_digits = HEX.run_back(bytes, 4);
    let before = |back: usize| &bytes[..bytes.len() - back];
    match bytes.last() {
        Some(b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0') if before(1).ends_with(b"\\") => true,
        Some(b'm') => {
            let parameters = before(1)
                .iter()
                .rev()
                .take(12)
                .take_while(|&&byte| DIGITS.contains(byte) || byte == b';')
                .count();
            before(1 + parameters).ends_with(b"[")
        }
        _ if hex_digits >= 4 && before(4).ends_with(b"\\u") => true,
        _ => hex_digits >= 2 && (before(2).ends_with(b"%") || before(2).ends_with(b"\\x")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(before: &str) -> bool {
        Border::Word.opens(before.as_bytes(), before.len())
    }

    #[test]
    fn a_value_begins_after_anything_but_a_letter_or_digit() {
        for before in ["", " ", "\"", "(", "=", "/", "é", "键", "-", "_", "\n"] {
            assert!(opens(before), "{before:?}");
        }
        for before in ["a", "task", "0", "n", "0D", "m", "2m"] {
            assert!(!opens(before), "{before:?}");
        }
        assert!(!Border::Apart.opens(b"task-", 5));
        assert!(!Border::Apart.closes(b"-x", 0));
    }

    #[test]
    fn the_end_of_an_escape_is_a_border() {
        for before in [
            "\\n",
            "\\t",
            "%3D",
            "%22",
            "\\u003d",
            "\\x1b",
            "\x1b[32m",
            "\\e[1;32m",
        ] {
            assert!(opens(before), "{before:?}");
        }
    }
}
