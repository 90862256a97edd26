//! Any bytes, any length: no panic, no leak, lines that exist.

use proptest::prelude::*;

use super::{
    generate::{Rng, fill},
    rows::{self, ROWS},
    scan,
};
use crate::secret::{masked_in, scan_bytes};

fn assert_sound(text: &str) {
    if scan(text).is_empty() {
        assert_eq!(masked_in(text), text);
    } else {
        assert_ne!(masked_in(text), text);
    }
    let lines = text.split('\n').count() + text.split('\r').count();
    for finding in scan(text) {
        let (shown, length) = finding.masked.split_once('…').unwrap();
        assert!(shown.chars().count() <= 4);
        assert!(length.starts_with(" (") && length.ends_with(" characters)"));
        assert!(finding.line >= 1 && finding.line as usize <= lines);
    }
}

#[test]
fn a_masked_text_keeps_all_but_the_credentials() {
    let token = format!("{}{}", "gh", "p_Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12");
    let text = format!("é {token} and `{token}`.");
    let masked = "ghp_… (40 characters)";
    assert_eq!(masked_in(&text), format!("é {masked} and `{masked}`."));
}

proptest! {
    #[test]
    fn any_text_is_scanned(text in any::<String>()) {
        assert_sound(&text);
    }

    #[test]
    fn any_bytes_are_scanned(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = scan_bytes(&bytes);
    }

    /// Pieces of what the rules look for, in any order and cut anywhere.
    #[test]
    fn broken_pieces_are_scanned(
        pieces in proptest::collection::vec(0..ROWS.len() + 8, 1..6),
        seed in any::<u64>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut rng = Rng::new(seed);
        let mut text = String::new();
        for piece in pieces {
            match ROWS.get(piece) {
                Some(row) => text += &rows::value(row, &mut rng),
                None => text += ["://", "é", "-----BEGIN ", "\r", "password=", "eyJ", " ", "@"][piece - ROWS.len()],
            }
        }
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        assert_sound(&text[at..]);
        assert_sound(&text[..at]);
    }
}

/// Seeded rather than drawn anew: of 50,000 random values about one happens to look like filler.
#[test]
fn a_value_is_found_in_any_surroundings() {
    const MARKS: &str = " \t\n()\"'`=<>,;é“”";
    let mut rng = Rng::new(31);
    for _ in 0..20 {
        for row in ROWS {
            let value = rows::value(row, &mut rng);
            let (before, after) = (rng.below(12), rng.below(12));
            let before = rng.text(MARKS, before);
            let after = rng.text(MARKS, after).replace('=', ",");
            let text = format!("{before}{value}{after}");
            let is_found = scan(&text).iter().any(|finding| finding.rule == row.rule);
            assert!(is_found, "{} in {text:?}", row.template);
        }
    }
}

#[test]
fn bytes_around_a_value_need_not_be_text() {
    let value = fill("ghp_{base62:36}", &mut Rng::new(30));
    let damaged = [b"\xFF\xFE\xFD\n\0\x80", value.as_bytes(), b"\0\xC3"].concat();
    let wide: Vec<u8> = format!("a\nb: {value}\n")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, line) in [(damaged[2..].to_vec(), 2), (wide, 2)] {
        let findings = scan_bytes(&bytes);
        assert_eq!(findings.len(), 1);
        assert_eq!(
            (findings[0].rule.as_str(), findings[0].line),
            ("github-token", line)
        );
    }
}
