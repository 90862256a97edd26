//! States and pins.

use imprint_format::{ItemKind, ItemName};

use crate::{ItemRef, ItemState, ItemSummary, Registry, StoreError, registry::ResolveError};

/// Why a state or pin was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The reference names no single item.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// Another item has taken the name meanwhile.
    #[error("there is another {kind} called `{name}` now; rename that one first")]
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

impl Registry {
    /// Sets an item's state. Nothing is appended when it has it already. Leaving `Removed` is what
    /// brings an item back.
    pub async fn set_state(
        &self,
        item: &ItemRef,
        state: ItemState,
    ) -> Result<ItemSummary, ChangeError> {
        let _ = (item, state);
        todo!()
    }

    /// Pins or unpins an item.
    pub async fn set_pin(&self, item: &ItemRef, pinned: bool) -> Result<ItemSummary, ChangeError> {
        let _ = (item, pinned);
        todo!()
    }

    /// Keeps the user's acceptance of a finding. Never offered to agents.
    pub async fn accept(&self, acceptance: crate::Acceptance) -> Result<(), StoreError> {
        let _ = acceptance;
        todo!()
    }
}
