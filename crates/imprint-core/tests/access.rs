//! Keys, suggestions, the audit and the fence, over the in-memory store.

#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use imprint_core::{
    Access, Author, Clock, FencedStore, ItemFence, ItemFilter, ItemRef, ItemSummary, KeyMaker,
    KeyStanding, OwnerId, Preset, Registry, Store, Timestamp, audit,
    registry::{DecideError, ItemEdit, KeyError, NewItem, NewKey, ProposeError},
};
use imprint_format::ItemKind;
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

fn registry() -> (Arc<InMemoryStore>, Registry) {
    let store = Arc::new(InMemoryStore::new());
    let registry = Registry::new(store.clone(), Arc::new(Ticks::default()), OwnerId::LOCAL);
    (store, registry)
}

fn owner() -> Access {
    Access::new(Preset::Admin.scopes(), ItemFence::default())
}

fn agent() -> Author {
    Author::Agent {
        client: "wren".to_owned(),
    }
}

fn new_key(name: &str, preset: Preset) -> NewKey {
    NewKey {
        name: name.to_owned(),
        scopes: preset.scopes(),
        fence: ItemFence::default(),
        projects: Vec::new(),
        client: None,
        made_by: KeyMaker::User,
        expires_at: None,
    }
}

async fn skill(registry: &Registry, name: &str, header: &str) -> ItemSummary {
    let entry = format!("---\nname: {name}\ndescription: Does {name}.\n{header}---\nDo it.\n");
    let bundle = imprint_format::Bundle::of_entry(ItemKind::Skill, &entry).unwrap();
    let new = NewItem::Files { bundle, name: None };
    registry.create(&Author::User, new).await.unwrap()
}

async fn acts(store: &InMemoryStore) -> Vec<String> {
    let links = store.audit(OwnerId::LOCAL, 0, u64::MAX).await.unwrap();
    audit::verify(audit::AuditEnd::NOTHING, &links).unwrap();
    let act = |link: &audit::AuditLink| {
        let row: audit::AuditRow = serde_json::from_str(&link.row).unwrap();
        let act = serde_json::to_value(row.entry.act).unwrap();
        act.as_str().unwrap().to_owned()
    };
    links.iter().map(act).collect()
}

#[tokio::test]
async fn a_key_is_shown_once_and_found_by_its_digest() {
    let (store, registry) = registry();
    let (record, token) = registry
        .create_key(&owner(), new_key("Claude.ai", Preset::Read))
        .await
        .unwrap();
    let found = store.key(OwnerId::LOCAL, token.digest()).await.unwrap();
    assert_eq!(found.as_ref(), Some(&record));
    assert!(!format!("{record:?}").contains(&token.reveal()[8..36]));
    assert_eq!(registry.find_key("Claude.ai").await.unwrap().id, record.id);
    assert_eq!(
        registry.find_key(&record.start).await.unwrap().id,
        record.id
    );
    assert_eq!(acts(&store).await, ["key-created"]);
}

#[tokio::test]
async fn nobody_makes_a_key_beyond_their_own() {
    let (_, registry) = registry();
    let giver = Access::new(Preset::Agent.scopes(), ItemFence::default());
    let made = registry
        .create_key(&giver, new_key("a", Preset::Read))
        .await;
    assert!(made.is_ok());
    let refused = registry
        .create_key(&giver, new_key("b", Preset::Full))
        .await;
    assert!(matches!(refused, Err(KeyError::Beyond)), "{refused:?}");
    let nothing = NewKey {
        scopes: "memory:read".parse().unwrap(),
        fence: ItemFence {
            names: vec!["deploy".parse().unwrap()],
            tags: Vec::new(),
        },
        ..new_key("c", Preset::Read)
    };
    let refused = registry.create_key(&owner(), nothing).await;
    assert!(matches!(refused, Err(KeyError::Nothing)), "{refused:?}");
}

#[tokio::test]
async fn names_of_live_keys_are_unique_and_harmless() {
    let (_, registry) = registry();
    let make = async |name: &str| {
        registry
            .create_key(&owner(), new_key(name, Preset::Read))
            .await
    };
    let (first, token) = make("laptop").await.unwrap();
    assert!(matches!(
        make("laptop").await,
        Err(KeyError::NameTaken { .. })
    ));
    for name in ["", " a", "a\nb", &"x".repeat(101), token.reveal()] {
        assert!(matches!(make(name).await, Err(KeyError::Name)), "{name:?}");
    }
    registry.revoke_key(&first).await.unwrap();
    let (second, _) = make("laptop").await.unwrap();
    assert_eq!(registry.find_key("laptop").await.unwrap().id, second.id);
    assert!(matches!(
        registry.find_key("desktop").await,
        Err(KeyError::Unknown { .. })
    ));
}

#[tokio::test]
async fn a_rotated_key_overlaps_with_its_successor() {
    let (store, registry) = registry();
    let (old, _) = registry
        .create_key(&owner(), new_key("ci", Preset::Agent))
        .await
        .unwrap();
    let (new, token) = registry.rotate_key(&old, 1_000).await.unwrap();
    assert_eq!((new.replaces, &new.scopes), (Some(old.id), &old.scopes));
    assert_eq!(registry.find_key("ci").await.unwrap().id, new.id);
    let old = registry.keys().await.unwrap().remove(0);
    assert_eq!(old.standing(new.created_at), KeyStanding::Live);
    let later = Timestamp(new.created_at.0 + 2_000);
    assert_eq!(old.standing(later), KeyStanding::Expired);
    assert_eq!(new.standing(later), KeyStanding::Live);
    registry.revoke_key(&new).await.unwrap();
    let revoked = store.key(OwnerId::LOCAL, token.digest()).await.unwrap();
    assert_eq!(revoked.unwrap().standing(later), KeyStanding::Revoked);
    let again = registry.find_key("ci").await.unwrap();
    assert_eq!(again.id, old.id, "the old one is live still");
    assert_eq!(
        acts(&store).await,
        ["key-created", "key-created", "key-rotated", "key-revoked"]
    );
}

#[tokio::test]
async fn what_is_proposed_takes_effect_when_it_is_accepted() {
    let (store, registry) = registry();
    let item = skill(&registry, "deploy", "").await;
    let edit = ItemEdit {
        instructions: Some("Do it twice.".to_owned()),
        ..ItemEdit::default()
    };
    let reference = ItemRef::from(&item);
    let proposed = registry.propose_edit(&agent(), &reference, edit).await;
    let proposal = proposed.unwrap().unwrap();
    assert_eq!(
        registry.resolve(&reference, &[]).await.unwrap().head,
        item.head
    );
    let files = registry.proposed_files(&proposal).await.unwrap();
    assert!(String::from_utf8_lossy(&files.entry().bytes).contains("twice"));

    let accepted = registry.accept_proposal(proposal.id).await.unwrap();
    assert_ne!(accepted.head, item.head);
    let again = registry.reject_proposal(proposal.id).await;
    assert!(
        matches!(again, Err(DecideError::Decided { accepted: true })),
        "{again:?}"
    );
    assert_eq!(
        acts(&store).await,
        [
            "item-created",
            "proposed",
            "item-changed",
            "proposal-accepted"
        ]
    );
}

#[tokio::test]
async fn a_proposal_that_no_longer_fits_changes_nothing() {
    let (_, registry) = registry();
    let item = skill(&registry, "deploy", "").await;
    let reference = ItemRef::from(&item);
    let edit = |text: &str| ItemEdit {
        instructions: Some(text.to_owned()),
        ..ItemEdit::default()
    };
    let proposal = registry
        .propose_edit(&agent(), &reference, edit("Theirs."))
        .await
        .unwrap()
        .unwrap();
    let mine = registry
        .edit(&Author::User, &reference, edit("Mine."))
        .await;
    let head = mine.unwrap().item.head;
    let refused = registry.accept_proposal(proposal.id).await;
    assert!(
        matches!(refused, Err(DecideError::Outdated(_))),
        "{refused:?}"
    );
    assert_eq!(registry.resolve(&reference, &[]).await.unwrap().head, head);
    registry.reject_proposal(proposal.id).await.unwrap();
    let id = proposal.id.to_string();
    assert!(registry.find_proposal(&id[28..]).await.is_ok());
    let same = registry
        .files_of(&registry.resolve(&reference, &[]).await.unwrap())
        .await;
    assert!(String::from_utf8_lossy(&same.unwrap().entry().bytes).contains("Mine."));
}

#[tokio::test]
async fn a_proposal_passes_the_same_scan() {
    let (_, registry) = registry();
    let key = imprint_core::Token::mint(imprint_core::TokenKind::Key, [3; 32]);
    let new = NewItem::Texts {
        kind: ItemKind::Skill,
        name: "leak".parse().unwrap(),
        description: "Leaks.".to_owned(),
        instructions: format!("Use {}.", key.reveal()),
        files: Vec::new(),
    };
    let refused = registry.propose_new(&agent(), new).await;
    assert!(
        matches!(refused, Err(ProposeError::Create(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn what_is_outside_of_a_fence_is_not_there() {
    let (store, registry) = registry();
    let named = skill(&registry, "deploy", "").await;
    let tagged = skill(&registry, "review", "metadata:\n  tags: team\n").await;
    let hidden = skill(&registry, "private", "").await;
    let fence = ItemFence {
        names: vec![named.name.clone()],
        tags: vec!["team".to_owned()],
    };
    let access = Access::new(Preset::Full.scopes(), fence);
    let fenced = registry.through(Arc::new(FencedStore::new(store.clone(), access)));
    let seen = fenced
        .store()
        .items(OwnerId::LOCAL, &ItemFilter::default())
        .await;
    let seen: Vec<_> = seen.unwrap().into_iter().map(|item| item.id).collect();
    assert_eq!(seen, [named.id, tagged.id]);
    assert!(fenced.resolve(&ItemRef::from(&hidden), &[]).await.is_err());
    let revision = fenced.store().revision(OwnerId::LOCAL, hidden.head).await;
    assert_eq!(revision.unwrap(), None);
    assert!(fenced.keys().await.unwrap().is_empty());
    assert!(fenced.files_of(&tagged).await.is_ok());
}
