//! The suite over a remembering store, and what memory in front of a shared file can get wrong.

use std::{fs, path::Path, sync::Arc};

use imprint_core::{
    Change, ItemFilter, ItemState, ItemSummary, LocalChange, LogPosition, OwnerId, Store as _,
};
use rusqlite::Connection;
use tempfile::TempDir;

use super::RememberingStore;
use crate::{
    Generation, Generations as _, SqliteStore,
    suite::{self, OWNER, commit, create, draft, id, listed, local, session, set_state},
};

type Remembering = RememberingStore<SqliteStore>;

fn fresh() -> (Remembering, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (store_in(dir.path()), dir)
}

fn store_in(dir: &Path) -> Remembering {
    RememberingStore::new(SqliteStore::new(dir.join("home").join("imprint.db")))
}

/// Changes an item behind everybody's back, without a record: what is remembered differs from it.
fn tamper(dir: &Path, description: &str) {
    let conn = Connection::open(dir.join("home").join("imprint.db")).unwrap();
    conn.execute("UPDATE items SET description = ?1", [description])
        .unwrap();
}

async fn description(store: &Remembering) -> String {
    let item = store.item(OWNER, id(1)).await.unwrap().unwrap();
    let all = store.items(OWNER, &ItemFilter::default()).await.unwrap();
    assert_eq!(all, std::slice::from_ref(&item));
    item.description
}

async fn generation(store: &Remembering) -> Generation {
    // What can't be told before a read can be told after it.
    store.exists().await.unwrap();
    store.behind.generation().unwrap()
}

async fn loads(store: &Remembering) -> u64 {
    let item = store.item(OWNER, id(1)).await.unwrap();
    item.map_or(0, |item: ItemSummary| item.loads)
}

suite::store_suite!(fresh());

#[tokio::test]
async fn the_generation_changes_with_every_commit_of_anyone() {
    let (one, dir) = fresh();
    let two = store_in(dir.path());
    let mut before = generation(&one).await;
    assert_eq!(generation(&one).await, before);
    for (number, writer) in [&one, &two, &one, &two].into_iter().enumerate() {
        create(writer, number as u128, &format!("item-{number}")).await;
        let after = generation(&one).await;
        assert_ne!(after, before);
        listed(&one).await;
        assert_eq!(generation(&one).await, after, "reading changes nothing");
        before = after;
    }
    let heard = local([LocalChange::Session(session(1, 5))]);
    two.commit(OWNER, heard, [].into()).await.unwrap();
    assert_ne!(generation(&one).await, before);
}

#[tokio::test]
async fn what_one_writes_the_other_reads() {
    let (one, dir) = fresh();
    let two = store_in(dir.path());
    assert_eq!(listed(&two).await, [""; 0]);
    assert_eq!(listed(&two).await, [""; 0]);
    create(&one, 1, "alpha").await;
    assert_eq!(listed(&two).await, ["alpha active"]);
    for number in 2..20 {
        let (writer, reader) = if number % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        create(writer, number, &format!("item-{number}")).await;
        for store in [reader, writer] {
            assert_eq!(listed(store).await.len() as u128, number);
            assert!(store.item(OWNER, id(number)).await.unwrap().is_some());
            let position = store.position(OWNER).await.unwrap();
            assert_eq!(u128::from(position.0), number);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn who_wrote_reads_what_was_written_while_others_write() {
    let (one, dir) = fresh();
    let stores = [Arc::new(one), Arc::new(store_in(dir.path()))];
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..6_u128 {
        let store = Arc::clone(&stores[writer as usize % 2]);
        writers.spawn(async move {
            for number in 0..6 {
                let (item, name) = (writer * 10 + number, format!("item-{writer}-{number}"));
                let created = create(&*store, item, &name).await;
                let found = store.item(OWNER, id(item)).await.unwrap();
                assert_eq!(found.as_ref(), Some(&created));
                set_state(&*store, item, ItemState::Disabled).await.unwrap();
                let line = format!("{name} disabled");
                assert!(listed(&*store).await.contains(&line));
            }
        });
    }
    writers.join_all().await;
    assert_eq!(listed(&*stores[0]).await, listed(&*stores[1]).await);
}

#[tokio::test]
async fn a_file_that_goes_or_takes_anothers_place_is_noticed() {
    let (store, dir) = fresh();
    let (home, away) = (dir.path().join("home"), dir.path().join("away"));
    let alpha = create(&store, 1, "alpha").await;
    for _ in 0..2 {
        assert_eq!(listed(&store).await, ["alpha active"]);
        assert!(store.revision(OWNER, alpha.head).await.unwrap().is_some());
    }
    fs::rename(&home, &away).unwrap();
    for _ in 0..2 {
        assert!(!store.exists().await.unwrap());
        assert_eq!(listed(&store).await, [""; 0]);
        assert_eq!(store.revision(OWNER, alpha.head).await.unwrap(), None);
    }
    // As long as the log that was there before.
    create(&store, 2, "beta").await;
    assert_eq!(listed(&store).await, ["beta active"]);
    assert_eq!(store.revision(OWNER, alpha.head).await.unwrap(), None);
    assert_eq!(listed(&store).await, ["beta active"]);

    fs::remove_dir_all(&home).unwrap();
    fs::rename(&away, &home).unwrap();
    for _ in 0..2 {
        assert_eq!(listed(&store).await, ["alpha active"]);
    }
    create(&store, 3, "gamma").await;
    assert_eq!(listed(&store).await, ["alpha active", "gamma active"]);
}

#[tokio::test]
async fn sessions_and_counts_of_others_leave_items_remembered() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    listed(&store).await;
    let said = description(&store).await;
    tamper(dir.path(), "other");
    assert_eq!(description(&store).await, said, "the log has not changed");
    let heard = local([LocalChange::Session(session(1, 5))]);
    store.commit(OWNER, heard, [].into()).await.unwrap();
    assert_eq!(description(&store).await, said);
    assert_eq!(store.sessions(OWNER, 9).await.unwrap().len(), 1);

    let pin = Change::SetPin {
        item: id(1),
        pinned: true,
    };
    commit(&store, [pin]).await.unwrap();
    assert_ne!(description(&store).await, said);
}

#[tokio::test]
async fn own_loads_are_read_at_once() {
    let (store, _dir) = fresh();
    create(&store, 1, "alpha").await;
    for count in 0..4 {
        assert_eq!(loads(&store).await, count);
        let loaded = local([LocalChange::Loaded(id(1))]);
        store.commit(OWNER, loaded, [].into()).await.unwrap();
    }
}

#[tokio::test]
async fn a_state_put_back_in_place_is_another_log() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let backup = dir.path().join("backup.db");
    store.behind.backup(&backup).await.unwrap();
    create(&store, 2, "beta").await;
    for _ in 0..2 {
        assert_eq!(listed(&store).await, ["alpha active", "beta active"]);
    }
    // The restored log grows to the same length before anyone looks.
    let mut there = Connection::open(dir.path().join("home").join("imprint.db")).unwrap();
    let from = Connection::open(&backup).unwrap();
    let copy = rusqlite::backup::Backup::new(&from, &mut there).unwrap();
    copy.run_to_completion(1_000, std::time::Duration::ZERO, None)
        .unwrap();
    drop(copy);
    drop(there);
    create(&store_in(dir.path()), 3, "gamma").await;
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(2));
    assert_eq!(listed(&store).await, ["alpha active", "gamma active"]);
}

#[tokio::test]
async fn what_is_remembered_is_one_owners() {
    let (store, _dir) = fresh();
    let other = OwnerId(uuid::Uuid::from_u128(9));
    let alpha = create(&store, 1, "alpha").await;
    let revision = Change::Revise(draft(2, "beta", "beta", &[]));
    let theirs = store.commit(other, suite::batch([revision]), [].into());
    theirs.await.unwrap();
    for _ in 0..2 {
        assert!(store.revision(OWNER, alpha.head).await.unwrap().is_some());
        assert_eq!(store.revision(other, alpha.head).await.unwrap(), None);
        assert_eq!(store.item(other, id(1)).await.unwrap(), None);
        assert_eq!(listed(&store).await, ["alpha active"]);
    }
}
