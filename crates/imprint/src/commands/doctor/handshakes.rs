//! Real handshakes with the servers that clients' entries start.

use std::path::Path;

use imprint_clients::{
    DISTRO_VARIABLE, clients,
    doctor::Handshake,
    inspect::{ConfigSeen, EntrySeen, Inspected, peer},
};
use imprint_core::{
    ItemSummary,
    fit::{FitInput, Fitted, Location, Peer, fit},
};
use imprint_format::ItemKind;

use super::Known;
use crate::{
    probe::{PATIENCE, Probe, probe},
    wiring::App,
};

/// What a client of an unknown version is said to have: a version must be named.
const ANY_VERSION: &str = "0";

/// A handshake for each entry that starts this very program as `connect` writes it. Nothing else
/// is started, and nothing at all while nobody can tell what a client should get.
pub(super) async fn make(app: &App, inspected: &[Inspected], known: &Known) -> Vec<Handshake> {
    let mut made = Vec::new();
    if known.trouble.is_some() {
        return made;
    }
    let guidelines = guidelines(app, &known.items).await;
    for one in inspected {
        for (file, seen) in one.connections() {
            if !seen.ours.is_disabled && seen.may_be_started(one.id) {
                made.extend(shake(one, file, seen, known, &guidelines).await);
            }
        }
    }
    made
}

async fn shake(
    one: &Inspected,
    file: &ConfigSeen,
    seen: &EntrySeen,
    known: &Known,
    guidelines: &[String],
) -> Option<Handshake> {
    let variables = &seen.ours.variables;
    let version = one.version.as_ref().map(|version| version.text.as_str());
    let version = Some(version.unwrap_or(ANY_VERSION));
    let peer = Peer {
        location: if variables.contains_key(DISTRO_VARIABLE) {
            Location::Elsewhere
        } else {
            Location::Here
        },
        ..peer(&one.client.facts, version)
    };
    let (answers, took) = probe(&Probe {
        command: Path::new(seen.ours.entry.command.as_deref()?),
        args: &seen.ours.entry.args,
        variables: variables
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        peer: &peer,
        patience: PATIENCE,
    })
    .await;
    Some(Handshake {
        client: one.id,
        file: file.file.clone(),
        expected: expected(&peer, known, guidelines),
        answers,
        took,
    })
}

/// What a client that introduces itself so should get. An empty registry says nothing of folders.
fn expected(peer: &Peer, known: &Known, guidelines: &[String]) -> Fitted {
    fit(FitInput {
        items: &known.items,
        guidelines,
        report: known.report.as_ref().filter(|_| !known.items.is_empty()),
        peer,
        clients: clients(),
    })
}

/// The texts of the guidelines, in the order in which they were made.
async fn guidelines(app: &App, items: &[ItemSummary]) -> Vec<String> {
    let mut guidelines: Vec<_> = items
        .iter()
        .filter(|item| item.kind == ItemKind::Guideline)
        .collect();
    guidelines.sort_by_key(|item| (item.created_at, item.id));
    let mut texts = Vec::with_capacity(guidelines.len());
    for item in guidelines {
        if let Ok(bundle) = app.registry.files_of(item).await {
            texts.push(String::from_utf8_lossy(&bundle.entry().bytes).into_owned());
        }
    }
    texts
}
