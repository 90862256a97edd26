//! Rows as values, and values as columns.

use std::str::FromStr;

use imprint_core::{
    Acceptance, DeviceId, Event, ItemId, ItemState, ItemSummary, LogPosition, Record, RevisionId,
    SessionId, SessionRecord, Timestamp,
};
use imprint_format::{Digest, ItemName};
use rusqlite::{Row, types::FromSqlError};
use uuid::Uuid;

use super::fault::Fault;

/// The columns that [`item`] reads, of `items` joined with `loads`.
pub(super) const ITEM_COLUMNS: &str = "items.id, kind, name, description, state, pinned, \
     hidden_from_model, coalesce(count, 0), head, tree, created_at, changed_at, changed_in";

/// The columns that [`session`] reads.
pub(super) const SESSION_COLUMNS: &str = "id, client_name, client_version, named_client, \
     protocol, transport, started_at, seen_at, calls";

pub(super) fn item(row: &Row<'_>) -> Result<ItemSummary, Fault> {
    let name: String = row.get(2)?;
    Ok(ItemSummary {
        id: ItemId(uuid(row, 0)?),
        kind: parsed(row, 1)?,
        name: ItemName::try_from(name).map_err(wrong_form)?,
        description: row.get(3)?,
        state: state(text(row, 4)?)?,
        pinned: row.get(5)?,
        hidden_from_model: row.get(6)?,
        loads: unsigned(row, 7)?,
        head: RevisionId(digest(row, 8)?),
        tree: digest(row, 9)?,
        created_at: Timestamp(row.get(10)?),
        changed_at: Timestamp(row.get(11)?),
        changed_in: LogPosition(unsigned(row, 12)?),
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
    serde_json::from_str(text(row, column)?).map_err(wrong_form)
}

pub(super) fn digest(row: &Row<'_>, column: usize) -> Result<Digest, Fault> {
    Ok(Digest::from_bytes(row.get(column)?))
}

pub(super) fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid, Fault> {
    Ok(Uuid::from_bytes(row.get(column)?))
}

/// A count as SQLite keeps it. The bits stay the same, and no count comes near the sign.
pub(super) fn signed(count: u64) -> i64 {
    count.cast_signed()
}

/// What a value that this program did not write is answered with: whatever was found is not
/// quoted.
pub(super) fn wrong_form<E>(_: E) -> Fault {
    Fault::damaged("a value of a wrong form is stored")
}

fn unsigned(row: &Row<'_>, column: usize) -> Result<u64, Fault> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

fn text<'row>(row: &'row Row<'_>, column: usize) -> Result<&'row str, Fault> {
    row.get_ref(column)?
        .as_str()
        .map_err(|fault: FromSqlError| wrong_form(fault))
}

fn parsed<T: FromStr>(row: &Row<'_>, column: usize) -> Result<T, Fault> {
    text(row, column)?.parse().map_err(wrong_form)
}

fn state(text: &str) -> Result<ItemState, Fault> {
    [ItemState::Active, ItemState::Disabled, ItemState::Removed]
        .into_iter()
        .find(|state| state.as_str() == text)
        .ok_or_else(|| wrong_form(()))
}
