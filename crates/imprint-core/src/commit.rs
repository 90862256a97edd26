//! The one write: what may be changed together, and what the change comes to.
//!
//! A store asks a batch what it [needs](Batch::needs), reads those facts inside its write
//! transaction, lets [`plan`] judge them, and writes the [`CommitPlan`] down. So the rules stand
//! here once, whatever database is behind the port.

use std::collections::{BTreeMap, BTreeSet};

use imprint_format::{Bundle, Digest, ItemKind, ItemName};

use crate::{
    Acceptance, Author, DeviceId, ItemId, ItemState, ItemSummary, LogPosition, Record, Revision,
    RevisionId, SessionRecord, StoreError, Timestamp,
};

/// What one transaction changes.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Changes that enter the log, in order.
    pub changes: Vec<Change>,
    /// Changes that stay on this machine and enter no log.
    pub local: Vec<LocalChange>,
    /// When, as a label for all of it.
    pub at: Timestamp,
}

/// A change that enters the log.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new revision. Creates the item when it is not known; `parents` is what it was made from.
    Revise(Draft),
    /// A new state.
    SetState {
        /// The item.
        item: ItemId,
        /// From now on.
        state: ItemState,
    },
    /// A new pin.
    SetPin {
        /// The item.
        item: ItemId,
        /// From now on.
        pinned: bool,
    },
    /// The user's acceptance of a finding.
    Accept(Acceptance),
}

/// A revision before it has its place in the log. Already validated and scanned.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The item; a fresh id creates one.
    pub item: ItemId,
    /// The name from here on.
    pub name: ItemName,
    /// As read from the entry file.
    pub description: String,
    /// As read from the entry file.
    pub hidden_from_model: bool,
    /// The revisions that it replaces: the head for an edit, none for a new item.
    pub parents: Vec<RevisionId>,
    /// The files.
    pub bundle: Bundle,
    /// Who makes it.
    pub author: Author,
}

/// A change that stays on this machine.
#[derive(Clone, Debug)]
pub enum LocalChange {
    /// A session began or went on: inserted or, by its id, replaced.
    Session(SessionRecord),
    /// An item's instructions were loaded once more.
    Loaded(ItemId),
}

/// The facts that [`plan`] needs, as they stand inside the transaction.
#[derive(Clone, Debug)]
pub struct CommitFacts {
    /// This home's device.
    pub device: DeviceId,
    /// The last seq that it used.
    pub last_seq: u64,
    /// The log's length.
    pub position: LogPosition,
    /// Those of [`Needs::items`] that exist.
    pub items: BTreeMap<ItemId, ItemSummary>,
    /// Those of [`Needs::names`] that an unremoved item holds.
    pub names: BTreeMap<(ItemKind, ItemName), ItemId>,
}

/// What a batch must know before it is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// These items.
    pub items: BTreeSet<ItemId>,
    /// Who holds these names.
    pub names: BTreeSet<(ItemKind, ItemName)>,
}

/// What has to be written, all or nothing.
#[derive(Clone, Debug, Default)]
pub struct CommitPlan {
    /// Appended to the log, in order.
    pub records: Vec<Record>,
    /// Contents to keep, by digest; those that exist already are left as they are.
    pub contents: Vec<(Digest, std::sync::Arc<[u8]>)>,
    /// New revisions, in order.
    pub revisions: Vec<Revision>,
    /// The items as they stand afterwards: inserted or replaced by id. `loads` is not to be
    /// written for items that exist.
    pub items: Vec<ItemSummary>,
    /// Acceptances to keep.
    pub acceptances: Vec<Acceptance>,
    /// The log's length afterwards.
    pub position: LogPosition,
}

/// What a commit came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// The log's length afterwards.
    pub position: LogPosition,
    /// The changed items as they stand now.
    pub items: Vec<ItemSummary>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The item has moved on since the reading that the change starts from.
    #[error("the item has a newer revision, {}", current.short())]
    Stale {
        /// The item.
        item: ItemId,
        /// Its head now.
        current: RevisionId,
    },
    /// Another unremoved item of the kind has this name.
    #[error("there is already a {kind} called `{name}`")]
    NameTaken {
        /// The kind.
        kind: ItemKind,
        /// The name.
        name: ItemName,
        /// Who has it.
        by: ItemId,
    },
    /// No such item.
    #[error("there is no item {0}")]
    UnknownItem(ItemId),
    /// A removed item can't be edited before it is restored.
    #[error("the item is removed; restore it first")]
    Removed(ItemId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Batch {
    /// What [`plan`] will want to know. `kind_of` a revised item is its bundle's.
    pub fn needs(&self) -> Needs {
        todo!()
    }
}

/// Judges a batch: every draft's parents must be the item's current head (and `expected`, where it
/// names the item, must be too), names must be free, removed items take no edits, states and pins
/// that already hold change nothing and append nothing. Making a removed item active again claims
/// its name. Assigns seqs and revision ids.
pub fn plan(
    batch: &Batch,
    expected: &BTreeMap<ItemId, RevisionId>,
    facts: &CommitFacts,
) -> Result<CommitPlan, CommitError> {
    let _ = (batch, expected, facts);
    todo!()
}
