//! Cases about what a commit changes, and what it refuses.

use std::{collections::BTreeMap, sync::Arc};

use imprint_core::{Change, CommitError, ItemFilter, ItemState, LogPosition, Store};
use imprint_format::{Digest, ItemKind};

use super::{OWNER, batch, bundle, commit, create, draft, id, listed, set_state};

pub(crate) async fn an_empty_store_finds_nothing(store: Arc<dyn Store>) {
    assert!(!store.exists().await.unwrap());
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(0));
    assert_eq!(listed(&*store).await, Vec::<String>::new());
    assert_eq!(store.item(OWNER, id(1)).await.unwrap(), None);
    let records = store.records(OWNER, LogPosition(0), 10).await.unwrap();
    assert_eq!(records, []);
    let content = store.content(OWNER, Digest::of(b"text")).await.unwrap();
    assert_eq!(content, None);
    assert_eq!(store.acceptances(OWNER).await.unwrap(), []);
    assert_eq!(store.sessions(OWNER, 10).await.unwrap(), []);
    assert!(!store.exists().await.unwrap());
}

pub(crate) async fn a_new_item_is_read_back(store: Arc<dyn Store>) {
    let mut first = draft(1, "alpha", "text", &[]);
    first.hidden_from_model = true;
    first.description = "Größe, 大きさ\nand 'quotes'".to_owned();
    let committed = commit(&*store, [Change::Revise(first.clone())])
        .await
        .unwrap();
    assert!(store.exists().await.unwrap());
    assert_eq!(committed.position, LogPosition(1));
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(1));

    let item = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!(committed.items.as_slice(), std::slice::from_ref(&item));
    assert_eq!(item.description, first.description);
    assert_eq!(item.tree, first.bundle.tree_digest());
    assert!(item.hidden_from_model);
    let all = store.items(OWNER, &ItemFilter::default()).await.unwrap();
    assert_eq!(all, committed.items);

    let revision = store.revision(OWNER, item.head).await.unwrap().unwrap();
    assert_eq!(revision.id, revision.id_of());
    assert_eq!((revision.item, revision.seq), (id(1), 1));
    let content = store.content(OWNER, revision.files[0].digest).await;
    assert_eq!(content.unwrap().as_deref(), Some(b"text".as_slice()));
}

pub(crate) async fn an_edit_replaces_the_head_and_keeps_history(store: Arc<dyn Store>) {
    let before = create(&*store, 1, "alpha").await;
    let edit = draft(1, "beta", "changed", &[before.head]);
    let after = commit(&*store, [Change::Revise(edit)]).await.unwrap();
    let after = &after.items[0];
    assert_eq!(after.name.as_str(), "beta");
    assert_ne!(after.head, before.head);
    assert_eq!(after.created_at, before.created_at);
    assert_eq!(after.changed_in, LogPosition(2));
    assert_eq!(listed(&*store).await, ["beta active"]);

    let history = store.revisions(OWNER, id(1), 0, 10).await.unwrap();
    let ids: Vec<_> = history.iter().map(|revision| revision.id).collect();
    assert_eq!(ids, [after.head, before.head]);
    assert_eq!(history[0].parents, [before.head]);
    let old = store.content(OWNER, history[1].files[0].digest).await;
    assert_eq!(old.unwrap().as_deref(), Some(b"alpha".as_slice()));
}

pub(crate) async fn an_edit_from_a_stale_head_is_refused(store: Arc<dyn Store>) {
    let first = create(&*store, 1, "alpha").await;
    let edit = |text| draft(1, "alpha", text, &[first.head]);
    let second = commit(&*store, [Change::Revise(edit("mine"))])
        .await
        .unwrap();
    let refused = commit(&*store, [Change::Revise(edit("yours"))]).await;
    let Err(CommitError::Stale { item, current }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!((item, current), (id(1), second.items[0].head));
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(2));
}

pub(crate) async fn an_expected_head_must_be_the_current_one(store: Arc<dyn Store>) {
    let first = create(&*store, 1, "alpha").await;
    let pin = |pinned| {
        batch([Change::SetPin {
            item: id(1),
            pinned,
        }])
    };
    let expected = BTreeMap::from([(id(1), first.head)]);
    let pinned = store.commit(OWNER, pin(true), expected.clone()).await;
    assert!(pinned.unwrap().items[0].pinned);

    let edit = draft(1, "alpha", "changed", &[first.head]);
    commit(&*store, [Change::Revise(edit)]).await.unwrap();
    let refused = store.commit(OWNER, pin(false), expected).await;
    assert!(
        matches!(refused, Err(CommitError::Stale { .. })),
        "{refused:?}"
    );

    // An item that the batch itself doesn't touch can be expected too.
    let second = create(&*store, 2, "beta").await;
    let expected = BTreeMap::from([(id(2), second.head)]);
    store.commit(OWNER, pin(false), expected).await.unwrap();
    let expected = BTreeMap::from([(id(9), second.head)]);
    let refused = store.commit(OWNER, pin(true), expected).await;
    assert!(
        matches!(refused, Err(CommitError::UnknownItem(item)) if item == id(9)),
        "{refused:?}"
    );
}

pub(crate) async fn a_name_is_unique_among_unremoved_items_of_a_kind(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let again = || [Change::Revise(draft(2, "alpha", "other", &[]))];
    let refused = commit(&*store, again()).await;
    assert!(
        matches!(&refused, Err(CommitError::NameTaken { by, .. }) if *by == id(1)),
        "{refused:?}"
    );

    let mut persona = draft(3, "alpha", "a role", &[]);
    persona.bundle = bundle(ItemKind::Persona, "a role");
    commit(&*store, [Change::Revise(persona)]).await.unwrap();

    set_state(&*store, 1, ItemState::Removed).await.unwrap();
    commit(&*store, again()).await.unwrap();
    let refused = set_state(&*store, 1, ItemState::Active).await;
    assert!(
        matches!(&refused, Err(CommitError::NameTaken { by, .. }) if *by == id(2)),
        "{refused:?}"
    );
    set_state(&*store, 2, ItemState::Removed).await.unwrap();
    set_state(&*store, 1, ItemState::Active).await.unwrap();
    let names = listed(&*store).await;
    assert_eq!(names, ["alpha active", "alpha removed", "alpha active"]);
}

pub(crate) async fn names_change_hands_inside_one_batch(store: Arc<dyn Store>) {
    // The item that gives its name up comes after the one that takes it, by id.
    let giver = create(&*store, 9, "alpha").await;
    let rename = draft(9, "beta", "text", &[giver.head]);
    let take = draft(1, "alpha", "text", &[]);
    let renamed = commit(&*store, [Change::Revise(rename), Change::Revise(take)]).await;
    assert_eq!(renamed.unwrap().items.len(), 2);
    assert_eq!(listed(&*store).await, ["alpha active", "beta active"]);

    let remove = Change::SetState {
        item: id(9),
        state: ItemState::Removed,
    };
    let take = Change::Revise(draft(2, "beta", "text", &[]));
    commit(&*store, [remove, take]).await.unwrap();
    let names = listed(&*store).await;
    assert_eq!(names, ["alpha active", "beta active", "beta removed"]);
}

pub(crate) async fn a_removed_item_takes_no_edits_until_it_is_restored(store: Arc<dyn Store>) {
    let item = create(&*store, 1, "alpha").await;
    set_state(&*store, 1, ItemState::Removed).await.unwrap();
    let edit = || Change::Revise(draft(1, "alpha", "changed", &[item.head]));
    let refused = commit(&*store, [edit()]).await;
    assert!(
        matches!(refused, Err(CommitError::Removed(removed)) if removed == id(1)),
        "{refused:?}"
    );
    let restore = Change::SetState {
        item: id(1),
        state: ItemState::Active,
    };
    commit(&*store, [restore, edit()]).await.unwrap();
    assert_eq!(listed(&*store).await, ["alpha active"]);
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(4));
}

pub(crate) async fn states_and_pins_that_hold_append_nothing(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let pin = || Change::SetPin {
        item: id(1),
        pinned: true,
    };
    let first = commit(&*store, [pin()]).await.unwrap();
    assert_eq!(first.position, LogPosition(2));
    let again = commit(&*store, [pin()]).await.unwrap();
    assert_eq!((again.position, again.items), (LogPosition(2), vec![]));
    let active = set_state(&*store, 1, ItemState::Active).await.unwrap();
    assert_eq!(active.position, LogPosition(2));
    let disabled = set_state(&*store, 1, ItemState::Disabled).await.unwrap();
    assert_eq!(disabled.position, LogPosition(3));
    assert!(disabled.items[0].pinned);
    let nothing = commit(&*store, []).await.unwrap();
    assert_eq!(nothing.position, LogPosition(3));
}

pub(crate) async fn a_refused_batch_leaves_nothing(store: Arc<dyn Store>) {
    let fine = || Change::Revise(draft(1, "alpha", "text", &[]));
    let unknown = || Change::SetPin {
        item: id(7),
        pinned: true,
    };
    let refused = commit(&*store, [fine(), unknown()]).await;
    assert!(
        matches!(refused, Err(CommitError::UnknownItem(_))),
        "{refused:?}"
    );
    assert!(!store.exists().await.unwrap());

    create(&*store, 2, "beta").await;
    commit(&*store, [fine(), unknown()]).await.unwrap_err();
    assert_eq!(listed(&*store).await, ["beta active"]);
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(1));
    let content = store.content(OWNER, Digest::of(b"text")).await.unwrap();
    assert_eq!(content, None);
}

pub(crate) async fn of_two_edits_at_once_one_wins(store: Arc<dyn Store>) {
    let head = create(&*store, 1, "alpha").await.head;
    let edit = |text: &'static str| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let edit = Change::Revise(draft(1, "alpha", text, &[head]));
            commit(&*store, [edit]).await
        })
    };
    let (mine, yours) = (edit("mine"), edit("yours"));
    let outcomes = [mine.await.unwrap(), yours.await.unwrap()];
    let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(won, 1, "{outcomes:?}");
    let current = store.item(OWNER, id(1)).await.unwrap().unwrap().head;
    for outcome in outcomes {
        match outcome {
            Ok(committed) => assert_eq!(committed.items[0].head, current),
            Err(CommitError::Stale { current: told, .. }) => assert_eq!(told, current),
            Err(other) => panic!("{other:?}"),
        }
    }
}

pub(crate) async fn many_writers_leave_no_gap_in_the_log(store: Arc<dyn Store>) {
    let writers = (0..8).map(|writer| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for number in 0..5 {
                let item = writer * 100 + number;
                create(&*store, item, &format!("item-{item}")).await;
                let listed = listed(&*store).await;
                assert!(listed.contains(&format!("item-{item} active")));
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let records = store.records(OWNER, LogPosition(0), 100).await.unwrap();
    let seqs: Vec<u64> = records.iter().map(|record| record.seq).collect();
    assert_eq!(seqs, (1..=40).collect::<Vec<_>>());
}
