//! Values that stand for a credential in a text that teaches: `YOUR_KEY_HERE`, `xxxxxxxx`,
//! `abc123def456`, `<token>`, `${TOKEN}`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{literals, words};

/// Words that no issuer draws by chance, wherever they stand in a value.
const TELLING: [&str; 20] = [
    "example",
    "sample",
    "dummy",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "redacted",
    "replace",
    "xxxxx",
    "foobar",
    "notreal",
    "not_real",
    "not-real",
    "goeshere",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "yourapi",
    "123456789",
];

static IS_TELLING: LazyLock<AhoCorasick> = LazyLock::new(|| literals::automaton(&TELLING, true));

/// Words that tell when they stand alone between `_`, `-` or the ends.
const TELLING_ALONE: [&str; 13] = [
    "your", "fake", "demo", "test", "testing", "mock", "todo", "null", "here", "invalid", "xxxx",
    "xxx", "insert",
];

/// Whether the random part of a token is filler that a person or a model typed.
pub(super) fn is_filler(text: &str) -> bool {
    is_repetitive(text) || is_sequence(text) || names_itself(text) || words::are_spelled(text, 16)
}

/// Whether one byte or a short group makes up the text, or a long stretch of it.
pub(super) fn is_repetitive(text: &str) -> bool {
    let bytes = text.as_bytes();
    let longest = bytes
        .chunk_by(|a, b| a == b)
        .max_by_key(|run| run.len())
        .unwrap_or_default();
    let is_mask = matches!(
        longest.first(),
        Some(b'x' | b'X' | b'*' | b'.' | b'_' | b'-')
    );
    longest.len() * 3 >= bytes.len().max(6)
        || (is_mask && longest.len() >= 5)
        || (1..=16.min(bytes.len() / 3))
            .any(|period| bytes[period..] == bytes[..bytes.len() - period])
}

/// Whether the text counts: `abcdef…`, `0123…`, `abc123def456…`, `a1b2c3…`, in either case.
pub(super) fn is_sequence(text: &str) -> bool {
    let lower: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    if lower.len() < 6 {
        return false;
    }
    let (digits, letters): (Vec<u8>, Vec<u8>) =
        lower.iter().partition(|byte| byte.is_ascii_digit());
    share_of_steps(&lower, |a, b| a.abs_diff(b) <= 1 || (a, b) == (b'9', b'0')) >= 0.5
        || (counts_up(&digits) && counts_up(&letters))
        || (letters.len() >= 10 && has_many_letters(&letters) && counts_up(&letters))
}

/// Whether most steps go to the next digit or letter, or start anew.
fn counts_up(bytes: &[u8]) -> bool {
    let is_next =
        |a: u8, b: u8| b == a + 1 || matches!((a, b), (b'9', b'0' | b'1') | (b'f' | b'z', b'a'));
    bytes.len() >= 4 && share_of_steps(bytes, is_next) >= 0.7
}

/// Hexadecimal digits have six letters only, which often follow each other by chance.
fn has_many_letters(letters: &[u8]) -> bool {
    letters.iter().any(|&letter| letter > b'f')
}

fn share_of_steps(bytes: &[u8], is_step: impl Fn(u8, u8) -> bool) -> f64 {
    let steps = bytes
        .windows(2)
        .filter(|pair| is_step(pair[0], pair[1]))
        .count();
    #[expect(
        clippy::cast_precision_loss,
        reason = "lengths here are far below 2^52"
    )]
    let share = steps as f64 / (bytes.len().max(2) - 1) as f64;
    share
}

/// Whether the text says that it is none.
pub(super) fn names_itself(text: &str) -> bool {
    IS_TELLING.is_match(text)
        || text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| is_written(word))
            .any(|word| TELLING_ALONE.contains(&word.to_ascii_lowercase().as_str()))
}

/// Whether a word has the case of writing: `word`, `Word` or `WORD`.
fn is_written(word: &str) -> bool {
    let rest = word.get(1..).unwrap_or_default();
    let is_upper = |text: &str| text.bytes().all(|byte| !byte.is_ascii_lowercase());
    rest.bytes().all(|byte| !byte.is_ascii_uppercase()) || is_upper(word)
}

/// Whether a value is filled in later, by a template engine, a shell or a person.
pub(super) fn is_template(text: &str) -> bool {
    const MARKS: [&str; 12] = [
        "${",
        "$(",
        "{{",
        "}}",
        "<",
        ">",
        "%s",
        "%(",
        "...",
        "…",
        "***",
        "•••",
    ];
    let is_variable = text.starts_with(['$', '{', '[', '@', '#', '&', '`'])
        || (text.starts_with('%') && text.ends_with('%'));
    is_variable || MARKS.iter().any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_of_all_kinds() {
        for text in [
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
            "000000000000000000000000000000000000",
            "1234567890abcdefghijklmnopqrstuvwxyz",
            "abcdefghijklmnopqrstuvwxyz1234567890",
            "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
            "abc123def456ghi789jkl012mno345pqr678",
            "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8",
            "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6",
            "0123456789abcdef0123456789abcdef",
            "AbC1dEf2GhI3jKl4MnO5pQr6StU7vWx8Yz9",
            "deadbeefdeadbeefdeadbeefdeadbeef",
            "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f",
            "your-api-key-goes-here-1234",
            "YOUR_PERSONAL_ACCESS_TOKEN_GOES_HERE",
            "IOSFODNN7EXAMPLE",
            "51HxxxxxxxxxxxxxxxxxxxxxxxQ7",
            "Thisisnotarealtokenitisjustfiller123",
        ] {
            assert!(is_filler(text), "{text}");
        }
    }

    #[test]
    fn random_text_is_no_filler() {
        for text in [
            "Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12",
            "Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeQ7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAe",
            "Z7Q4M2X6LB5V3KRN",
            "bd0066643f38dddfce28cbc427c4d79d0e52116532fde1611572ef8b1ab40cf2",
            "69ef37e9424c0a7ea9dd2293b559e43ec8176379",
            "q8Zr3nVt",
        ] {
            assert!(!is_filler(text), "{text}");
        }
    }

    #[test]
    fn templates() {
        for text in [
            "${TOKEN}",
            "{{ token }}",
            "<token>",
            "$TOKEN",
            "%TOKEN%",
            "abc...",
            "***",
        ] {
            assert!(is_template(text), "{text}");
        }
        assert!(!is_template("q8Zr-3nVt_W1xYb7"));
    }
}
