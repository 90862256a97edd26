//! The domain of Imprint: what is kept, what may change it, and what a client is given.
//!
//! Pure: no disk, clock, environment, runtime, SQL or wire format. The world comes in through the
//! ports [`Store`], [`Clock`] and [`ClientFolders`].

mod access;
mod actor;
pub mod audit;
pub mod catalog;
mod client;
mod clock;
pub mod commit;
mod fence;
pub mod fit;
mod folders;
mod ids;
mod item;
mod key;
mod local;
pub mod oauth;
mod proposal;
mod record;
pub mod registry;
mod scope;
mod search;
pub mod secret;
pub mod served;
mod session;
mod store;
mod token;

pub use access::{Access, EditRight, ItemFence};
pub use actor::{Actor, Via};
pub use audit::{Act, AuditEnd, AuditEntry, AuditLink, AuditRow, Subject};
pub use client::{ClientFacts, ClientTable, Cut, InstructionCut, Reach};
pub use clock::Clock;
pub use commit::{
    Batch, Change, CommitError, CommitFacts, CommitPlan, Committed, Draft, Needs, Suggestion,
};
pub use fence::{FencedStore, tags_in};
pub use folders::{
    ClientFolders, FolderNote, FolderNoteKind, FolderReport, FoldersError, PassCounts, Reader,
    Unplaced,
};
pub use ids::{
    DeviceId, GrantId, ItemId, KeyId, LogPosition, OwnerId, ProposalId, RevisionId, SessionId,
    Timestamp,
};
pub use item::{Author, FileRef, ItemState, ItemSummary, Revision};
pub use key::{KEY_NAME_CHARS, KeyMaker, KeyRecord, KeyStanding};
pub use local::{HeardSession, LocalChange};
pub use proposal::{Proposal, ProposalState};
pub use record::{Acceptance, Event, Record};
pub use registry::{ItemRef, Registry};
pub use scope::{NotAScope, Preset, Scope, ScopeSet};
pub use search::{Found, search};
pub use session::SessionRecord;
pub use store::{ItemFilter, Store, StoreError};
pub use token::{NotAToken, Token, TokenDigest, TokenKind};
