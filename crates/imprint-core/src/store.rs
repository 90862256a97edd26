//! The port to whatever keeps the records.

use std::{collections::BTreeMap, fmt, sync::Arc};

use async_trait::async_trait;
use imprint_format::{Digest, ItemKind};

use crate::{
    Acceptance, AuditLink, Batch, CommitError, Committed, ItemId, ItemState, ItemSummary,
    KeyRecord, LogPosition, OwnerId, Proposal, ProposalId, ProposalState, Record, Revision,
    RevisionId, SessionRecord, TokenDigest, oauth::OauthStore,
};

/// Keeps records, items, contents and sessions. Object-safe. Every method takes the owner whose
/// data it speaks of. Reading where nothing was ever written finds nothing and creates nothing.
#[async_trait]
pub trait Store: OauthStore + Send + Sync + fmt::Debug {
    /// The one write: all of the batch, or nothing. Uses [`crate::commit::plan`].
    async fn commit(
        &self,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError>;

    /// Whether anything was ever written here.
    async fn exists(&self) -> Result<bool, StoreError>;

    /// The log's length. Changes with every commit of any process that appended a record.
    async fn position(&self, owner: OwnerId) -> Result<LogPosition, StoreError>;

    /// Items, in the order of kind and name.
    async fn items(
        &self,
        owner: OwnerId,
        filter: &ItemFilter,
    ) -> Result<Vec<ItemSummary>, StoreError>;

    /// One item.
    async fn item(&self, owner: OwnerId, item: ItemId) -> Result<Option<ItemSummary>, StoreError>;

    /// One revision.
    async fn revision(
        &self,
        owner: OwnerId,
        revision: RevisionId,
    ) -> Result<Option<Revision>, StoreError>;

    /// An item's revisions, newest first, at most `limit` of them after skipping `skip`.
    async fn revisions(
        &self,
        owner: OwnerId,
        item: ItemId,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, StoreError>;

    /// The log's records after a position, oldest first, at most `limit`.
    async fn records(
        &self,
        owner: OwnerId,
        after: LogPosition,
        limit: u64,
    ) -> Result<Vec<Record>, StoreError>;

    /// A content by its digest, checked against it.
    async fn content(
        &self,
        owner: OwnerId,
        digest: Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// The findings that the user accepted.
    async fn acceptances(&self, owner: OwnerId) -> Result<Vec<Acceptance>, StoreError>;

    /// Sessions, latest heard first, at most `limit`.
    async fn sessions(&self, owner: OwnerId, limit: u64) -> Result<Vec<SessionRecord>, StoreError>;

    /// All keys that were ever made, oldest first.
    async fn keys(&self, owner: OwnerId) -> Result<Vec<KeyRecord>, StoreError>;

    /// The key with this digest, whatever it is worth.
    async fn key(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<KeyRecord>, StoreError>;

    /// The audit's rows after the one with this number, oldest first, at most `limit`.
    async fn audit(
        &self,
        owner: OwnerId,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AuditLink>, StoreError>;

    /// Suggestions in this state (`None`: any), newest first, at most `limit`.
    async fn proposals(
        &self,
        owner: OwnerId,
        state: Option<ProposalState>,
        limit: u64,
    ) -> Result<Vec<Proposal>, StoreError>;

    /// One suggestion.
    async fn proposal(
        &self,
        owner: OwnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StoreError>;
}

/// Which items to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemFilter {
    /// Only this kind.
    pub kind: Option<ItemKind>,
    /// Only this name.
    pub name: Option<String>,
    /// Only these states; empty means all.
    pub states: Vec<ItemState>,
}

/// Why the store can't answer. Messages hold no contents and no bound values.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file or its folder can't be read or written.
    #[error("can't use the database: {message}")]
    Unavailable {
        /// What the system says.
        message: String,
    },
    /// Another process held the database for longer than the busy timeout.
    #[error("the database has been busy for {seconds} seconds; try again")]
    Busy {
        /// How long was waited.
        seconds: u64,
    },
    /// No space is left.
    #[error("the disk is full; nothing was changed")]
    Full,
    /// Only reading is possible.
    #[error("the database can only be read: {message}")]
    ReadOnly {
        /// What the system says.
        message: String,
    },
    /// The file is no database, or it is damaged.
    #[error("the database is damaged: {message}")]
    Damaged {
        /// What was found.
        message: String,
    },
    /// A newer Imprint has written it.
    #[error("the database was written by a newer version (schema {found}, this one knows {known})")]
    Newer {
        /// Its schema.
        found: u32,
        /// The newest schema that this program knows.
        known: u32,
    },
}
