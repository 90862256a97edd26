//! Text from an item as part of one line that a model reads.

use imprint_format::text::one_line;
use unicode_segmentation::UnicodeSegmentation as _;

use super::DESCRIPTION_CHARS;
use crate::ItemSummary;

/// `- skill tidy-up: Tidies up.` and a line end.
pub(super) fn item_line(item: &ItemSummary) -> String {
    let description = shown_description(&item.description);
    let colon = if description.is_empty() { "" } else { ": " };
    format!("- {} {}{colon}{description}\n", item.kind, item.name)
}

/// A description in one line, escaped, within [`DESCRIPTION_CHARS`]: cut on a grapheme border with
/// `…` as the last character when anything was cut.
fn shown_description(description: &str) -> String {
    let line = one_line(description);
    let escaped = escape(&line);
    if escaped.chars().nth(DESCRIPTION_CHARS).is_none() {
        return escaped;
    }
    let mut left = DESCRIPTION_CHARS - 1;
    let mut end = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        let needed: usize = grapheme
            .char_indices()
            .map(|(i, _)| escape_at(&line[at + i..]).map_or(1, str::len))
            .sum();
        let Some(rest) = left.checked_sub(needed) else {
            break;
        };
        left = rest;
        end = at + grapheme.len();
    }
    format!("{}…", escape(line[..end].trim_end()))
}

/// Angle brackets as `&lt;` and `&gt;`, so that no text closes a delimiter, ours or a client's. An
/// ampersand becomes `&amp;` only where it would read as one of these three. [`unescape`] undoes it.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match escape_at(&text[at..]) {
            Some(entity) => escaped.push_str(entity),
            None => escaped.push(c),
        }
    }
    escaped
}

/// What stands for the first character of this text, if it can't stay as it is.
fn escape_at(text: &str) -> Option<&'static str> {
    match text.as_bytes().first()? {
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'&' => entity(text).map(|_| "&amp;"),
        _ => None,
    }
}

/// The text that [`escape`] was given.
pub fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let (name, c) = entity(&rest[at..]).unwrap_or(("&", '&'));
        plain.push(c);
        rest = &rest[at + name.len()..];
    }
    plain.push_str(rest);
    plain
}

fn entity(text: &str) -> Option<(&'static str, char)> {
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&')]
        .into_iter()
        .find(|(name, _)| text.starts_with(name))
}

/// UTF-16 code units: how the clients that cut texts count.
pub(crate) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// At most `max` UTF-16 code units, cut on a grapheme border with `…` as the last character when
/// anything was cut. Empty when not even that has room.
pub(crate) fn clip_units(text: &str, max: usize) -> String {
    if units(text) <= max {
        return text.to_owned();
    }
    let Some(room) = max.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let end = text
        .grapheme_indices(true)
        .find(|(_, grapheme)| {
            used += units(grapheme);
            used > room
        })
        .map_or(text.len(), |(at, _)| at);
    format!("{}…", text[..end].trim_end())
}
