//! What becomes of one entry of a client's folder: a pure decision over what should be there, what
//! we wrote there, and what is there.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use imprint_core::ItemId;
use imprint_format::{Digest, ItemKind};

use super::manifest::{OurFile, Written};

/// One item as it should stand in a client's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) item: ItemId,
    pub(crate) kind: ItemKind,
    /// By the path below the client's folder, `/` between components.
    pub(crate) files: BTreeMap<String, WantedFile>,
    /// The file that makes the client see the item: written last, removed first.
    pub(crate) entry_file: String,
}

/// One file as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WantedFile {
    pub(crate) digest: Digest,
    pub(crate) executable: bool,
    /// The content, where it is not kept in the store.
    pub(crate) rendered: Option<Arc<[u8]>>,
}

/// What stands at an entry's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Absent,
    /// A folder or a file, as it should be for the kind, with the files that were looked for.
    Item(BTreeMap<String, FoundFile>),
    /// A link; whether what it leads to holds the very bytes that are wanted.
    Link {
        same: bool,
    },
    /// Something else: a file where a folder should be, or the other way round, or a device.
    Other,
    Unreadable(String),
}

/// What stands at a file's path. A path without entry has nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundFile {
    /// `executable` is `None` on a system that knows no such bit.
    Bytes {
        digest: Digest,
        executable: Option<bool>,
    },
    Link,
    Other,
    Unreadable(String),
}

/// What to do with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// It is as it should be.
    Keep,
    /// It is not ours, and holds the very bytes that are wanted: the item is there.
    KeepForeign,
    /// Nothing is there.
    Write,
    /// Ours, and another version.
    Replace {
        write: Vec<String>,
        remove: Vec<String>,
    },
    /// Ours, and not wanted any more. `edited` files stay.
    Remove {
        remove: Vec<String>,
        edited: Vec<String>,
    },
    /// Ours no more: nothing of it is left there.
    Forget,
    /// Left as it is.
    Leave(Obstacle),
}

/// Why an entry is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Someone else's, with other bytes.
    Foreign,
    /// A file of someone else's stands where we would add one.
    ForeignFile(String),
    /// Ours, edited by hand.
    Edited(Vec<String>),
    /// A link.
    Link,
    /// Ours, but of an item that the registry doesn't hold: this may be the last copy.
    Unknown,
    Unreadable(String),
}

/// Decides. `ours` is what the manifest lists under this name.
pub(crate) fn decide(wanted: Option<&Wanted>, ours: Option<&Written>, found: &Found) -> Action {
    match (wanted, ours) {
        (None, None) => Action::Forget,
        (Some(wanted), None) => decide_new(wanted, found),
        (Some(wanted), Some(ours)) => decide_again(wanted, ours, found),
        (None, Some(ours)) => decide_removal(ours, found),
    }
}

/// Decides where what the manifest lists is of an item that the registry doesn't hold, because the
/// database was lost or put back from before. Nothing of it is replaced or removed.
pub(crate) fn decide_unknown(wanted: Option<&Wanted>, found: &Found) -> Action {
    match (decide(wanted, None, found), found) {
        // The very bytes that are wanted: ours again, under the new item.
        (Action::KeepForeign, Found::Item(_)) => Action::Keep,
        (Action::Forget | Action::Leave(Obstacle::Foreign), Found::Item(files))
            if !files.is_empty() =>
        {
            Action::Leave(Obstacle::Unknown)
        }
        (action, _) => action,
    }
}

fn decide_new(wanted: &Wanted, found: &Found) -> Action {
    match found {
        Found::Absent => Action::Write,
        Found::Link { same: true } => Action::KeepForeign,
        Found::Item(files) if holds_all(wanted, files) => Action::KeepForeign,
        Found::Link { same: false } => Action::Leave(Obstacle::Link),
        Found::Item(_) | Found::Other => Action::Leave(Obstacle::Foreign),
        Found::Unreadable(why) => Action::Leave(Obstacle::Unreadable(why.clone())),
    }
}

fn decide_again(wanted: &Wanted, ours: &Written, found: &Found) -> Action {
    let Found::Item(files) = found else {
        // Nothing of ours is left there.
        return decide_new(wanted, found);
    };
    let paths: BTreeSet<&String> = wanted.files.keys().chain(ours.files.keys()).collect();
    let mut write = Vec::new();
    let mut remove = Vec::new();
    let mut edited = Vec::new();
    for path in paths {
        let (wants, had) = (wanted.files.get(path), ours.files.get(path));
        match judge(wants, had, files.get(path)) {
            Judged::Fine => {}
            Judged::Write => write.push(path.clone()),
            Judged::Remove => remove.push(path.clone()),
            Judged::Edited => edited.push(path.clone()),
            Judged::Foreign => return Action::Leave(Obstacle::ForeignFile(path.clone())),
            Judged::Unreadable(why) => return Action::Leave(Obstacle::Unreadable(why)),
        }
    }
    if !edited.is_empty() {
        return Action::Leave(Obstacle::Edited(edited));
    }
    if write.is_empty() && remove.is_empty() {
        return Action::Keep;
    }
    Action::Replace { write, remove }
}

fn decide_removal(ours: &Written, found: &Found) -> Action {
    let files = match found {
        Found::Item(files) => files,
        Found::Absent | Found::Link { .. } | Found::Other => return Action::Forget,
        Found::Unreadable(why) => return Action::Leave(Obstacle::Unreadable(why.clone())),
    };
    let mut remove = Vec::new();
    let mut edited = Vec::new();
    for (path, had) in &ours.files {
        match judge(None, Some(had), files.get(path)) {
            Judged::Remove => remove.push(path.clone()),
            Judged::Edited => edited.push(path.clone()),
            Judged::Unreadable(why) => return Action::Leave(Obstacle::Unreadable(why)),
            Judged::Fine | Judged::Write | Judged::Foreign => {}
        }
    }
    // An edited entry file is the item as the user has it now: without its other files it breaks.
    if edited.iter().any(|path| is_entry_file(path)) {
        return Action::Leave(Obstacle::Edited(edited));
    }
    Action::Remove { remove, edited }
}

/// What one file comes to.
enum Judged {
    Fine,
    Write,
    Remove,
    Edited,
    Foreign,
    Unreadable(String),
}

fn judge(wants: Option<&WantedFile>, had: Option<&OurFile>, found: Option<&FoundFile>) -> Judged {
    let (digest, executable) = match found {
        // One that isn't there may have left an empty folder, so it is taken away all the same.
        None if wants.is_none() => return Judged::Remove,
        None => return Judged::Write,
        Some(FoundFile::Bytes { digest, executable }) => (digest, *executable),
        Some(FoundFile::Link | FoundFile::Other) => {
            return if had.is_some() {
                Judged::Edited
            } else {
                Judged::Foreign
            };
        }
        Some(FoundFile::Unreadable(why)) => return Judged::Unreadable(why.clone()),
    };
    let is_ours = had.is_some_and(|had| had.digests.contains(digest));
    match wants {
        Some(wants) if wants.digest == *digest => {
            let was_executable = had.is_some_and(|had| had.executable);
            // A bit that the user gave a data file stays; one that a script needs is given back.
            let right = executable.is_none_or(|executable| {
                executable == wants.executable || (executable && !was_executable)
            });
            if right { Judged::Fine } else { Judged::Write }
        }
        Some(_) if is_ours => Judged::Write,
        None if is_ours => Judged::Remove,
        _ if had.is_some() => Judged::Edited,
        _ => Judged::Foreign,
    }
}

fn holds_all(wanted: &Wanted, files: &BTreeMap<String, FoundFile>) -> bool {
    wanted.files.iter().all(|(path, wants)| {
        matches!(files.get(path), Some(FoundFile::Bytes { digest, .. }) if *digest == wants.digest)
    })
}

/// Whether this path, below a client's folder, is the file that makes the client see the item: a
/// skill's `SKILL.md`, or a persona's only file.
pub(crate) fn is_entry_file(path: &str) -> bool {
    match path.split_once('/') {
        Some((_, below)) => below == ItemKind::Skill.entry_file(),
        None => true,
    }
}

impl Wanted {
    /// What the manifest lists once the item stands there so.
    pub(crate) fn written(&self) -> Written {
        let files = self.files.iter().map(|(path, file)| {
            let ours = OurFile {
                digests: BTreeSet::from([file.digest]),
                executable: file.executable,
            };
            (path.clone(), ours)
        });
        Written {
            item: self.item,
            kind: self.kind,
            files: files.collect(),
        }
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
