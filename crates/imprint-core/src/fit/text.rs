//! The fixed texts, and how they, the guidelines and the block share the room of one text.

use super::guidelines::Guidelines;
use super::{BlockBudget, CHARS_PER_TOKEN, Catalog, Detail, GUIDELINES_UNITS, NAMES_TOKENS};
use crate::catalog::{clip_units, units};

/// The instructions' first line: of all that a server says, the one thing that most clients show
/// (Codex with newer models: nothing else, and of it 247 characters).
pub(super) const FIRST_LINE: &str = "Imprint keeps this user's own skills and personas: the tool \
    skills(action=\"list\") gives them. Before you start a task, load the one that fits it with \
    skills(action=\"get\", name=…). Save new ones with skill_edit.";

/// Stands instead of the block when everything is left out of it.
const ALL_IN_FOLDERS: &str = "This client already loads them from its own folders.";

const DESCRIPTION: &str = "Lists and loads the user's own skills (how to do a kind of task) and \
    personas (roles to take on). action=\"list\" gives kind, name, description and state; with \
    query, the best match first. action=\"get\" gives the instructions of one by name; with path, \
    another of its files; start continues a long answer. Before you start a task, load the one \
    whose description fits it.";

/// Between two parts.
const GAP: &str = "\n\n";

/// What a client is to be told, before it is fitted.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) catalog: Catalog<'a>,
    pub(super) guidelines: Guidelines,
    /// There are items, and the client loads all of them from folders.
    pub(super) all_in_folders: bool,
}

impl Parts<'_> {
    /// The instructions, in UTF-16 code units: so many for the first line, so many in all.
    pub(super) fn instructions(&self, first_line: usize, all: usize) -> String {
        self.append(self.opening(first_line, all), all)
    }

    /// The instructions without what is the user's own, in UTF-16 code units as above.
    pub(super) fn opening(&self, first_line: usize, all: usize) -> String {
        let mut text = sentences(FIRST_LINE, first_line);
        if self.all_in_folders && units(&text) + 1 + units(ALL_IN_FOLDERS) <= all {
            text.push('\n');
            text.push_str(ALL_IN_FOLDERS);
        }
        text
    }

    /// The tool's description with the guidelines and the block.
    pub(super) fn whole_description(&self, room: usize) -> String {
        self.append(description(room), room)
    }

    /// The tool's description with the items' names.
    pub(super) fn description_with_names(&self, room: usize) -> String {
        let text = description(room);
        let names = self.catalog.block(BlockBudget {
            units: room_after(&text, room).min(NAMES_TOKENS * CHARS_PER_TOKEN),
            detail: Detail::Names,
        });
        join([Some(text), names])
    }

    /// The block gets its room first, the guidelines what it leaves. When that is not even enough
    /// to say that there are guidelines, the block shrinks by that much.
    fn append(&self, head: String, room: usize) -> String {
        let room = room_after(&head, room);
        let block = self.block(room);
        let left = block
            .as_deref()
            .map_or(room, |block| room_after(block, room));
        if let Some(guidelines) = self.guidelines.within(left.min(GUIDELINES_UNITS)) {
            return join([Some(head), Some(guidelines), block]);
        }
        let Some(pointer) = self.guidelines.pointer(room) else {
            return join([Some(head), block]);
        };
        match self.block(room_after(&pointer, room)) {
            Some(block) => join([Some(head), Some(pointer), Some(block)]),
            None => join([Some(head), block.or(Some(pointer))]),
        }
    }

    fn block(&self, units: usize) -> Option<String> {
        self.catalog.block(BlockBudget {
            units,
            detail: Detail::Descriptions,
        })
    }
}

/// The tool's description without items.
pub(super) fn description(room: usize) -> String {
    sentences(DESCRIPTION, room)
}

/// As many whole sentences of a text of ours as have room; cut with a mark if not even one has.
fn sentences(text: &str, room: usize) -> String {
    if units(text) <= room {
        return text.to_owned();
    }
    text.rmatch_indices(". ")
        .map(|(at, _)| &text[..=at])
        .find(|sentences| units(sentences) <= room)
        .map_or_else(|| clip_units(text, room), str::to_owned)
}

/// What is left for a part that stands after this text.
fn room_after(text: &str, room: usize) -> usize {
    room.saturating_sub(units(text) + GAP.len())
}

fn join<const N: usize>(parts: [Option<String>; N]) -> String {
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join(GAP)
}
