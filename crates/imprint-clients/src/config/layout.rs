//! Lines, indents and splices of a text.

use std::ops::Range;

/// Replacements of byte ranges of one text.
#[derive(Debug, Default)]
pub(super) struct Splices(Vec<(Range<usize>, String)>);

impl Splices {
    /// Replaces a range; ranges must not overlap. Of those at one place, the first given comes
    /// first.
    pub(super) fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    /// The text with all of them made.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::with_capacity(text.len() + 256);
        let mut at = 0;
        for (range, with) in self.0 {
            let start = range.start.max(at);
            edited.push_str(&text[at..start]);
            edited.push_str(&with);
            at = range.end.max(start);
        }
        edited.push_str(&text[at..]);
        edited
    }
}

/// The line end that a text uses: that of its first line, else a line feed.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line of a byte starts.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Where the line of a byte ends, its line end not counted.
pub(super) fn line_stop(text: &str, at: usize) -> usize {
    let stop = text[at..].find('\n').map_or(text.len(), |end| at + end);
    if stop > at && text[at..stop].ends_with('\r') && stop < text.len() {
        stop - 1
    } else {
        stop
    }
}

/// A text without the line end at its end.
pub(super) fn without_line_end(text: &str) -> &str {
    let shorter = text.strip_suffix('\n');
    shorter.map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

/// The blanks and tabs that the line of a byte starts with.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether nothing but blanks stands before a byte on its line.
pub(super) fn is_first_on_line(text: &str, at: usize) -> bool {
    let before = &text[line_start(text, at)..at];
    before.trim_matches([' ', '\t']).is_empty()
}

/// Line and column of a byte, both from 1, the column in characters.
pub(super) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let line = text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = text[line_start(text, at)..at].chars().count() + 1;
    (line, column)
}
