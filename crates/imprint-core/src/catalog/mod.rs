//! The block: the compact list of active items as text for a model.

mod line;
#[cfg(test)]
pub(crate) mod tests;

use std::cmp::Ordering;

use imprint_format::ItemKind;

pub(crate) use line::{clip_units, units};
pub use line::{escape, unescape};

use crate::{ItemState, ItemSummary};

/// Characters (code points) of one description in the block, the mark of a cut included.
pub const DESCRIPTION_CHARS: usize = 250;
/// Estimated tokens of a whole block, four characters each.
pub const BLOCK_TOKENS: usize = 1_500;
/// Characters that one estimated token stands for.
pub const CHARS_PER_TOKEN: usize = 4;
/// How every block starts, at the start of a line. No text from an item starts a line.
pub const BLOCK_START: &str = "The user's skills and personas";

/// UTF-16 code units of a whole block. A text has never fewer of them than code points, so this
/// keeps [`BLOCK_TOKENS`] however a client counts.
const BLOCK_UNITS: usize = BLOCK_TOKENS * CHARS_PER_TOKEN;
/// The least that naming an item takes: one letter, a comma, a blank.
const SHORTEST_ENTRY: usize = 3;
/// The kinds that stand in a block, in the order in which lists of names stand.
const KINDS: [ItemKind; 2] = [ItemKind::Skill, ItemKind::Persona];

const HOW_TO_LOAD: &str =
    "When a description fits the task, load that one first with skills(action=\"get\", name=…):";
const HOW_TO_LOAD_BY_NAME: &str =
    "Load one that fits the task with skills(action=\"get\", name=…).";
const POINTER: &str = "skills(action=\"list\") gives all of them.";

/// How much room a block has, and what it may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockBudget {
    /// UTF-16 code units of the whole block; more than [`BLOCK_TOKENS`] allow are not used.
    pub units: usize,
    /// Whether descriptions are shown.
    pub detail: Detail,
}

/// What a block says of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Kind, name and description, while there is room.
    Descriptions,
    /// Kind and name.
    Names,
}

/// Whether an item is one that a model may be told of: active, not hidden from models, and no
/// guideline (those are given as text).
pub fn is_listed(item: &ItemSummary) -> bool {
    item.state == ItemState::Active && !item.hidden_from_model && item.kind != ItemKind::Guideline
}

/// The items of a block in their order: pinned, most loaded, name.
#[derive(Clone, Debug)]
pub struct Catalog<'a> {
    /// As many of the first items as any block has room to name.
    first: Vec<&'a ItemSummary>,
    total: usize,
}

impl<'a> Catalog<'a> {
    /// The catalog of those of these items that [`is_listed`] lets through.
    pub fn new(items: impl IntoIterator<Item = &'a ItemSummary>) -> Self {
        let mut first: Vec<_> = items.into_iter().filter(|item| is_listed(item)).collect();
        let total = first.len();
        // Of thousands only the first few hundred can show: no need to sort the others.
        let shown = BLOCK_UNITS / SHORTEST_ENTRY;
        if total > shown {
            first.select_nth_unstable_by(shown, |a, b| order(a, b));
            first.truncate(shown);
        }
        first.sort_unstable_by(|a, b| order(a, b));
        Self { first, total }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether there is nothing to list.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The items as text for a model, within the budget: with descriptions while there is room,
    /// then by name, then counted; with a pointer to `skills(action="list")`. `None` without
    /// items, or when not even the count has room. Text from items can't forge a line or close a
    /// delimiter ([`escape`]).
    pub fn block(&self, budget: BlockBudget) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let max = budget.units.min(BLOCK_UNITS);
        let described = match budget.detail {
            Detail::Descriptions => self.described_block(max),
            Detail::Names => None,
        };
        described
            .or_else(|| self.named_block(max))
            .or_else(|| self.counted_block(max))
    }

    /// The first items with text, the next by name. `None` when no text has room.
    fn described_block(&self, max: usize) -> Option<String> {
        let head = format!("{BLOCK_START}. {HOW_TO_LOAD}\n");
        let room = max.checked_sub(units(&head) + units(&tail(self.total)))?;
        let lines = self.lines(room);
        if lines.is_empty() {
            return None;
        }
        let used: usize = lines.iter().map(|line| units(line)).sum();
        let names = Names::fill("More ", &self.first[lines.len()..], room - used);
        let rest = self.total - lines.len() - names.count;
        Some(format!(
            "{head}{}{}{}",
            lines.concat(),
            names.text(),
            tail(rest)
        ))
    }

    /// The first items by name. `None` when no name has room.
    fn named_block(&self, max: usize) -> Option<String> {
        let head = format!("{BLOCK_START}. {HOW_TO_LOAD_BY_NAME}\n");
        let room = max.checked_sub(units(&head) + units(&tail(self.total)))?;
        let names = Names::fill("", &self.first, room);
        let rest = self.total - names.count;
        (names.count > 0).then(|| format!("{head}{}{}", names.text(), tail(rest)))
    }

    /// One sentence.
    fn counted_block(&self, max: usize) -> Option<String> {
        let text = format!("{BLOCK_START}, {} in all: {POINTER}", self.total);
        (units(&text) <= max).then_some(text)
    }

    /// The lines that are shown whole: all when all have room, else as many as leave the others
    /// what their names need, of which half the room is the most.
    fn lines(&self, room: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut used = 0;
        for item in &self.first {
            let line = line::item_line(item);
            used += units(&line);
            if used > room {
                break;
            }
            lines.push(line);
        }
        if lines.len() == self.total {
            return lines;
        }
        let entry = |item: &&ItemSummary| item.name.as_str().len() + ", ".len();
        let heads: usize = KINDS
            .map(|kind| Names::head("More ", kind).len() + 1)
            .iter()
            .sum();
        let mut for_names = heads + self.first.iter().map(entry).sum::<usize>();
        let mut used = 0;
        let mut shown = 0;
        for (line, item) in lines.iter().zip(&self.first) {
            used += units(line);
            for_names -= entry(item);
            if used + for_names.min(room / 2) > room {
                break;
            }
            shown += 1;
        }
        lines.truncate(shown);
        lines
    }
}

fn order(a: &ItemSummary, b: &ItemSummary) -> Ordering {
    b.pinned
        .cmp(&a.pinned)
        .then_with(|| b.loads.cmp(&a.loads))
        .then_with(|| a.name.cmp(&b.name))
        .then_with(|| a.kind.cmp(&b.kind))
        .then_with(|| a.id.cmp(&b.id))
}

/// The last line: how many were left, and where they are.
fn tail(rest: usize) -> String {
    match rest {
        0 => POINTER.to_owned(),
        rest => format!("{rest} more: {POINTER}"),
    }
}

/// Names without text, a line for each kind.
struct Names {
    lines: [String; KINDS.len()],
    count: usize,
}

impl Names {
    /// As many of these items as have room, in their order.
    fn fill(prefix: &str, items: &[&ItemSummary], room: usize) -> Self {
        let mut names = Self {
            lines: Default::default(),
            count: 0,
        };
        let mut left = room;
        for item in items {
            let Some(index) = KINDS.iter().position(|kind| *kind == item.kind) else {
                continue;
            };
            let line = &mut names.lines[index];
            let before = if line.is_empty() {
                Self::head(prefix, item.kind)
            } else {
                ", ".to_owned()
            };
            let line_end = usize::from(line.is_empty());
            let cost = before.len() + item.name.as_str().len() + line_end;
            let Some(rest) = left.checked_sub(cost) else {
                break;
            };
            left = rest;
            line.push_str(&before);
            line.push_str(item.name.as_str());
            names.count += 1;
        }
        names
    }

    fn head(prefix: &str, kind: ItemKind) -> String {
        format!("{prefix}{kind}s: ")
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for line in self.lines.iter().filter(|line| !line.is_empty()) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
