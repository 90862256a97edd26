//! The log: everything that a user makes, appended and never changed.

use imprint_format::Digest;
use serde::{Deserialize, Serialize};

use crate::{DeviceId, ItemId, ItemState, Proposal, ProposalId, Revision, Timestamp};

/// One record, identified by (`device`, `seq`). Holds metadata and digests only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Who appended it.
    pub device: DeviceId,
    /// From 1, without gaps, per device.
    pub seq: u64,
    /// When, as a label.
    pub at: Timestamp,
    /// What happened.
    pub event: Event,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// An item got a new revision (its first one creates it).
    Revised {
        /// The revision.
        revision: Revision,
    },
    /// An item changed its state.
    StateSet {
        /// The item.
        item: ItemId,
        /// From now on.
        state: ItemState,
    },
    /// An item was pinned or unpinned.
    PinSet {
        /// The item.
        item: ItemId,
        /// From now on.
        pinned: bool,
    },
    /// The user accepted a finding of the secret scan.
    FindingAccepted(Acceptance),
    /// An agent suggested a change.
    Proposed {
        /// The suggestion.
        proposal: Proposal,
    },
    /// The user decided on a suggestion. What an accepted one came to is the revision beside it.
    ProposalDecided {
        /// The suggestion.
        proposal: ProposalId,
        /// Yes or no.
        accepted: bool,
    },
}

/// A finding that the user says is no credential, or may be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The finding's fingerprint.
    pub fingerprint: Digest,
    /// The rule that found it.
    pub rule: String,
    /// Why, in the user's words.
    pub reason: String,
}
