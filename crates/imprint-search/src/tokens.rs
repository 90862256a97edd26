//! Texts as terms: what is the same to a reader is the same term.

use std::{borrow::Cow, collections::HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::stop_words::is_stop_word;

/// Characters of a word that count; a longer one is no word that anybody types.
const WORD_CHARS: usize = 64;
/// Distinct terms of a request that count. A pasted page must not take longer than a question.
const QUERY_TERMS: usize = 256;

/// The terms of a text, in order: words in lower case without accents, English endings taken off.
/// Of an identifier (`snake_case`, `kebab-case`, `camelCase`, `main.rs`) its parts and, joined, the
/// whole. Scripts without blanks between words (Chinese, Japanese, Korean, Thai) give pairs of
/// neighbouring characters.
pub(crate) fn terms(text: &str) -> Vec<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

/// The first [`QUERY_TERMS`] distinct terms of a request, in order, without words that say nothing,
/// unless there are no others.
pub(crate) fn query_terms(text: &str) -> Vec<String> {
    let mut words = words(text);
    if words.iter().any(|word| !is_stop_word(word)) {
        words.retain(|word| !is_stop_word(word));
    }
    let mut seen = HashSet::new();
    words
        .iter()
        .map(|word| stem(word))
        .filter(|term| seen.insert(term.clone()))
        .take(QUERY_TERMS)
        .collect()
}

/// Only words of plain letters have English endings.
fn stem(word: &str) -> String {
    if word.len() > 2 && is_plain(word) {
        return Stemmer::create(Algorithm::English).stem(word).into_owned();
    }
    word.to_owned()
}

/// The words of a text, folded, with their endings.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // Full-width letters, ligatures and the like become the plain ones.
    let text = if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    };
    for chunk in text.split(|c| !(is_word_char(c) || is_joiner(c))) {
        if is_plain(chunk) && chunk.len() <= WORD_CHARS {
            words.extend((!chunk.is_empty()).then(|| chunk.to_owned()));
            continue;
        }
        let parts: Vec<String> = chunk
            .split(is_joiner)
            .flat_map(split_case)
            .map(fold)
            .filter(|part| !part.is_empty())
            .collect();
        for part in &parts {
            push_part(&mut words, part);
        }
        if parts.len() > 1 && !chunk.contains(is_apostrophe) {
            words.push(parts.concat().chars().take(WORD_CHARS).collect());
        }
    }
    words
}

/// Lower-case letters alone, as most words are: nothing to split or fold.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// With the marks that belong to letters, and what ends `C++` and `C#`.
fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '+' | '#') || (!c.is_ascii() && is_combining_mark(c))
}

fn is_joiner(c: char) -> bool {
    matches!(c, '_' | '-' | '.') || is_apostrophe(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// `camelCase` and `HTTPServer` at their humps.
fn split_case(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let hump = before.is_some_and(|before: char| {
            c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_lower))
        });
        if hump {
            parts.push(&word[start..at]);
            start = at;
        }
        before = Some(c);
    }
    parts.push(&word[start..]);
    parts
}

/// Lower case, without accents; letters of other scripts keep the marks that make them.
fn fold(word: &str) -> String {
    let word = word.trim_start_matches(['+', '#']);
    if word.is_ascii() {
        let end = word.len().min(WORD_CHARS);
        return word[..end].to_ascii_lowercase();
    }
    word.to_lowercase()
        .nfd()
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
        .nfc()
        .take(WORD_CHARS)
        .collect()
}

/// A word; where it holds characters of a script without blanks, those as pairs.
fn push_part(words: &mut Vec<String>, part: &str) {
    let chars: Vec<char> = part.chars().collect();
    for run in chars.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b)) {
        if !is_unspaced(run[0]) || run.len() == 1 {
            words.push(run.iter().collect());
            continue;
        }
        words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
    }
}

/// Characters of scripts that put no blanks between words (and Korean, whose words take endings).
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_stemmed() {
        assert_eq!(terms("Writes RELEASE notes"), ["write", "releas", "note"]);
        assert_eq!(
            terms("Café Übung ﬁx ｆｕｌｌ"),
            ["cafe", "ubung", "fix", "full"]
        );
        assert_eq!(terms("тесты ёлка"), ["тесты", "елка"]);
        assert_eq!(terms("the user's"), ["the", "user", "s"]);
        assert_eq!(terms("# C++ and C#, #42"), ["c++", "and", "c#", "42"]);
    }

    #[test]
    fn identifiers_give_their_parts_and_the_whole() {
        assert_eq!(terms("snake_case"), ["snake", "case", "snakecas"]);
        assert_eq!(terms("kebab-case"), ["kebab", "case", "kebabcas"]);
        assert_eq!(
            terms("parseJSONFile"),
            ["pars", "json", "file", "parsejsonfil"]
        );
        assert_eq!(terms("GitHub github"), ["git", "hub", "github", "github"]);
        assert_eq!(terms("main.rs -- ."), ["main", "rs", "mainr"]);
    }

    #[test]
    fn scripts_without_blanks_give_pairs() {
        assert_eq!(terms("代码审查"), ["代码", "码审", "审查"]);
        assert_eq!(terms("Rust言語 茶"), ["rust", "言語", "茶"]);
        assert_eq!(terms("が"), ["が"]);
        assert_eq!(terms("한국어"), ["한국", "국어"]);
    }

    #[test]
    fn a_request_drops_words_that_say_nothing_unless_there_are_no_others() {
        assert_eq!(
            query_terms("how do I fix the tests, fix them"),
            ["fix", "test"]
        );
        assert_eq!(query_terms("what is it"), ["what", "is", "it"]);
        assert_eq!(query_terms("\0\u{202e} (* OR \"\")"), ["or"]);
        assert!(query_terms(" ?! ").is_empty());
        let page: Vec<_> = (0..5_000).map(|i| format!("w{i}")).collect();
        assert_eq!(query_terms(&page.join(" ")).len(), QUERY_TERMS);
    }
}
