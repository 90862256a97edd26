//! Setup: everything that the installed clients have, once, in the registry and in their folders;
//! and the way back.
//!
//! `survey` looks at every folder that the clients read, `group`, `items` and `decide` make a
//! plan of it without touching anything, `carry_out` does it under the lock of the folders, with
//! every step in the `journal` before it is taken, and `undo` takes the steps back.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a type with a lifetime is not general enough where a closure is"
)]

mod backup;
mod carry_out;
mod connections;
mod decide;
mod engine;
mod entrance;
mod group;
mod items;
mod journal;
mod links;
mod plan;
mod relocate;
mod snapshot;
mod survey;
mod undo;
mod undone;
mod view;

use std::io;

use imprint_core::{
    StoreError,
    registry::{ChangeError, ContentError, RestoreError},
};

use crate::{
    connect::{ConnectError, RecordError},
    lock::LockError,
    write::{ManifestError, PassError},
};

pub use carry_out::{Moved, SetupFailure, SetupOutcome, SetupProgress};
pub use connections::{ConnectAs, ConnectionChange, PlannedConnection};
pub use group::Why;
pub use journal::JournalError;
pub use plan::{Decision, PlannedFolder, PlannedItem, PlannedPlace, PlannedVariant, SetupPlan};
pub use undone::{KeptByUndo, UndoPlan, UndoReport};
pub use view::{ClientView, KindView};

/// What the user chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupChoices {
    /// The client, by id, whose variant is taken where contents of one name differ; else the one
    /// that was changed last is.
    pub prefer: Option<String>,
    /// Whether the other variants are kept as items of their own, `NAME-2`.
    pub keep_both: bool,
    /// The clients, by id, to look after; empty means all that are installed.
    pub clients: Vec<String>,
    /// How clients are connected; `None`: they are not.
    pub connect: Option<ConnectAs>,
}

/// Why setup did not take place or ended early. What was done is in the journal, so both another
/// setup and an undo go on from there.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A client that is not here.
    #[error("`{client}` is not installed here; found are: {}", installed.join(", "))]
    NotInstalled {
        /// As the user named it.
        client: String,
        /// The ids of those that are.
        installed: Vec<String>,
    },
    /// Between the question and the answer something changed.
    #[error("your folders changed while the question stood; nothing was done. Run it again")]
    Changed,
    /// There was no setup, or all of them were taken back.
    #[error("there is no setup to take back")]
    NothingToUndo,
    /// The journal can't be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lock, the manifest or the writing pass failed.
    #[error("{message}")]
    Folders {
        /// What happened.
        message: String,
    },
    /// The record of connections can't be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A connection could not be taken back.
    #[error(transparent)]
    Connect(#[from] Box<ConnectError>),
    /// The registry can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored item's files can't be read.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// An item could not be removed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// An item could not get its earlier revision back.
    #[error(transparent)]
    Restore(#[from] Box<RestoreError>),
    /// The system refuses.
    #[error("{0}; nothing else was done, run it again once that is mended")]
    Io(#[from] io::Error),
    /// It was stopped.
    #[error("{message}")]
    Stopped {
        /// Where.
        message: String,
    },
}

impl From<PassError> for SetupError {
    fn from(error: PassError) -> Self {
        let message = error.to_string();
        Self::Folders { message }
    }
}

impl From<LockError> for SetupError {
    fn from(error: LockError) -> Self {
        let message = error.to_string();
        Self::Folders { message }
    }
}

impl From<ManifestError> for SetupError {
    fn from(error: ManifestError) -> Self {
        let message = error.to_string();
        Self::Folders { message }
    }
}

impl From<RestoreError> for SetupError {
    fn from(error: RestoreError) -> Self {
        Self::Restore(Box::new(error))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod home_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world;
