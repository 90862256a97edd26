use imprint_format::{BundleFile, ItemPath};
use uuid::Uuid;

use super::*;

fn bundle(text: &str) -> Bundle {
    let path: ItemPath = "SKILL.md".parse().unwrap();
    Bundle::new(
        ItemKind::Skill,
        [(path, BundleFile::plain(text.as_bytes()))],
    )
    .unwrap()
}

fn draft(item: u128, name: &str, parents: &[RevisionId]) -> Draft {
    Draft {
        item: ItemId(Uuid::from_u128(item)),
        name: name.parse().unwrap(),
        description: format!("{name} does one thing."),
        hidden_from_model: false,
        parents: parents.to_vec(),
        bundle: bundle(name),
        author: Author::User,
    }
}

fn revise(draft: Draft) -> Batch {
    Batch {
        changes: vec![Change::Revise(draft)],
        at: Timestamp(7),
        ..Batch::default()
    }
}

/// The facts after what a plan wrote, as a store would read them.
fn facts_after(facts: &CommitFacts, plan: &CommitPlan) -> CommitFacts {
    let mut next = facts.clone();
    next.last_seq += plan.records.len() as u64;
    next.position = plan.position;
    for item in &plan.items {
        next.items.insert(item.id, item.clone());
    }
    let unremoved = next
        .items
        .values()
        .filter(|item| item.state != ItemState::Removed);
    next.names = unremoved
        .map(|item| ((item.kind, item.name.clone()), item.id))
        .collect();
    next
}

fn empty() -> CommitFacts {
    CommitFacts {
        device: DeviceId(Uuid::from_u128(1)),
        last_seq: 0,
        position: LogPosition(0),
        items: BTreeMap::new(),
        proposals: BTreeMap::new(),
        audit: AuditEnd::NOTHING,
        oauth: crate::oauth::OauthFacts::default(),
        names: BTreeMap::new(),
    }
}

fn with_item(name: &str) -> (CommitFacts, ItemSummary) {
    let plan = plan(&revise(draft(9, name, &[])), &BTreeMap::new(), &empty()).unwrap();
    let item = plan.items[0].clone();
    (facts_after(&empty(), &plan), item)
}

#[test]
fn a_first_revision_creates_the_item() {
    let plan = plan(&revise(draft(9, "tea", &[])), &BTreeMap::new(), &empty()).unwrap();
    assert_eq!(plan.records.len(), 1);
    assert_eq!(plan.records[0].seq, 1);
    assert_eq!(plan.position, LogPosition(1));
    let item = &plan.items[0];
    assert_eq!((item.name.as_str(), item.state), ("tea", ItemState::Active));
    assert_eq!(item.head, plan.revisions[0].id_of());
    assert_eq!(plan.contents.len(), 1);
}

#[test]
fn an_edit_from_an_old_head_is_refused_and_told_the_current_one() {
    let (facts, item) = with_item("tea");
    let edit = revise(draft(9, "tea", &[item.head]));
    let facts = facts_after(&facts, &plan(&edit, &BTreeMap::new(), &facts).unwrap());
    let current = facts.items[&item.id].head;
    match plan(&edit, &BTreeMap::new(), &facts) {
        Err(CommitError::Stale { current: told, .. }) => assert_eq!(told, current),
        other => panic!("{other:?}"),
    }
}

#[test]
fn expected_heads_are_compared_before_anything_else() {
    let (facts, item) = with_item("tea");
    let other = RevisionId(Digest::of(b"other"));
    let batch = Batch {
        changes: vec![Change::SetPin {
            item: item.id,
            pinned: true,
        }],
        ..Batch::default()
    };
    let refused = plan(&batch, &[(item.id, other)].into(), &facts);
    assert!(matches!(refused, Err(CommitError::Stale { .. })));
    assert!(plan(&batch, &[(item.id, item.head)].into(), &facts).is_ok());
}

#[test]
fn names_are_unique_among_unremoved_items() {
    let (facts, first) = with_item("tea");
    let second = revise(draft(10, "tea", &[]));
    let refused = plan(&second, &BTreeMap::new(), &facts);
    assert!(matches!(refused, Err(CommitError::NameTaken { by, .. }) if by == first.id));

    let remove = Batch {
        changes: vec![Change::SetState {
            item: first.id,
            state: ItemState::Removed,
        }],
        ..Batch::default()
    };
    let facts = facts_after(&facts, &plan(&remove, &BTreeMap::new(), &facts).unwrap());
    let facts = facts_after(&facts, &plan(&second, &BTreeMap::new(), &facts).unwrap());

    let bring_back = Batch {
        changes: vec![Change::SetState {
            item: first.id,
            state: ItemState::Active,
        }],
        ..Batch::default()
    };
    let refused = plan(&bring_back, &BTreeMap::new(), &facts);
    assert!(matches!(refused, Err(CommitError::NameTaken { .. })));
}

#[test]
fn a_removed_item_takes_no_edits() {
    let (facts, item) = with_item("tea");
    let remove = Batch {
        changes: vec![Change::SetState {
            item: item.id,
            state: ItemState::Removed,
        }],
        ..Batch::default()
    };
    let facts = facts_after(&facts, &plan(&remove, &BTreeMap::new(), &facts).unwrap());
    let refused = plan(
        &revise(draft(9, "tea", &[item.head])),
        &BTreeMap::new(),
        &facts,
    );
    assert!(matches!(refused, Err(CommitError::Removed(_))));
}

#[test]
fn what_already_holds_appends_nothing() {
    let (facts, item) = with_item("tea");
    let batch = Batch {
        changes: vec![
            Change::SetState {
                item: item.id,
                state: ItemState::Active,
            },
            Change::SetPin {
                item: item.id,
                pinned: false,
            },
        ],
        ..Batch::default()
    };
    let plan = plan(&batch, &BTreeMap::new(), &facts).unwrap();
    assert!(plan.records.is_empty() && plan.items.is_empty());
    assert_eq!(plan.position, facts.position);
}

#[test]
fn a_rename_frees_the_old_name_within_the_batch() {
    let (facts, item) = with_item("tea");
    let batch = Batch {
        changes: vec![
            Change::Revise(draft(9, "green-tea", &[item.head])),
            Change::Revise(draft(10, "tea", &[])),
        ],
        ..Batch::default()
    };
    let plan = plan(&batch, &BTreeMap::new(), &facts).unwrap();
    let names: Vec<_> = plan.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["green-tea", "tea"]);
}

#[test]
fn revision_ids_depend_on_every_part() {
    let (_, item) = with_item("tea");
    let (_, other) = with_item("tee");
    assert_ne!(item.head, other.head);
}
