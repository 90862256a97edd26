//! Which copy of a home this is.

use imprint_core::{DeviceId, OwnerId};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use uuid::Uuid;

use super::{fault::Fault, file::FileIdentity};

const DEVICE: &str = "device";
/// The [fingerprint](FileIdentity::fingerprint) of the file that the device id was minted for.
const HOME: &str = "home";

/// Mints a device id where there is none yet, or where it was minted for another file: two homes
/// that count their records under one id could never exchange them.
pub(super) fn settle(conn: &mut Connection, identity: FileIdentity) -> Result<(), Fault> {
    let fingerprint = identity.fingerprint();
    if read(conn, HOME)?.as_ref() == Some(&fingerprint) {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let before = read(&tx, HOME)?;
    if before.as_ref() != Some(&fingerprint) {
        if read(&tx, DEVICE)?.is_some() {
            tracing::info!("this home is a copy: it gets a device id of its own");
        }
        write(&tx, DEVICE, &Uuid::now_v7().to_string())?;
        write(&tx, HOME, &fingerprint)?;
    }
    Ok(tx.commit()?)
}

/// The id that [`settle`] left.
pub(super) fn id(conn: &Connection) -> Result<DeviceId, Fault> {
    read(conn, DEVICE)?
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Fault::Damaged("the device id is missing"))
}

/// Makes whoever first writes to this file mint a device id. For backups: one that is written back
/// over the file that it was made of would find its own fingerprint there.
pub(super) fn unsettle(conn: &Connection) -> Result<(), Fault> {
    let forget = "DELETE FROM meta WHERE owner = ?1 AND key = ?2";
    conn.execute(forget, params![OwnerId::LOCAL.0.as_bytes(), HOME])?;
    Ok(())
}

fn read(conn: &Connection, key: &str) -> Result<Option<String>, Fault> {
    let value = conn
        .prepare_cached("SELECT value FROM meta WHERE owner = ?1 AND key = ?2")?
        .query_row(params![OwnerId::LOCAL.0.as_bytes(), key], |row| row.get(0))
        .optional()?;
    Ok(value)
}

fn write(conn: &Connection, key: &str, value: &str) -> Result<(), Fault> {
    conn.execute(
        "INSERT INTO meta (owner, key, value) VALUES (?1, ?2, ?3)
         ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value",
        params![OwnerId::LOCAL.0.as_bytes(), key, value],
    )?;
    Ok(())
}
