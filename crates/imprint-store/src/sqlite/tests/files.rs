//! What is on the disk before, during and after: nothing, something else, something broken.

use std::{collections::BTreeMap, fs, path::Path};

use imprint_core::{
    Change, CommitError, ItemFilter, ItemState, LocalChange, LogPosition, Store, StoreError,
};
use imprint_format::Digest;
use proptest::prelude::*;

use super::{SqliteStore, database, fresh, raw, runtime, settings};
use crate::suite::{OWNER, commit, create, draft, id, listed, local, session, set_state};

async fn items(store: &SqliteStore) -> Result<usize, StoreError> {
    let items = store.items(OWNER, &ItemFilter::default()).await?;
    Ok(items.len())
}

/// What a commit comes to that would create an item.
async fn try_create(store: &SqliteStore) -> StoreError {
    let create = Change::Revise(draft(99, "later", "text", &[]));
    match commit(store, [create]).await {
        Err(CommitError::Store(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_leaves_nothing_to_keep_creates_nothing() {
    let (store, dir) = fresh();
    assert_eq!(items(&store).await.unwrap(), 0);
    assert!(!store.exists().await.unwrap());
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(0));
    let notes = [
        LocalChange::Session(session(1, 1)),
        LocalChange::Loaded(id(1)),
    ];
    let outcome = store.commit(OWNER, local(notes), BTreeMap::new()).await;
    assert_eq!(outcome.unwrap().position, LogPosition(0));
    let refused = set_state(&store, 1, ItemState::Removed).await;
    assert!(matches!(refused, Err(CommitError::UnknownItem(_))));
    store.integrity_check().await.unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_without_tables_is_as_good_as_none() {
    let (store, dir) = fresh();
    let path = database(dir.path());
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, b"").unwrap();
    assert!(!store.exists().await.unwrap());
    let note = local([LocalChange::Session(session(1, 1))]);
    store.commit(OWNER, note, BTreeMap::new()).await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);

    create(&store, 1, "alpha").await;
    assert_eq!(listed(&store).await, ["alpha active"]);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_may_look_in() {
    use std::os::unix::fs::PermissionsExt as _;

    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let home = dir.path().join("home");
    assert_eq!(mode(&home), 0o700);
    let mut modes: Vec<_> = fs::read_dir(&home)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name(), mode(&entry.path())))
        .collect();
    modes.sort();
    let expected = ["imprint.db", "imprint.db-shm", "imprint.db-wal"];
    assert_eq!(modes, expected.map(|name| (name.into(), 0o600)));
}

#[tokio::test]
async fn what_is_no_database_of_ours_stays_as_it_is() {
    let (store, dir) = fresh();
    let path = database(dir.path());
    fs::create_dir(path.parent().unwrap()).unwrap();

    fs::write(
        &path,
        "not a database, but long enough to look at ".repeat(99),
    )
    .unwrap();
    let before = fs::read(&path).unwrap();
    let read = items(&store).await.unwrap_err();
    assert!(matches!(read, StoreError::Damaged { .. }), "{read}");
    let written = try_create(&store).await;
    assert!(matches!(written, StoreError::Damaged { .. }), "{written}");
    assert_eq!(fs::read(&path).unwrap(), before);

    fs::remove_file(&path).unwrap();
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE theirs (a); PRAGMA user_version = 1;")
        .unwrap();
    let before = fs::read(&path).unwrap();
    let read = items(&store).await.unwrap_err();
    assert!(
        read.to_string().contains("another program's database"),
        "{read}"
    );
    let written = try_create(&store).await;
    assert!(matches!(written, StoreError::Damaged { .. }), "{written}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_path_that_can_be_no_file_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let folder = SqliteStore::new(dir.path());
    let read = items(&folder).await.unwrap_err();
    assert!(matches!(read, StoreError::Unavailable { .. }), "{read}");
    try_create(&folder).await;

    let file = dir.path().join("file");
    fs::write(&file, "text").unwrap();
    let below = SqliteStore::new(file.join("imprint.db"));
    try_create(&below).await;
    assert_eq!(fs::read(&file).unwrap(), b"text");

    let nul = SqliteStore::new("a\0b");
    items(&nul).await.unwrap_err();
    try_create(&nul).await;
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_and_a_link_to_nothing_are_told_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("imprint.db");
    for (target, told) in [
        ("/dev/null", "no regular file"),
        (".", "no regular file"),
        ("nowhere", "not there"),
    ] {
        std::os::unix::fs::symlink(target, &path).unwrap();
        let store = SqliteStore::new(&path);
        let read = items(&store).await.unwrap_err().to_string();
        assert!(read.contains(told), "{read}");
        let write = try_create(&store).await.to_string();
        assert!(write.contains(told), "{write}");
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_home_that_can_only_be_read_is_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    drop(store);
    let path = database(dir.path());
    let home = path.parent().unwrap();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&path, 0o400);
    set(home, 0o500);
    if fs::write(home.join("probe"), "").is_ok() {
        // Whoever runs this test may write everywhere, so there is nothing to see.
        return;
    }
    let store = SqliteStore::new(&path);
    assert_eq!(listed(&store).await, ["alpha active"]);
    let error = try_create(&store).await;
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");

    set(&path, 0o600);
    let error = try_create(&store).await;
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    set(home, 0o700);
    create(&store, 2, "beta").await;
    assert_eq!(listed(&store).await, ["alpha active", "beta active"]);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_left_from_a_read_only_time_keeps_no_one_from_writing() {
    use std::os::unix::fs::PermissionsExt as _;

    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    drop(store);
    let path = database(dir.path());
    let index = path.with_file_name("imprint.db-shm");
    fs::write(&index, "").unwrap();
    fs::set_permissions(&index, fs::Permissions::from_mode(0o400)).unwrap();
    let store = SqliteStore::new(&path);
    create(&store, 2, "beta").await;
    let mode = fs::metadata(&index).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn a_full_disk_changes_nothing() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let pages: u32 = raw(&database(dir.path()))
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    let mut settings = settings();
    settings.max_pages = Some(pages + 2);
    let full = SqliteStore::with(database(dir.path()), settings);

    let large = Change::Revise(draft(2, "beta", &"x".repeat(100_000), &[]));
    let error = commit(&full, [large.clone()]).await.unwrap_err();
    assert!(
        matches!(error, CommitError::Store(StoreError::Full)),
        "{error}"
    );
    assert_eq!(listed(&full).await, ["alpha active"]);
    assert_eq!(full.position(OWNER).await.unwrap(), LogPosition(1));
    set_state(&full, 1, ItemState::Disabled).await.unwrap();
    commit(&store, [large]).await.unwrap();
    assert_eq!(listed(&store).await, ["alpha disabled", "beta active"]);
    assert_eq!(store.integrity_check().await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_changed_content_is_noticed_and_not_quoted() {
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    raw(&database(dir.path()))
        .execute("UPDATE contents SET bytes = CAST('swapped' AS BLOB)", [])
        .unwrap();
    let digest = Digest::of(b"alpha");
    let error = store.content(OWNER, digest).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    let text = format!("{error} {error:?}");
    assert!(!text.contains("swapped") && !text.contains(&digest.to_string()));
    let findings = store.integrity_check().await.unwrap();
    assert_eq!(
        findings,
        [format!("the content {} has changed", digest.short())]
    );
}

#[tokio::test]
async fn values_of_a_wrong_form_are_damage() {
    for change in [
        "UPDATE items SET name = 'No Name'",
        "UPDATE items SET state = 'asleep'",
        "UPDATE items SET kind = 'verse'",
        "UPDATE items SET facts = x'00'",
        "UPDATE items SET id = x'0102'",
    ] {
        let (store, dir) = fresh();
        create(&store, 1, "alpha").await;
        raw(&database(dir.path())).execute(change, []).unwrap();
        let error = items(&store).await.unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    }
    let (store, dir) = fresh();
    create(&store, 1, "alpha").await;
    let change = "UPDATE records SET event = '{\"event\": \"secret\"}'";
    raw(&database(dir.path())).execute(change, []).unwrap();
    let error = store.records(OWNER, LogPosition(0), 9).await.unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
    let findings = store.integrity_check().await.unwrap();
    assert_eq!(findings, ["record 1 can't be read"]);
}

/// A sound database as bytes, with nothing beside it.
fn sound() -> Vec<u8> {
    let (store, dir) = fresh();
    runtime().block_on(async {
        for number in 1..30 {
            create(&store, number, &format!("item-{number}")).await;
        }
        let copy = dir.path().join("copy.db");
        store.backup(&copy).await.unwrap();
        fs::read(copy).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damage_of_any_kind_is_an_error_at_worst(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        kept in prop::option::of(any::<prop::sample::Index>()),
    ) {
        static SOUND: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        let mut bytes = SOUND.get_or_init(sound).clone();
        for (place, value) in places {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(kept) = kept {
            bytes.truncate(kept.index(bytes.len()));
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("imprint.db");
        fs::write(&path, bytes).unwrap();
        let store = SqliteStore::new(path);
        runtime().block_on(async {
            let _ = items(&store).await;
            let _ = store.records(OWNER, LogPosition(0), 99).await;
            let _ = store.revisions(OWNER, id(1), 0, 99).await;
            let _ = store.integrity_check().await;
            let _ = commit(&store, [Change::Revise(draft(99, "later", "text", &[]))]).await;
        });
    }
}
