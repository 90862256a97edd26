//! Homes that were moved, copied, backed up and restored.

use std::{fs, path::Path};

use imprint_core::{DeviceId, LogPosition, Store};

use super::{BackupError, SqliteStore, database, fresh, raw};
use crate::suite::{OWNER, create, listed};

/// The device and seq of each record.
async fn records(store: &SqliteStore) -> Vec<(DeviceId, u64)> {
    let records = store.records(OWNER, LogPosition(0), 99).await.unwrap();
    let place = records.iter().map(|record| (record.device, record.seq));
    place.collect()
}

fn store_in(home: &Path) -> SqliteStore {
    SqliteStore::new(home.join("imprint.db"))
}

#[tokio::test]
async fn a_moved_home_stays_the_same_device() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    drop(store);
    let there = dir.path().join("there");
    fs::rename(dir.path().join("home"), &there).unwrap();
    let store = store_in(&there);
    create(&store, 2, "beta").await;
    let records = records(&store).await;
    assert_eq!(records[1], (records[0].0, 2));
}

#[tokio::test]
async fn a_copied_home_is_another_device() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    drop(store);
    let there = dir.path().join("there");
    fs::create_dir(&there).unwrap();
    fs::copy(database(dir.path()), there.join("imprint.db")).unwrap();

    let (one, two) = (store_in(&dir.path().join("home")), store_in(&there));
    create(&one, 2, "beta").await;
    create(&two, 2, "beta").await;
    create(&two, 3, "gamma").await;
    let (one, two) = (records(&one).await, records(&two).await);
    assert_eq!(one[1], (one[0].0, 2));
    assert_eq!(two[0], one[0]);
    assert_ne!(two[1].0, one[0].0);
    assert_eq!(two[1..], [(two[1].0, 1), (two[1].0, 2)]);
}

#[tokio::test]
async fn a_backup_is_one_file_with_everything() {
    let (store, dir) = fresh();
    let to = dir.path().join("backup.db");
    let nothing = store.backup(&to).await;
    assert!(matches!(nothing, Err(BackupError::Nothing)), "{nothing:?}");
    assert!(!to.exists());

    create(&store, 1, "alpha").await;
    store.backup(&to).await.unwrap();
    create(&store, 2, "beta").await;
    let names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&to).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = store.backup(&to).await;
    assert!(matches!(again, Err(BackupError::Exists)), "{again:?}");
    let copy = SqliteStore::new(&to);
    assert_eq!(listed(&copy).await, ["alpha active"]);
    assert_eq!(copy.integrity_check().await.unwrap(), [""; 0]);

    let nowhere = store.backup(&dir.path().join("no").join("such")).await;
    assert!(matches!(nowhere, Err(BackupError::Store(_))), "{nowhere:?}");
}

#[tokio::test]
async fn a_backup_restored_in_place_is_another_device() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let backup = dir.path().join("backup.db");
    store.backup(&backup).await.unwrap();
    create(&store, 2, "beta").await;
    drop(store);

    // Written over the old bytes, so that the file is the same one to the system.
    fs::copy(&backup, database(dir.path())).unwrap();
    let store = SqliteStore::new(database(dir.path()));
    create(&store, 3, "gamma").await;
    let records = records(&store).await;
    assert_ne!(records[1].0, records[0].0);
    assert_eq!(records[1].1, 1);
}

#[tokio::test]
async fn the_check_finds_what_does_not_fit() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    assert_eq!(store.integrity_check().await.unwrap(), [""; 0]);
    raw(&database(dir.path()))
        .execute_batch(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO revisions VALUES (zeroblob(16), x'00', x'00', 9);
             UPDATE records SET event = replace(event, 'alpha', 'other');",
        )
        .unwrap();
    let findings = store.integrity_check().await.unwrap();
    assert_eq!(
        findings,
        [
            "a row of `revisions` points at nothing",
            "the revision in record 1 has changed"
        ]
    );
}
