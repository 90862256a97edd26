//! New revisions of items.

use imprint_format::{
    BundleError, BundleFile, Diagnostic, EditFieldError, ItemKind, ItemName, ItemPath,
};

use crate::{
    Author, ItemRef, ItemSummary, Registry, RevisionId, StoreError, registry::ResolveError,
    secret::Finding,
};

/// What to change of an item. Everything that is `None` or absent stays byte for byte.
#[derive(Clone, Debug, Default)]
pub struct ItemEdit {
    /// A new name (a rename; the header's `name` follows).
    pub name: Option<ItemName>,
    /// A new description.
    pub description: Option<String>,
    /// New instructions: everything after the front matter; a guideline's whole text.
    pub instructions: Option<String>,
    /// Files, one after the other.
    pub files: Vec<FileEdit>,
    /// The revision that the edit was made from; another head refuses it.
    pub expected: Option<RevisionId>,
}

/// A change to one file.
#[derive(Clone, Debug)]
pub enum FileEdit {
    /// Adds or replaces it. The entry file may be replaced as a whole.
    Put(ItemPath, BundleFile),
    /// Takes it out.
    Remove(ItemPath),
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The reference names no single item.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The item has moved on; its text now is in that revision.
    #[error("`{name}` has a newer revision, {}, than the one that this edit starts from", current.short())]
    Stale {
        /// The item's name.
        name: ItemName,
        /// Its head now.
        current: RevisionId,
    },
    /// A removed item takes no edits.
    #[error("`{name}` is removed; restore it first")]
    Removed {
        /// The item's name.
        name: ItemName,
    },
    /// The header can't be edited so.
    #[error(transparent)]
    Field(#[from] EditFieldError),
    /// The files don't make an item.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The entry file would break the rules for what we keep.
    #[error("the {} would break the rules", kind.entry_file())]
    Invalid {
        /// What it is.
        kind: ItemKind,
        /// Everything that is wrong.
        faults: Vec<Diagnostic>,
    },
    /// There are credentials in it.
    #[error("there {} in it", if findings.len() == 1 { "is a credential".to_owned() } else { format!("are {} credentials", findings.len()) })]
    Secret {
        /// Where, without the values.
        findings: Vec<Finding>,
    },
    /// The new name is taken.
    #[error("there is already a {kind} called `{name}`")]
    NameTaken {
        /// The kind.
        kind: ItemKind,
        /// The name.
        name: ItemName,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What an edit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The item now.
    pub item: ItemSummary,
    /// Whether there is a new revision; `false`: nothing differed.
    pub changed: bool,
}

impl Registry {
    /// Edits an item: reads its head, applies the edit, validates, scans, commits with that head
    /// as parent. An edit that changes no byte makes no revision. Findings in text that the head
    /// already held are not raised again.
    pub async fn edit(
        &self,
        by: &Author,
        item: &ItemRef,
        edit: ItemEdit,
    ) -> Result<Edited, EditError> {
        let _ = (by, item, edit);
        todo!()
    }
}
