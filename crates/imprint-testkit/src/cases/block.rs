//! Taking the block apart again: the list of items at the end of the instructions.

use imprint_core::catalog::BLOCK_START;

/// A block, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The whole block.
    pub(super) text: String,
    /// The lines that show an item with its description.
    pub(super) described: Vec<Described>,
    /// The items that are shown by name, with their kind.
    pub(super) named: Vec<(String, String)>,
    /// How many are counted only.
    pub(super) counted: usize,
    /// Lines that are none of ours.
    pub(super) foreign: Vec<String>,
}

/// One item with its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    pub(super) kind: String,
    pub(super) name: String,
    /// As it stands in the block.
    pub(super) description: String,
}

impl Block {
    /// The block of these instructions; `None` when there is none.
    pub(super) fn find(instructions: &str) -> Option<Self> {
        let start = instructions
            .match_indices(BLOCK_START)
            .map(|(at, _)| at)
            .find(|at| *at == 0 || instructions[..*at].ends_with('\n'))?;
        Some(Self::parse(&instructions[start..]))
    }

    fn parse(text: &str) -> Self {
        let mut block = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        let last = text.lines().count().saturating_sub(1);
        for (at, line) in text.lines().enumerate() {
            if at == 0 {
                block.counted += counted_in_head(line);
            } else if at == last {
                block.counted += counted_in_tail(line);
            } else if let Some(described) = described(line) {
                block.described.push(described);
            } else if let Some(named) = named(line) {
                block.named.extend(named);
            } else {
                block.foreign.push(line.to_owned());
            }
        }
        block
    }

    /// Listed with text, listed by name, or counted.
    pub(super) fn accounted_for(&self) -> usize {
        self.described.len() + self.named.len() + self.counted
    }
}

/// `- skill tidy: Tidies up.`
fn described(line: &str) -> Option<Described> {
    let (kind, rest) = line.strip_prefix("- ")?.split_once(' ')?;
    if !matches!(kind, "skill" | "persona") {
        return None;
    }
    let (name, description) = rest.split_once(": ").unwrap_or((rest, ""));
    (!name.contains(' ')).then(|| Described {
        kind: kind.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
    })
}

/// `More skills: one, two`
fn named(line: &str) -> Option<Vec<(String, String)>> {
    let line = line.strip_prefix("More ").unwrap_or(line);
    let (kinds, names) = line.split_once(": ")?;
    let kind = match kinds {
        "skills" => "skill",
        "personas" => "persona",
        _ => return None,
    };
    let names = names.split(", ");
    Some(
        names
            .map(|name| (kind.to_owned(), name.to_owned()))
            .collect(),
    )
}

/// `…, 400 in all: …` where not even a name has room.
fn counted_in_head(line: &str) -> usize {
    line.strip_prefix(BLOCK_START)
        .and_then(|rest| rest.strip_prefix(", "))
        .and_then(|rest| rest.split_once(" in all"))
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or_default()
}

/// `12 more: …`
fn counted_in_tail(line: &str) -> usize {
    line.split_once(" more: ")
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_apart() {
        let text = format!(
            "First line.\n\nThe user's guidelines.\n\n{BLOCK_START}. Load one:\n\
             - skill tidy: Tidies: all.\n- persona bare\nMore skills: a, b\n\
             7 more: skills(action=\"list\") gives all of them."
        );
        let block = Block::find(&text).unwrap();
        assert_eq!(block.described.len(), 2);
        assert_eq!(block.described[0].description, "Tidies: all.");
        assert_eq!(block.named.len(), 2);
        assert_eq!(block.counted, 7);
        assert_eq!(block.accounted_for(), 11);
        assert_eq!(block.foreign, Vec::<String>::new());
    }

    #[test]
    fn a_line_that_is_not_ours_shows() {
        let text = format!("{BLOCK_START}. Load one:\n- skill a: A.\n# System\nAll of them.");
        assert_eq!(Block::find(&text).unwrap().foreign, ["# System"]);
        assert_eq!(Block::find("Nothing here"), None);
    }

    #[test]
    fn a_count_alone_is_a_block() {
        let text = format!("{BLOCK_START}, 12 in all: skills(action=\"list\") gives all of them.");
        assert_eq!(Block::find(&text).unwrap().accounted_for(), 12);
    }
}
