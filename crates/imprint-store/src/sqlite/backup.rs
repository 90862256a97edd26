//! Copies of a database in use, and the check whether one is sound.

use std::{fs, io, path::Path, time::Duration};

use imprint_core::{Event, StoreError};
use imprint_format::Digest;
use rusqlite::{Connection, backup::Backup};

use super::{
    device,
    fault::{Fault, of_io},
    file::create_private,
    rows,
};

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Nothing was ever written here.
    #[error("there is nothing to back up yet")]
    Nothing,
    /// A backup never replaces a file.
    #[error("there is already a file at the place for the backup; choose another name")]
    Exists,
    /// The database can't be read, or the backup not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a copy was not made.
#[derive(Debug)]
pub(super) enum CopyFault {
    /// There is a file already.
    Exists,
    /// Anything else.
    Other(Fault),
}

impl<E: Into<Fault>> From<E> for CopyFault {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Copies the committed state to a new file, in one piece, while others go on writing. Whoever
/// first writes to the copy mints a device id.
pub(super) fn copy(source: &Connection, to: &Path) -> Result<(), CopyFault> {
    match create_private(to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(CopyFault::Exists);
        }
        created => created.map_err(|error| of_io(&error, to))?,
    }
    fill(source, to).inspect_err(|_| {
        // Half a backup is worse than none; if even this fails, the failure to report is the first.
        let _ = fs::remove_file(to);
    })?;
    Ok(())
}

fn fill(source: &Connection, to: &Path) -> Result<(), Fault> {
    let mut target = super::open::connect(to)?;
    Backup::new(source, &mut target)?.run_to_completion(
        i32::MAX,
        Duration::from_millis(5),
        None,
    )?;
    device::unsettle(&target)?;
    // One file, with nothing beside it.
    target.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    Ok(())
}

/// What is wrong with the database; nothing, if it is sound. Reads all of it.
pub(super) fn check(conn: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings: Vec<String> = conn
        .prepare("PRAGMA integrity_check")?
        .query_map([], |row| row.get(0))?
        .filter(|line| !matches!(line, Ok(line) if line == "ok"))
        .collect::<Result<_, _>>()?;
    let orphans = conn
        .prepare("PRAGMA foreign_key_check")?
        .query_map([], |row| row.get::<_, String>(0))?
        .map(|table| table.map(|table| format!("a row of `{table}` points at nothing")))
        .collect::<Result<Vec<_>, _>>()?;
    findings.extend(orphans);
    findings.extend(changed_contents(conn)?);
    findings.extend(unreadable_records(conn)?);
    Ok(findings)
}

fn changed_contents(conn: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = Vec::new();
    let mut statement = conn.prepare("SELECT digest, bytes FROM contents")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let digest = rows::digest(row, 0)?;
        let bytes = row.get_ref(1)?.as_blob().map_err(rows::wrong_form)?;
        if Digest::of(bytes) != digest {
            findings.push(format!("the content {} has changed", digest.short()));
        }
    }
    Ok(findings)
}

fn unreadable_records(conn: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = Vec::new();
    let mut statement = conn.prepare("SELECT position, event FROM records")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let position: i64 = row.get(0)?;
        match rows::event(row, 1) {
            Ok(Event::Revised { revision }) if revision.id_of() != revision.id => {
                findings.push(format!("the revision in record {position} has changed"));
            }
            Ok(_) => {}
            Err(_) => findings.push(format!("record {position} can't be read")),
        }
    }
    Ok(findings)
}
