//! Telling letters that spell words from letters that were drawn at random.

/// For each letter, those that often follow it in English: the 220 commonest pairs, which are
/// 93 % of all pairs in technical text and 33 % of those in random letters.
const FOLLOWERS: [&str; 26] = [
    "bcdgiklmnprstuvy",
    "aeilorsu",
    "acehiklorstu",
    "adeiosu",
    "acdefglmnpqrstvx",
    "aefilou",
    "ehinru",
    "aeiort",
    "abcdefglmnoprstvz",
    "",
    "eis",
    "adeilostuy",
    "aeimopsu",
    "acdefgiknostuv",
    "bcdiklmnoprstuvw",
    "aeiloprstu",
    "u",
    "acdegikmnorstuy",
    "acehiopstuy",
    "acehilorstuy",
    "abceilmnprst",
    "aei",
    "aehior",
    "pt",
    "s",
    "e",
];

/// How many pairs of neighbouring letters a text has, and how many of them are common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pairs {
    all: usize,
    common: usize,
    /// Pairs in which a capital follows a small letter: often in random text, once a word in
    /// `camelCase`.
    rising: usize,
}

impl Pairs {
    fn of(text: &str) -> Self {
        let mut pairs = Self {
            all: 0,
            common: 0,
            rising: 0,
        };
        for pair in text.as_bytes().windows(2) {
            if !pair.iter().all(u8::is_ascii_alphabetic) {
                continue;
            }
            if pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase() {
                // The pair spans two words of `camelCase` and says nothing of either.
                pairs.rising += 1;
                continue;
            }
            pairs.all += 1;
            pairs.common += usize::from(is_common(pair[0], pair[1]));
        }
        pairs
    }
}

fn is_common(first: u8, second: u8) -> bool {
    let index = usize::from(first.to_ascii_lowercase() - b'a');
    FOLLOWERS[index]
        .as_bytes()
        .contains(&second.to_ascii_lowercase())
}

/// Whether this is long enough to tell, mostly letters, and its letters spell words.
///
/// `at_least` is how many pairs of letters it takes to be sure. With 16, fewer than one in 10,000
/// random texts of any length is mistaken for words; with 6, about one in 1,000 of 16 letters.
pub(super) fn are_spelled(text: &str, at_least: usize) -> bool {
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let pairs = Pairs::of(text);
    // Written text has a number at its end or between two words; random text has many.
    let numbers = text
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        .filter(|run| run[0].is_ascii_digit())
        .count();
    letters >= 4 * digits
        && numbers <= 2
        && pairs.all >= at_least
        && pairs.common * 5 >= pairs.all * 4
        && pairs.rising * 4 <= pairs.all
}

/// Whether this has at least so many pairs of letters and they spell nothing, or rise and fall as
/// no `camelCase` does.
pub(super) fn are_garbled(text: &str, at_least: usize) -> bool {
    let pairs = Pairs::of(text);
    let spells_nothing = pairs.common * 20 <= pairs.all * 13;
    pairs.all >= at_least && (spells_nothing || pairs.rising * 3 > pairs.all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_words_however_they_are_joined() {
        for text in [
            "this-is-not-a-real-secret-value",
            "ThisIsAFakeTokenForTestingPurposes12",
            "the_name_of_the_production_secret",
            "INSERTYOURPERSONALACCESSTOKENHERE",
            "supersecretdevelopmenttoken",
        ] {
            assert!(are_spelled(text, 16), "{text}");
        }
    }

    #[test]
    fn random_letters_are_not() {
        for text in [
            "Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAe",
            "qwzkvjxhgtplmbnrfdscyauieoqzxvkj",
            "hTgWqPzKxLmVbNcRfDsYjUiOeAqWzXkP",
            "bd0066643f38dddfce28cbc427c4d79d",
        ] {
            assert!(!are_spelled(text, 6), "{text}");
        }
    }

    #[test]
    fn a_short_text_is_undecided() {
        assert!(!are_spelled("password", 16));
        assert!(are_spelled("password", 6));
    }
}
