//! What stays on this machine: sessions, keys, and how often items were loaded.

use imprint_core::{HeardSession, ItemId, LocalChange, OwnerId, SessionRecord};
use rusqlite::{Connection, params};

use super::{
    fault::Fault,
    keys, oauth, read,
    rows::{self, SESSION_COLUMNS, signed},
};

pub(super) fn write(conn: &Connection, owner: OwnerId, change: &LocalChange) -> Result<(), Fault> {
    match change {
        LocalChange::Session(session) => put_session(conn, owner, session),
        LocalChange::Heard(heard) => hear(conn, owner, heard),
        LocalChange::Loaded(item) => count_load(conn, owner, *item),
        LocalChange::KeyMade(key) => keys::make(conn, owner, key),
        LocalChange::KeyRenamed { key, name } => keys::rename(conn, owner, *key, name),
        LocalChange::KeyEnds { key, at } => keys::end(conn, owner, *key, *at),
        LocalChange::KeyRevoked { key, at } => keys::revoke(conn, owner, *key, *at),
        LocalChange::KeyUsed { key, at, client } => {
            keys::used(conn, owner, *key, *at, client.as_deref())
        }
        LocalChange::Oauth(change) => oauth::write(conn, owner, change),
        // The commit's plan holds its row.
        LocalChange::Audit(_) => Ok(()),
    }
}

/// Goes on with the latest session that fits, or begins one.
fn hear(conn: &Connection, owner: OwnerId, heard: &HeardSession) -> Result<(), Fault> {
    let since = heard.session.seen_at.0 - HeardSession::IDLE_MS;
    let recent = read::all(
        conn,
        &format!(
            "SELECT {SESSION_COLUMNS} FROM sessions WHERE owner = ?1 AND seen_at >= ?2
             ORDER BY seen_at DESC, id DESC"
        ),
        params![owner.0.as_bytes(), since],
        rows::session,
    )?;
    match recent.iter().find(|kept| heard.goes_on(kept)) {
        Some(kept) => put_session(conn, owner, &heard.added_to(kept)),
        None => put_session(conn, owner, &heard.session),
    }
}

fn put_session(conn: &Connection, owner: OwnerId, session: &SessionRecord) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO sessions (owner, id, client_name, client_version, named_client,
                                          protocol, transport, started_at, seen_at, calls,
                                          key, grant_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
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
        session.key.map(|key| *key.0.as_bytes()),
        session.grant.map(|grant| *grant.0.as_bytes()),
    ])?;
    Ok(())
}

/// Counts nothing for an item that is not there.
fn count_load(conn: &Connection, owner: OwnerId, item: ItemId) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE items SET loads = loads + 1 WHERE owner = ?1 AND id = ?2")?
        .execute(params![owner.0.as_bytes(), item.0.as_bytes()])?;
    Ok(())
}
