//! Changes that agents suggest and the user decides on.

use imprint_format::{ItemKind, ItemName};
use serde::{Deserialize, Serialize};

use crate::{Author, FileRef, ItemId, ProposalId, RevisionId, Timestamp};

/// A suggested revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its identity.
    pub id: ProposalId,
    /// The item that it changes; a fresh id for one that it would create.
    pub item: ItemId,
    /// What the item is.
    pub kind: ItemKind,
    /// The item's name from then on.
    pub name: ItemName,
    /// The revision that it starts from; `None` for a new item.
    pub base: Option<RevisionId>,
    /// As read from the suggested entry file.
    pub description: String,
    /// As read from the suggested entry file.
    pub hidden_from_model: bool,
    /// The suggested files, in path order.
    pub files: Vec<FileRef>,
    /// Who suggests it.
    pub author: Author,
    /// When.
    pub at: Timestamp,
    /// What the user said to it.
    pub state: ProposalState,
}

/// What the user said to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProposalState {
    /// Nothing yet.
    Pending,
    /// Yes: it became a revision.
    Accepted,
    /// No.
    Rejected,
}
