//! Where the writing pass gets its items from: the registry, seen from a thread that may block.

use std::sync::Arc;

use imprint_core::{
    FileRef, ItemFilter, ItemId, ItemState, ItemSummary, LogPosition, Registry, StoreError,
    Timestamp,
};
use imprint_format::{Digest, ItemKind, ItemName};
use tokio::runtime::Handle;

/// An active item with the files of its current revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceItem {
    /// Its identity.
    pub id: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: ItemName,
    /// `disable-model-invocation`.
    pub hidden_from_model: bool,
    /// Its files, in path order; their contents lie apart.
    pub files: Vec<FileRef>,
}

/// The active items at one position of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceItems {
    /// What was read is at least as new as this.
    pub position: LogPosition,
    /// Skills and personas, in the order of kind and name.
    pub items: Vec<SourceItem>,
    /// Active items whose current revision is missing.
    pub damaged: Vec<ItemSummary>,
}

/// Gives the items that should be in clients' folders. Called from one thread, which may block.
pub trait ItemSource {
    /// The active skills and personas.
    fn active(&self) -> Result<SourceItems, StoreError>;

    /// Whether the item is in the registry, in whatever state, and its current revision with it.
    fn holds(&self, item: ItemId) -> Result<bool, StoreError>;

    /// A content by its digest, checked against it.
    fn content(&self, digest: Digest) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Now, as a label.
    fn now(&self) -> Timestamp;
}

/// A registry as a source, from a thread of the runtime's that may block.
#[derive(Debug)]
pub(crate) struct RegistrySource<'a> {
    registry: &'a Registry,
    runtime: Handle,
}

impl<'a> RegistrySource<'a> {
    /// A source in the calling task's runtime.
    pub(crate) fn new(registry: &'a Registry, runtime: Handle) -> Self {
        Self { registry, runtime }
    }

    async fn read_active(&self) -> Result<SourceItems, StoreError> {
        let store = self.registry.store();
        let owner = self.registry.owner();
        if !store.exists().await? {
            return Ok(SourceItems::default());
        }
        // Before the items: what changes in between counts as not yet placed.
        let mut read = SourceItems {
            position: store.position(owner).await?,
            ..SourceItems::default()
        };
        let filter = ItemFilter {
            states: vec![ItemState::Active],
            ..ItemFilter::default()
        };
        for item in store.items(owner, &filter).await? {
            if item.kind == ItemKind::Guideline {
                continue;
            }
            match store.revision(owner, item.head).await? {
                Some(revision) => read.items.push(SourceItem {
                    id: item.id,
                    kind: item.kind,
                    name: item.name,
                    hidden_from_model: item.hidden_from_model,
                    files: revision.files,
                }),
                None => read.damaged.push(item),
            }
        }
        Ok(read)
    }
}

impl ItemSource for RegistrySource<'_> {
    fn active(&self) -> Result<SourceItems, StoreError> {
        self.runtime.block_on(self.read_active())
    }

    fn holds(&self, item: ItemId) -> Result<bool, StoreError> {
        let store = self.registry.store();
        let owner = self.registry.owner();
        self.runtime.block_on(async {
            match store.item(owner, item).await? {
                Some(item) => Ok(store.revision(owner, item.head).await?.is_some()),
                None => Ok(false),
            }
        })
    }

    fn content(&self, digest: Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        let store = self.registry.store();
        self.runtime
            .block_on(store.content(self.registry.owner(), digest))
    }

    fn now(&self) -> Timestamp {
        self.registry.clock().now()
    }
}
