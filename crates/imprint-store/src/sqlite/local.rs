//! What stays on this machine: sessions, and how often items were loaded.

use imprint_core::{ItemId, LocalChange, OwnerId, SessionRecord};
use rusqlite::{Connection, params};

use super::{fault::Fault, rows::signed};

pub(super) fn write(conn: &Connection, owner: OwnerId, change: &LocalChange) -> Result<(), Fault> {
    match change {
        LocalChange::Session(session) => put_session(conn, owner, session),
        LocalChange::Loaded(item) => count_load(conn, owner, *item),
    }
}

fn put_session(conn: &Connection, owner: OwnerId, session: &SessionRecord) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO sessions (owner, id, client_name, client_version, named_client,
                                          protocol, transport, started_at, seen_at, calls)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        session.id.0.as_bytes(),
        session.client_name,
        session.client_version,
        session.named_client,
        session.protocol,
        session.transport,
        session.started_at.0,
        session.seen_at.0,
        signed(session.calls),
    ])?;
    Ok(())
}

/// Counts nothing for an item that is not there.
fn count_load(conn: &Connection, owner: OwnerId, item: ItemId) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE items SET loads = loads + 1 WHERE owner = ?1 AND id = ?2")?
        .execute(params![owner.0.as_bytes(), item.0.as_bytes()])?;
    Ok(())
}
