//! The suite over SQLite, and what only a file can get wrong.

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::{InMemoryStore, suite};

/// A store in a folder that is still to be made.
fn fresh() -> (SqliteStore, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::new(dir.path().join("home").join("imprint.db"));
    (store, dir)
}

suite::store_suite!(fresh());

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}

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
