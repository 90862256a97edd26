//! Texts as YAML scalars that every YAML 1.1 and 1.2 parser reads as strings.

mod typed;

use std::fmt::Write as _;

use crate::yaml::is_printable;

/// A text as a YAML scalar that every YAML 1.1 and 1.2 parser reads as that string: plain when it
/// may be, else double-quoted with only `\` and `"` (and what YAML can't hold as it is) escaped.
pub fn quote_scalar(text: &str) -> String {
    if may_be_plain(text) {
        text.to_owned()
    } else {
        double_quoted(text)
    }
}

/// Whether a text may stand without quotes behind a key and a colon.
pub(crate) fn may_be_plain(text: &str) -> bool {
    const INDICATORS: &[char] = &[
        '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@',
        '`',
    ];
    !text.is_empty()
        && text.trim() == text
        && text.chars().all(is_plain)
        && !text.starts_with(INDICATORS)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !typed::is_typed(text)
}

/// [`may_be_plain`] between brackets or braces, where more characters have a meaning.
pub(crate) fn may_be_plain_in_flow(text: &str) -> bool {
    may_be_plain(text) && !text.contains([',', '[', ']', '{', '}', '?']) && !text.contains(':')
}

/// Whether a text may stand in single quotes, which have no escapes and fold line breaks.
pub(crate) fn may_be_single_quoted(text: &str) -> bool {
    text.chars().all(is_plain)
}

/// The text in single quotes.
pub(crate) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text in double quotes, on one line.
pub(crate) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_plain(c) => out.push(c),
            c if u32::from(c) <= 0xFF => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

/// Whether every parser takes the character as it is: printable, no line break of YAML 1.1, no
/// byte order mark.
fn is_plain(c: char) -> bool {
    is_printable(c) && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_plain() {
        for text in [
            "Books rooms.",
            "a:b",
            "a#b",
            "it's \"so\"",
            "1.2.3",
            "v1.10",
            "12:30 lunch",
            "2026-08-01 is the day",
            "nothing",
            "yes, please",
            "a - b",
            "資料整理",
            "= x",
            "x: 1".replace(": ", ":").as_str(),
        ] {
            assert_eq!(quote_scalar(text), text);
        }
    }

    #[test]
    fn what_would_be_read_otherwise_is_quoted() {
        for text in [
            "",
            " a",
            "a ",
            "- a",
            "-a",
            "? a",
            "a: b",
            "a #b",
            "a:",
            "[a]",
            "{a}",
            "`a`",
            "@a",
            "%a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "'a'",
            "#a",
            ",a",
            "no",
            "On",
            "Y",
            "null",
            "~",
            "12",
            "1_000",
            "0x1F",
            "0o17",
            "1e3",
            ".5",
            "1.",
            "-.inf",
            ".NaN",
            "12:30",
            "1:20:30",
            "2026-08-01",
            "2026-08-01T10:00:00Z",
            "2001-12-14 21:59:43.10 -5",
            "<<",
            "=",
            "\u{a0}a",
        ] {
            assert_eq!(
                quote_scalar(text),
                format!("\"{}\"", text.replace('"', "\\\"")),
                "{text}"
            );
        }
    }

    #[test]
    fn only_what_must_be_is_escaped() {
        insta::assert_snapshot!(quote_scalar("a \\ \"b\": é"), @r#""a \\ \"b\": é""#);
        insta::assert_snapshot!(
            quote_scalar("a\nb\tc\r\u{0}\u{1b}\u{85}\u{2028}\u{feff}"),
            @r#""a\nb\tc\r\x00\x1B\x85\u2028\uFEFF""#
        );
        assert_eq!(single_quoted("it's"), "'it''s'");
    }
}
