//! Several processes on one file. Each store here has its own connections, as a process has.

use std::{fs, sync::Barrier, thread, time::Duration};

use imprint_core::{CommitError, ItemState, LogPosition, Store, StoreError};
use rusqlite::TransactionBehavior;

use super::{Patience, SqliteStore, database, fresh, raw, runtime, settings};
use crate::suite::{OWNER, create, id, listed, set_state};

#[tokio::test]
async fn what_one_writes_the_other_reads() {
    let (one, dir) = fresh();
    let two = SqliteStore::new(database(dir.path()));
    assert_eq!(listed(&two).await, [""; 0]);
    create(&one, 1, "alpha").await;
    assert_eq!(listed(&two).await, ["alpha active"]);
    create(&two, 2, "beta").await;
    assert_eq!(one.position(OWNER).await.unwrap(), LogPosition(2));
    set_state(&one, 2, ItemState::Disabled).await.unwrap();
    assert_eq!(listed(&two).await, ["alpha active", "beta disabled"]);
}

#[test]
fn ten_at_once_make_one_home() {
    let dir = tempfile::tempdir().unwrap();
    let ready = Barrier::new(10);
    thread::scope(|scope| {
        for writer in 0..10 {
            let (ready, path) = (&ready, database(dir.path()));
            scope.spawn(move || {
                let store = SqliteStore::new(path);
                ready.wait();
                runtime().block_on(async {
                    for number in 0..8 {
                        let item = writer * 100 + number;
                        create(&store, item, &format!("item-{item}")).await;
                        assert!(store.item(OWNER, id(item)).await.unwrap().is_some());
                    }
                });
            });
        }
    });
    let store = SqliteStore::new(database(dir.path()));
    let records = runtime().block_on(store.records(OWNER, LogPosition(0), 999));
    let records = records.unwrap();
    let seqs: Vec<u64> = records.iter().map(|record| record.seq).collect();
    assert_eq!(seqs, (1..=80).collect::<Vec<_>>());
    let device = records[0].device;
    assert!(records.iter().all(|record| record.device == device));
    let findings = runtime().block_on(store.integrity_check()).unwrap();
    assert_eq!(findings, [""; 0]);
}

#[tokio::test]
async fn readers_do_not_wait_for_a_writer_and_writers_tell_how_long_they_did() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let mut other = raw(&database(dir.path()));
    let tx = other
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .unwrap();
    tx.execute("UPDATE items SET name = 'uncommitted'", [])
        .unwrap();
    assert_eq!(listed(&store).await, ["alpha active"]);

    let mut settings = settings();
    settings.patience = Patience(Duration::from_millis(50));
    let hasty = SqliteStore::with(database(dir.path()), settings);
    assert_eq!(listed(&hasty).await, ["alpha active"]);
    let error = set_state(&hasty, 1, ItemState::Disabled).await.unwrap_err();
    assert!(
        matches!(error, CommitError::Store(StoreError::Busy { .. })),
        "{error}"
    );

    // As if that process were gone.
    drop(tx);
    set_state(&hasty, 1, ItemState::Disabled).await.unwrap();
    assert_eq!(listed(&store).await, ["alpha disabled"]);
}

#[tokio::test]
async fn what_a_killed_process_had_not_committed_never_was() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let path = database(dir.path());
    let mut other = raw(&path);
    other.pragma_update(None, "cache_size", 2).unwrap();
    let tx = other
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .unwrap();
    // With so few pages in memory, the log gets frames of the open transaction.
    tx.execute("UPDATE items SET name = 'uncommitted'", [])
        .unwrap();
    let large = "INSERT INTO contents VALUES (x'00', x'00', randomblob(200000))";
    let log = path.with_extension("db-wal");
    let before = fs::metadata(&log).unwrap().len();
    tx.execute(large, []).unwrap();
    assert!(fs::metadata(&log).unwrap().len() > before + 100_000);

    // What lies on the disk at that instant is what a kill leaves.
    let left = dir.path().join("left");
    fs::create_dir(&left).unwrap();
    fs::copy(&path, left.join("imprint.db")).unwrap();
    fs::copy(&log, left.join("imprint.db-wal")).unwrap();
    let left = SqliteStore::new(left.join("imprint.db"));
    assert_eq!(listed(&left).await, ["alpha active"]);
    create(&left, 2, "beta").await;
    assert_eq!(left.integrity_check().await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_file_that_takes_the_place_of_the_open_one_is_used() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let home = dir.path().join("home");
    fs::rename(&home, dir.path().join("away")).unwrap();
    assert_eq!(listed(&store).await, [""; 0]);
    assert!(!store.exists().await.unwrap());

    create(&store, 2, "beta").await;
    assert_eq!(listed(&store).await, ["beta active"]);
    let away = SqliteStore::new(dir.path().join("away").join("imprint.db"));
    assert_eq!(listed(&away).await, ["alpha active"]);

    fs::remove_dir_all(&home).unwrap();
    fs::rename(dir.path().join("away"), &home).unwrap();
    create(&store, 3, "gamma").await;
    assert_eq!(listed(&store).await, ["alpha active", "gamma active"]);
    assert_eq!(store.integrity_check().await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_commit_that_nobody_waits_for_is_whole_or_not_at_all() {
    let (store, _dir) = fresh();
    create(&store, 1, "alpha").await;
    for number in 2..12 {
        let store = store.clone();
        let task = tokio::spawn(async move {
            create(&store, number, &format!("item-{number}")).await;
        });
        tokio::task::yield_now().await;
        task.abort();
        let _ = task.await;
    }
    create(&store, 99, "omega").await;
    let position = store.position(OWNER).await.unwrap();
    assert_eq!(listed(&store).await.len() as u64, position.0);
    assert_eq!(store.integrity_check().await.unwrap(), [""; 0]);
}
