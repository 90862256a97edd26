//! What a client already loads from folders, and so is not given again.

use std::collections::HashSet;

use imprint_format::ItemKind;

use super::{FitInput, Location, Peer};
use crate::{ClientTable, FolderReport, ItemId, ItemSummary, catalog::is_listed};

/// The kinds that this peer already loads from folders: its own handshake name is recognised and
/// its client reads our folders, the last pass reported it as a reader of that kind, and the
/// client runs here.
pub fn kinds_already_read(
    peer: &Peer,
    report: Option<&FolderReport>,
    clients: ClientTable,
) -> Vec<ItemKind> {
    let Some(report) = report else {
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
    let runs_here = match peer.location {
        Location::Here => true,
        Location::HereAsNamed => peer.named.as_deref() == Some(client.id),
        Location::Elsewhere => false,
    };
    (client.reads_our_folders && runs_here).then_some(client.id)
}

/// The items that a model may be told of, by whether the peer finds them in its folders.
pub(super) struct Split<'a> {
    /// Those that it doesn't find. Of a kind that it reads, that is what the last pass could not
    /// place and what changed after it.
    pub(super) given: Vec<&'a ItemSummary>,
    /// How many it finds.
    pub(super) in_folders: usize,
}

/// Splits the items of the registry; `read` are the kinds that the peer reads.
pub(super) fn split<'a>(input: &FitInput<'a>, read: &[ItemKind]) -> Split<'a> {
    let listed = input.items.iter().filter(|item| is_listed(item));
    let Some(report) = input.report.filter(|_| !read.is_empty()) else {
        return Split {
            given: listed.collect(),
            in_folders: 0,
        };
    };
    let reader = folder_reader(input.peer, input.clients);
    let missing: HashSet<ItemId> = report
        .unplaced
        .iter()
        .filter(|unplaced| unplaced.client.is_none() || unplaced.client.as_deref() == reader)
        .map(|unplaced| unplaced.item)
        .collect();
    let (found, given): (Vec<_>, _) = listed.partition(|item| {
        read.contains(&item.kind)
            && item.changed_in <= report.position
            && !missing.contains(&item.id)
    });
    Split {
        given,
        in_folders: found.len(),
    }
}
