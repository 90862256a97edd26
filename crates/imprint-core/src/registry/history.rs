//! Earlier revisions: reading them and going back.

use imprint_format::Bundle;

use crate::{
    Author, ItemRef, ItemSummary, Registry, Revision, RevisionId, StoreError,
    registry::{EditError, ResolveError},
};

/// A revision as people name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RevisionRef {
    /// The current one.
    Head,
    /// So many before the current one, `@~2`.
    Back(u64),
    /// By the beginning of its id, at least four hexadecimal digits.
    Prefix(String),
}

/// A revision with its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The item as it stands now.
    pub item: ItemSummary,
    /// The revision.
    pub revision: Revision,
    /// Its files.
    pub bundle: Bundle,
}

/// Why a revision can't be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The reference names no single item.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// No revision of the item is meant.
    #[error("`{name}` has no revision `{revision}`")]
    NoSuchRevision {
        /// The item's name.
        name: String,
        /// What was asked for.
        revision: String,
    },
    /// Two or more begin so.
    #[error("more than one revision of `{name}` begins with `{revision}`")]
    AmbiguousRevision {
        /// The item's name.
        name: String,
        /// What was asked for.
        revision: String,
    },
    /// A content is missing or damaged.
    #[error("the content of `{path}` in revision {} is missing", revision.short())]
    ContentMissing {
        /// The revision.
        revision: RevisionId,
        /// The file.
        path: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// An item with the files of one of its revisions. Finds removed items too.
    pub async fn snapshot(
        &self,
        item: &ItemRef,
        revision: &RevisionRef,
    ) -> Result<Snapshot, HistoryError> {
        let _ = (item, revision);
        todo!()
    }

    /// The files of an item's head, when the item is already known.
    pub async fn files_of(&self, item: &ItemSummary) -> Result<Bundle, HistoryError> {
        let _ = item;
        todo!()
    }

    /// An item's revisions, newest first.
    pub async fn history(
        &self,
        item: &ItemRef,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, HistoryError> {
        let _ = (item, skip, limit);
        todo!()
    }

    /// Makes an earlier revision's files the current ones, as a new revision, and brings a
    /// removed item back.
    pub async fn restore(
        &self,
        by: &Author,
        item: &ItemRef,
        revision: &RevisionRef,
    ) -> Result<ItemSummary, RestoreError> {
        let _ = (by, item, revision);
        todo!()
    }
}

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The revision can't be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// It can't be made current.
    #[error(transparent)]
    Edit(#[from] EditError),
}
