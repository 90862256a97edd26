//! A store in front of another that answers from memory while nothing is committed.
//!
//! Each read first asks the store behind for its [generation](crate::Generations), and only then
//! looks for an answer or asks for one. An answer is filed under what was current before the
//! question, so a commit that comes in between makes it look older than it is, never newer. What
//! an answer lasts for:
//!
//! - Contents and revisions never change: while the file is the same.
//! - Items, history, suggestions and accepted findings come from the log alone: while its
//!   [end](LogEnd) is the same, however many sessions and counts are committed meanwhile.
//!   How often an item was loaded is the one exception; see [`LOADS_MAY_LAG`].
//! - Keys, grants and tokens: one generation.
//! - Sessions, the audit, records, and what waits for consent are not remembered.

mod kept;
mod memory;
mod stamp;
#[cfg(test)]
mod tests;
mod weight;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use imprint_core::{
    Acceptance, AuditLink, Batch, CommitError, Committed, GrantId, ItemFilter, ItemId, ItemSummary,
    KeyRecord, LocalChange, LogPosition, OwnerId, Proposal, ProposalId, ProposalState, Record,
    Revision, RevisionId, SessionRecord, Store, StoreError, TokenDigest,
    oauth::{
        AuthorizationRequest, ClientId, OauthClient, OauthGrant, OauthStore, OauthToken, RequestId,
    },
};
use imprint_format::Digest;

use self::{
    memory::Memory,
    stamp::{ItemsMoment, LogEnd, SameFile},
};
use crate::{Generation, Generations};

/// How long an item may be told with fewer loads than other processes have counted meanwhile, when
/// nothing else has changed. Own counts show at once.
const LOADS_MAY_LAG: Duration = Duration::from_secs(2);

/// How much may be remembered, in bytes of about what the answers take in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Contents of files.
    pub contents: usize,
    /// Lists of items; 10,000 items take some 5 MB.
    pub lists: usize,
    /// Of each other kind of answer; there are ten.
    pub others: usize,
}

impl Default for Limits {
    /// 32 MiB of contents, 16 MiB of lists, 1 MiB of every other kind.
    fn default() -> Self {
        Self {
            contents: 32 << 20,
            lists: 16 << 20,
            others: 1 << 20,
        }
    }
}

/// A [`Store`] that remembers what the one behind it said. Questions that are asked at once are
/// passed on once. Where the store behind can't tell its generation, it is asked each time.
#[derive(Debug)]
pub struct RememberingStore<S> {
    behind: S,
    /// Counts own commits that counted loads.
    loads: AtomicU64,
    exists: Memory<(), Generation, bool>,
    log: Memory<(), Generation, LogEnd>,
    items: Memory<ItemFilter, ItemsMoment, Vec<ItemSummary>>,
    item: Memory<ItemId, ItemsMoment, Option<ItemSummary>>,
    revision: Memory<RevisionId, SameFile, Option<Revision>>,
    revisions: Memory<(ItemId, u64, u64), LogEnd, Vec<Revision>>,
    content: Memory<Digest, SameFile, Option<Arc<[u8]>>>,
    acceptances: Memory<(), LogEnd, Vec<Acceptance>>,
    proposals: Memory<(Option<ProposalState>, u64), LogEnd, Vec<Proposal>>,
    proposal: Memory<ProposalId, LogEnd, Option<Proposal>>,
    key: Memory<[u8; 32], Generation, Option<KeyRecord>>,
    grant: Memory<GrantId, Generation, Option<OauthGrant>>,
    token: Memory<[u8; 32], Generation, Option<OauthToken>>,
}

impl<S: Store + Generations> RememberingStore<S> {
    /// In front of this store, with nothing remembered yet.
    pub fn new(behind: S) -> Self {
        Self::with_limits(behind, Limits::default())
    }

    /// In front of this store, remembering at most so much.
    pub fn with_limits(behind: S, limits: Limits) -> Self {
        Self {
            behind,
            loads: AtomicU64::new(0),
            exists: Memory::new(limits.others),
            log: Memory::new(limits.others),
            items: Memory::new(limits.lists),
            item: Memory::new(limits.others),
            revision: Memory::new(limits.others),
            revisions: Memory::new(limits.others),
            content: Memory::new(limits.contents),
            acceptances: Memory::new(limits.others),
            proposals: Memory::new(limits.others),
            proposal: Memory::new(limits.others),
            key: Memory::new(limits.others),
            grant: Memory::new(limits.others),
            token: Memory::new(limits.others),
        }
    }

    /// Where the log ends in this generation or later.
    async fn log_end(&self, owner: OwnerId, now: Generation) -> Result<LogEnd, StoreError> {
        let ask = || async {
            let position = self.behind.position(owner).await?;
            let last = match position.0.checked_sub(1) {
                Some(before) => {
                    let records = self.behind.records(owner, LogPosition(before), 1).await?;
                    records.first().map(|record| (record.device, record.seq))
                }
                None => None,
            };
            Ok(LogEnd {
                file: now.file,
                position,
                last,
            })
        };
        self.log.answer((owner, ()), now, now, ask).await
    }

    async fn items_moment(
        &self,
        owner: OwnerId,
        now: Generation,
    ) -> Result<ItemsMoment, StoreError> {
        let loads = self.loads.load(Ordering::Acquire);
        Ok(ItemsMoment {
            log: self.log_end(owner, now).await?,
            generation: now,
            loads,
            at: Instant::now(),
        })
    }
}

#[async_trait]
impl<S: Store + Generations> Store for RememberingStore<S> {
    async fn commit(
        &self,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError> {
        let counts_loads = |change: &LocalChange| matches!(change, LocalChange::Loaded(_));
        let loads = batch.local.iter().any(counts_loads);
        let committed = self.behind.commit(owner, batch, expected).await?;
        if loads {
            self.loads.fetch_add(1, Ordering::Release);
        }
        Ok(committed)
    }

    async fn exists(&self) -> Result<bool, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.exists().await;
        };
        let ask = || self.behind.exists();
        // One answer for all owners.
        self.exists
            .answer((OwnerId::LOCAL, ()), now, now, ask)
            .await
    }

    async fn position(&self, owner: OwnerId) -> Result<LogPosition, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.position(owner).await;
        };
        Ok(self.log_end(owner, now).await?.position)
    }

    async fn items(
        &self,
        owner: OwnerId,
        filter: &ItemFilter,
    ) -> Result<Vec<ItemSummary>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.items(owner, filter).await;
        };
        let moment = self.items_moment(owner, now).await?;
        let ask = || self.behind.items(owner, filter);
        let key = (owner, filter.clone());
        self.items.answer(key, now, moment, ask).await
    }

    async fn item(&self, owner: OwnerId, item: ItemId) -> Result<Option<ItemSummary>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.item(owner, item).await;
        };
        let moment = self.items_moment(owner, now).await?;
        let ask = || self.behind.item(owner, item);
        self.item.answer((owner, item), now, moment, ask).await
    }

    async fn revision(
        &self,
        owner: OwnerId,
        revision: RevisionId,
    ) -> Result<Option<Revision>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.revision(owner, revision).await;
        };
        let ask = || self.behind.revision(owner, revision);
        self.revision
            .answer((owner, revision), now, SameFile(now.file), ask)
            .await
    }

    async fn revisions(
        &self,
        owner: OwnerId,
        item: ItemId,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.revisions(owner, item, skip, limit).await;
        };
        let end = self.log_end(owner, now).await?;
        let ask = || self.behind.revisions(owner, item, skip, limit);
        self.revisions
            .answer((owner, (item, skip, limit)), now, end, ask)
            .await
    }

    async fn records(
        &self,
        owner: OwnerId,
        after: LogPosition,
        limit: u64,
    ) -> Result<Vec<Record>, StoreError> {
        self.behind.records(owner, after, limit).await
    }

    async fn content(
        &self,
        owner: OwnerId,
        digest: Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.content(owner, digest).await;
        };
        let ask = || self.behind.content(owner, digest);
        self.content
            .answer((owner, digest), now, SameFile(now.file), ask)
            .await
    }

    async fn acceptances(&self, owner: OwnerId) -> Result<Vec<Acceptance>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.acceptances(owner).await;
        };
        let end = self.log_end(owner, now).await?;
        let ask = || self.behind.acceptances(owner);
        self.acceptances.answer((owner, ()), now, end, ask).await
    }

    async fn sessions(&self, owner: OwnerId, limit: u64) -> Result<Vec<SessionRecord>, StoreError> {
        self.behind.sessions(owner, limit).await
    }

    async fn keys(&self, owner: OwnerId) -> Result<Vec<KeyRecord>, StoreError> {
        self.behind.keys(owner).await
    }

    async fn key(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<KeyRecord>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.key(owner, digest).await;
        };
        let ask = || self.behind.key(owner, digest);
        self.key
            .answer((owner, *digest.as_bytes()), now, now, ask)
            .await
    }

    async fn audit(
        &self,
        owner: OwnerId,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AuditLink>, StoreError> {
        self.behind.audit(owner, after, limit).await
    }

    async fn proposals(
        &self,
        owner: OwnerId,
        state: Option<ProposalState>,
        limit: u64,
    ) -> Result<Vec<Proposal>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.proposals(owner, state, limit).await;
        };
        let end = self.log_end(owner, now).await?;
        let ask = || self.behind.proposals(owner, state, limit);
        self.proposals
            .answer((owner, (state, limit)), now, end, ask)
            .await
    }

    async fn proposal(
        &self,
        owner: OwnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.proposal(owner, proposal).await;
        };
        let end = self.log_end(owner, now).await?;
        let ask = || self.behind.proposal(owner, proposal);
        self.proposal.answer((owner, proposal), now, end, ask).await
    }
}

#[async_trait]
impl<S: Store + Generations> OauthStore for RememberingStore<S> {
    async fn oauth_client(
        &self,
        owner: OwnerId,
        id: &ClientId,
    ) -> Result<Option<OauthClient>, StoreError> {
        self.behind.oauth_client(owner, id).await
    }

    async fn oauth_clients_unused(&self, owner: OwnerId) -> Result<u64, StoreError> {
        self.behind.oauth_clients_unused(owner).await
    }

    async fn oauth_request(
        &self,
        owner: OwnerId,
        id: RequestId,
    ) -> Result<Option<AuthorizationRequest>, StoreError> {
        self.behind.oauth_request(owner, id).await
    }

    async fn oauth_requests(
        &self,
        owner: OwnerId,
    ) -> Result<Vec<AuthorizationRequest>, StoreError> {
        self.behind.oauth_requests(owner).await
    }

    async fn oauth_grant(
        &self,
        owner: OwnerId,
        id: GrantId,
    ) -> Result<Option<OauthGrant>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.oauth_grant(owner, id).await;
        };
        let ask = || self.behind.oauth_grant(owner, id);
        self.grant.answer((owner, id), now, now, ask).await
    }

    async fn oauth_grants(&self, owner: OwnerId) -> Result<Vec<OauthGrant>, StoreError> {
        self.behind.oauth_grants(owner).await
    }

    async fn oauth_token(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<OauthToken>, StoreError> {
        let Some(now) = self.behind.generation() else {
            return self.behind.oauth_token(owner, digest).await;
        };
        let ask = || self.behind.oauth_token(owner, digest);
        self.token
            .answer((owner, *digest.as_bytes()), now, now, ask)
            .await
    }
}
