//! The registry's rules, over the in-memory store.

#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use imprint_core::{
    Acceptance, Author, Clock, ItemFilter, ItemRef, ItemState, ItemSummary, OwnerId, Registry,
    Timestamp,
    registry::{
        AcceptError, ChangeError, CreateError, EditError, FileEdit, HistoryError, ItemEdit,
        NewItem, ResolveError, RevisionRef,
    },
};
use imprint_format::{BundleFile, ItemKind, ItemPath};
use imprint_store::InMemoryStore;
use uuid::Uuid;

#[derive(Debug, Default)]
struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

fn registry() -> Registry {
    Registry::new(
        Arc::new(InMemoryStore::new()),
        Arc::new(Ticks::default()),
        OwnerId::LOCAL,
    )
}

fn texts(kind: ItemKind, name: &str, instructions: &str) -> NewItem {
    NewItem::Texts {
        kind,
        name: name.parse().unwrap(),
        description: format!("Does {name}."),
        instructions: instructions.to_owned(),
        files: Vec::new(),
    }
}

async fn skill(registry: &Registry, name: &str) -> ItemSummary {
    registry
        .create(&Author::User, texts(ItemKind::Skill, name, "Do it."))
        .await
        .unwrap()
}

fn named(name: &str) -> ItemRef {
    ItemRef {
        kind: None,
        name: name.to_owned(),
    }
}

fn file(path: &str, text: &str) -> FileEdit {
    FileEdit::Put(path.parse().unwrap(), BundleFile::plain(text.as_bytes()))
}

fn described(text: &str) -> ItemEdit {
    ItemEdit {
        description: Some(text.to_owned()),
        ..ItemEdit::default()
    }
}

/// A value of the shape of a GitHub token, made here so that no file holds one.
fn token() -> String {
    format!("{}{}", "gh", "p_Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12")
}

async fn entry(registry: &Registry, name: &str, revision: &str) -> String {
    let snapshot = registry
        .snapshot(&named(name), &revision.parse().unwrap())
        .await
        .unwrap();
    snapshot.bundle.entry().as_text().unwrap().to_owned()
}

#[tokio::test]
async fn an_edit_keeps_what_it_does_not_name_and_what_it_replaces() {
    let registry = registry();
    let first = skill(&registry, "tea").await;
    let before = entry(&registry, "tea", "head").await;
    let edited = registry
        .edit(
            &Author::User,
            &named("tea"),
            described("Times tea: green and black."),
        )
        .await
        .unwrap();
    assert!(edited.changed);
    assert_ne!(edited.item.head, first.head);
    assert_eq!(edited.item.description, "Times tea: green and black.");
    let after = entry(&registry, "tea", "head").await;
    let unchanged = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.starts_with("description"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(unchanged(&before), unchanged(&after));
    assert_eq!(entry(&registry, "tea", "~1").await, before);
    assert_eq!(
        registry.history(&named("tea"), 0, 10).await.unwrap().len(),
        2
    );
}

#[tokio::test]
async fn an_edit_that_changes_nothing_makes_no_revision() {
    let registry = registry();
    let item = skill(&registry, "tea").await;
    let edited = registry
        .edit(&Author::User, &named("tea"), described("Does tea."))
        .await
        .unwrap();
    assert!(!edited.changed);
    assert_eq!(edited.item.head, item.head);
    assert_eq!(
        registry.history(&named("tea"), 0, 10).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn an_edit_from_an_old_revision_is_refused() {
    let registry = registry();
    let first = skill(&registry, "tea").await;
    let second = registry
        .edit(&Author::User, &named("tea"), described("Newer."))
        .await
        .unwrap();
    let edit = ItemEdit {
        expected: Some(first.head),
        ..described("From the old one.")
    };
    match registry.edit(&Author::User, &named("tea"), edit).await {
        Err(EditError::Stale { current, .. }) => assert_eq!(current, second.item.head),
        other => panic!("{other:?}"),
    }
    assert!(entry(&registry, "tea", "head").await.contains("Newer."));
}

#[tokio::test]
async fn files_are_added_replaced_and_taken_out() {
    let registry = registry();
    skill(&registry, "tea").await;
    let tea = named("tea");
    let edit = ItemEdit {
        files: vec![file("notes/a.md", "A"), file("b.md", "B")],
        ..ItemEdit::default()
    };
    registry.edit(&Author::User, &tea, edit).await.unwrap();
    let path: ItemPath = "notes/a.md".parse().unwrap();
    let edit = ItemEdit {
        files: vec![FileEdit::Remove(path.clone())],
        ..ItemEdit::default()
    };
    registry.edit(&Author::User, &tea, edit).await.unwrap();
    let head = registry.snapshot(&tea, &RevisionRef::Head).await.unwrap();
    let paths: Vec<_> = head.bundle.files().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["SKILL.md", "b.md"]);
    let back = registry
        .snapshot(&tea, &RevisionRef::Back(1))
        .await
        .unwrap();
    assert_eq!(back.bundle.get(&path).unwrap().as_text(), Some("A"));
}

#[tokio::test]
async fn a_rename_changes_the_header_and_frees_the_name() {
    let registry = registry();
    let item = skill(&registry, "tea").await;
    let edit = ItemEdit {
        name: Some("green-tea".parse().unwrap()),
        ..ItemEdit::default()
    };
    let renamed = registry
        .edit(&Author::User, &named("tea"), edit)
        .await
        .unwrap();
    assert_eq!(renamed.item.id, item.id);
    assert!(
        entry(&registry, "green-tea", "head")
            .await
            .contains("name: green-tea")
    );
    assert!(matches!(
        registry.resolve(&named("tea"), &[]).await,
        Err(ResolveError::Unknown { .. })
    ));
    skill(&registry, "tea").await;
}

#[tokio::test]
async fn removing_keeps_everything_restorable() {
    let registry = registry();
    let item = skill(&registry, "tea").await;
    let tea = named("tea");
    registry.set_state(&tea, ItemState::Removed).await.unwrap();
    assert!(matches!(
        registry.edit(&Author::User, &tea, described("New.")).await,
        Err(EditError::Removed { .. })
    ));
    assert!(matches!(
        registry.set_state(&tea, ItemState::Active).await,
        Err(ChangeError::Resolve(ResolveError::Unknown { .. }))
    ));
    let back = registry.bring_back(&tea).await.unwrap();
    assert_eq!(
        (back.id, back.state, back.head),
        (item.id, ItemState::Active, item.head)
    );
}

#[tokio::test]
async fn a_removed_item_does_not_take_its_name_back_from_another() {
    let registry = registry();
    let first = skill(&registry, "tea").await;
    registry
        .set_state(&named("tea"), ItemState::Removed)
        .await
        .unwrap();
    let second = skill(&registry, "tea").await;
    assert_eq!(
        registry.resolve(&named("tea"), &[]).await.unwrap().id,
        second.id
    );
    let by_id = named(&first.id.to_string());
    assert!(matches!(
        registry.bring_back(&by_id).await,
        Err(ChangeError::NameTaken { .. })
    ));
}

#[tokio::test]
async fn restoring_a_revision_makes_a_new_one() {
    let registry = registry();
    let first = skill(&registry, "tea").await;
    let tea = named("tea");
    registry
        .edit(&Author::User, &tea, described("Newer."))
        .await
        .unwrap();
    registry.set_state(&tea, ItemState::Removed).await.unwrap();
    let restored = registry
        .restore(&Author::User, &tea, &RevisionRef::Back(1))
        .await
        .unwrap();
    assert_eq!(restored.item.state, ItemState::Active);
    assert_eq!(restored.item.tree, first.tree);
    assert_eq!(registry.history(&tea, 0, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn restoring_from_before_a_rename_keeps_todays_name() {
    let registry = registry();
    skill(&registry, "tea").await;
    let edit = ItemEdit {
        name: Some("chai".parse().unwrap()),
        ..described("Spiced.")
    };
    registry
        .edit(&Author::User, &named("tea"), edit)
        .await
        .unwrap();
    let restored = registry
        .restore(&Author::User, &named("chai"), &RevisionRef::Back(1))
        .await
        .unwrap();
    assert_eq!(restored.item.name.as_str(), "chai");
    assert_eq!(restored.item.description, "Does tea.");
}

#[tokio::test]
async fn an_ambiguous_name_is_refused_with_the_candidates() {
    let registry = registry();
    let one = skill(&registry, "reader").await;
    let other = texts(ItemKind::Persona, "reader", "You read.");
    registry.create(&Author::User, other).await.unwrap();
    match registry.resolve(&named("reader"), &[]).await {
        Err(ResolveError::Ambiguous { candidates, .. }) => assert_eq!(candidates.len(), 2),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        registry
            .resolve(&named("skill/reader"), &[])
            .await
            .unwrap()
            .id,
        one.id
    );
    let by_kind = ItemRef::of(ItemKind::Persona, "reader");
    assert_eq!(
        registry.resolve(&by_kind, &[]).await.unwrap().kind,
        ItemKind::Persona
    );
}

#[tokio::test]
async fn an_unknown_name_offers_the_nearest() {
    let registry = registry();
    skill(&registry, "release-notes").await;
    match registry.resolve(&named("relase-note"), &[]).await {
        Err(ResolveError::Unknown { nearest, .. }) => assert_eq!(nearest, ["release-notes"]),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn credentials_are_refused_at_every_door_and_never_repeated() {
    let registry = registry();
    let new = texts(
        ItemKind::Skill,
        "deploy",
        &format!("Use {} to log in.", token()),
    );
    let refused = registry.create(&Author::User, new).await.unwrap_err();
    assert!(matches!(&refused, CreateError::Secret { findings } if findings[0].line == 6));
    assert!(!format!("{refused} {refused:?}").contains(&token()));

    skill(&registry, "tea").await;
    let doors = [
        described(&format!("Logs in with {}", token())),
        ItemEdit {
            instructions: Some(token()),
            ..ItemEdit::default()
        },
        ItemEdit {
            files: vec![file("env.txt", &token())],
            ..ItemEdit::default()
        },
        ItemEdit {
            files: vec![file(&format!("{}.md", token()), "x")],
            ..ItemEdit::default()
        },
    ];
    for edit in doors {
        let refused = registry
            .edit(&Author::User, &named("tea"), edit)
            .await
            .unwrap_err();
        assert!(matches!(refused, EditError::Secret { .. }), "{refused:?}");
        assert!(!format!("{refused} {refused:?}").contains(&token()));
    }
    assert_eq!(
        registry.history(&named("tea"), 0, 10).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn an_accepted_finding_passes_and_stays_accepted() {
    let registry = registry();
    let new = texts(ItemKind::Skill, "deploy", &format!("Sample: {}", token()));
    let Err(CreateError::Secret { findings }) = registry.create(&Author::User, new.clone()).await
    else {
        panic!("not refused")
    };
    let acceptance = Acceptance {
        fingerprint: findings[0].fingerprint,
        rule: findings[0].rule.clone(),
        reason: "revoked years ago".to_owned(),
    };
    let telling = Acceptance {
        reason: format!("{} is revoked", token()),
        ..acceptance.clone()
    };
    assert!(matches!(
        registry.accept(telling).await,
        Err(AcceptError::Secret { .. })
    ));
    registry.accept(acceptance).await.unwrap();
    registry.create(&Author::User, new).await.unwrap();
    registry
        .edit(&Author::User, &named("deploy"), described("Deploys."))
        .await
        .unwrap();
}

#[tokio::test]
async fn what_breaks_the_rules_is_told_whole_and_changes_nothing() {
    let registry = registry();
    skill(&registry, "tea").await;
    let edit = ItemEdit {
        files: vec![file("SKILL.md", "---\nname: Tea Time\ndescription:\n---\n")],
        ..ItemEdit::default()
    };
    match registry.edit(&Author::User, &named("tea"), edit).await {
        Err(EditError::Invalid { faults, .. }) => assert!(faults.len() >= 2, "{faults:?}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        registry.history(&named("tea"), 0, 10).await.unwrap().len(),
        1
    );
}

#[tokio::test]
async fn guidelines_are_plain_texts() {
    let registry = registry();
    let rule = texts(
        ItemKind::Guideline,
        "units",
        "Answer in metric units.\n\nAlways.",
    );
    let item = registry.create(&Author::User, rule).await.unwrap();
    assert_eq!(item.description, "Answer in metric units.");
    let refused = registry
        .edit(&Author::User, &named("units"), described("x"))
        .await;
    assert!(matches!(refused, Err(EditError::Invalid { .. })));
    let edit = ItemEdit {
        instructions: Some("Use SI units.".to_owned()),
        ..ItemEdit::default()
    };
    let edited = registry
        .edit(&Author::User, &named("units"), edit)
        .await
        .unwrap();
    assert_eq!(edited.item.description, "Use SI units.");
}

#[tokio::test]
async fn revisions_are_found_by_their_first_digits() {
    let registry = registry();
    let item = skill(&registry, "tea").await;
    registry
        .edit(&Author::User, &named("tea"), described("Newer."))
        .await
        .unwrap();
    let digits = item.head.short().parse().unwrap();
    let found = registry.snapshot(&named("tea"), &digits).await.unwrap();
    assert_eq!(found.revision.id, item.head);
    let missing = registry
        .snapshot(&named("tea"), &RevisionRef::Back(2))
        .await;
    assert!(matches!(missing, Err(HistoryError::NoSuchRevision { .. })));
}

#[tokio::test]
async fn reading_an_empty_registry_finds_nothing() {
    let registry = registry();
    let items = registry
        .store()
        .items(registry.owner(), &ItemFilter::default())
        .await
        .unwrap();
    assert!(items.is_empty());
    assert!(!registry.store().exists().await.unwrap());
}
