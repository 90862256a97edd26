//! Which item a person or model means.

use imprint_format::ItemKind;

use crate::{ItemId, ItemState, ItemSummary, Registry, StoreError};

/// An item as people and models name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRef {
    /// Only this kind; `None`: any, and ambiguous when two kinds have the name.
    pub kind: Option<ItemKind>,
    /// The name, `kind/name`, or the item's id.
    pub name: String,
}

/// Why a reference names no single item.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing has this name; the nearest that exist.
    #[error("there is no {} called `{name}`", .kind.map_or("item", ItemKind::as_str))]
    Unknown {
        /// The kind that was asked for.
        kind: Option<ItemKind>,
        /// The name that was asked for, made visible and cut.
        name: String,
        /// At most three names that are near.
        nearest: Vec<String>,
    },
    /// More than one item has this name.
    #[error("`{name}` names more than one item")]
    Ambiguous {
        /// The name.
        name: String,
        /// The items that have it.
        candidates: Vec<ItemSummary>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// The one item that is meant, in one of `states` (empty: any). Removed items of a name are
    /// only found when asked for; of several removed ones the latest removed.
    pub async fn resolve(
        &self,
        item: &ItemRef,
        states: &[ItemState],
    ) -> Result<ItemSummary, ResolveError> {
        let _ = (item, states, ItemId::clone);
        todo!()
    }
}
