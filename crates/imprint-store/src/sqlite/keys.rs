//! Keys: their rows, and the few ways in which they change.

use imprint_core::{KeyId, KeyMaker, KeyRecord, OwnerId, Timestamp, TokenDigest};
use rusqlite::{Connection, Row, params};

use super::{
    fault::Fault,
    read::{all, one},
    rows::{self, json, parsed, wrong_form},
};

const COLUMNS: &str = "id, name, digest, shown_start, shown_end, scopes, fence, projects, client, \
     made_by, created_at, expires_at, last_used_at, last_client, revoked_at, replaces";

pub(super) fn keys(conn: &Connection, owner: OwnerId) -> Result<Vec<KeyRecord>, Fault> {
    all(
        conn,
        &format!("SELECT {COLUMNS} FROM keys WHERE owner = ?1 ORDER BY created_at, id"),
        [owner.0.as_bytes()],
        key,
    )
}

pub(super) fn by_digest(
    conn: &Connection,
    owner: OwnerId,
    digest: TokenDigest,
) -> Result<Option<KeyRecord>, Fault> {
    let found = one(
        conn,
        &format!("SELECT {COLUMNS} FROM keys WHERE owner = ?1 AND digest = ?2"),
        params![owner.0.as_bytes(), digest.as_bytes()],
        key,
    )?;
    // The index has compared byte by byte; this compares in constant time.
    Ok(found.filter(|key| key.digest == digest))
}

pub(super) fn make(conn: &Connection, owner: OwnerId, key: &KeyRecord) -> Result<(), Fault> {
    let sql = format!(
        "INSERT INTO keys (owner, {COLUMNS})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
    );
    conn.prepare_cached(&sql)?.execute(params![
        owner.0.as_bytes(),
        key.id.0.as_bytes(),
        key.name,
        key.digest.as_bytes(),
        key.start,
        key.end,
        json(&key.scopes)?,
        json(&key.fence)?,
        json(&key.projects)?,
        key.client,
        maker(key.made_by),
        key.created_at.0,
        key.expires_at.map(|at| at.0),
        key.last_used_at.map(|at| at.0),
        key.last_client,
        key.revoked_at.map(|at| at.0),
        key.replaces.map(|key| *key.0.as_bytes()),
    ])?;
    Ok(())
}

pub(super) fn rename(
    conn: &Connection,
    owner: OwnerId,
    key: KeyId,
    name: &str,
) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE keys SET name = ?3 WHERE owner = ?1 AND id = ?2")?
        .execute(params![owner.0.as_bytes(), key.0.as_bytes(), name])?;
    Ok(())
}

/// An earlier end stays.
pub(super) fn end(
    conn: &Connection,
    owner: OwnerId,
    key: KeyId,
    at: Timestamp,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE keys SET expires_at = min(coalesce(expires_at, ?3), ?3)
         WHERE owner = ?1 AND id = ?2",
    )?
    .execute(params![owner.0.as_bytes(), key.0.as_bytes(), at.0])?;
    Ok(())
}

/// The first time stays.
pub(super) fn revoke(
    conn: &Connection,
    owner: OwnerId,
    key: KeyId,
    at: Timestamp,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE keys SET revoked_at = coalesce(revoked_at, ?3) WHERE owner = ?1 AND id = ?2",
    )?
    .execute(params![owner.0.as_bytes(), key.0.as_bytes(), at.0])?;
    Ok(())
}

pub(super) fn used(
    conn: &Connection,
    owner: OwnerId,
    key: KeyId,
    at: Timestamp,
    client: Option<&str>,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE keys SET last_used_at = max(coalesce(last_used_at, ?3), ?3),
                         last_client = coalesce(?4, last_client)
         WHERE owner = ?1 AND id = ?2",
    )?
    .execute(params![owner.0.as_bytes(), key.0.as_bytes(), at.0, client])?;
    Ok(())
}

fn key(row: &Row<'_>) -> Result<KeyRecord, Fault> {
    let time = |column| -> Result<_, Fault> {
        let at: Option<i64> = row.get(column)?;
        Ok(at.map(Timestamp))
    };
    Ok(KeyRecord {
        id: KeyId(rows::uuid(row, 0)?),
        name: row.get(1)?,
        digest: TokenDigest::from_bytes(row.get(2)?),
        start: row.get(3)?,
        end: row.get(4)?,
        scopes: parsed(row, 5)?,
        fence: parsed(row, 6)?,
        projects: parsed(row, 7)?,
        client: row.get(8)?,
        made_by: made_by(rows::text(row, 9)?)?,
        created_at: Timestamp(row.get(10)?),
        expires_at: time(11)?,
        last_used_at: time(12)?,
        last_client: row.get(13)?,
        revoked_at: time(14)?,
        replaces: rows::optional_uuid(row, 15)?.map(KeyId),
    })
}

const fn maker(made_by: KeyMaker) -> &'static str {
    match made_by {
        KeyMaker::User => "user",
        KeyMaker::Connect => "connect",
    }
}

fn made_by(text: &str) -> Result<KeyMaker, Fault> {
    [KeyMaker::User, KeyMaker::Connect]
        .into_iter()
        .find(|made_by| maker(*made_by) == text)
        .ok_or_else(|| wrong_form(()))
}
