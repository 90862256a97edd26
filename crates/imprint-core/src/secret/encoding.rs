//! Text out of bytes of any encoding that carries credentials through unnoticed otherwise.

use std::borrow::Cow;

/// The text in `bytes`: UTF-16 where a byte order mark or the zeros between ASCII letters say so,
/// otherwise UTF-8 with replacement characters for what is none. Line ends survive both.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match byte_order(bytes) {
        Some(order) => Cow::Owned(from_utf16(bytes, order)),
        None => String::from_utf8_lossy(bytes),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    Little,
    Big,
}

fn byte_order(bytes: &[u8]) -> Option<ByteOrder> {
    if bytes.starts_with(&[0xFF, 0xFE]) {
        return Some(ByteOrder::Little);
    }
    if bytes.starts_with(&[0xFE, 0xFF]) {
        return Some(ByteOrder::Big);
    }
    let beginning = &bytes[..bytes.len().min(256)];
    let zeros = |parity: usize| {
        beginning
            .iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&b| b == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let most = beginning.len() * 3 / 8;
    match beginning.len() >= 8 {
        true if odd > most && even == 0 => Some(ByteOrder::Little),
        true if even > most && odd == 0 => Some(ByteOrder::Big),
        _ => None,
    }
}

fn from_utf16(bytes: &[u8], order: ByteOrder) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match order {
        ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
        ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
    });
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_with_and_without_a_mark() {
        let little: Vec<u8> = "key: käse\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let big: Vec<u8> = "key: käse\n"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(text_of(&little), "key: käse\n");
        assert_eq!(text_of(&big), "key: käse\n");
        let marked = [&[0xFF, 0xFE][..], &little].concat();
        assert_eq!(text_of(&marked), "\u{feff}key: käse\n");
    }

    #[test]
    fn damaged_utf_8_keeps_its_ascii() {
        assert_eq!(text_of(b"a\xFFb\n"), "a\u{fffd}b\n");
        assert_eq!(text_of(b"\x00\x00\x00\x00"), "\0\0\0\0");
    }
}
