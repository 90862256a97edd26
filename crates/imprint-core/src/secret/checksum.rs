//! Checksums inside tokens. A right one proves that a value is a token; a wrong one clears
//! nothing, because an issuer may change its scheme without telling.

/// The digits of base62, in the order of their values.
pub(crate) const BASE62: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// CRC-32 (IEEE) of all but the last six characters, in those six, base62 with the digits first.
///
/// GitHub described it for its tokens in "Behind GitHub's new authentication token formats"
/// (2021), npm uses the same, and so do our own keys. `body` is what follows the prefix.
pub(crate) fn crc32_base62(body: &str) -> bool {
    tail(body, 6).is_some_and(|(head, sum)| sum.bytes().eq(crc32_base62_of(head)))
}

/// The six characters that [`crc32_base62`] looks for.
pub(crate) fn crc32_base62_of(head: &str) -> [u8; 6] {
    radix(head, BASE62)
}

/// CRC-32 of all but the last seven characters, in those seven, base36.
///
/// GitLab's routable tokens (its handbook, "Routable tokens"); `token` begins with its prefix.
pub(super) fn crc32_base36(token: &str) -> bool {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    tail(token, 7).is_some_and(|(head, sum)| sum.bytes().eq(radix::<7>(head, DIGITS)))
}

/// CRC-32 of what precedes the last `separator`, after it in eight hexadecimal digits: in the
/// byte order of the number (Atlassian) or reversed (Grafana writes little-endian bytes).
pub(super) fn crc32_hex(token: &str, separator: char) -> bool {
    let Some((head, sum)) = token.rsplit_once(separator) else {
        return false;
    };
    let crc = crc32fast::hash(head.as_bytes());
    u32::from_str_radix(sum, 16).is_ok_and(|sum| sum == crc || sum == crc.swap_bytes())
}

/// The checksum of Bech32 (BIP 173): the last six of a text `prefix1data`, in one case.
pub(super) fn bech32(token: &str) -> bool {
    const ALPHABET: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let lower = token.to_ascii_lowercase();
    let Some((prefix, data)) = lower.rsplit_once('1') else {
        return false;
    };
    let mut sum = 1;
    let expanded = prefix
        .bytes()
        .map(|byte| u32::from(byte >> 5))
        .chain([0])
        .chain(prefix.bytes().map(|byte| u32::from(byte & 31)));
    for value in expanded {
        sum = bech32_step(sum, value);
    }
    for letter in data.chars() {
        let Some(value) = ALPHABET.find(letter).and_then(|at| u32::try_from(at).ok()) else {
            return false;
        };
        sum = bech32_step(sum, value);
    }
    sum == 1
}

fn bech32_step(sum: u32, value: u32) -> u32 {
    const GENERATOR: [u32; 5] = [
        0x3b6a_57b2,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];
    let top = sum >> 25;
    let shifted = (sum & 0x01ff_ffff) << 5 ^ value;
    (0..5)
        .filter(|bit| top >> bit & 1 == 1)
        .fold(shifted, |sum, bit| sum ^ GENERATOR[bit])
}

fn tail(text: &str, length: usize) -> Option<(&str, &str)> {
    text.split_at_checked(text.len().checked_sub(length)?)
}

/// The CRC-32 of `head` in `N` digits.
fn radix<const N: usize>(head: &str, digits: &[u8]) -> [u8; N] {
    let base = digits.len();
    let mut rest = crc32fast::hash(head.as_bytes()) as usize;
    let mut text = [digits[0]; N];
    for place in text.iter_mut().rev() {
        *place = digits[rest % base];
        rest /= base;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_samples_match() {
        // GitHub's own example, without its prefix.
        assert!(crc32_base62(concat!(
            "zQWBuTSOoRi4A9spHcVY",
            "5ncnsDkxkJ",
            "0mLq17"
        )));
        assert!(!crc32_base62(concat!(
            "zQWBuTSOoRi4A9spHcVY",
            "5ncnsDkxkJ",
            "0mLq18"
        )));
        // The example in Grafana's API description.
        assert!(crc32_hex(
            concat!(
                "gl",
                "sa_",
                "yscW25imSKJIuav8zF37RZmnbiDvB05G",
                "_",
                "fcaaf58a"
            ),
            '_'
        ));
        // BIP 173.
        assert!(bech32("A12UEL5L"));
        assert!(!bech32("A12UEL5M"));
    }

    #[test]
    fn short_and_odd_texts_have_no_checksum() {
        for text in ["", "a", "12345", "é1", "1", "ééééééé"] {
            assert!(!crc32_base62(text) && !crc32_base36(text), "{text:?}");
            assert!(!crc32_hex(text, '_') && !bech32(text), "{text:?}");
        }
    }
}
