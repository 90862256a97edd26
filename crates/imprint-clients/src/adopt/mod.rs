//! Taking back what was made by hand in clients' folders: edits of our copies, and skills and
//! personas that were put there. [`offers`] reads and decides nothing; [`take_edited`] and
//! [`take_added`] make what the user said yes to part of the registry.

mod added;
mod edited;

use std::path::PathBuf;

use imprint_core::{FoldersError, ItemId, ItemSummary, Registry, StoreError};
use imprint_format::{Diagnostic, ItemPath};
use serde::{Serialize, Serializer};

pub use added::take_added;
pub use edited::{TakeError, take_edited};

use crate::{folders::Folders, import::ImportPlan};

/// Everything that clients' folders hold and the registry doesn't.
#[derive(Debug, Default, Serialize)]
pub struct Offers {
    /// Copies of ours that someone edited, in the order of their places.
    pub edited: Vec<EditedCopy>,
    /// What someone put into a client's folder, as an import of it would go.
    pub added: ImportPlan,
}

/// One copy of ours that differs from what we wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EditedCopy {
    /// The item as it is kept.
    pub item: ItemSummary,
    /// The skill's folder or the persona's file.
    pub place: PathBuf,
    /// What taking it back would change in the item's files, in the order of their paths.
    pub changes: Vec<FileChange>,
    /// What there is to know: what is left out or mended, that the item has moved on since.
    pub notes: Vec<String>,
    /// Why it can't be taken back as it is; then there are no changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Diagnostic>,
}

/// One file of an item, before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileChange {
    /// Its path in the item.
    pub path: ItemPath,
    /// As it is kept; `None`: it is new. As JSON a text, null also where it is none.
    #[serde(serialize_with = "as_optional_text")]
    pub before: Option<Vec<u8>>,
    /// As it stands in the copy. As JSON a text, null where it is none.
    #[serde(serialize_with = "as_text")]
    pub after: Vec<u8>,
    /// Whether it is run as a program.
    pub executable: bool,
}

fn as_text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    std::str::from_utf8(bytes).ok().serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde hands the field itself over")]
fn as_optional_text<S: Serializer>(
    bytes: &Option<Vec<u8>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = bytes
        .as_deref()
        .and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.serialize(serializer)
}

/// Why there are no offers.
#[derive(Debug, thiserror::Error)]
pub enum OffersError {
    /// The folders can't be looked at.
    #[error(transparent)]
    Folders(#[from] FoldersError),
    /// The registry can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Looks at every folder that clients found here read, and at every copy of ours. Changes nothing.
pub async fn offers(folders: &Folders, registry: &Registry) -> Result<Offers, OffersError> {
    let edited = edited::edited_copies(folders, registry).await?;
    let taken: Vec<ItemId> = edited.iter().map(|copy| copy.item.id).collect();
    let added = added::added(folders, registry, &taken).await?;
    Ok(Offers { edited, added })
}

impl Offers {
    /// Whether nothing is offered.
    pub fn is_empty(&self) -> bool {
        self.edited.is_empty() && self.added.is_empty()
    }

    /// The items with more than one copy that were edited differently: someone must choose.
    pub fn contested(&self) -> impl Iterator<Item = &EditedCopy> {
        let edited = &self.edited;
        edited.iter().filter(|copy| {
            let same_item = |other: &&EditedCopy| other.item.id == copy.item.id;
            let mut others = edited.iter().filter(same_item);
            others.any(|other| other.changes != copy.changes)
        })
    }
}

#[cfg(test)]
mod tests;
