//! The Imprint home, looked at for what is amiss in it.

use std::{fs, path::PathBuf};

use imprint_clients::{connect::Connections, doctor::HomeSeen, is_leftover};
use imprint_core::StoreError;
use imprint_store::SqliteStore;

use super::Known;
use crate::{failure::Failure, wiring::App};

/// Looks at the home. Reads all of the database; creates nothing.
pub(super) async fn look(app: &App, settings: Option<Failure>, known: &Known) -> HomeSeen {
    let root = app.home.root();
    let connections = Connections {
        home: root,
        at: app.registry.clock().now(),
    };
    let unfinished = connections.unfinished();
    HomeSeen {
        database: database(app, known).await,
        settings: settings.map(|failure| failure.message),
        connections: unfinished.as_ref().err().map(ToString::to_string),
        unfinished: unfinished.unwrap_or_default(),
        leftovers: leftovers(app),
        root: root.to_owned(),
    }
}

async fn database(app: &App, known: &Known) -> Vec<String> {
    if !app.home.database().exists() {
        return Vec::new();
    }
    let store = SqliteStore::new(app.home.database());
    let mut faults = match store.integrity_check().await {
        Ok(faults) => faults,
        Err(StoreError::Damaged { message }) => vec![message],
        Err(error) => vec![error.to_string()],
    };
    if faults.is_empty() {
        faults.extend(known.trouble.clone());
    }
    faults
}

fn leftovers(app: &App) -> Vec<PathBuf> {
    let entries = fs::read_dir(app.home.root())
        .into_iter()
        .flatten()
        .flatten();
    let mut left: Vec<_> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_leftover))
        .map(|entry| entry.path())
        .collect();
    left.sort();
    left
}
