//! What a pass would do, as people see it.

use imprint_core::{FolderNote, FolderNoteKind, ItemId, Unplaced};
use imprint_format::ItemKind;
use serde::Serialize;

use super::{
    entry::{Action, Obstacle},
    plan::{EntryPlan, Plan, RootPlan},
    report::note_of,
};

/// A pass that did not take place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// The folders, in the order of their paths.
    pub folders: Vec<PlannedFolder>,
    /// Items for which no folder is right, and why.
    pub unplaced: Vec<Unplaced>,
    /// What clients' own forms have no room for.
    pub notes: Vec<FolderNote>,
}

/// One folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedFolder {
    /// The folder as its clients name it.
    pub folder: String,
    /// Whether it would have to be made.
    pub missing: bool,
    /// Its entries, by name.
    pub entries: Vec<PlannedEntry>,
    /// Temporary files of killed passes in it, which the next pass takes away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<String>,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedEntry {
    /// Its name in the folder.
    pub name: String,
    /// The item.
    pub item: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// `keep`, `write`, `replace`, `remove`, `forget` or `leave`.
    pub action: &'static str,
    /// What would be left as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<FolderNoteKind>,
    /// Why it would be left as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Planned {
    /// Whether a pass would change nothing in the folders.
    pub fn is_idle(&self) -> bool {
        let entries = self.folders.iter().flat_map(|folder| &folder.entries);
        entries
            .into_iter()
            .all(|entry| matches!(entry.action, "keep" | "leave" | "forget"))
    }
}

pub(super) fn of(plan: Plan) -> Planned {
    let mut unplaced = plan.placement.unplaced;
    for ((at, item), why) in &plan.outcomes {
        let Some(why) = why else { continue };
        let item = plan.read.items.iter().find(|found| found.id == *item);
        let readers = plan
            .placement
            .targets
            .get(*at)
            .map(|target| &target.readers);
        if let (Some(item), Some(readers)) = (item, readers) {
            unplaced.extend(
                readers
                    .iter()
                    .map(|(client, _)| crate::placement::unplaced(item, Some(client), why.clone())),
            );
        }
    }
    Planned {
        folders: plan.roots.values().map(folder).collect(),
        unplaced,
        notes: plan.notes,
    }
}

fn folder(root: &RootPlan) -> PlannedFolder {
    let entries = root.entries.iter().map(|(name, entry)| {
        let (what, why) = note(root, name, entry).unzip();
        PlannedEntry {
            name: name.clone(),
            item: entry.item,
            kind: entry.kind,
            action: action(&entry.action),
            what,
            why,
        }
    });
    PlannedFolder {
        folder: root.folder.display().to_string(),
        missing: matches!(root.state, super::roots::RootState::Missing(_)),
        entries: entries.collect(),
        leftovers: root.leftovers.clone(),
    }
}

fn action(action: &Action) -> &'static str {
    match action {
        Action::Keep | Action::KeepForeign => "keep",
        Action::Write => "write",
        Action::Replace { .. } => "replace",
        Action::Remove { remove, edited } if remove.is_empty() && edited.is_empty() => "forget",
        Action::Remove { .. } => "remove",
        Action::Forget => "forget",
        Action::Leave(_) => "leave",
    }
}

fn note(root: &RootPlan, name: &str, entry: &EntryPlan) -> Option<(FolderNoteKind, String)> {
    let told = |obstacle: &Obstacle| {
        let note = note_of(&root.folder.join(name), obstacle, entry.kind);
        (note.what, note.message)
    };
    match &entry.action {
        Action::Leave(obstacle) => Some(told(obstacle)),
        Action::Remove { edited, .. } if !edited.is_empty() => {
            Some(told(&Obstacle::Edited(edited.clone())))
        }
        _ => None,
    }
}
