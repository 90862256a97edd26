//! Rows as values, and values as columns.

use imprint_core::{
    Acceptance, DeviceId, Event, GrantId, ItemId, ItemState, ItemSummary, KeyId, Record, SessionId,
    SessionRecord, Timestamp,
};
use imprint_format::Digest;
use rusqlite::{Row, types::FromSqlError};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{facts::Facts, fault::Fault};

/// The columns that [`item`] reads.
pub(super) const ITEM_COLUMNS: &str = "id, kind, name, state, description, facts, loads";

/// The columns that [`session`] reads.
pub(super) const SESSION_COLUMNS: &str = "id, client_name, client_version, named_client, \
     protocol, transport, started_at, seen_at, calls, key, grant_id";

pub(super) fn item(row: &Row<'_>) -> Result<ItemSummary, Fault> {
    let facts = row.get_ref(5)?.as_blob().map_err(wrong_form)?;
    let facts = Facts::decode(facts).ok_or_else(|| wrong_form(()))?;
    Ok(ItemSummary {
        id: ItemId(uuid(row, 0)?),
        kind: text(row, 1)?.parse().map_err(wrong_form)?,
        name: text(row, 2)?.parse().map_err(wrong_form)?,
        state: state(text(row, 3)?)?,
        description: text(row, 4)?.to_owned(),
        pinned: facts.pinned,
        hidden_from_model: facts.hidden_from_model,
        loads: unsigned(row, 6)?,
        head: facts.head,
        tree: facts.tree,
        created_at: facts.created_at,
        changed_at: facts.changed_at,
        changed_in: facts.changed_in,
    })
}

/// From `device, seq, at, event`.
pub(super) fn record(row: &Row<'_>) -> Result<Record, Fault> {
    Ok(Record {
        device: DeviceId(uuid(row, 0)?),
        seq: unsigned(row, 1)?,
        at: Timestamp(row.get(2)?),
        event: event(row, 3)?,
    })
}

pub(super) fn session(row: &Row<'_>) -> Result<SessionRecord, Fault> {
    Ok(SessionRecord {
        id: SessionId(uuid(row, 0)?),
        client_name: row.get(1)?,
        client_version: row.get(2)?,
        named_client: row.get(3)?,
        protocol: row.get(4)?,
        transport: row.get(5)?,
        started_at: Timestamp(row.get(6)?),
        seen_at: Timestamp(row.get(7)?),
        calls: unsigned(row, 8)?,
        key: optional_uuid(row, 9)?.map(KeyId),
        grant: optional_uuid(row, 10)?.map(GrantId),
    })
}

/// From `fingerprint, rule, reason`.
pub(super) fn acceptance(row: &Row<'_>) -> Result<Acceptance, Fault> {
    Ok(Acceptance {
        fingerprint: digest(row, 0)?,
        rule: row.get(1)?,
        reason: row.get(2)?,
    })
}

/// What a record says, from its JSON.
pub(super) fn event(row: &Row<'_>, column: usize) -> Result<Event, Fault> {
    parsed(row, column)
}

pub(super) fn digest(row: &Row<'_>, column: usize) -> Result<Digest, Fault> {
    Ok(Digest::from_bytes(row.get(column)?))
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid, Fault> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

pub(super) fn optional_uuid(row: &Row<'_>, column: usize) -> Result<Option<Uuid>, Fault> {
    let bytes: Option<[u8; 16]> = row.get(column)?;
    Ok(bytes.map(Uuid::from_bytes))
}

/// A count as SQLite keeps it. The bits stay the same, and no count comes near the sign.
pub(super) fn signed(count: u64) -> i64 {
    count.cast_signed()
}

/// What a value that this program did not write is answered with: whatever was found is not
/// quoted.
pub(super) fn wrong_form<E>(_: E) -> Fault {
    Fault::Damaged("a value of a wrong form is stored")
}

/// A value as JSON, for a column.
pub(super) fn json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|_| Fault::Damaged("a value can't be written as JSON"))
}

/// A value from a column's JSON.
pub(super) fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T, Fault> {
    serde_json::from_str(text(row, column)?).map_err(wrong_form)
}

fn unsigned(row: &Row<'_>, column: usize) -> Result<u64, Fault> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

pub(super) fn text<'row>(row: &'row Row<'_>, column: usize) -> Result<&'row str, Fault> {
    row.get_ref(column)?
        .as_str()
        .map_err(|fault: FromSqlError| wrong_form(fault))
}

fn state(text: &str) -> Result<ItemState, Fault> {
    [ItemState::Active, ItemState::Disabled, ItemState::Removed]
        .into_iter()
        .find(|state| state.as_str() == text)
        .ok_or_else(|| wrong_form(()))
}
