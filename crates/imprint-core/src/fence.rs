//! A store as someone sees it who may not see everything.

mod oauth;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use imprint_format::{Digest, Document, ItemKind, ItemPath, yaml::Value};

use crate::{
    Acceptance, Access, AuditLink, Batch, CommitError, Committed, ItemFilter, ItemId, ItemSummary,
    KeyRecord, LogPosition, OwnerId, Proposal, ProposalId, ProposalState, Record, Revision,
    RevisionId, SessionRecord, Store, StoreError, TokenDigest,
};

/// Tags of so many revisions are remembered; then it begins anew.
const MOST_REMEMBERED: usize = 10_000;

/// Another store, without the items that an [`Access`] does not see. What is not seen is not
/// there: it is in no list, has no history, and no name finds it. Keys, the audit, the log and
/// others' sessions and suggestions are for administrators.
#[derive(Debug)]
pub struct FencedStore {
    inner: Arc<dyn Store>,
    access: Access,
    tags: Mutex<HashMap<RevisionId, Arc<[String]>>>,
}

impl FencedStore {
    /// The store as this access sees it.
    pub fn new(inner: Arc<dyn Store>, access: Access) -> Self {
        Self {
            inner,
            access,
            tags: Mutex::default(),
        }
    }

    async fn sees(&self, owner: OwnerId, item: &ItemSummary) -> Result<bool, StoreError> {
        if self.access.fence().tags.is_empty() || !self.access.may_read(item.kind) {
            return Ok(self.access.sees(item, &[]));
        }
        let tags = self.tags_of(owner, item).await?;
        Ok(self.access.sees(item, &tags))
    }

    async fn sees_id(&self, owner: OwnerId, item: ItemId) -> Result<bool, StoreError> {
        match self.inner.item(owner, item).await? {
            Some(item) => self.sees(owner, &item).await,
            None => Ok(false),
        }
    }

    /// A suggestion for an item is seen by who sees the item; one for a new item by who is not
    /// narrowed to some.
    async fn sees_proposal(&self, owner: OwnerId, proposal: &Proposal) -> Result<bool, StoreError> {
        match self.inner.item(owner, proposal.item).await? {
            Some(item) => self.sees(owner, &item).await,
            None => Ok(self.access.may_read(proposal.kind) && !self.access.fence().stands()),
        }
    }

    async fn tags_of(
        &self,
        owner: OwnerId,
        item: &ItemSummary,
    ) -> Result<Arc<[String]>, StoreError> {
        let known = self.remembered().get(&item.head).cloned();
        if let Some(tags) = known {
            return Ok(tags);
        }
        let tags = self.read_tags(owner, item).await?;
        let mut remembered = self.remembered();
        if remembered.len() >= MOST_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(item.head, Arc::clone(&tags));
        Ok(tags)
    }

    async fn read_tags(
        &self,
        owner: OwnerId,
        item: &ItemSummary,
    ) -> Result<Arc<[String]>, StoreError> {
        let Some(revision) = self.inner.revision(owner, item.head).await? else {
            return Ok(Arc::default());
        };
        let entry = ItemPath::entry_of(item.kind);
        let Some(file) = revision.files.iter().find(|file| file.path == entry) else {
            return Ok(Arc::default());
        };
        let bytes = self.inner.content(owner, file.digest).await?;
        Ok(bytes.map_or_else(Arc::default, |bytes| tags_in(item.kind, &bytes).into()))
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, HashMap<RevisionId, Arc<[String]>>> {
        self.tags.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_admin(&self) -> bool {
        self.access.allows(crate::Scope::Admin)
    }
}

/// The tags that an entry file names: a list or text with commas or blanks between, under `tags`
/// or, as the skill format has no such field, under `metadata.tags`.
pub fn tags_in(kind: ItemKind, entry: &[u8]) -> Vec<String> {
    if !kind.has_front_matter() {
        return Vec::new();
    }
    let Some(document) = Document::read(entry).value else {
        return Vec::new();
    };
    match document.get("tags").or_else(|| nested_tags(&document)) {
        Some(Value::Scalar(text)) => {
            let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        }
        Some(Value::Sequence(tags)) => {
            let tags = tags.iter().filter_map(Value::as_str);
            tags.map(|tag| tag.trim().to_owned()).collect()
        }
        Some(Value::Mapping(_)) | None => Vec::new(),
    }
}

fn nested_tags(document: &Document) -> Option<&Value> {
    let Value::Mapping(metadata) = document.get("metadata")? else {
        return None;
    };
    let tags = metadata.iter().find(|(key, _)| key == "tags");
    tags.map(|(_, value)| value)
}

#[async_trait]
impl Store for FencedStore {
    async fn commit(
        &self,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError> {
        self.inner.commit(owner, batch, expected).await
    }

    async fn exists(&self) -> Result<bool, StoreError> {
        self.inner.exists().await
    }

    async fn position(&self, owner: OwnerId) -> Result<LogPosition, StoreError> {
        self.inner.position(owner).await
    }

    async fn items(
        &self,
        owner: OwnerId,
        filter: &ItemFilter,
    ) -> Result<Vec<ItemSummary>, StoreError> {
        let mut seen = Vec::new();
        for item in self.inner.items(owner, filter).await? {
            if self.sees(owner, &item).await? {
                seen.push(item);
            }
        }
        Ok(seen)
    }

    async fn item(&self, owner: OwnerId, item: ItemId) -> Result<Option<ItemSummary>, StoreError> {
        match self.inner.item(owner, item).await? {
            Some(item) if self.sees(owner, &item).await? => Ok(Some(item)),
            _ => Ok(None),
        }
    }

    async fn revision(
        &self,
        owner: OwnerId,
        revision: RevisionId,
    ) -> Result<Option<Revision>, StoreError> {
        match self.inner.revision(owner, revision).await? {
            Some(revision) if self.sees_id(owner, revision.item).await? => Ok(Some(revision)),
            _ => Ok(None),
        }
    }

    async fn revisions(
        &self,
        owner: OwnerId,
        item: ItemId,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Revision>, StoreError> {
        if !self.sees_id(owner, item).await? {
            return Ok(Vec::new());
        }
        self.inner.revisions(owner, item, skip, limit).await
    }

    async fn records(
        &self,
        owner: OwnerId,
        after: LogPosition,
        limit: u64,
    ) -> Result<Vec<Record>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.records(owner, after, limit).await
    }

    /// A digest is only known from a revision that was seen.
    async fn content(
        &self,
        owner: OwnerId,
        digest: Digest,
    ) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.inner.content(owner, digest).await
    }

    async fn acceptances(&self, owner: OwnerId) -> Result<Vec<Acceptance>, StoreError> {
        self.inner.acceptances(owner).await
    }

    async fn sessions(&self, owner: OwnerId, limit: u64) -> Result<Vec<SessionRecord>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.sessions(owner, limit).await
    }

    async fn keys(&self, owner: OwnerId) -> Result<Vec<KeyRecord>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.keys(owner).await
    }

    async fn key(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<KeyRecord>, StoreError> {
        if !self.is_admin() {
            return Ok(None);
        }
        self.inner.key(owner, digest).await
    }

    async fn audit(
        &self,
        owner: OwnerId,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AuditLink>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.audit(owner, after, limit).await
    }

    async fn proposals(
        &self,
        owner: OwnerId,
        state: Option<ProposalState>,
        limit: u64,
    ) -> Result<Vec<Proposal>, StoreError> {
        let mut seen = Vec::new();
        for proposal in self.inner.proposals(owner, state, limit).await? {
            if self.sees_proposal(owner, &proposal).await? {
                seen.push(proposal);
            }
        }
        Ok(seen)
    }

    async fn proposal(
        &self,
        owner: OwnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StoreError> {
        match self.inner.proposal(owner, proposal).await? {
            Some(proposal) if self.sees_proposal(owner, &proposal).await? => Ok(Some(proposal)),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_stand_in_a_list_or_a_text() {
        let tags = |header: &str| {
            let entry = format!("---\nname: x\ndescription: y\n{header}\n---\nbody\n");
            tags_in(ItemKind::Skill, entry.as_bytes())
        };
        assert_eq!(tags("tags: [a, 'b c']"), ["a", "b c"]);
        assert_eq!(tags("metadata:\n  tags: a, b"), ["a", "b"]);
        assert_eq!(tags("metadata:\n  tags:\n  - a"), ["a"]);
        assert_eq!(tags("tags: 5"), ["5"]);
        assert!(tags("metadata: tags").is_empty() && tags("tags: {a: b}").is_empty());
        assert!(tags_in(ItemKind::Guideline, b"tags: a").is_empty());
    }
}
