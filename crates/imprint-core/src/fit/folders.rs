//! What a client already loads from folders, and so is not given again.

use std::collections::HashSet;

use imprint_format::ItemKind;

use super::{FitInput, Peer};
use crate::{ClientTable, FolderReport, ItemId, ItemSummary, catalog::is_listed};

/// The kinds that this peer already loads from folders: its own handshake name is recognised and
/// its client reads our folders, the last pass reported it as a reader of that kind, and the
/// session isn't bridged to WSL.
pub fn kinds_already_read(
    peer: &Peer,
    report: Option<&FolderReport>,
    clients: ClientTable,
) -> Vec<ItemKind> {
    let Some(report) = report.filter(|_| !peer.bridged) else {
        return Vec::new();
    };
    let Some(client) = folder_reader(peer, clients) else {
        return Vec::new();
    };
    ItemKind::ALL
        .into_iter()
        .filter(|kind| {
            report
                .readers
                .iter()
                .any(|reader| reader.client == client && reader.kind == *kind)
        })
        .collect()
}

/// The client that the peer's own name says, if it reads our folders. What the configured entry
/// names does not count: any program can be started by a copied entry.
fn folder_reader(peer: &Peer, clients: ClientTable) -> Option<&'static str> {
    let client = clients.recognise(peer.name.as_deref()?)?;
    client.reads_our_folders.then_some(client.id)
}

/// The items that a model may be told of and that the peer does not find in its folders: of a kind
/// that is left out, those that the last pass could not place or that changed after it.
pub(super) fn not_in_folders<'a>(
    input: &FitInput<'a>,
    left_out: &[ItemKind],
) -> Vec<&'a ItemSummary> {
    let placed = Placed::of(input);
    input
        .items
        .iter()
        .filter(|item| is_listed(item))
        .filter(|item| !left_out.contains(&item.kind) || !placed.holds(item))
        .collect()
}

/// Whether at least one item is left out.
pub(super) fn some_in_folders(input: &FitInput<'_>, left_out: &[ItemKind]) -> bool {
    let placed = Placed::of(input);
    input
        .items
        .iter()
        .any(|item| is_listed(item) && left_out.contains(&item.kind) && placed.holds(item))
}

/// What the last pass placed for the peer.
struct Placed<'a> {
    report: Option<&'a FolderReport>,
    missing: HashSet<ItemId>,
}

impl<'a> Placed<'a> {
    fn of(input: &FitInput<'a>) -> Self {
        let reader = folder_reader(input.peer, input.clients);
        let concerns = |client: Option<&str>| client.is_none() || client == reader;
        let missing = input
            .report
            .iter()
            .flat_map(|report| &report.unplaced)
            .filter(|unplaced| concerns(unplaced.client.as_deref()))
            .map(|unplaced| unplaced.item)
            .collect();
        Self {
            report: input.report,
            missing,
        }
    }

    fn holds(&self, item: &ItemSummary) -> bool {
        self.report
            .is_some_and(|report| item.changed_in <= report.position)
            && !self.missing.contains(&item.id)
    }
}
