//! The suite over SQLite, and what only a file shared by processes can get wrong.

mod copies;
mod files;
mod schema;
mod sharing;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{migrate::Migrations, *};
use crate::{InMemoryStore, suite};

/// A store in a folder that is still to be made.
fn fresh() -> (SqliteStore, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (SqliteStore::new(database(dir.path())), dir)
}

/// Where [`fresh`] puts its file.
fn database(dir: &Path) -> PathBuf {
    dir.join("home").join("imprint.db")
}

fn settings() -> Settings {
    Settings {
        patience: PATIENCE,
        migrations: MIGRATIONS,
        max_pages: None,
    }
}

/// The file without this crate around it. It must be there.
fn raw(path: &Path) -> Connection {
    assert!(path.exists());
    Connection::open(path).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}

suite::store_suite!(fresh());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_history_comes_out_as_in_memory(steps in suite::steps()) {
        let (store, _dir) = fresh();
        let (seen, device) = runtime().block_on(suite::replay(&store, &steps));
        let model = device.map_or_else(InMemoryStore::new, InMemoryStore::of_device);
        let (expected, _) = runtime().block_on(suite::replay(&model, &steps));
        prop_assert_eq!(seen, expected);
    }
}
