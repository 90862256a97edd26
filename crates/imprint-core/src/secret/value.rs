//! Finding the value that belongs to a name: what may stand between the two, and where it ends.

use std::ops::Range;

use super::charset::Charset;

/// What a value without spaces may hold: all but quotes, brackets and separators.
const VALUE: Charset = Charset::of("0-9A-Za-z!#$%*+./:=?@^_~-");
/// Longer values are documents.
const LONGEST_VALUE: usize = 512;

/// How an `Authorization` header says what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Bearer,
    Basic,
}

const SCHEMES: [(&str, Scheme); 7] = [
    ("Bearer ", Scheme::Bearer),
    ("bearer ", Scheme::Bearer),
    ("Token ", Scheme::Bearer),
    ("token ", Scheme::Bearer),
    ("Bot ", Scheme::Bearer),
    ("Basic ", Scheme::Basic),
    ("basic ", Scheme::Basic),
];

/// A value after its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) span: Range<usize>,
    pub(super) scheme: Option<Scheme>,
    /// Not a call, the beginning of a sentence or a document, or cut off.
    pub(super) is_whole: bool,
}

impl Value {
    /// The value whose name ends at `name_end`; `is_spaced` allows a mere space between them.
    pub(super) fn after(text: &str, name_end: usize, is_spaced: bool) -> Option<Self> {
        let rest = after_separator(&text[name_end..], is_spaced)?;
        let opened = rest.trim_start_matches(OPENING);
        let is_quoted = rest[..rest.len() - opened.len()].contains(QUOTES);
        let (rest, scheme) = SCHEMES
            .iter()
            .find_map(|&(word, scheme)| Some((opened.strip_prefix(word)?, Some(scheme))))
            .unwrap_or((opened, None));
        let start = text.len() - rest.len();
        let length = VALUE.run(rest.as_bytes(), LONGEST_VALUE + 1);
        let next = &rest[length..];
        let is_call = next.starts_with(['(', '[', '{']);
        let is_phrase = is_quoted && next.starts_with(' ');
        let is_elided = next.starts_with('…');
        let value = rest[..length].trim_end_matches(['.', ':', '!', '?', '*']);
        Some(Self {
            span: start..start + value.len(),
            scheme,
            is_whole: length <= LONGEST_VALUE && !is_call && !is_phrase && !is_elided,
        })
    }
}

const QUOTES: [char; 3] = ['"', '\'', '`'];
const BLANKS: [char; 2] = [' ', '\t'];
/// What closes a name: quotes, also escaped ones, an index, emphasis.
const CLOSING: [char; 7] = ['"', '\'', '`', '\\', ']', ')', '*'];
/// What opens a value.
const OPENING: [char; 7] = ['"', '\'', '`', '\\', '*', ' ', '\t'];

/// What follows a separator, where one stands at the start of `rest`: `=`, `:`, `:=`, `=>`, a
/// type and `=`, `>` of a tag, `|` of a table, `is` of a sentence, `value=` of a pair, a comma
/// between two strings, or a space.
fn after_separator(rest: &str, is_spaced: bool) -> Option<&str> {
    let closed = rest.trim_start_matches(CLOSING);
    let is_string = rest[..rest.len() - closed.len()].contains(QUOTES);
    let spaced = closed.trim_start_matches(BLANKS);
    let after = |mark: &str| spaced.strip_prefix(mark);
    if let Some(value) = after(":=").or(after("=>")).or(after("|")).or(after("is ")) {
        return Some(value);
    }
    if let Some(value) = after(":") {
        return Some(after_type(value).unwrap_or(value));
    }
    if let Some(value) = after("=") {
        return Some(value.trim_start_matches('='));
    }
    if let Some(value) = closed.strip_prefix('>').or(after_pair(closed)) {
        return Some(value);
    }
    if is_string && let Some(value) = after(",") {
        let value = value.trim_start_matches(BLANKS);
        return value.starts_with(QUOTES).then_some(value);
    }
    (is_spaced && spaced.len() < closed.len()).then_some(spaced)
}

/// What follows the type in `name: &str = value`.
fn after_type(text: &str) -> Option<&str> {
    const TYPE: Charset = Charset::of("0-9A-Za-z_&<>?:' -");
    let length = TYPE.run(text.as_bytes(), 32);
    text[length..].strip_prefix('=').filter(|_| length > 1)
}

/// What follows `value` where a name and its value are two fields: `name: X` and `value: Y` on
/// the next line, `key="X" value="Y"`, `{"name": "X", "value": "Y"}`.
fn after_pair(text: &str) -> Option<&str> {
    text.trim_start_matches([' ', '\t', '\r', '\n', ','])
        .trim_start_matches(QUOTES)
        .strip_prefix("value")?
        .trim_start_matches(QUOTES)
        .trim_start_matches(BLANKS)
        .strip_prefix([':', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(text: &str) -> Option<&str> {
        let value = Value::after(text, "name".len(), false)?;
        value.is_whole.then(|| &text[value.span])
    }

    #[test]
    fn separators() {
        for text in [
            "name=v4lue",
            "name = v4lue",
            "name: v4lue, more",
            "name: 'v4lue'",
            "name\": \"v4lue\"",
            "name\\\": \\\"v4lue\\\"",
            "name := `v4lue`",
            "name' => 'v4lue'",
            "name: &'static str = \"v4lue\";",
            "name: string = 'v4lue'",
            "name'] = 'v4lue'",
            "name\", \"v4lue\")",
            "name>v4lue</name>",
            "name** : v4lue",
            "name:** `v4lue`.",
            "name | v4lue |",
            "name is v4lue.",
            "name\n    value: v4lue",
            "name\" value=\"v4lue\"/>",
            "name\", \"value\": \"v4lue\"}",
            "name: Bearer v4lue",
        ] {
            assert_eq!(value_of(text), Some("v4lue"), "{text}");
        }
    }

    #[test]
    fn no_value() {
        for text in [
            "name",
            "name v4lue",
            "name, v4lue",
            "name = call(v4lue)",
            "name: \"a sentence\"",
            "name: v4l…",
        ] {
            assert!(value_of(text).is_none(), "{text}");
        }
    }
}
