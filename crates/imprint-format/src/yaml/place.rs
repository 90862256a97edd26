//! Where a value stands: the parser gives a block scalar's content without its indicator, a quoted
//! text with the comment behind it, and counts anchors and tags to the value.

use std::ops::Range;

use crate::lines::{is_blank, line_at, lines};

/// What stands behind a key.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// A value that the parser says ends there.
    Until(usize),
    /// A text in quotes.
    Quoted,
    /// A literal or folded block, below a key in this column.
    Block { column: usize },
    /// No value.
    Nothing,
}

/// The byte range of the value of the key that ends at `key_end`.
pub(super) fn value_span(text: &str, key_end: usize, place: Place) -> Range<usize> {
    let colon = skip_space(text, key_end);
    let behind_colon = if text[colon..].starts_with(':') {
        colon + 1
    } else {
        key_end
    };
    let (properties_end, start) = skip_properties(text, behind_colon);
    match place {
        Place::Until(end) => start.min(end)..end,
        Place::Nothing => properties_end..properties_end,
        Place::Quoted => start..quote_end(text, start),
        Place::Block { column } => start..block_end(text, start, column),
    }
}

/// Behind the anchor and tag that may stand at `from`: where the last of them ends (`from` when
/// there is none), and where the value starts.
fn skip_properties(text: &str, from: usize) -> (usize, usize) {
    let mut end = from;
    let mut start = skip_space(text, from);
    while text[start..].starts_with(['&', '!']) {
        end = start
            + text[start..]
                .find(|c: char| c.is_ascii_whitespace())
                .unwrap_or(text.len() - start);
        start = skip_space(text, end);
    }
    (end, start)
}

/// The first byte from `from` on that is no blank, line end or comment.
fn skip_space(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' if at > 0 && bytes[at - 1].is_ascii_whitespace() => at = line_at(text, at).end,
            _ => break,
        }
    }
    at
}

/// Behind the quote that closes the one at `start`.
fn quote_end(text: &str, start: usize) -> usize {
    let mut bytes = text.bytes().enumerate().skip(start);
    let Some((_, quote)) = bytes.next() else {
        return start;
    };
    while let Some((at, byte)) = bytes.next() {
        let escapes = match quote {
            b'"' => byte == b'\\',
            _ => byte == quote && text.as_bytes().get(at + 1) == Some(&quote),
        };
        if escapes {
            bytes.next();
        } else if byte == quote {
            return at + 1;
        }
    }
    text.len()
}

/// Where the block scalar whose indicator is at `start` ends: behind the text of its last line
/// that is not blank. Its lines stand deeper than `column` (YAML 1.2.2 section 8.1.1).
fn block_end(text: &str, start: usize, column: usize) -> usize {
    let header = line_at(text, start);
    let indicator = header.of(text).split([' ', '\t']).next().unwrap_or("");
    let mut end = start + indicator.len();
    let mut indent = explicit_indent(indicator).map(|deeper| column + deeper);
    for line in lines(text, header.next) {
        let content = line.of(text);
        if is_blank(content) {
            continue;
        }
        let own = content.len() - content.trim_start_matches(' ').len();
        if own < (*indent.get_or_insert(own)).max(column + 1) {
            break;
        }
        end = line.end;
    }
    end
}

/// The digit of `|2-` and the like.
fn explicit_indent(indicator: &str) -> Option<usize> {
    let digit = indicator.chars().find_map(|c| c.to_digit(10))?;
    usize::try_from(digit).ok()
}
