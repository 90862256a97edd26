//! Values that only a machine draws, told from names, numbers, references and digests. They have
//! no format; they count only beside a name that calls them secret.

use super::{
    charset::{Charset, DIGITS, HEX, LOWER, UPPER},
    entropy, password, words,
};

/// Shorter random values can't be told from words and numbers.
const SHORTEST_VALUE: usize = 16;
const SHORTEST_HEX: usize = 24;
/// More than words and numbers have, less than random base36 has.
const FLOOR: f64 = 3.4;

/// Whether a value was drawn at random by a machine.
pub(super) fn is_machine_made(text: &str) -> bool {
    let is_hex = HEX.holds(text);
    let count = |set: Charset| text.bytes().filter(|&byte| set.contains(byte)).count();
    let (lower, upper, digits) = (count(LOWER), count(UPPER), count(DIGITS));
    let is_mixed = (digits > 0 && lower + upper > 0) || (lower > 0 && upper > 0);
    text.len() >= if is_hex { SHORTEST_HEX } else { SHORTEST_VALUE }
        && is_mixed
        && is_value(text)
        && if is_hex {
            entropy::is_random(text)
        } else {
            entropy::shannon(text) >= FLOOR
        }
        && !password::is_placeholder(text)
        && !words::are_spelled(text, 6)
        && has_random_piece(text)
        && (digits >= 2 || words::are_garbled(text, 8))
}

/// Whether a value that is called a password is one that somebody took care to choose, or had
/// chosen.
pub(super) fn is_strong_password(text: &str) -> bool {
    let count = |set: Charset| text.bytes().filter(|&byte| set.contains(byte)).count();
    let is_drawn = || {
        let kinds = [LOWER, UPPER, DIGITS].map(|set| usize::from(count(set) > 0));
        text.len() >= 12
            && kinds.iter().sum::<usize>() >= 2
            && has_random_piece(text)
            && entropy::is_random(text)
            && !password::is_phrase(text)
            && !password::is_placeholder(text)
    };
    is_value(text) && (password::is_strong(text) || is_drawn())
}

/// Whether some piece between marks is long and mixes letters with digits or cases as no name
/// does, or spells nothing. `claude-3-5-sonnet-20241022` and `src/lib/token.rs` have none.
fn has_random_piece(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|piece| {
            let changes = piece
                .as_bytes()
                .windows(2)
                .filter(|pair| kind(pair[0]) != kind(pair[1]) && !is_capitalised(pair))
                .count();
            piece.len() >= 8 && (changes * 5 >= piece.len() || words::are_garbled(piece, 10))
        })
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        _ => 2,
    }
}

fn is_capitalised(pair: &[u8]) -> bool {
    pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase()
}

/// Whether this is a value at all, and not a reference, a digest, an id or a public half.
pub(super) fn is_value(text: &str) -> bool {
    const PUBLIC_PREFIXES: [&str; 16] = [
        "pk_", "pk-", "pk.", "phc_", "pub_", "pub-", "public", "age1", "ssh-", "sha1", "sha2",
        "sha3", "sha5", "md5", "npub1", "did:",
    ];
    let is_path = text.contains("://")
        || text.starts_with(['~', '.'])
        || (text.starts_with('/') && text.matches('/').count() >= 3)
        || text.contains("::")
        || text.contains("->");
    let is_public = PUBLIC_PREFIXES
        .iter()
        .any(|prefix| text.starts_with(prefix));
    // A hash of a password in the format of crypt(3).
    let is_hash = text.starts_with("$2") || text.starts_with("$argon2") || text.starts_with("$6$");
    !is_path && !is_public && !is_hash && !ends_in_uuid(text) && !is_number(text)
}

/// Whether this is a number of a program: `0x8007_0005_u32`, `-1.5e9`.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let hex = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    let rest = hex.unwrap_or(digits);
    let set = if hex.is_some() { HEX } else { DIGITS };
    let is_digit = |byte: u8| set.contains(byte) || matches!(byte, b'_' | b'.');
    let number = rest.bytes().take_while(|&byte| is_digit(byte)).count();
    let suffix = rest[number..].trim_start_matches(['u', 'i', 'f', 'e', 'U', 'L', '+', '-']);
    number > 0 && number + 8 > rest.len() && DIGITS.holds(suffix)
}

/// Whether this is a UUID, or one after a prefix such as `token-`.
fn ends_in_uuid(text: &str) -> bool {
    const GROUPS: [usize; 5] = [12, 4, 4, 4, 8];
    let mut groups = text.rsplit('-');
    GROUPS.iter().all(|&length| {
        groups
            .next()
            .is_some_and(|group| group.len() == length && HEX.holds(group))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_values() {
        for text in [
            "q8Zr3nVtW1xYb7LmK2Qp",
            "q8Zr-3nVt_W1xY.b7LmK2Qp",
            "bd0066643f38dddfce28cbc427c4d79d",
            "7k2m9x4q8w3e5r1t6y0u",
        ] {
            assert!(
                is_machine_made(text) || text.len() < SHORTEST_VALUE,
                "{text}"
            );
        }
    }

    #[test]
    fn other_values() {
        for text in [
            "claude-3-5-sonnet-20241022",
            "src/secret/opaque_value_2.rs",
            "https://host.invalid/q8Zr3nVtW1xYb7LmK2Qp",
            "PKCS7PrivateKeyTypes",
            "SslGeneratePreMasterKeyFn",
            "0x8055_0008_u32",
            "-2147212282i32",
            "1234567890123456",
            "732f51d4-033a-47be-baf4-c4d2a22f9368",
            "token-732f51d4-033a-47be-baf4-c4d2a22f9368",
            "69ef37e9424c0a7e",
            "sha256:bd0066643f38dddfce28cbc427c4d79d",
            "2024-10-01T12:30:45.123456Z",
        ] {
            assert!(!is_machine_made(text), "{text}");
        }
    }
}
