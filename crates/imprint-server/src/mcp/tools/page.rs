//! Long answers, a page at a time. Clients cut what is too long at its end or in its middle, so a
//! page says at both ends which part of the whole it is.

use unicode_segmentation::GraphemeCursor;

use super::answer::Fault;

/// A part of a text. All counts are characters (Unicode code points).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    start: usize,
    end: usize,
    total: usize,
}

/// How long a page may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Characters.
    chars: usize,
    /// Characters once the text is a JSON string: some clients count those.
    escaped: usize,
}

impl Room {
    /// What is left of a whole answer of so many characters beside its other text. An answer's
    /// size leaves a third of it for escapes.
    pub(super) fn beside(answer_chars: usize, other: usize) -> Self {
        let chars = answer_chars.saturating_sub(other).max(1);
        Self {
            chars,
            escaped: chars + answer_chars / 3,
        }
    }
}

impl<'a> Page<'a> {
    /// The part that begins behind the first `start` characters.
    pub(super) fn of(text: &'a str, start: usize, room: Room) -> Result<Self, Fault> {
        let total = text.chars().count();
        if start > 0 && start >= total {
            return Err(past_the_end(start, total, "characters"));
        }
        let from = text
            .char_indices()
            .nth(start)
            .map_or(text.len(), |(at, _)| at);
        let part = &text[from..];
        let part = &part[..grapheme_border(part, fitting(part, room))];
        Ok(Self {
            text: part,
            start,
            end: start + part.chars().count(),
            total,
        })
    }

    /// Which part of the whole this is.
    pub(super) fn span(&self) -> Span {
        Span {
            unit: "characters",
            start: self.start,
            end: self.end,
            total: self.total,
        }
    }
}

/// Which part of how much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) unit: &'static str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) total: usize,
}

impl Span {
    /// `characters 1–200 of 500; next_start=200`, or without the last part when nothing follows.
    pub(super) fn label(self) -> String {
        let Self {
            unit,
            start,
            end,
            total,
        } = self;
        let first = if end > start { start + 1 } else { start };
        let label = format!("{unit} {first}–{end} of {total}");
        match self.next() {
            Some(next) => format!("{label}; next_start={next}"),
            None => label,
        }
    }

    /// Where the next page starts.
    pub(super) fn next(self) -> Option<usize> {
        (self.end < self.total).then_some(self.end)
    }
}

/// How many of these lines fit from `start` on, with their line ends: at least one, if there is
/// one.
pub(super) fn lines_that_fit(lines: &[String], start: usize, room: Room) -> Result<Span, Fault> {
    let total = lines.len();
    if start > 0 && start >= total {
        return Err(past_the_end(start, total, "items"));
    }
    let (mut chars, mut escaped, mut end) = (0, 0, start);
    for line in &lines[start..] {
        chars += line.chars().count() + 1;
        escaped += line.chars().map(escaped_len).sum::<usize>() + 2;
        if end > start && (chars > room.chars || escaped > room.escaped) {
            break;
        }
        end += 1;
    }
    Ok(Span {
        unit: "items",
        start,
        end,
        total,
    })
}

fn past_the_end(start: usize, total: usize, unit: &str) -> Fault {
    Fault::new(format!(
        "`start` is {start}, and there are only {total} {unit}"
    ))
    .hint("Leave `start` out to begin at the beginning")
}

/// How many bytes of the text have room.
fn fitting(text: &str, room: Room) -> usize {
    let (mut chars, mut escaped) = (0, 0);
    for (at, c) in text.char_indices() {
        chars += 1;
        escaped += escaped_len(c);
        // One character always: a page that stands still would be asked for again and again.
        if chars > 1 && (chars > room.chars || escaped > room.escaped) {
            return at;
        }
    }
    text.len()
}

fn escaped_len(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// The last border between two characters as people see them, not behind `end`; `end` itself when
/// there is none behind the start.
fn grapheme_border(text: &str, end: usize) -> usize {
    let mut cursor = GraphemeCursor::new(end, text.len(), true);
    if cursor.is_boundary(text, 0) == Ok(true) {
        return end;
    }
    match cursor.prev_boundary(text, 0) {
        Ok(Some(border)) if border > 0 => border,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOM: Room = Room {
        chars: 10,
        escaped: 13,
    };

    fn pages(text: &str) -> Vec<&str> {
        let mut pages = Vec::new();
        let mut start = 0;
        loop {
            let page = Page::of(text, start, ROOM).expect("a page");
            pages.push(page.text);
            match page.span().next() {
                Some(next) => start = next,
                None => return pages,
            }
        }
    }

    #[test]
    fn a_page_says_which_part_it_is() {
        let text = "0123456789abcdefghij!";
        let label = |start| Page::of(text, start, ROOM).expect("a page").span().label();
        assert_eq!(label(0), "characters 1–10 of 21; next_start=10");
        assert_eq!(label(10), "characters 11–20 of 21; next_start=20");
        assert_eq!(label(20), "characters 21–21 of 21");
        let empty = Page::of("", 0, ROOM).expect("a page");
        assert_eq!(empty.span().label(), "characters 0–0 of 0");
        assert!(Page::of(text, 21, ROOM).is_err());
        assert!(Page::of("", 1, ROOM).is_err());
    }

    #[test]
    fn a_page_ends_between_characters_as_people_see_them() {
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(
            pages(&format!("12345678{family}9")),
            ["12345678", &format!("{family}9")]
        );
        let endless = "e".to_owned() + &"\u{301}".repeat(30);
        assert_eq!(pages(&endless).concat(), endless);
    }

    #[test]
    fn escapes_count() {
        assert_eq!(pages(&"\"".repeat(10)), ["\"".repeat(6), "\"".repeat(4)]);
    }

    proptest! {
        #[test]
        fn pages_make_up_the_text_and_each_fits(text in r#"([a-c"\n]|\PC|e\u{301}){0,60}"#) {
            let pages = pages(&text);
            prop_assert_eq!(&pages.concat(), &text);
            for page in pages {
                prop_assert!(page.chars().count() <= ROOM.chars);
            }
        }

        #[test]
        fn lines_are_given_once_each(lengths in prop::collection::vec(0_usize..30, 0..20)) {
            let lines: Vec<_> = lengths.iter().map(|&length| "x".repeat(length)).collect();
            let mut start = 0;
            while let Some(next) = lines_that_fit(&lines, start, ROOM).expect("in range").next() {
                prop_assert!(next > start);
                start = next;
            }
            let last = lines_that_fit(&lines, start, ROOM).expect("in range");
            prop_assert_eq!(last.end, lines.len());
        }
    }
}
