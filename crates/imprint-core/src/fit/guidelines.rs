//! The user's guidelines as text for a model.

use imprint_format::text::one_line;

use crate::catalog::{clip_units, units};

const HEAD: &str = "The user's guidelines for you:";
const CUT: &str = "The guidelines are cut here: call guidelines() for the whole text.";
const POINTER: &str = "The user has guidelines for you: call guidelines() to read them.";
/// Less of a guideline than this is not worth the room.
const SHORTEST_PART: usize = 40;
/// Columns of indentation that are kept.
const INDENT: usize = 16;

/// The guidelines as list entries. The first line of each starts with a dash and the others are
/// indented, so that none can stand as a line of ours. Their Markdown stays as the user wrote it.
#[derive(Clone, Debug)]
pub(super) struct Guidelines {
    entries: Vec<String>,
}

impl Guidelines {
    pub(super) fn new(texts: &[String]) -> Self {
        Self {
            entries: texts.iter().filter_map(|text| entry(text)).collect(),
        }
    }

    /// Within so many UTF-16 code units: whole, else cut with a pointer to the tool that gives the
    /// rest, else the pointer. `None` without guidelines, or when not even the pointer has room.
    pub(super) fn within(&self, room: usize) -> Option<String> {
        if self.entries.is_empty() {
            return None;
        }
        let whole = self
            .entries
            .iter()
            .map(|entry| units(entry) + 1)
            .sum::<usize>();
        if units(HEAD) + whole <= room {
            return Some(format!("{HEAD}\n{}", self.entries.join("\n")));
        }
        self.cut(room).or_else(|| self.pointer(room))
    }

    /// That there are guidelines, and where.
    pub(super) fn pointer(&self, room: usize) -> Option<String> {
        (!self.entries.is_empty() && units(POINTER) <= room).then(|| POINTER.to_owned())
    }

    /// The first guidelines, the last of them perhaps in part.
    fn cut(&self, room: usize) -> Option<String> {
        let mut left = room.checked_sub(units(HEAD) + 1 + units(CUT))?;
        let mut text = format!("{HEAD}\n");
        let mut any = false;
        for entry in &self.entries {
            let needed = units(entry) + 1;
            if needed <= left {
                left -= needed;
                text.push_str(entry);
                text.push('\n');
                any = true;
                continue;
            }
            if left > SHORTEST_PART {
                text.push_str(&clip_units(entry, left - 1));
                text.push('\n');
                any = true;
            }
            break;
        }
        text.push_str(CUT);
        any.then_some(text)
    }
}

/// `- text`, further lines indented; what nobody sees is left out, and so are blank lines at
/// either end and all but one between two others. `None` when nothing is left.
fn entry(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let mut entry = String::new();
    let mut blank = false;
    for line in text.split(['\n', '\r']) {
        let shown = one_line(line);
        if shown.is_empty() {
            blank = true;
            continue;
        }
        if entry.is_empty() {
            entry.push_str("- ");
        } else {
            entry.push_str(if blank { "\n\n  " } else { "\n  " });
            entry.push_str(&" ".repeat(indent(line)));
        }
        entry.push_str(&shown);
        blank = false;
    }
    (!entry.is_empty()).then_some(entry)
}

/// How far a line is indented: it gives lists and code their meaning in Markdown.
fn indent(line: &str) -> usize {
    line.chars()
        .map_while(|c| match c {
            ' ' => Some(1),
            '\t' => Some(4),
            _ => None,
        })
        .sum::<usize>()
        .min(INDENT)
}
