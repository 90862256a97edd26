//! The rules of the registry: the only place that changes an item.

mod change;
mod create;
mod edit;
mod history;
mod resolve;

use std::{fmt, sync::Arc};

pub use change::ChangeError;
pub use create::{CreateError, NewItem};
pub use edit::{EditError, Edited, FileEdit, ItemEdit};
pub use history::{HistoryError, RestoreError, RevisionRef, Snapshot};
pub use resolve::{ItemRef, ResolveError};

use crate::{Clock, OwnerId, Store};

/// One owner's items, behind the rules. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    owner: OwnerId,
}

impl Registry {
    /// The registry of this owner in this store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, owner: OwnerId) -> Self {
        Self {
            store,
            clock,
            owner,
        }
    }

    /// The store, for reading.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Whose items these are.
    pub fn owner(&self) -> OwnerId {
        self.owner
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}
