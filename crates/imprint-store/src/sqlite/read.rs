//! The queries. Each reads one owner's rows.

use std::sync::Arc;

use imprint_core::{
    Acceptance, Event, ItemFilter, ItemId, ItemSummary, LogPosition, OwnerId, Record, Revision,
    RevisionId, SessionRecord,
};
use imprint_format::{Digest, ItemKind};
use rusqlite::{Connection, OptionalExtension as _, Params, Row, ToSql, params};

use super::{
    fault::Fault,
    rows::{self, ITEM_COLUMNS, SESSION_COLUMNS},
};

pub(super) fn position(conn: &Connection, owner: OwnerId) -> Result<LogPosition, Fault> {
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(position) FROM records WHERE owner = ?1")?
        .query_row([owner.0.as_bytes()], |row| row.get(0))?;
    Ok(LogPosition(last.unwrap_or(0).cast_unsigned()))
}

/// Sorted here and not by SQLite: an index in the order of names would lead from page to page.
pub(super) fn items(
    conn: &Connection,
    owner: OwnerId,
    filter: &ItemFilter,
) -> Result<Vec<ItemSummary>, Fault> {
    let mut values: Vec<&dyn ToSql> = vec![owner.0.as_bytes()];
    let kind = filter.kind.map(ItemKind::as_str);
    values.extend(kind.as_ref().map(|kind| kind as &dyn ToSql));
    values.extend(filter.name.as_ref().map(|name| name as &dyn ToSql));
    let mut items = all(conn, &select_items(filter), values.as_slice(), rows::item)?;
    items.sort_by(|a, b| (a.kind, &a.name, a.id).cmp(&(b.kind, &b.name, b.id)));
    Ok(items)
}

/// The query for a filter, with places for the owner, the kind and the name, where there are any.
pub(super) fn select_items(filter: &ItemFilter) -> String {
    let mut sql = format!("SELECT {ITEM_COLUMNS} FROM items");
    if filter.name.is_some() {
        // Without statistics, SQLite holds an owner to have a handful of items.
        sql += " INDEXED BY items_by_name";
    }
    sql += " WHERE owner = ?";
    if filter.kind.is_some() {
        sql += " AND kind = ?";
    }
    if filter.name.is_some() {
        sql += " AND name = ?";
    }
    if !filter.states.is_empty() {
        // Names of states are this program's own, not text from outside.
        let states: Vec<_> = filter.states.iter().map(|state| state.as_str()).collect();
        sql += &[" AND state IN ('", &states.join("', '"), "')"].concat();
    }
    sql
}

pub(super) fn item(
    conn: &Connection,
    owner: OwnerId,
    item: ItemId,
) -> Result<Option<ItemSummary>, Fault> {
    one(
        conn,
        &format!("SELECT {ITEM_COLUMNS} FROM items WHERE owner = ?1 AND id = ?2"),
        params![owner.0.as_bytes(), item.0.as_bytes()],
        rows::item,
    )
}

pub(super) fn revision(
    conn: &Connection,
    owner: OwnerId,
    revision: RevisionId,
) -> Result<Option<Revision>, Fault> {
    one(
        conn,
        "SELECT event FROM revisions JOIN records USING (owner, position)
         WHERE owner = ?1 AND id = ?2",
        params![owner.0.as_bytes(), revision.0.as_bytes()],
        revised,
    )
}

pub(super) fn revisions(
    conn: &Connection,
    owner: OwnerId,
    item: ItemId,
    skip: u64,
    limit: u64,
) -> Result<Vec<Revision>, Fault> {
    all(
        conn,
        "SELECT event FROM revisions JOIN records USING (owner, position)
         WHERE owner = ?1 AND item = ?2 ORDER BY position DESC LIMIT ?3 OFFSET ?4",
        params![
            owner.0.as_bytes(),
            item.0.as_bytes(),
            clamped(limit),
            clamped(skip)
        ],
        revised,
    )
}

pub(super) fn records(
    conn: &Connection,
    owner: OwnerId,
    after: LogPosition,
    limit: u64,
) -> Result<Vec<Record>, Fault> {
    all(
        conn,
        "SELECT device, seq, at, event FROM records
         WHERE owner = ?1 AND position > ?2 ORDER BY position LIMIT ?3",
        params![owner.0.as_bytes(), clamped(after.0), clamped(limit)],
        rows::record,
    )
}

pub(super) fn content(
    conn: &Connection,
    owner: OwnerId,
    digest: Digest,
) -> Result<Option<Arc<[u8]>>, Fault> {
    let bytes = one(
        conn,
        "SELECT bytes FROM contents WHERE owner = ?1 AND digest = ?2",
        params![owner.0.as_bytes(), digest.as_bytes()],
        |row| {
            let bytes = row.get_ref(0)?.as_blob().map_err(rows::wrong_form)?;
            Ok(Arc::<[u8]>::from(bytes))
        },
    )?;
    if bytes
        .as_ref()
        .is_some_and(|bytes| Digest::of(bytes) != digest)
    {
        return Err(Fault::Damaged("a stored file no longer has its digest"));
    }
    Ok(bytes)
}

pub(super) fn acceptances(conn: &Connection, owner: OwnerId) -> Result<Vec<Acceptance>, Fault> {
    all(
        conn,
        "SELECT fingerprint, rule, reason FROM acceptances WHERE owner = ?1 ORDER BY fingerprint",
        [owner.0.as_bytes()],
        rows::acceptance,
    )
}

pub(super) fn sessions(
    conn: &Connection,
    owner: OwnerId,
    limit: u64,
) -> Result<Vec<SessionRecord>, Fault> {
    all(
        conn,
        &format!(
            "SELECT {SESSION_COLUMNS} FROM sessions WHERE owner = ?1
             ORDER BY seen_at DESC, id DESC LIMIT ?2"
        ),
        params![owner.0.as_bytes(), clamped(limit)],
        rows::session,
    )
}

fn revised(row: &Row<'_>) -> Result<Revision, Fault> {
    match rows::event(row, 0)? {
        Event::Revised { revision } => Ok(revision),
        _ => Err(Fault::Damaged(
            "a revision points at a record of another kind",
        )),
    }
}

/// Limits and positions beyond what SQLite counts to mean no limit, and the end.
pub(super) fn clamped(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn one<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    conn.prepare_cached(sql)?
        .query_row(params, |row| Ok(read(row)))
        .optional()?
        .transpose()
}

pub(super) fn all<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        values.push(read(row)?);
    }
    Ok(values)
}
