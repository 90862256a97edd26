//! The tables, and their way from one version to the next.

use std::{collections::BTreeMap, fs, path::Path, sync::Barrier, thread};

use imprint_core::{
    CommitError, ItemFilter, ItemState, ItemSummary, LocalChange, LogPosition, Store, StoreError,
};
use imprint_format::{Digest, ItemKind};
use rusqlite::Connection;

use super::{
    DatabaseFile, MIGRATIONS, Migrations, SqliteStore, database, fresh, open, raw, read, runtime,
    settings,
};
use crate::suite::{OWNER, create, listed, local, session, set_state};

/// As the first release had it.
const FIRST: Migrations = Migrations(&[MIGRATIONS.0[0]]);

/// As if the next version added a table.
const NEXT: Migrations = Migrations(&[
    MIGRATIONS.0[0],
    MIGRATIONS.0[1],
    "CREATE TABLE later (owner BLOB NOT NULL, note TEXT NOT NULL) STRICT;",
]);

/// As if the next version had a fault in the middle of its step.
const FAULTY: Migrations = Migrations(&[
    MIGRATIONS.0[0],
    MIGRATIONS.0[1],
    "DROP TABLE sessions; CREATE TABLE later (owner BLOB); SELECT no_such_function();",
]);

fn version(migrations: Migrations, path: &Path) -> SqliteStore {
    let mut settings = settings();
    settings.migrations = migrations;
    SqliteStore::with(path.to_owned(), settings)
}

/// The names of the copies that were kept of older schemas.
fn copies(home: &Path) -> Vec<String> {
    fs::read_dir(home)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".backup"))
        .collect()
}

#[tokio::test]
async fn every_table_has_an_owner() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let without: Vec<String> = raw(&database(dir.path()))
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND NOT EXISTS
             (SELECT 1 FROM pragma_table_info(sqlite_schema.name) WHERE name = 'owner')",
        )
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(without, [""; 0]);
}

#[tokio::test]
async fn a_newer_schema_is_left_alone() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    // While the old version still has it open, too.
    let next = version(NEXT, &database(dir.path()));
    create(&next, 2, "beta").await;

    let expected = |error: &StoreError| matches!(error, StoreError::Newer { found: 3, known: 2 });
    let fresh = SqliteStore::new(database(dir.path()));
    for old in [&store, &fresh] {
        let read = old.items(OWNER, &ItemFilter::default()).await.unwrap_err();
        assert!(expected(&read), "{read}");
        match set_state(old, 1, ItemState::Removed).await {
            Err(CommitError::Store(error)) => assert!(expected(&error), "{error}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(listed(&next).await, ["alpha active", "beta active"]);
}

#[test]
fn an_older_schema_is_brought_up_to_date_once_with_a_copy_kept() {
    let (store, dir) = fresh();
    runtime().block_on(create(&store, 1, "alpha"));
    let ready = Barrier::new(6);
    thread::scope(|scope| {
        for number in 0..6 {
            let (ready, path) = (&ready, database(dir.path()));
            scope.spawn(move || {
                let next = version(NEXT, &path);
                ready.wait();
                runtime().block_on(async {
                    // Some come to read, some to write.
                    if number % 2 == 0 {
                        assert!(listed(&next).await.contains(&"alpha active".to_owned()));
                    } else {
                        create(&next, 10 + number, &format!("item-{number}")).await;
                    }
                });
            });
        }
    });
    let next = version(NEXT, &database(dir.path()));
    let names = runtime().block_on(listed(&next));
    assert_eq!(
        names,
        [
            "alpha active",
            "item-1 active",
            "item-3 active",
            "item-5 active"
        ]
    );
    let backups = copies(&dir.path().join("home"));
    assert_eq!(backups, ["imprint.db.schema-2.backup"]);

    // The copy is what the old version can go back to.
    let copy = SqliteStore::new(dir.path().join("home").join(&backups[0]));
    assert_eq!(runtime().block_on(listed(&copy)), ["alpha active"]);
}

/// A database as the release with schema 1 left it, with what `from` holds in the tables that it
/// had.
fn schema_1(from: &Path, at: &Path) {
    let mut settings = settings();
    settings.migrations = FIRST;
    open::for_writing(&DatabaseFile::new(at.to_owned()), settings).unwrap();
    let conn = raw(at);
    let attach = "ATTACH ?1 AS newer";
    conn.execute(attach, [from.to_str().unwrap()]).unwrap();
    for table in [
        "records",
        "revisions",
        "contents",
        "items",
        "acceptances",
        "sessions",
    ] {
        let columns: String = conn
            .query_row(
                "SELECT group_concat(name) FROM pragma_table_info(?1)",
                [table],
                |row| row.get(0),
            )
            .unwrap();
        let copy = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM newer.{table}");
        conn.execute(&copy, []).unwrap();
    }
}

#[tokio::test]
async fn a_home_of_the_first_release_keeps_everything_and_takes_keys() {
    let (newer, dir) = fresh();
    let alpha = create(&newer, 1, "alpha").await;
    let noted = local([
        LocalChange::Session(session(1, 5)),
        LocalChange::Loaded(alpha.id),
    ]);
    newer.commit(OWNER, noted, BTreeMap::new()).await.unwrap();
    let path = dir.path().join("first").join("imprint.db");
    schema_1(&database(dir.path()), &path);
    let before: u32 = raw(&path)
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(before, 1);

    let store = SqliteStore::new(&path);
    assert_eq!(store.sessions(OWNER, 9).await.unwrap(), [session(1, 5)]);
    let found = store.item(OWNER, alpha.id).await.unwrap().unwrap();
    assert_eq!(
        found,
        ItemSummary {
            loads: 1,
            ..alpha.clone()
        }
    );
    let records = store.records(OWNER, LogPosition(0), 9).await.unwrap();
    assert_eq!(
        records,
        newer.records(OWNER, LogPosition(0), 9).await.unwrap()
    );
    assert!(
        store
            .content(OWNER, Digest::of(b"alpha"))
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(store.audit(OWNER, 0, 9).await.unwrap(), []);
    let backups = copies(path.parent().unwrap());
    assert_eq!(backups, ["imprint.db.schema-1.backup"]);

    set_state(&store, 1, ItemState::Disabled).await.unwrap();
    assert_eq!(store.audit(OWNER, 0, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_old_schema() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let faulty = version(FAULTY, &database(dir.path()));
    faulty.position(OWNER).await.unwrap_err();
    set_state(&faulty, 1, ItemState::Disabled)
        .await
        .unwrap_err();
    assert_eq!(copies(&dir.path().join("home")), [""; 0]);
    assert_eq!(store.sessions(OWNER, 9).await.unwrap(), []);
    create(&store, 2, "beta").await;
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(2));
    assert_eq!(store.integrity_check().await.unwrap(), [""; 0]);
}

/// How SQLite goes about a query.
fn way(conn: &Connection, query: &str) -> String {
    let plan = format!("EXPLAIN QUERY PLAN {query}");
    let mut steps = conn.prepare(&plan).unwrap();
    // Nothing is bound: the plan is the same for every value.
    let mut rows = steps.raw_query();
    let mut way = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        way.push(row.get::<_, String>(3).unwrap());
    }
    way.join("; ")
}

#[tokio::test]
async fn no_query_reads_more_than_it_must() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let conn = raw(&database(dir.path()));
    let items = |filter| way(&conn, &read::select_items(&filter));
    let all = ItemFilter::default;
    assert_eq!(items(all()), "SEARCH items USING PRIMARY KEY (owner=?)");
    let active = ItemFilter {
        states: vec![ItemState::Active, ItemState::Disabled],
        ..all()
    };
    assert_eq!(items(active), "SEARCH items USING PRIMARY KEY (owner=?)");
    let named = ItemFilter {
        kind: Some(ItemKind::Skill),
        name: Some("alpha".to_owned()),
        states: vec![ItemState::Active],
    };
    let by_name = "SEARCH items USING INDEX items_by_name (owner=? AND name=?)";
    assert_eq!(items(named), by_name);
    for query in [
        "SELECT facts FROM items WHERE owner = ? AND id = ?",
        "SELECT id FROM items WHERE owner = ? AND kind = ? AND name = ? AND state <> 'removed'",
        "SELECT max(position) FROM records WHERE owner = ?",
        "SELECT max(seq) FROM records WHERE owner = ? AND device = ?",
        "SELECT event FROM records WHERE owner = ? AND position > ? ORDER BY position",
        "SELECT event FROM revisions JOIN records USING (owner, position)
         WHERE owner = ? AND id = ?",
        "SELECT event FROM revisions JOIN records USING (owner, position)
         WHERE owner = ? AND item = ? ORDER BY position DESC",
        "SELECT bytes FROM contents WHERE owner = ? AND digest = ?",
        "SELECT calls FROM sessions WHERE owner = ? ORDER BY seen_at DESC, id DESC",
        "SELECT calls FROM sessions WHERE owner = ? AND seen_at >= ?
         ORDER BY seen_at DESC, id DESC",
        "SELECT name FROM keys WHERE owner = ? AND digest = ?",
        "SELECT seq, hash FROM audit WHERE owner = ? ORDER BY seq DESC LIMIT 1",
        "SELECT row FROM audit WHERE owner = ? AND seq > ? ORDER BY seq",
        "SELECT event FROM proposals JOIN records USING (owner, position)
         WHERE owner = ? AND id = ?",
        "SELECT body FROM oauth_tokens WHERE owner = ? AND digest = ?",
    ] {
        let way = way(&conn, query);
        let sorts_or_scans = way.contains("SCAN") || way.contains("B-TREE");
        let only_by_owner = way.contains("(owner=?)") && query.contains("AND");
        assert!(!sorts_or_scans && !only_by_owner, "{query}: {way}");
    }
}
