//! The domain of Imprint: what is kept, what may change it, and what a client is given.
//!
//! Pure: no disk, clock, environment, runtime, SQL or wire format. The world comes in through the
//! ports [`Store`], [`Clock`] and [`ClientFolders`].

pub mod catalog;
mod client;
mod clock;
pub mod commit;
pub mod fit;
mod folders;
mod ids;
mod item;
mod record;
pub mod registry;
mod search;
pub mod secret;
mod session;
mod store;

pub use client::{ClientFacts, ClientTable, Cut, InstructionCut, Reach};
pub use clock::Clock;
pub use commit::{
    Batch, Change, CommitError, CommitFacts, CommitPlan, Committed, Draft, LocalChange, Needs,
};
pub use folders::{
    ClientFolders, FolderNote, FolderNoteKind, FolderReport, FoldersError, PassCounts, Reader,
    Unplaced,
};
pub use ids::{DeviceId, ItemId, LogPosition, OwnerId, RevisionId, SessionId, Timestamp};
pub use item::{Author, FileRef, ItemState, ItemSummary, Revision};
pub use record::{Acceptance, Event, Record};
pub use registry::{ItemRef, Registry};
pub use search::{Found, search};
pub use session::SessionRecord;
pub use store::{ItemFilter, Store, StoreError};
