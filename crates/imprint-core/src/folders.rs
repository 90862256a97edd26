//! The port to the folders that clients read.

use std::collections::BTreeMap;

use std::fmt;

use async_trait::async_trait;
use imprint_format::ItemKind;
use serde::{Deserialize, Serialize};

use crate::{ItemId, LogPosition, Timestamp};

/// Writes active items where clients read them.
#[async_trait]
pub trait ClientFolders: Send + Sync + fmt::Debug {
    /// One writing pass. Never fails whole: what could not be done stands in the report.
    async fn write(&self) -> Result<FolderReport, FoldersError>;

    /// What the last pass reported, by any process; `None` when there was none. Creates nothing.
    async fn last_report(&self) -> Option<FolderReport>;

    /// The folder in which a client on this machine finds an item, if the last pass placed it:
    /// an absolute path.
    async fn folder_of(&self, item: ItemId) -> Option<String>;
}

/// What a writing pass came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderReport {
    /// The log position that the pass read. An item that changed later is not placed yet.
    pub position: LogPosition,
    /// When, as a label.
    pub at: Timestamp,
    /// Which client reads which kind from where.
    pub readers: Vec<Reader>,
    /// Items that some client should have found in a folder and does not.
    pub unplaced: Vec<Unplaced>,
    /// Everything else that the user should know: foreign or edited copies left alone, and why.
    pub notes: Vec<FolderNote>,
    /// What the pass did.
    pub done: PassCounts,
}

/// One client that reads one kind from one folder that the pass keeps current.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reader {
    /// The client's id, such as `claude-code`.
    pub client: String,
    /// What it reads there.
    pub kind: ItemKind,
    /// The folder: an absolute path.
    pub folder: String,
}

/// One item that has no place in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unplaced {
    /// The item.
    pub item: ItemId,
    /// Its kind.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// For which client; `None` for all.
    pub client: Option<String>,
    /// Why, as one sentence.
    pub why: String,
}

impl Unplaced {
    /// For people: one entry for each item and reason, with all the clients that it holds for, in
    /// their order. No client means all.
    pub fn by_reason<'u>(
        unplaced: impl IntoIterator<Item = &'u Self>,
    ) -> Vec<(&'u Self, Vec<&'u str>)> {
        let mut groups: Vec<(&Self, Vec<&str>)> = Vec::new();
        let mut places = BTreeMap::new();
        for one in unplaced {
            let place = *places.entry((one.item, &one.why)).or_insert_with(|| {
                groups.push((one, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.extend(one.client.as_deref());
        }
        groups
    }
}

/// Something in a folder that was left alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderNote {
    /// The file or folder: an absolute path.
    pub path: String,
    /// What it is.
    pub what: FolderNoteKind,
    /// What was found and what can be done, as one or two sentences.
    pub message: String,
}

/// What kind of thing was left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FolderNoteKind {
    /// We did not write it.
    Foreign,
    /// We wrote it, someone edited it since.
    Edited,
    /// A link where our folder should be.
    Link,
    /// It could not be read or written.
    Unwritable,
    /// Something left out of a rendered file because the client can't read it.
    LeftOut,
}

/// What a pass did, in items per folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassCounts {
    /// New there.
    pub written: u32,
    /// Replaced there.
    pub replaced: u32,
    /// Taken away from there.
    pub removed: u32,
    /// Already as it should be.
    pub kept: u32,
}

/// Why no pass took place. The change itself is kept, and the next pass writes it.
#[derive(Debug, thiserror::Error)]
#[error("the clients' folders could not be written: {message}")]
pub struct FoldersError {
    /// What happened.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_with_one_reason_are_told_of_once() {
        let unplaced = |client: Option<&str>, why: &str| Unplaced {
            item: "00000000-0000-7000-8000-000000000001".parse().unwrap(),
            kind: ItemKind::Skill,
            name: "tea".to_owned(),
            client: client.map(str::to_owned),
            why: why.to_owned(),
        };
        let all = [
            unplaced(Some("codex"), "full"),
            unplaced(None, "lost"),
            unplaced(Some("cursor"), "full"),
        ];
        let groups = Unplaced::by_reason(&all);
        let told: Vec<_> = groups
            .iter()
            .map(|(one, who)| (&*one.why, &**who))
            .collect();
        assert_eq!(told, [("full", &["codex", "cursor"][..]), ("lost", &[])]);
    }
}
