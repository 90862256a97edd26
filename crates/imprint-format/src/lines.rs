//! Lines of a text that ends them with LF, CRLF or CR, each with its place.

/// One line. `start..end` is its text, `end..next` its line end (empty on the last line).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: usize,
}

impl Line {
    /// The line's text without its line end.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    /// The line end as it stands: `\n`, `\r\n`, `\r`, or nothing.
    pub(crate) fn ending<'t>(&self, text: &'t str) -> &'t str {
        &text[self.end..self.next]
    }
}

/// The lines of `text` from byte `from` on, places counted in the whole text. A line end at the
/// very end starts no further line.
pub(crate) fn lines(text: &str, from: usize) -> impl Iterator<Item = Line> {
    let mut start = from;
    std::iter::from_fn(move || {
        if start >= text.len() {
            return None;
        }
        let line = line_at(text, start);
        start = line.next;
        Some(line)
    })
}

/// The line that starts at byte `start`.
pub(crate) fn line_at(text: &str, start: usize) -> Line {
    let bytes = text.as_bytes();
    let end = bytes[start..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(bytes.len(), |length| start + length);
    let next = match bytes.get(end) {
        None => end,
        Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
    };
    Line { start, end, next }
}

/// The same text with every line end spelled as `ending`.
pub(crate) fn with_line_ends(text: &str, ending: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in lines(text, 0) {
        out.push_str(line.of(text));
        if line.next > line.end {
            out.push_str(ending);
        }
    }
    out
}

/// Whether a text has nothing but blanks and tabs.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_count() {
        let text = "a\r\nb\rc\n\nd";
        let found: Vec<_> = lines(text, 0)
            .map(|line| (line.of(text), line.ending(text)))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "\r\n"),
                ("b", "\r"),
                ("c", "\n"),
                ("", "\n"),
                ("d", "")
            ]
        );
    }

    #[test]
    fn line_ends_are_respelled_and_a_missing_one_stays_missing() {
        assert_eq!(with_line_ends("a\nb\r\nc\rd", "\r\n"), "a\r\nb\r\nc\r\nd");
        assert_eq!(with_line_ends("a\r\n", "\n"), "a\n");
    }
}
