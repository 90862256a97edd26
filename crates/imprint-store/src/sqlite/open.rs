//! Opening one connection, for reading or for writing.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::{
    device,
    fault::Fault,
    file::{DatabaseFile, FileIdentity},
    migrate::Migrations,
    patience::Patience,
};

/// What all connections of a store have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) patience: Patience,
    pub(super) migrations: Migrations,
    /// The size, in pages, at which the disk counts as full.
    #[cfg(test)]
    pub(super) max_pages: Option<u32>,
}

/// A connection, and the file that it has open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) conn: Connection,
    pub(super) identity: FileIdentity,
    /// Whether it sees what other processes write.
    pub(super) live: bool,
}

/// KiB of pages that a connection keeps in memory at most; a server has a handful of connections.
/// A small database fills little of it, and in one of 10,000 items most of a read's pages stay.
const CACHE_KIB: i32 = 8 * 1_024;

/// Bytes that the write-ahead log's file keeps after a checkpoint, so that one large import does
/// not hold its space for ever.
const LOG_BYTES: i32 = 8 * 1_024 * 1_024;

/// While this process creates the file, none of its threads may have it open in SQLite: closing
/// the descriptor that created it would drop the locks of theirs.
static OPENING: Mutex<()> = Mutex::new(());

/// A plain connection to a file that is there.
pub(super) fn connect(path: &Path) -> Result<Connection, Fault> {
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(path, flags)?)
}

/// A connection that only reads; `None` where nothing was ever written. A database of an older
/// schema is brought up to date first.
pub(super) fn for_reading(
    file: &DatabaseFile,
    settings: Settings,
) -> Result<Option<Opened>, Fault> {
    let Some(before) = file.identity()? else {
        return Ok(None);
    };
    // All of a process's connections share one opening of the log's index.
    file.free_side_files();
    let (conn, schema, live) = match look_into(connect(file.path())?, settings) {
        Ok((conn, schema)) => (conn, schema, true),
        Err(fault)
            if cfg!(unix) && (fault.is_unwritable() || fault.is_full()) && file.has_no_log() =>
        {
            let (conn, schema) = look_into(connect_unchanging(file.path())?, settings)?;
            (conn, schema, false)
        }
        Err(fault) => return Err(fault),
    };
    if schema == 0 {
        return Ok(None);
    }
    if schema < settings.migrations.newest() {
        for_writing(file, settings)?;
    }
    conn.pragma_update(None, "query_only", true)?;
    let identity = still_there(file, before)?;
    Ok(Some(Opened {
        conn,
        identity,
        live,
    }))
}

/// A connection that only counts commits and waits for nobody.
pub(super) fn for_watching(file: &DatabaseFile, expected: FileIdentity) -> Result<Opened, Fault> {
    let conn = connect(file.path())?;
    conn.busy_timeout(Duration::ZERO)?;
    conn.pragma_update(None, "query_only", true)?;
    let identity = still_there(file, expected)?;
    Ok(Opened {
        conn,
        identity,
        live: true,
    })
}

/// A connection that writes. Creates folder, file, tables and device id where they are missing.
pub(super) fn for_writing(file: &DatabaseFile, settings: Settings) -> Result<Opened, Fault> {
    {
        let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        file.create()?;
    }
    open_to_write(file, settings).map_err(|fault| {
        let why = fault.is_unwritable().then(|| file.why_unwritable());
        why.flatten().map_or(fault, Fault::Store)
    })
}

fn open_to_write(file: &DatabaseFile, settings: Settings) -> Result<Opened, Fault> {
    let before = file.identity()?.ok_or(Fault::Replaced)?;
    file.free_side_files();
    // Nothing is changed before it is clear that the file is no newer Imprint's, nor another
    // program's.
    let (mut conn, schema) = look_into(connect(file.path())?, settings)?;
    conn.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    // There, a plain sync leaves data in the drive's own cache.
    if cfg!(target_vendor = "apple") {
        conn.pragma_update(None, "fullfsync", true)?;
    }
    conn.pragma_update(None, "foreign_keys", true)?;
    write_ahead(&conn)?;
    if schema < settings.migrations.newest() {
        settings.migrations.apply(&mut conn, file)?;
    }
    let identity = still_there(file, before)?;
    device::settle(&mut conn, identity)?;
    Ok(Opened {
        conn,
        identity,
        live: true,
    })
}

/// The connection with its settings, and the file's schema.
fn look_into(mut conn: Connection, settings: Settings) -> Result<(Connection, u32), Fault> {
    configure(&mut conn, settings)?;
    // One state for all that it asks: another process may be making the tables just now.
    let schema = settings.migrations.inspect(&conn.transaction()?)?;
    Ok((conn, schema))
}

fn configure(conn: &mut Connection, settings: Settings) -> Result<(), Fault> {
    conn.busy_handler(Some(settings.patience.busy_handler()))?;
    conn.set_prepared_statement_cache_capacity(32);
    conn.pragma_update(None, "cache_size", -CACHE_KIB)?;
    #[cfg(test)]
    if let Some(pages) = settings.max_pages {
        conn.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(())
}

/// Switches to a write-ahead log, which stays with the file. A file system without shared memory
/// can't have one: there the rollback journal serves, and readers wait for writers.
fn write_ahead(conn: &Connection) -> Result<(), Fault> {
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    let mode: String =
        conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        tracing::warn!(mode, "the file system allows no write-ahead log");
    }
    Ok(())
}

/// A connection to a file in a folder where nothing can be written, or on a full disk, so that SQLite can't keep its
/// usual files beside it. It takes no locks and sees no later change.
fn connect_unchanging(path: &Path) -> Result<Connection, Fault> {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            other => uri.extend(['%', digit(other >> 4), digit(other & 15)]),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Connection::open_with_flags(uri, flags)?)
}

/// The file, if it is still the one that was looked at before it was opened.
fn still_there(file: &DatabaseFile, before: FileIdentity) -> Result<FileIdentity, Fault> {
    match file.identity()? {
        Some(now) if now == before => Ok(now),
        _ => Err(Fault::Replaced),
    }
}
