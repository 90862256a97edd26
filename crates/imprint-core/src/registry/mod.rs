//! The rules of the registry: the only place that changes an item.

mod change;
mod consent;
mod create;
mod edit;
mod grants;
mod history;
mod keys;
mod propose;
mod resolve;

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    sync::Arc,
};

pub use change::{AcceptError, ChangeError};
pub use consent::{MOST_REQUESTS, MOST_UNUSED_CLIENTS, NewClient, RegisterError, RequestError};
pub use create::{CreateError, NewItem};
pub use edit::{EditError, Edited, FileEdit, ItemEdit};
pub use grants::{Exchange, GrantError, Handed, TokenError};
pub use history::{ContentError, HistoryError, NotARevision, RestoreError, RevisionRef, Snapshot};
pub use keys::{KeyError, NewKey};
pub use propose::{DecideError, MOST_PENDING, ProposeError};
pub use resolve::{ItemRef, ResolveError};

use imprint_format::Bundle;

use crate::{
    Actor, Batch, Change, Clock, CommitError, ItemId, ItemSummary, LocalChange, OwnerId, Store,
    StoreError,
    secret::{self, Finding},
};

/// One owner's items, behind the rules. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    owner: OwnerId,
    actor: Actor,
}

impl Registry {
    /// The registry of this owner in this store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, owner: OwnerId) -> Self {
        Self {
            store,
            clock,
            owner,
            actor: Actor::default(),
        }
    }

    /// The same items, changed by someone else than the user at the command line.
    #[must_use]
    pub fn acting(&self, actor: Actor) -> Self {
        Self {
            actor,
            ..self.clone()
        }
    }

    /// The same items, seen through another store.
    #[must_use]
    pub fn through(&self, store: Arc<dyn Store>) -> Self {
        Self {
            store,
            ..self.clone()
        }
    }

    /// Who acts.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// A batch of this moment and this actor.
    pub fn batch(&self, changes: Vec<Change>, local: Vec<LocalChange>) -> Batch {
        Batch {
            changes,
            local,
            at: self.clock.now(),
            actor: self.actor.clone(),
        }
    }

    /// The store, for reading.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The store, to put another in front of it.
    pub fn shared_store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store)
    }

    /// The clock, for what outlives a borrow.
    pub fn shared_clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// Whose items these are.
    pub fn owner(&self) -> OwnerId {
        self.owner
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Commits changes to one item and gives the item as it stands afterwards.
    async fn commit(&self, changes: Vec<Change>, item: ItemId) -> Result<ItemSummary, CommitError> {
        let batch = self.batch(changes, Vec::new());
        let committed = self
            .store
            .commit(self.owner, batch, BTreeMap::new())
            .await?;
        let mut items = committed.items.into_iter();
        if let Some(after) = items.find(|after| after.id == item) {
            return Ok(after);
        }
        // Nothing differed, so nothing was appended.
        let stored = self.store.item(self.owner, item).await?;
        stored.ok_or(CommitError::UnknownItem(item))
    }

    /// The credentials in these files (their paths included) that the user did not accept and
    /// that `before` does not hold.
    async fn findings(
        &self,
        bundle: &Bundle,
        before: Option<&Bundle>,
    ) -> Result<Vec<Finding>, StoreError> {
        let found = secret::scan_bundle(bundle, before);
        if found.is_empty() {
            return Ok(found);
        }
        let accepted = self.store.acceptances(self.owner).await?;
        let accepted: HashSet<_> = accepted.into_iter().map(|a| a.fingerprint).collect();
        let held: HashSet<_> = before
            .map(|before| secret::scan_bundle(before, None))
            .unwrap_or_default()
            .into_iter()
            .map(|finding| finding.fingerprint)
            .collect();
        Ok(found
            .into_iter()
            .filter(|finding| {
                !accepted.contains(&finding.fingerprint) && !held.contains(&finding.fingerprint)
            })
            .collect())
    }
}

/// What a commit can still fail with once the rules' own refusals are told apart: they can only
/// stem from a database that contradicts itself.
fn store_error(error: CommitError) -> StoreError {
    match error {
        CommitError::Store(error) => error,
        other => StoreError::Damaged {
            message: other.to_string(),
        },
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}
