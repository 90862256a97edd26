//! A store that forgets everything when it is dropped, for tests.

mod oauth;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use imprint_core::{
    Acceptance, AuditEnd, AuditLink, Batch, CommitError, CommitFacts, CommitPlan, Committed,
    DeviceId, Event, HeardSession, ItemFilter, ItemId, ItemState, ItemSummary, KeyId, KeyRecord,
    LocalChange, LogPosition, OwnerId, Proposal, ProposalId, ProposalState, Record, Revision,
    RevisionId, SessionId, SessionRecord, Store, StoreError, Timestamp, TokenDigest, commit::plan,
};
use imprint_format::Digest;
use uuid::Uuid;

/// A [`Store`] in memory, with the behaviour of the one in SQLite.
#[derive(Debug)]
pub struct InMemoryStore {
    device: DeviceId,
    owners: Mutex<BTreeMap<OwnerId, Owned>>,
}

/// One owner's data.
#[derive(Debug, Default)]
struct Owned {
    records: Vec<Record>,
    items: BTreeMap<ItemId, ItemSummary>,
    contents: BTreeMap<Digest, Arc<[u8]>>,
    acceptances: BTreeMap<Digest, Acceptance>,
    sessions: BTreeMap<SessionId, SessionRecord>,
    keys: BTreeMap<KeyId, KeyRecord>,
    proposals: BTreeMap<ProposalId, Proposal>,
    audit: Vec<AuditLink>,
    audit_end: AuditEnd,
    oauth: oauth::Kept,
}

impl InMemoryStore {
    /// An empty store of a device that never was before.
    pub fn new() -> Self {
        Self::of_device(DeviceId(Uuid::now_v7()))
    }

    /// An empty store of this device.
    pub fn of_device(device: DeviceId) -> Self {
        Self {
            device,
            owners: Mutex::default(),
        }
    }

    fn owners(&self) -> MutexGuard<'_, BTreeMap<OwnerId, Owned>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T: Default>(&self, owner: OwnerId, query: impl FnOnce(&Owned) -> T) -> T {
        self.owners().get(&owner).map(query).unwrap_or_default()
    }
}

impl Default for InMemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl Owned {
    fn facts(
        &self,
        device: DeviceId,
        batch: &Batch,
        expected: &BTreeMap<ItemId, RevisionId>,
    ) -> CommitFacts {
        let needs = batch.needs();
        let wanted = needs.items.iter().chain(expected.keys());
        let items: BTreeMap<_, _> = wanted
            .filter_map(|id| Some((*id, self.items.get(id)?.clone())))
            .collect();
        let held = items.values().map(|item| (item.kind, item.name.clone()));
        let names = needs.names.into_iter().chain(held);
        CommitFacts {
            device,
            last_seq: self.records.last().map_or(0, |record| record.seq),
            position: self.position(),
            proposals: needs
                .proposals
                .iter()
                .filter_map(|id| Some((*id, self.proposals.get(id)?.clone())))
                .collect(),
            audit: self.audit_end,
            oauth: self.oauth.facts(&needs.oauth),
            names: names
                .filter_map(|(kind, name)| {
                    let holder = self.items.values().find(|item| {
                        item.kind == kind && item.name == name && item.state != ItemState::Removed
                    })?;
                    Some(((kind, name), holder.id))
                })
                .collect(),
            items,
        }
    }

    fn position(&self) -> LogPosition {
        LogPosition(self.records.len() as u64)
    }

    fn write(&mut self, plan: &CommitPlan) {
        for (digest, bytes) in &plan.contents {
            let bytes = Arc::clone(bytes);
            self.contents.entry(*digest).or_insert(bytes);
        }
        self.records.extend(plan.records.iter().cloned());
        for item in &plan.items {
            let mut item = item.clone();
            item.loads = self.items.get(&item.id).map_or(0, |before| before.loads);
            self.items.insert(item.id, item);
        }
        for proposal in &plan.proposals {
            self.proposals.insert(proposal.id, proposal.clone());
        }
        if let Some(last) = plan.audit.last() {
            self.audit_end = AuditEnd {
                seq: self.audit_end.seq + plan.audit.len() as u64,
                hash: last.hash,
            };
        }
        self.audit.extend(plan.audit.iter().cloned());
        for acceptance in &plan.acceptances {
            self.acceptances
                .insert(acceptance.fingerprint, acceptance.clone());
        }
    }

    fn write_local(&mut self, change: &LocalChange) {
        match change {
            LocalChange::Session(session) => {
                self.sessions.insert(session.id, session.clone());
            }
            LocalChange::Loaded(item) => {
                if let Some(item) = self.items.get_mut(item) {
                    item.loads += 1;
                }
            }
            LocalChange::Heard(heard) => self.hear(heard),
            LocalChange::KeyMade(key) => {
                self.keys.insert(key.id, (**key).clone());
            }
            LocalChange::KeyRenamed { key, name } => {
                self.change_key(*key, |key| key.name.clone_from(name));
            }
            LocalChange::KeyEnds { key, at } => {
                let earlier = |end: Timestamp| end.min(*at);
                self.change_key(*key, |key| {
                    key.expires_at = Some(key.expires_at.map_or(*at, earlier));
                });
            }
            LocalChange::KeyRevoked { key, at } => {
                self.change_key(*key, |key| {
                    key.revoked_at.get_or_insert(*at);
                });
            }
            LocalChange::KeyUsed { key, at, client } => self.change_key(*key, |key| {
                key.last_used_at = key.last_used_at.max(Some(*at));
                key.last_client = client.clone().or(key.last_client.take());
            }),
            LocalChange::Oauth(change) => self.oauth.write(change),
            // The commit's plan holds its row.
            LocalChange::Audit(_) => {}
        }
    }

    fn change_key(&mut self, key: KeyId, change: impl FnOnce(&mut KeyRecord)) {
        if let Some(key) = self.keys.get_mut(&key) {
            change(key);
        }
    }

    fn hear(&mut self, heard: &HeardSession) {
        let latest = self
            .sessions
            .values()
            .filter(|kept| heard.goes_on(kept))
            .max_by_key(|kept| (kept.seen_at, kept.id));
        let after = latest.map_or_else(|| heard.session.clone(), |kept| heard.added_to(kept));
        self.sessions.insert(after.id, after);
    }

    fn revisions(&self) -> impl DoubleEndedIterator<Item = &Revision> {
        self.records
            .iter()
            .filter_map(|record| match &record.event {
                Event::Revised { revision } => Some(revision),
                _ => None,
            })
    }
}

#[async_trait]
impl Store for InMemoryStore {
    async fn commit(
        &self,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError> {
        let mut owners = self.owners();
        let nothing = Owned::default();
        let before = owners.get(&owner).unwrap_or(&nothing);
        let plan = plan(
            &batch,
            &expected,
            &before.facts(self.device, &batch, &expected),
        )?;
        let is_kept = batch.local.iter().any(LocalChange::is_kept);
        if owners.is_empty() && plan.records.is_empty() && !is_kept {
            return Ok(Committed::default());
        }
        let after = owners.entry(owner).or_default();
        after.write(&plan);
        for change in &batch.local {
            after.write_local(change);
        }
        Ok(Committed {
            position: plan.position,
            items: plan.items,
        })
    }

    async fn exists(&self) -> Result<bool, StoreError> {
        Ok(!self.owners().is_empty())
    }

    async fn position(&self, owner: OwnerId) -> Result<LogPosition, StoreError> {
        Ok(self.read(owner, Owned::position))
    }

    async fn items(
        &self,
        owner: OwnerId,
        filter: &ItemFilter,
    ) -> Result<Vec<ItemSummary>, StoreError> {
        let wanted = |item: &&ItemSummary| {
            filter.kind.is_none_or(|kind| item.kind == kind)
                && (filter.name.as_deref()).is_none_or(|name| item.name.as_str() == name)
                && (filter.states.is_empty() || filter.states.contains(&item.state))
        };
        let mut items: Vec<ItemSummary> = self.read(owner, |owned| {
            owned.items.values().filter(wanted).cloned().collect()
        });
        items.sort_by(|a, b| (a.kind, &a.name, a.id).cmp(&(b.kind, &b.name, b.id)));
        Ok(items)
    }

    async fn item(&self, owner: OwnerId, item: ItemId) -> Result<Option<ItemSummary>, StoreError> {
        Ok(self.read(owner, |owned| owned.items.get(&item).cloned()))
    }

    async fn revision(
        &self,
        owner: OwnerId,
        revision: RevisionId,
    ) -> Result<Option<Revision>, StoreError> {
        Ok(self.read(owner, |owned| {
            owned
                .revisions()
                .find(|known| known.id == revision)
                .cloned()
        }))
    }

    async fn revisions(
        &self,
        owner: OwnerId,
        item: ItemId,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, StoreError> {
        Ok(self.read(owner, |owned| {
            let newest_first = owned.revisions().rev().filter(|known| known.item == item);
            newest_first
                .skip(count(skip))
                .take(count(limit))
                .cloned()
                .collect()
        }))
    }

    async fn records(
        &self,
        owner: OwnerId,
        after: LogPosition,
        limit: u64,
    ) -> Result<Vec<Record>, StoreError> {
        Ok(self.read(owner, |owned| {
            let later = owned.records.iter().skip(count(after.0));
            later.take(count(limit)).cloned().collect()
        }))
    }

    async fn content(
        &self,
        owner: OwnerId,
        digest: Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.read(owner, |owned| owned.contents.get(&digest).cloned()))
    }

    async fn acceptances(&self, owner: OwnerId) -> Result<Vec<Acceptance>, StoreError> {
        Ok(self.read(owner, |owned| owned.acceptances.values().cloned().collect()))
    }

    async fn sessions(&self, owner: OwnerId, limit: u64) -> Result<Vec<SessionRecord>, StoreError> {
        let mut sessions: Vec<SessionRecord> =
            self.read(owner, |owned| owned.sessions.values().cloned().collect());
        sessions.sort_by_key(|session| std::cmp::Reverse((session.seen_at, session.id)));
        sessions.truncate(count(limit));
        Ok(sessions)
    }

    async fn keys(&self, owner: OwnerId) -> Result<Vec<KeyRecord>, StoreError> {
        let mut keys: Vec<KeyRecord> =
            self.read(owner, |owned| owned.keys.values().cloned().collect());
        keys.sort_by_key(|key| (key.created_at, key.id));
        Ok(keys)
    }

    async fn key(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<KeyRecord>, StoreError> {
        Ok(self.read(owner, |owned| {
            owned
                .keys
                .values()
                .find(|key| key.digest == digest)
                .cloned()
        }))
    }

    async fn audit(
        &self,
        owner: OwnerId,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AuditLink>, StoreError> {
        Ok(self.read(owner, |owned| {
            let later = owned.audit.iter().skip(count(after));
            later.take(count(limit)).cloned().collect()
        }))
    }

    async fn proposals(
        &self,
        owner: OwnerId,
        state: Option<ProposalState>,
        limit: u64,
    ) -> Result<Vec<Proposal>, StoreError> {
        Ok(self.read(owner, |owned| {
            let suggested = owned.records.iter().rev().filter_map(|record| {
                let Event::Proposed { proposal } = &record.event else {
                    return None;
                };
                owned.proposals.get(&proposal.id)
            });
            suggested
                .filter(|proposal| state.is_none_or(|state| proposal.state == state))
                .take(count(limit))
                .cloned()
                .collect()
        }))
    }

    async fn proposal(
        &self,
        owner: OwnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StoreError> {
        Ok(self.read(owner, |owned| owned.proposals.get(&proposal).cloned()))
    }
}

fn count(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::suite::store_suite!((InMemoryStore::new(), ()));
}
