//! The home of one machine: a SQLite database that many processes use at once.

mod audit;
mod backup;
mod commit;
mod connections;
mod device;
mod facts;
mod fault;
mod file;
mod keys;
mod local;
mod migrate;
mod oauth;
mod open;
mod patience;
mod proposals;
mod read;
mod rows;
#[cfg(test)]
mod tests;
mod watch;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use imprint_core::{
    Acceptance, AuditLink, Batch, CommitError, Committed, ItemFilter, ItemId, ItemSummary,
    KeyRecord, LogPosition, OwnerId, Proposal, ProposalId, ProposalState, Record, Revision,
    RevisionId, SessionRecord, Store, StoreError, TokenDigest,
};
use imprint_format::Digest;

pub use self::backup::BackupError;
use self::{
    connections::Connections, file::DatabaseFile, migrate::MIGRATIONS, open::Settings,
    patience::Patience,
};
use crate::{Generation, Generations};

/// How long a call goes on while other processes hold the database.
const PATIENCE: Patience = Patience(Duration::from_secs(30));

/// A [`Store`] in one SQLite file. Cheap to clone.
///
/// Nothing is opened before the first call, and nothing created before the first commit that
/// appends a record; that one makes the folder (mode 0700), the file (0600) and the tables, and
/// mints the device id. Any number of processes may have the file open. All calls must be made
/// inside a tokio runtime, of either flavour.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    connections: Arc<Connections>,
}

impl SqliteStore {
    /// The store in this file, whether or not it exists. Touches nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::with(
            path.into(),
            Settings {
                patience: PATIENCE,
                migrations: MIGRATIONS,
                #[cfg(test)]
                max_pages: None,
            },
        )
    }

    fn with(path: PathBuf, settings: Settings) -> Self {
        let connections = Connections::new(DatabaseFile::new(path), settings);
        Self {
            connections: Arc::new(connections),
        }
    }

    /// Copies the whole database, all owners', to a new file (mode 0600) while others go on
    /// writing. The copy is another device's: it gets its own id when it is first written to.
    pub async fn backup(&self, to: &Path) -> Result<(), BackupError> {
        let target = to.to_owned();
        let copied = self
            .connections
            .read(move |conn| match backup::copy(conn, &target) {
                Ok(()) => Ok(Ok(())),
                Err(backup::CopyFault::Exists) => Ok(Err(BackupError::Exists)),
                Err(backup::CopyFault::Other(fault)) => Err(fault),
            });
        copied.await?.unwrap_or(Err(BackupError::Nothing))
    }

    /// Reads all of the database and tells what is wrong with it; nothing, if it is sound. Takes
    /// as long as reading the file does.
    pub async fn integrity_check(&self) -> Result<Vec<String>, StoreError> {
        self.read(backup::check).await
    }

    async fn read<T: Default + Send + 'static>(
        &self,
        query: impl Fn(&rusqlite::Connection) -> Result<T, fault::Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        Ok(self.connections.read(query).await?.unwrap_or_default())
    }
}

impl Generations for SqliteStore {
    /// A few microseconds: a look at which file is there, and at SQLite's count of commits. Known
    /// from the first read of a file on; not where a folder can only be read, so that SQLite sees
    /// nothing of what others write.
    fn generation(&self) -> Option<Generation> {
        self.connections.generation()
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(
        &self,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError> {
        self.connections.commit(owner, batch, expected).await
    }

    async fn exists(&self) -> Result<bool, StoreError> {
        Ok(self.connections.read(|_| Ok(())).await?.is_some())
    }

    async fn position(&self, owner: OwnerId) -> Result<LogPosition, StoreError> {
        self.read(move |conn| read::position(conn, owner)).await
    }

    async fn items(
        &self,
        owner: OwnerId,
        filter: &ItemFilter,
    ) -> Result<Vec<ItemSummary>, StoreError> {
        let filter = filter.clone();
        self.read(move |conn| read::items(conn, owner, &filter))
            .await
    }

    async fn item(&self, owner: OwnerId, item: ItemId) -> Result<Option<ItemSummary>, StoreError> {
        self.read(move |conn| read::item(conn, owner, item)).await
    }

    async fn revision(
        &self,
        owner: OwnerId,
        revision: RevisionId,
    ) -> Result<Option<Revision>, StoreError> {
        self.read(move |conn| read::revision(conn, owner, revision))
            .await
    }

    async fn revisions(
        &self,
        owner: OwnerId,
        item: ItemId,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, StoreError> {
        self.read(move |conn| read::revisions(conn, owner, item, skip, limit))
            .await
    }

    async fn records(
        &self,
        owner: OwnerId,
        after: LogPosition,
        limit: u64,
    ) -> Result<Vec<Record>, StoreError> {
        self.read(move |conn| read::records(conn, owner, after, limit))
            .await
    }

    async fn content(
        &self,
        owner: OwnerId,
        digest: Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.read(move |conn| read::content(conn, owner, digest))
            .await
    }

    async fn acceptances(&self, owner: OwnerId) -> Result<Vec<Acceptance>, StoreError> {
        self.read(move |conn| read::acceptances(conn, owner)).await
    }

    async fn sessions(&self, owner: OwnerId, limit: u64) -> Result<Vec<SessionRecord>, StoreError> {
        self.read(move |conn| read::sessions(conn, owner, limit))
            .await
    }

    async fn keys(&self, owner: OwnerId) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |conn| keys::keys(conn, owner)).await
    }

    async fn key(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<KeyRecord>, StoreError> {
        self.read(move |conn| keys::by_digest(conn, owner, digest))
            .await
    }

    async fn audit(
        &self,
        owner: OwnerId,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AuditLink>, StoreError> {
        self.read(move |conn| audit::links(conn, owner, after, limit))
            .await
    }

    async fn proposals(
        &self,
        owner: OwnerId,
        state: Option<ProposalState>,
        limit: u64,
    ) -> Result<Vec<Proposal>, StoreError> {
        self.read(move |conn| proposals::proposals(conn, owner, state, limit))
            .await
    }

    async fn proposal(
        &self,
        owner: OwnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StoreError> {
        self.read(move |conn| proposals::proposal(conn, owner, proposal))
            .await
    }
}
