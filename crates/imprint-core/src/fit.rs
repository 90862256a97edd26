//! Fitting: which client gets what, through which channel, in what size. Pure.

use imprint_format::ItemKind;

use crate::{ClientFacts, ClientTable, FolderReport, ItemSummary};

/// What is known of the other side of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// `clientInfo.name` as sent.
    pub name: Option<String>,
    /// `clientInfo.version` as sent.
    pub version: Option<String>,
    /// The id that the configured entry names (`--client`), where that is known.
    pub named: Option<String>,
    /// Served into WSL through the bridge (`IMPRINT_WSL_DISTRO` is set).
    pub bridged: bool,
}

/// Everything that fitting reads.
#[derive(Clone, Copy, Debug)]
pub struct FitInput<'a> {
    /// The items of the registry (any state; only active ones are used), guidelines included.
    pub items: &'a [ItemSummary],
    /// The guidelines' full texts, in order.
    pub guidelines: &'a [String],
    /// What the last writing pass reported.
    pub report: Option<&'a FolderReport>,
    /// The other side.
    pub peer: &'a Peer,
    /// The table of clients.
    pub clients: ClientTable,
}

/// What a client gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The handshake's instructions.
    pub instructions: String,
    /// The description of the tool `skills`.
    pub skills_description: String,
    /// Characters of one page of a result.
    pub page_chars: usize,
    /// The client whose limits were used.
    pub client: Option<&'static ClientFacts>,
    /// Kinds left out because the client reads them from folders.
    pub left_out: Vec<ItemKind>,
}

/// Fits the registry to a client.
pub fn fit(input: FitInput<'_>) -> Fitted {
    let _ = input;
    todo!()
}

/// The kinds that this peer already loads from folders: its own handshake name is recognised and
/// its client reads our folders, the last pass reported it as a reader of that kind, and the
/// session isn't bridged to WSL.
pub fn kinds_already_read(
    peer: &Peer,
    report: Option<&FolderReport>,
    clients: ClientTable,
) -> Vec<ItemKind> {
    let _ = (peer, report, clients);
    todo!()
}
