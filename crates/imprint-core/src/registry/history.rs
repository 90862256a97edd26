//! Earlier revisions: reading them and going back.

use std::{fmt, str::FromStr};

use imprint_format::{Bundle, BundleError, BundleFile, Document, ItemName, ItemPath, text};

use crate::{
    Author, Change, FileRef, ItemRef, ItemState, ItemSummary, Proposal, ProposalId, Registry,
    Revision, RevisionId, StoreError,
    registry::{EditError, Edited, ResolveError},
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
    /// The revision's files can't be read.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the files of a revision can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// The revision itself is not there.
    #[error("revision {} is missing from the database", .0.short())]
    NoRevision(RevisionId),
    /// A file's content is not there.
    #[error("the content of `{path}` in revision {} is missing from the database", revision.short())]
    NoContent {
        /// The revision.
        revision: RevisionId,
        /// The file.
        path: String,
    },
    /// The files break the rules of a bundle, which no revision that was written does.
    #[error("the files of revision {} are damaged: {fault}", revision.short())]
    Damaged {
        /// The revision.
        revision: RevisionId,
        /// Which rule.
        fault: BundleError,
    },
    /// The files of a suggestion are not all there, or break the rules.
    #[error("the files of proposal {0} are missing from the database or damaged")]
    Proposal(ProposalId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The text names no revision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no revision; use `head`, `~1` for the one before, or the first digits of its id"
)]
pub struct NotARevision(String);

impl FromStr for RevisionRef {
    type Err = NotARevision;

    fn from_str(text: &str) -> Result<Self, NotARevision> {
        let fault = || NotARevision(text::clip(&text::one_line(text), 80));
        if text == "head" || text == "@" {
            return Ok(Self::Head);
        }
        let back = text.strip_prefix('@').unwrap_or(text).strip_prefix('~');
        if let Some(count) = back {
            return count.parse().map(Self::Back).map_err(|_| fault());
        }
        let digits =
            (4..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if digits {
            Ok(Self::Prefix(text.to_ascii_lowercase()))
        } else {
            Err(fault())
        }
    }
}

impl fmt::Display for RevisionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head => f.write_str("head"),
            Self::Back(count) => write!(f, "~{count}"),
            Self::Prefix(digits) => f.write_str(digits),
        }
    }
}

impl Registry {
    /// An item with the files of one of its revisions. Finds removed items too.
    pub async fn snapshot(
        &self,
        item: &ItemRef,
        revision: &RevisionRef,
    ) -> Result<Snapshot, HistoryError> {
        let item = self.resolve(item, &[]).await?;
        let revision = self.find_revision(&item, revision).await?;
        let bundle = self.bundle_of(&revision).await?;
        Ok(Snapshot {
            item,
            revision,
            bundle,
        })
    }

    /// The files of an item's head, when the item is already known.
    pub async fn files_of(&self, item: &ItemSummary) -> Result<Bundle, ContentError> {
        let revision = self.store.revision(self.owner, item.head).await?;
        self.bundle_of(&revision.ok_or(ContentError::NoRevision(item.head))?)
            .await
    }

    /// An item's revisions, newest first.
    pub async fn history(
        &self,
        item: &ItemRef,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, HistoryError> {
        let item = self.resolve(item, &[]).await?;
        Ok(self
            .store
            .revisions(self.owner, item.id, skip, limit)
            .await?)
    }

    /// Makes an earlier revision's files the current ones, as a new revision, and brings a
    /// removed item back. The item keeps its current name.
    pub async fn restore(
        &self,
        by: &Author,
        item: &ItemRef,
        revision: &RevisionRef,
    ) -> Result<Edited, RestoreError> {
        let Snapshot { item, bundle, .. } = self.snapshot(item, revision).await?;
        let before = self.files_of(&item).await.map_err(EditError::from)?;
        let bundle = named(&bundle, &item.name)?;
        let mut changes = Vec::new();
        if item.state == ItemState::Removed {
            changes.push(Change::SetState {
                item: item.id,
                state: ItemState::Active,
            });
        }
        if bundle.tree_digest() != item.tree {
            let name = item.name.clone();
            let draft = self.checked_draft(by, &item, name, &before, bundle).await?;
            changes.push(Change::Revise(draft));
        }
        if changes.is_empty() {
            return Ok(Edited {
                item,
                changed: false,
            });
        }
        Ok(self.commit_edit(&item, changes).await?)
    }

    async fn find_revision(
        &self,
        item: &ItemSummary,
        wanted: &RevisionRef,
    ) -> Result<Revision, HistoryError> {
        let missing = || HistoryError::NoSuchRevision {
            name: item.name.to_string(),
            revision: wanted.to_string(),
        };
        match wanted {
            RevisionRef::Head => {
                let head = self.store.revision(self.owner, item.head).await?;
                Ok(head.ok_or(ContentError::NoRevision(item.head))?)
            }
            RevisionRef::Back(count) => {
                let mut page = self.store.revisions(self.owner, item.id, *count, 1).await?;
                page.pop().ok_or_else(missing)
            }
            RevisionRef::Prefix(digits) => {
                let all = self
                    .store
                    .revisions(self.owner, item.id, 0, u64::MAX)
                    .await?;
                let mut found = all
                    .into_iter()
                    .filter(|revision| revision.id.to_string().starts_with(digits));
                let first = found.next().ok_or_else(missing)?;
                if found.next().is_some() {
                    return Err(HistoryError::AmbiguousRevision {
                        name: item.name.to_string(),
                        revision: digits.clone(),
                    });
                }
                Ok(first)
            }
        }
    }

    /// The files of a revision.
    pub async fn bundle_of(&self, revision: &Revision) -> Result<Bundle, ContentError> {
        let files = self.contents(&revision.files).await?;
        let files = files.map_err(|path| ContentError::NoContent {
            revision: revision.id,
            path: path.to_string(),
        })?;
        Bundle::new(revision.kind, files).map_err(|fault| ContentError::Damaged {
            revision: revision.id,
            fault,
        })
    }

    /// The files of a suggestion.
    pub async fn proposed_files(&self, proposal: &Proposal) -> Result<Bundle, ContentError> {
        let damaged = ContentError::Proposal(proposal.id);
        let Ok(files) = self.contents(&proposal.files).await? else {
            return Err(damaged);
        };
        Bundle::new(proposal.kind, files).map_err(|_| damaged)
    }

    /// The files with their contents, or the first whose content is not there.
    async fn contents(
        &self,
        files: &[FileRef],
    ) -> Result<Result<Vec<(ItemPath, BundleFile)>, ItemPath>, StoreError> {
        let mut read = Vec::with_capacity(files.len());
        for file in files {
            let Some(bytes) = self.store.content(self.owner, file.digest).await? else {
                return Ok(Err(file.path.clone()));
            };
            let executable = file.executable;
            read.push((file.path.clone(), BundleFile { bytes, executable }));
        }
        Ok(Ok(read))
    }
}

/// The files under the item's name of today: an older revision may carry an older one.
fn named(bundle: &Bundle, name: &ItemName) -> Result<Bundle, EditError> {
    if !bundle.kind().has_front_matter() {
        return Ok(bundle.clone());
    }
    let Some(document) = Document::read(&bundle.entry().bytes).value else {
        return Ok(bundle.clone());
    };
    if document.get("name").and_then(|value| value.as_str()) == Some(name.as_str()) {
        return Ok(bundle.clone());
    }
    let text = document
        .with_field("name", name.as_str())?
        .text()
        .to_owned();
    Ok(bundle.with_file(
        ItemPath::entry_of(bundle.kind()),
        BundleFile::plain(text.into_bytes()),
    )?)
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
