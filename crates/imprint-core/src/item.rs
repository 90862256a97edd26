//! Items and their revisions, as values.

use imprint_format::{Digest, ItemKind, ItemName, ItemPath};
use serde::{Deserialize, Serialize};

use crate::{DeviceId, ItemId, LogPosition, RevisionId, Timestamp};

/// Whether an item is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemState {
    /// Reaches clients.
    Active,
    /// Kept, reaches no client; agents may do this and undo it.
    Disabled,
    /// Out of sight, still restorable; only the user does this.
    Removed,
}

impl ItemState {
    /// The state's name in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Removed => "removed",
        }
    }
}

/// Who made a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum Author {
    /// The user, at the command line.
    User,
    /// An agent, through a client.
    Agent {
        /// The client's name as it gave it, made visible and cut to 100 characters.
        client: String,
    },
    /// Taken in from files that others wrote.
    Import,
}

/// What lists show of an item: everything but its files. Cheap to read for thousands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemSummary {
    /// Its identity.
    pub id: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// Its name, unique among the unremoved items of its kind.
    pub name: ItemName,
    /// One description, trimmed, at most 1,024 characters.
    pub description: String,
    /// Whether it is in use.
    pub state: ItemState,
    /// Listed before others.
    pub pinned: bool,
    /// `disable-model-invocation`: only the user starts it.
    pub hidden_from_model: bool,
    /// How often its instructions were loaded here.
    pub loads: u64,
    /// The current revision.
    pub head: RevisionId,
    /// The tree digest of that revision.
    pub tree: Digest,
    /// When the item was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// Where in this home's log it last changed (content, name, state or pin).
    pub changed_in: LogPosition,
}

/// One file of a revision; the content lies apart, by its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// Where it stands in the item.
    pub path: ItemPath,
    /// SHA-256 of the content.
    pub digest: Digest,
    /// Bytes.
    pub size: u64,
    /// Whether the owner may execute it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// One immutable version of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// SHA-256 of the canonical encoding of everything below except `at`, `description`,
    /// `hidden_from_model` and `files` (which `tree` stands for).
    pub id: RevisionId,
    /// The item.
    pub item: ItemId,
    /// What the item is.
    pub kind: ItemKind,
    /// The revisions that this one replaces, sorted; none for the first.
    pub parents: Vec<RevisionId>,
    /// The item's name from here on.
    pub name: ItemName,
    /// Its description, as read from the entry file.
    pub description: String,
    /// `disable-model-invocation`, as read from the entry file.
    pub hidden_from_model: bool,
    /// The digest of the files.
    pub tree: Digest,
    /// The files, in path order.
    pub files: Vec<FileRef>,
    /// Who made it.
    pub author: Author,
    /// Where it was made.
    pub device: DeviceId,
    /// The device's count of records at that time.
    pub seq: u64,
    /// When, by that device's clock.
    pub at: Timestamp,
}

impl Revision {
    /// The id that the other fields give: SHA-256 over a domain label and, each with its length
    /// in front, the item, the parents in order, the kind, the name, the tree digest, the author,
    /// the device and the seq.
    pub fn id_of(&self) -> RevisionId {
        let mut encoded = b"imprint-revision-1\0".to_vec();
        let mut field = |bytes: &[u8]| {
            encoded.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
            encoded.extend_from_slice(bytes);
        };
        field(self.item.0.as_bytes());
        field(&(self.parents.len() as u64).to_be_bytes());
        for parent in &self.parents {
            field(parent.0.as_bytes());
        }
        field(self.kind.as_str().as_bytes());
        field(self.name.as_str().as_bytes());
        field(self.tree.as_bytes());
        match &self.author {
            Author::User => field(b"user"),
            Author::Import => field(b"import"),
            Author::Agent { client } => {
                field(b"agent");
                field(client.as_bytes());
            }
        }
        field(self.device.0.as_bytes());
        field(&self.seq.to_be_bytes());
        RevisionId(Digest::of(&encoded))
    }
}
