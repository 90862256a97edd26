//! Random histories, to be played to two implementations: they must not differ in anything.

use std::collections::BTreeMap;

use imprint_core::{
    Change, CommitError, Committed, DeviceId, ItemFilter, ItemState, LocalChange, LogPosition,
    RevisionId, Store,
};
use imprint_format::Digest;
use proptest::prelude::*;

use super::{OWNER, commit, draft, id, local};

/// What a user may do. Items and names are few, so that they meet.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A revision of the current head, or of none where there is no item.
    Write { item: u8, name: u8, text: u8 },
    /// A revision of a head that never was.
    WriteStale { item: u8 },
    /// A state.
    State { item: u8, state: ItemState },
    /// A pin, and in the same batch a state.
    PinAndState {
        item: u8,
        pinned: bool,
        state: ItemState,
    },
    /// A load.
    Load { item: u8 },
}

/// Up to twenty steps.
pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let state = prop_oneof![
        Just(ItemState::Active),
        Just(ItemState::Disabled),
        Just(ItemState::Removed)
    ];
    let step = prop_oneof![
        4 => (0..5u8, 0..4u8, 0..3u8)
            .prop_map(|(item, name, text)| Step::Write { item, name, text }),
        1 => (0..5u8).prop_map(|item| Step::WriteStale { item }),
        3 => (0..5u8, state.clone()).prop_map(|(item, state)| Step::State { item, state }),
        1 => (0..5u8, any::<bool>(), state)
            .prop_map(|(item, pinned, state)| Step::PinAndState { item, pinned, state }),
        1 => (0..5u8).prop_map(|item| Step::Load { item }),
    ];
    prop::collection::vec(step, 1..20)
}

/// Plays the steps; gives everything that the store answered and holds, and its device, as far as
/// a record tells it.
pub(crate) async fn replay(store: &dyn Store, steps: &[Step]) -> (Vec<String>, Option<DeviceId>) {
    let mut seen = Vec::new();
    for step in steps {
        let outcome = play(store, step).await;
        seen.push(format!("{outcome:?}"));
    }
    let items = store.items(OWNER, &ItemFilter::default()).await.unwrap();
    for item in &items {
        let history = store.revisions(OWNER, item.id, 0, u64::MAX).await.unwrap();
        seen.push(format!("{item:?} {history:?}"));
    }
    let records = store.records(OWNER, LogPosition(0), u64::MAX).await;
    let records = records.unwrap();
    seen.push(format!("{records:?}"));
    seen.push(format!("{:?}", store.position(OWNER).await.unwrap()));
    (seen, records.first().map(|record| record.device))
}

async fn play(store: &dyn Store, step: &Step) -> Result<Committed, CommitError> {
    let changes = match *step {
        Step::Write { item, name, text } => {
            let known = store.item(OWNER, id(item.into())).await?;
            let parents: Vec<_> = known.iter().map(|item| item.head).collect();
            let (name, text) = (format!("name-{name}"), format!("text {text}"));
            vec![Change::Revise(draft(item.into(), &name, &text, &parents))]
        }
        Step::WriteStale { item } => {
            let parent = RevisionId(Digest::of(b"never was"));
            let stale = draft(item.into(), "name-0", "text", &[parent]);
            vec![Change::Revise(stale)]
        }
        Step::State { item, state } => vec![Change::SetState {
            item: id(item.into()),
            state,
        }],
        Step::PinAndState {
            item,
            pinned,
            state,
        } => {
            let item = id(item.into());
            vec![
                Change::SetPin { item, pinned },
                Change::SetState { item, state },
            ]
        }
        Step::Load { item } => {
            let load = local([LocalChange::Loaded(id(item.into()))]);
            return store.commit(OWNER, load, BTreeMap::new()).await;
        }
    };
    commit(store, changes).await
}
