//! The audit's rows.

use imprint_core::{AuditEnd, AuditLink, OwnerId};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    fault::Fault,
    read::{all, clamped},
    rows::{self, signed},
};

/// Where the audit ends.
pub(super) fn end(conn: &Connection, owner: OwnerId) -> Result<AuditEnd, Fault> {
    let last = conn
        .prepare_cached("SELECT seq, hash FROM audit WHERE owner = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([owner.0.as_bytes()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(last.map_or(AuditEnd::NOTHING, |(seq, hash)| AuditEnd {
        seq: seq.cast_unsigned(),
        hash: imprint_format::Digest::from_bytes(hash),
    }))
}

pub(super) fn links(
    conn: &Connection,
    owner: OwnerId,
    after: u64,
    limit: u64,
) -> Result<Vec<AuditLink>, Fault> {
    all(
        conn,
        "SELECT row, hash FROM audit WHERE owner = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
        params![owner.0.as_bytes(), clamped(after), clamped(limit)],
        link,
    )
}

/// Appends rows after the one with this number.
pub(super) fn append(
    conn: &Connection,
    owner: OwnerId,
    end: AuditEnd,
    links: &[AuditLink],
) -> Result<(), Fault> {
    let mut insert =
        conn.prepare_cached("INSERT INTO audit (owner, seq, row, hash) VALUES (?1, ?2, ?3, ?4)")?;
    for (link, seq) in links.iter().zip(end.seq + 1..) {
        insert.execute(params![
            owner.0.as_bytes(),
            signed(seq),
            link.row,
            link.hash.as_bytes(),
        ])?;
    }
    Ok(())
}

fn link(row: &Row<'_>) -> Result<AuditLink, Fault> {
    Ok(AuditLink {
        row: row.get(0)?,
        hash: rows::digest(row, 1)?,
    })
}
