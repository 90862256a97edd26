//! What every implementation of the port must do: one list of cases, run over each of them.

pub(crate) mod access;
pub(crate) mod changes;
mod model;
pub(crate) mod oauth;
pub(crate) mod queries;

use std::collections::BTreeMap;

use imprint_core::{
    Author, Batch, Change, CommitError, Committed, Draft, ItemFilter, ItemId, ItemState,
    ItemSummary, LocalChange, OwnerId, RevisionId, SessionId, SessionRecord, Store, Timestamp,
};
use imprint_format::{Bundle, BundleFile, ItemKind};
use uuid::Uuid;

pub(crate) use self::model::{replay, steps};

/// The owner of most cases.
pub(crate) const OWNER: OwnerId = OwnerId::LOCAL;

/// One test per case and implementation. `$fresh` gives an empty store and whatever must live as
/// long as it does.
macro_rules! store_suite {
    ($fresh:expr) => {
        $crate::suite::store_suite! { @cases $fresh, changes:
            an_empty_store_finds_nothing,
            a_new_item_is_read_back,
            an_edit_replaces_the_head_and_keeps_history,
            an_edit_from_a_stale_head_is_refused,
            an_expected_head_must_be_the_current_one,
            a_name_is_unique_among_unremoved_items_of_a_kind,
            names_change_hands_inside_one_batch,
            a_removed_item_takes_no_edits_until_it_is_restored,
            states_and_pins_that_hold_append_nothing,
            a_refused_batch_leaves_nothing,
            of_two_edits_at_once_one_wins,
            many_writers_leave_no_gap_in_the_log,
        }
        $crate::suite::store_suite! { @cases $fresh, queries:
            items_come_in_order_and_filtered,
            history_comes_in_pages,
            records_come_in_order,
            contents_are_kept_by_digest,
            owners_see_only_their_own,
            sessions_are_kept_where_a_registry_is,
            loads_are_counted_apart_from_the_log,
            acceptances_are_kept_once,
        }
        $crate::suite::store_suite! { @cases $fresh, access:
            keys_are_found_by_digest,
            a_key_keeps_its_first_end_and_its_last_use,
            every_change_has_its_row_in_the_audit,
            many_writers_leave_no_gap_in_the_audit,
            a_proposal_waits_until_it_is_decided,
            a_proposal_is_decided_once,
            requests_of_one_key_and_client_are_one_session,
            requests_at_once_are_one_session,
        }
        $crate::suite::store_suite! { @cases $fresh, oauth:
            what_oauth_keeps_is_read_back,
            a_request_goes_on_from_its_last_state_only,
            a_token_is_spent_once,
            a_grant_is_revoked_for_good,
            what_is_over_is_swept,
        }
    };
    (@cases $fresh:expr, $module:ident: $($case:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let (store, _keep) = $fresh;
                $crate::suite::$module::$case(std::sync::Arc::new(store)).await;
            }
        )*
    };
}
pub(crate) use store_suite;

pub(crate) fn id(number: u128) -> ItemId {
    ItemId(Uuid::from_u128(number))
}

pub(crate) fn bundle(kind: ItemKind, text: &str) -> Bundle {
    let path = kind.entry_file().parse().unwrap();
    Bundle::new(kind, [(path, BundleFile::plain(text.as_bytes()))]).unwrap()
}

/// A skill whose one file says `text`.
pub(crate) fn draft(item: u128, name: &str, text: &str, parents: &[RevisionId]) -> Draft {
    Draft {
        item: id(item),
        name: name.parse().unwrap(),
        description: format!("{name}: {text}"),
        hidden_from_model: false,
        parents: parents.to_vec(),
        bundle: bundle(ItemKind::Skill, text),
        author: Author::User,
    }
}

pub(crate) fn batch(changes: impl Into<Vec<Change>>) -> Batch {
    Batch {
        changes: changes.into(),
        at: Timestamp(1_000),
        ..Batch::default()
    }
}

pub(crate) fn local(changes: impl Into<Vec<LocalChange>>) -> Batch {
    Batch {
        local: changes.into(),
        at: Timestamp(1_000),
        ..Batch::default()
    }
}

pub(crate) async fn commit(
    store: &dyn Store,
    changes: impl Into<Vec<Change>>,
) -> Result<Committed, CommitError> {
    store.commit(OWNER, batch(changes), BTreeMap::new()).await
}

pub(crate) async fn create(store: &dyn Store, item: u128, name: &str) -> ItemSummary {
    let created = commit(store, [Change::Revise(draft(item, name, name, &[]))]).await;
    created.unwrap().items.remove(0)
}

pub(crate) async fn set_state(
    store: &dyn Store,
    item: u128,
    state: ItemState,
) -> Result<Committed, CommitError> {
    let item = id(item);
    commit(store, [Change::SetState { item, state }]).await
}

/// All items of the owner as `name state`, in the order in which they come.
pub(crate) async fn listed(store: &dyn Store) -> Vec<String> {
    let items = store.items(OWNER, &ItemFilter::default()).await.unwrap();
    let line = |item: &ItemSummary| format!("{} {}", item.name, item.state.as_str());
    items.iter().map(line).collect()
}

pub(crate) fn session(number: u128, seen_at: i64) -> SessionRecord {
    SessionRecord {
        id: SessionId(Uuid::from_u128(number)),
        client_name: Some("a-client".to_owned()),
        client_version: None,
        named_client: None,
        key: None,
        grant: None,
        protocol: "2025-11-25".to_owned(),
        transport: "stdio".to_owned(),
        started_at: Timestamp(1),
        seen_at: Timestamp(seen_at),
        calls: 3,
    }
}
