//! Cases about what is found, in which order, and by whom.

use std::{collections::BTreeMap, sync::Arc};

use imprint_core::{
    Acceptance, Change, Event, ItemFilter, ItemState, LocalChange, LogPosition, OwnerId, Store,
};
use imprint_format::{BundleFile, Digest, ItemKind};
use uuid::Uuid;

use super::{OWNER, batch, bundle, commit, create, draft, id, listed, local, session, set_state};

pub(crate) async fn items_come_in_order_and_filtered(store: Arc<dyn Store>) {
    for (number, name) in [(1, "zeta"), (2, "alpha"), (3, "mid-10"), (4, "mid-9")] {
        create(&*store, number, name).await;
    }
    let mut persona = draft(5, "alpha", "a role", &[]);
    persona.bundle = bundle(ItemKind::Persona, "a role");
    commit(&*store, [Change::Revise(persona)]).await.unwrap();
    set_state(&*store, 4, ItemState::Disabled).await.unwrap();
    set_state(&*store, 1, ItemState::Removed).await.unwrap();

    let found = async |filter: ItemFilter| -> Vec<u128> {
        let items = store.items(OWNER, &filter).await.unwrap();
        items.iter().map(|item| item.id.0.as_u128()).collect()
    };
    let all = ItemFilter::default();
    let states = |states: &[ItemState]| ItemFilter {
        states: states.to_vec(),
        ..ItemFilter::default()
    };
    let named = |name: &str| ItemFilter {
        name: Some(name.to_owned()),
        ..ItemFilter::default()
    };
    assert_eq!(found(all.clone()).await, [2, 3, 4, 1, 5]);
    assert_eq!(found(states(&[ItemState::Removed])).await, [1]);
    let unremoved = states(&[ItemState::Active, ItemState::Disabled]);
    assert_eq!(found(unremoved).await, [2, 3, 4, 5]);
    assert_eq!(found(named("alpha")).await, [2, 5]);
    assert_eq!(found(named("zeta")).await, [1]);
    assert_eq!(found(named("' OR 1 = 1 --")).await, []);
    let persona = ItemFilter {
        kind: Some(ItemKind::Persona),
        ..all
    };
    assert_eq!(found(persona.clone()).await, [5]);
    let persona = ItemFilter {
        name: Some("alpha".to_owned()),
        states: vec![ItemState::Active],
        ..persona
    };
    assert_eq!(found(persona).await, [5]);
}

pub(crate) async fn history_comes_in_pages(store: Arc<dyn Store>) {
    let mut heads = vec![create(&*store, 1, "alpha").await.head];
    for number in 1..5 {
        create(&*store, 10 + number, &format!("other-{number}")).await;
        let edit = draft(1, "alpha", &format!("text {number}"), &[heads[0]]);
        let edited = commit(&*store, [Change::Revise(edit)]).await.unwrap();
        heads.insert(0, edited.items[0].head);
    }
    let page = async |skip, limit| -> Vec<_> {
        let page = store.revisions(OWNER, id(1), skip, limit).await.unwrap();
        page.iter().map(|revision| revision.id).collect()
    };
    assert_eq!(page(0, u64::MAX).await, heads);
    assert_eq!(page(1, 2).await, heads[1..3]);
    assert_eq!(page(4, 9).await, heads[4..]);
    assert_eq!(page(5, 9).await, []);
    assert_eq!(page(u64::MAX, 1).await, []);
    assert_eq!(page(0, 0).await, []);
    assert_eq!(store.revisions(OWNER, id(8), 0, 9).await.unwrap(), []);
}

pub(crate) async fn records_come_in_order(store: Arc<dyn Store>) {
    let item = create(&*store, 1, "alpha").await;
    set_state(&*store, 1, ItemState::Disabled).await.unwrap();
    let pin = Change::SetPin {
        item: id(1),
        pinned: true,
    };
    let edit = Change::Revise(draft(1, "alpha", "changed", &[item.head]));
    commit(&*store, [pin, edit]).await.unwrap();

    let all = store
        .records(OWNER, LogPosition(0), u64::MAX)
        .await
        .unwrap();
    let seqs: Vec<u64> = all.iter().map(|record| record.seq).collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    assert!(all.iter().all(|record| record.device == all[0].device));
    assert!(matches!(&all[1].event, Event::StateSet { item, .. } if *item == id(1)));
    let Event::Revised { revision } = &all[3].event else {
        panic!("{:?}", all[3]);
    };
    let current = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!((revision.id, revision.seq), (current.head, 4));
    assert_eq!(current.changed_in, LogPosition(4));

    let some = store.records(OWNER, LogPosition(1), 2).await.unwrap();
    assert_eq!(some, all[1..3]);
    let end = store.records(OWNER, LogPosition(4), 2).await.unwrap();
    assert_eq!(end, []);
    let beyond = store.records(OWNER, LogPosition(u64::MAX), 2).await;
    assert_eq!(beyond.unwrap(), []);
}

pub(crate) async fn contents_are_kept_by_digest(store: Arc<dyn Store>) {
    let odd: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let mut first = draft(1, "alpha", "shared", &[]);
    first.bundle = (first.bundle)
        .with_file("empty".parse().unwrap(), BundleFile::plain(&b""[..]))
        .and_then(|bundle| {
            let file = BundleFile {
                bytes: odd.as_slice().into(),
                executable: true,
            };
            bundle.with_file("run.bin".parse().unwrap(), file)
        })
        .unwrap();
    commit(&*store, [Change::Revise(first)]).await.unwrap();
    let second = draft(2, "beta", "shared", &[]);
    commit(&*store, [Change::Revise(second)]).await.unwrap();

    for expected in [b"shared".as_slice(), b"", &odd] {
        let content = store.content(OWNER, Digest::of(expected)).await.unwrap();
        assert_eq!(content.as_deref(), Some(expected));
    }
    let head = store.item(OWNER, id(1)).await.unwrap().unwrap().head;
    let files = store.revision(OWNER, head).await.unwrap().unwrap().files;
    let modes: Vec<_> = files
        .iter()
        .map(|f| (f.path.as_str(), f.executable))
        .collect();
    assert_eq!(
        modes,
        [("SKILL.md", false), ("empty", false), ("run.bin", true)]
    );
    let absent = store.content(OWNER, Digest::of(b"absent")).await.unwrap();
    assert_eq!(absent, None);
}

pub(crate) async fn owners_see_only_their_own(store: Arc<dyn Store>) {
    let other = OwnerId(Uuid::from_u128(77));
    let mine = create(&*store, 1, "alpha").await;
    // The same item id, name and text, as when two users take in the same files.
    let theirs = batch([Change::Revise(draft(1, "alpha", "theirs", &[]))]);
    let theirs = store.commit(other, theirs, BTreeMap::new()).await.unwrap();
    assert_eq!(theirs.position, LogPosition(1));
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(1));

    let seen = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!(seen, mine);
    let of_theirs = Digest::of(b"theirs");
    assert_eq!(store.content(OWNER, of_theirs).await.unwrap(), None);
    assert!(store.content(other, of_theirs).await.unwrap().is_some());
    let head = theirs.items[0].head;
    assert_eq!(store.revision(OWNER, head).await.unwrap(), None);
    assert!(store.revision(other, head).await.unwrap().is_some());
    let history = store.revisions(other, id(1), 0, 9).await.unwrap();
    assert_eq!(history.len(), 1);
    let records = store.records(other, LogPosition(0), 9).await.unwrap();
    assert_eq!((records.len(), records[0].seq), (1, 1));

    let noted = local([
        LocalChange::Session(session(1, 5)),
        LocalChange::Loaded(id(1)),
    ]);
    store.commit(other, noted, BTreeMap::new()).await.unwrap();
    assert_eq!(store.sessions(OWNER, 9).await.unwrap(), []);
    assert_eq!(store.sessions(other, 9).await.unwrap().len(), 1);
    let seen = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!(seen.loads, 0);
}

pub(crate) async fn sessions_are_kept_where_a_registry_is(store: Arc<dyn Store>) {
    let note = |number, seen| local([LocalChange::Session(session(number, seen))]);
    let put = async |batch| store.commit(OWNER, batch, BTreeMap::new()).await.unwrap();
    put(note(1, 10)).await;
    assert!(!store.exists().await.unwrap());
    assert_eq!(store.sessions(OWNER, 9).await.unwrap(), []);

    create(&*store, 1, "alpha").await;
    put(note(1, 10)).await;
    put(note(2, 30)).await;
    let committed = put(note(3, 20)).await;
    assert_eq!(committed.position, LogPosition(1));
    let mut later = session(1, 40);
    later.calls = 9;
    later.client_version = Some("1.2".to_owned());
    put(local([LocalChange::Session(later.clone())])).await;
    let latest_first = [later, session(2, 30), session(3, 20)];
    assert_eq!(store.sessions(OWNER, 9).await.unwrap(), latest_first);
    assert_eq!(store.sessions(OWNER, 2).await.unwrap(), latest_first[..2]);
}

pub(crate) async fn loads_are_counted_apart_from_the_log(store: Arc<dyn Store>) {
    let item = create(&*store, 1, "alpha").await;
    let load = |item| local([LocalChange::Loaded(id(item))]);
    for item in [1, 1, 5] {
        let loaded = store.commit(OWNER, load(item), BTreeMap::new()).await;
        assert_eq!(loaded.unwrap().position, LogPosition(1));
    }
    let edit = draft(1, "beta", "changed", &[item.head]);
    let edited = commit(&*store, [Change::Revise(edit)]).await.unwrap();
    assert_eq!(edited.items[0].loads, 2);
    let read = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!(read, edited.items[0]);
    let all = store.items(OWNER, &ItemFilter::default()).await.unwrap();
    assert_eq!(all[0].loads, 2);
    assert_eq!(listed(&*store).await, ["beta active"]);
}

pub(crate) async fn acceptances_are_kept_once(store: Arc<dyn Store>) {
    let acceptance = |text: &str, reason: &str| Acceptance {
        fingerprint: Digest::of(text.as_bytes()),
        rule: "a-rule".to_owned(),
        reason: reason.to_owned(),
    };
    let accept = async |acceptance: &Acceptance| {
        let accept = Change::Accept(acceptance.clone());
        commit(&*store, [accept]).await.unwrap()
    };
    let (one, two) = (acceptance("one", "an example"), acceptance("two", "mine"));
    accept(&one).await;
    assert!(store.exists().await.unwrap());
    accept(&two).await;
    let again = acceptance("one", "still an example");
    let committed = accept(&again).await;
    assert_eq!(
        (committed.position, committed.items),
        (LogPosition(3), vec![])
    );
    let mut kept = vec![again, two];
    kept.sort_by_key(|acceptance| acceptance.fingerprint);
    assert_eq!(store.acceptances(OWNER).await.unwrap(), kept);
}
