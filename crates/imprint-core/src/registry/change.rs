//! States and pins.

use std::collections::BTreeMap;

use imprint_format::{ItemKind, ItemName};

use crate::{
    Acceptance, Change, CommitError, ItemRef, ItemState, ItemSummary, Registry, StoreError,
    registry::{ResolveError, store_error},
    secret::{self, Finding},
};

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

/// Why a finding was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// There are credentials in the reason.
    #[error("the reason can't be kept: {}", secret::summary(findings))]
    Secret {
        /// Where, without the values.
        findings: Vec<Finding>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Sets the state of an item that is not removed. Nothing is appended when it has it already.
    pub async fn set_state(
        &self,
        item: &ItemRef,
        state: ItemState,
    ) -> Result<ItemSummary, ChangeError> {
        let item = self
            .resolve(item, &[ItemState::Active, ItemState::Disabled])
            .await?;
        self.change(
            &item,
            Change::SetState {
                item: item.id,
                state,
            },
        )
        .await
    }

    /// Brings a removed item back as it was, active.
    pub async fn bring_back(&self, item: &ItemRef) -> Result<ItemSummary, ChangeError> {
        let item = self.resolve(item, &[ItemState::Removed]).await?;
        self.change(
            &item,
            Change::SetState {
                item: item.id,
                state: ItemState::Active,
            },
        )
        .await
    }

    /// Pins or unpins an item that is not removed.
    pub async fn set_pin(&self, item: &ItemRef, pinned: bool) -> Result<ItemSummary, ChangeError> {
        let item = self
            .resolve(item, &[ItemState::Active, ItemState::Disabled])
            .await?;
        self.change(
            &item,
            Change::SetPin {
                item: item.id,
                pinned,
            },
        )
        .await
    }

    /// Keeps the user's acceptance of a finding. Never offered to agents. The reason stays in the
    /// log, so there may be no credential in it either.
    pub async fn accept(&self, acceptance: Acceptance) -> Result<(), AcceptError> {
        let findings = secret::scan(&acceptance.reason);
        if !findings.is_empty() {
            return Err(AcceptError::Secret { findings });
        }
        let batch = self.batch(vec![Change::Accept(acceptance)], Vec::new());
        self.store
            .commit(self.owner, batch, BTreeMap::new())
            .await
            .map_err(store_error)?;
        Ok(())
    }

    async fn change(&self, item: &ItemSummary, change: Change) -> Result<ItemSummary, ChangeError> {
        match self.commit(vec![change], item.id).await {
            Ok(changed) => Ok(changed),
            Err(CommitError::NameTaken { kind, name, .. }) => {
                Err(ChangeError::NameTaken { kind, name })
            }
            Err(other) => Err(ChangeError::Store(store_error(other))),
        }
    }
}
