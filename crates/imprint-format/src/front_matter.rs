//! The front matter of a file: the fences around it, and the entries in it.

mod repair;

use std::ops::Range;

use crate::{
    limits::FRONT_MATTER_BYTES,
    lines::{is_blank, line_at, lines},
    yaml::{Entry, NestedDuplicate, YamlError, YamlFault, parse_root},
};
pub(crate) use repair::Repair;

/// Where front matter and body stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fences {
    /// The lines between the fences, the last line end included.
    pub(crate) header: Range<usize>,
    /// Where the line behind the closing fence starts.
    pub(crate) rest: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FenceFault {
    /// The first line is no fence.
    NoOpening,
    /// The first line is blank, but a fence follows.
    BlankFirst,
    /// No second fence.
    NoClosing,
}

/// Finds the fences of the text that starts at byte `from`.
pub(crate) fn find_fences(text: &str, from: usize) -> Result<Fences, FenceFault> {
    let opening = line_at(text, from);
    if !is_fence(opening.of(text)) {
        let first_written = lines(text, from).find(|line| !line.of(text).trim().is_empty());
        return Err(match first_written {
            Some(line) if line.start > from && is_fence(line.of(text)) => FenceFault::BlankFirst,
            _ => FenceFault::NoOpening,
        });
    }
    let closing = lines(text, opening.next).find(|line| is_fence(line.of(text)));
    let closing = closing.ok_or(FenceFault::NoClosing)?;
    Ok(Fences {
        header: opening.next..closing.start,
        rest: closing.next,
    })
}

/// A whole line of exactly three dashes; blanks behind them are invisible to authors.
fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(is_blank)
}

/// The entries between the fences. All places and lines are those in the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) entries: Vec<Entry>,
    pub(crate) nested_duplicates: Vec<NestedDuplicate>,
    pub(crate) repairs: Vec<Repair>,
    /// Whether the mapping is written with braces.
    pub(crate) flow: bool,
    /// How many blanks stand before its keys.
    pub(crate) indent: usize,
}

/// Lines above the front matter: the opening fence.
const LINES_ABOVE: u32 = 1;

/// Parses the front matter at `header`, with one round of repair.
pub(crate) fn parse(text: &str, header: Range<usize>) -> Result<FrontMatter, YamlError> {
    let start = header.start;
    let mut front_matter = parse_alone(&text[header]).map_err(|mut error| {
        error.line += LINES_ABOVE;
        error
    })?;
    for entry in &mut front_matter.entries {
        entry.span = moved(&entry.span, start);
        entry.line += LINES_ABOVE;
    }
    for duplicate in &mut front_matter.nested_duplicates {
        duplicate.line += LINES_ABOVE;
    }
    for repair in &mut front_matter.repairs {
        repair.span = moved(&repair.span, start);
        repair.line += LINES_ABOVE;
    }
    Ok(front_matter)
}

fn moved(span: &Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}

fn parse_alone(header: &str) -> Result<FrontMatter, YamlError> {
    if header.len() > FRONT_MATTER_BYTES {
        return Err(YamlError {
            line: 1,
            message: format!(
                "the front matter is {} bytes; at most {FRONT_MATTER_BYTES} are read",
                header.len()
            ),
            fault: YamlFault::Limit,
        });
    }
    let (root, repairs) = match parse_root(header) {
        Ok(root) => (root, Vec::new()),
        Err(error) if error.fault == YamlFault::Limit => return Err(error),
        Err(error) => repair::repaired(header).ok_or(error)??,
    };
    Ok(FrontMatter {
        entries: root.entries,
        nested_duplicates: root.nested_duplicates,
        repairs,
        flow: root.flow,
        indent: root.indent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Result<(&str, &str), FenceFault> {
        let fences = find_fences(text, 0)?;
        Ok((&text[fences.header], &text[fences.rest..]))
    }

    #[test]
    fn fences_are_whole_lines() {
        assert_eq!(split("---\na: b\n---\nx"), Ok(("a: b\n", "x")));
        assert_eq!(split("--- \t\r\na\r\n---  \r\nx\n"), Ok(("a\r\n", "x\n")));
        assert_eq!(split("---\ra\r---\rx"), Ok(("a\r", "x")));
        assert_eq!(split("---\n---"), Ok(("", "")));
        assert_eq!(
            split("---\na\n ---\n----\n---x\n---"),
            Ok(("a\n ---\n----\n---x\n", ""))
        );
        assert_eq!(split("---\na\n---\nb\n---\n"), Ok(("a\n", "b\n---\n")));
    }

    #[test]
    fn front_matter_stands_at_the_start_or_nowhere() {
        for text in [
            "",
            "# x\n---\na\n---\n",
            "----\na\n---\n",
            " ---\na\n---\n",
            "--\n",
        ] {
            assert_eq!(split(text), Err(FenceFault::NoOpening), "{text:?}");
        }
        assert_eq!(split("\n \n---\na\n---\n"), Err(FenceFault::BlankFirst));
        assert_eq!(split("---\na: b\n"), Err(FenceFault::NoClosing));
        assert_eq!(split("---"), Err(FenceFault::NoClosing));
    }

    #[test]
    fn places_and_lines_are_those_of_the_file() {
        let text = "---\r\n# x\r\na: b\r\nc: d: e\r\n---\r\n";
        let fences = find_fences(text, 0).unwrap();
        let front_matter = parse(text, fences.header).unwrap();
        let [a, c] = front_matter.entries.as_slice() else {
            panic!("{front_matter:?}");
        };
        assert_eq!((&text[a.span.clone()], a.line), ("b", 3));
        assert_eq!((&text[c.span.clone()], c.line), ("d: e", 4));
        assert_eq!(front_matter.repairs[0].line, 4);
    }

    #[test]
    fn the_size_is_limited() {
        let big = format!("---\na: {}\n---\n", "x".repeat(FRONT_MATTER_BYTES));
        let fences = find_fences(&big, 0).unwrap();
        assert_eq!(
            parse(&big, fences.header).unwrap_err().fault,
            YamlFault::Limit
        );
    }
}
