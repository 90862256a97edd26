//! New revisions of items.

use imprint_format::{
    About, Bundle, BundleError, BundleFile, Diagnostic, Document, EditFieldError, ItemKind,
    ItemName, ItemPath, validate_bundle,
};

use crate::{
    Author, Change, CommitError, Draft, ItemRef, ItemState, ItemSummary, Registry, RevisionId,
    StoreError,
    registry::{ContentError, ResolveError, create::without_bom, store_error},
    secret::{self, Finding},
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
    #[error("{}", secret::summary(findings))]
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
    /// The files that the edit starts from can't be read.
    #[error(transparent)]
    Content(#[from] ContentError),
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
        match self.edited_draft(by, item, edit).await? {
            (item, None) => Ok(Edited {
                item,
                changed: false,
            }),
            (item, Some(draft)) => self.commit_edit(&item, vec![Change::Revise(draft)]).await,
        }
    }

    /// The item, and a draft with the edit applied that passed the rules and the scan; `None` when
    /// no byte would differ.
    pub(super) async fn edited_draft(
        &self,
        by: &Author,
        item: &ItemRef,
        edit: ItemEdit,
    ) -> Result<(ItemSummary, Option<Draft>), EditError> {
        let item = self.resolve_editable(item).await?;
        if let Some(expected) = edit.expected
            && expected != item.head
        {
            return Err(EditError::Stale {
                name: item.name,
                current: item.head,
            });
        }
        let before = self.files_of(&item).await?;
        let name = edit.name.clone().unwrap_or_else(|| item.name.clone());
        let bundle = without_bom(apply(&before, edit)?)?;
        if bundle.tree_digest() == item.tree && name == item.name {
            return Ok((item, None));
        }
        let draft = self.checked_draft(by, &item, name, &before, bundle).await?;
        Ok((item, Some(draft)))
    }

    /// A draft on top of an item's head that passed the rules and the scan.
    pub(super) async fn checked_draft(
        &self,
        by: &Author,
        item: &ItemSummary,
        name: ItemName,
        before: &Bundle,
        bundle: Bundle,
    ) -> Result<Draft, EditError> {
        let header =
            validate_bundle(Some(name.as_str()), &bundle).map_err(|faults| EditError::Invalid {
                kind: item.kind,
                faults,
            })?;
        let findings = self.findings(&bundle, Some(before)).await?;
        if !findings.is_empty() {
            return Err(EditError::Secret { findings });
        }
        Ok(Draft {
            item: item.id,
            name,
            description: header.description,
            hidden_from_model: header.hidden_from_model,
            parents: vec![item.head],
            bundle,
            author: by.clone(),
        })
    }

    pub(super) async fn commit_edit(
        &self,
        item: &ItemSummary,
        changes: Vec<Change>,
    ) -> Result<Edited, EditError> {
        let committed = self.commit(changes, item.id).await;
        match committed {
            Ok(item) => Ok(Edited {
                item,
                changed: true,
            }),
            Err(CommitError::Stale { current, .. }) => Err(EditError::Stale {
                name: item.name.clone(),
                current,
            }),
            Err(CommitError::Removed(_)) => Err(EditError::Removed {
                name: item.name.clone(),
            }),
            Err(CommitError::NameTaken { kind, name, .. }) => {
                Err(EditError::NameTaken { kind, name })
            }
            Err(other) => Err(EditError::Store(store_error(other))),
        }
    }

    async fn resolve_editable(&self, item: &ItemRef) -> Result<ItemSummary, EditError> {
        let found = match self
            .resolve(item, &[ItemState::Active, ItemState::Disabled])
            .await
        {
            Err(unknown @ ResolveError::Unknown { .. }) => {
                match self.resolve(item, &[ItemState::Removed]).await {
                    Ok(removed) => return Err(EditError::Removed { name: removed.name }),
                    Err(_) => return Err(unknown.into()),
                }
            }
            found => found?,
        };
        Ok(found)
    }
}

/// The files with the edit applied: whole files first, then the parts of the entry file.
fn apply(before: &Bundle, edit: ItemEdit) -> Result<Bundle, EditError> {
    let mut bundle = before.clone();
    for file in edit.files {
        bundle = match file {
            FileEdit::Put(path, file) => bundle.with_file(path, file)?,
            FileEdit::Remove(path) => bundle.without_file(&path)?,
        };
    }
    let text = edit_entry(&bundle, edit.name, edit.description, edit.instructions)?;
    let Some(text) = text else { return Ok(bundle) };
    let path = ItemPath::entry_of(bundle.kind());
    Ok(bundle.with_file(path, BundleFile::plain(text.into_bytes()))?)
}

/// The entry file's new text, where a part of it changes.
fn edit_entry(
    bundle: &Bundle,
    name: Option<ItemName>,
    description: Option<String>,
    instructions: Option<String>,
) -> Result<Option<String>, EditError> {
    if name.is_none() && description.is_none() && instructions.is_none() {
        return Ok(None);
    }
    let kind = bundle.kind();
    if !kind.has_front_matter() {
        if description.is_some() {
            let fault = Diagnostic::error(About::Description, "a guideline has no description")
                .with_hint("edit its text: its first line stands for it in lists");
            return Err(EditError::Invalid {
                kind,
                faults: vec![fault],
            });
        }
        return Ok(instructions);
    }
    let reading = Document::read(&bundle.entry().bytes);
    let Some(mut document) = reading.value else {
        return Err(EditError::Invalid {
            kind,
            faults: reading.diagnostics,
        });
    };
    if let Some(name) = name {
        document = document.with_field("name", name.as_str())?;
    }
    if let Some(description) = description {
        document = document.with_field("description", description.trim())?;
    }
    if let Some(instructions) = instructions {
        document = document.with_body(&instructions)?;
    }
    Ok(Some(document.text().to_owned()))
}
