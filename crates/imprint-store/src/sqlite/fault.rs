//! What goes wrong in SQLite and around its file, as the port's errors.
//!
//! Messages are SQLite's general texts for a result code: its particular ones can quote
//! statements, and nothing that was bound or stored may stand in an error.

use std::{io, path::Path, time::Duration};

use imprint_core::StoreError;
use rusqlite::{ErrorCode, ffi};

/// A failure inside the store, before it is known whether another attempt is worth while.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite says so.
    Sql(rusqlite::Error),
    /// What is stored contradicts itself, or is not ours.
    Damaged(&'static str),
    /// Another file took the place of the one that was being opened.
    Replaced,
    /// Already in the words of the port.
    Store(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Sql(error) => error.sqlite_error_code(),
            Self::Damaged(_) | Self::Replaced | Self::Store(_) => None,
        }
    }

    /// Whether another process is in the way, so that the same attempt may succeed later.
    /// `FileLockingProtocolFailed` is what readers get when they lose too many races for the log.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Replaced)
            || matches!(
                self.code(),
                Some(
                    ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                        | ErrorCode::FileLockingProtocolFailed
                )
            )
    }

    /// Whether SQLite may not make the files that it needs beside the database.
    pub(super) fn is_unwritable(&self) -> bool {
        matches!(
            self.code(),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
        )
    }

    /// Whether the disk has no room for those files.
    pub(super) fn is_full(&self) -> bool {
        matches!(self, Self::Sql(rusqlite::Error::SqliteFailure(error, _)) if is_full(*error))
    }

    /// The port's error. `patience` is how long was waited when the database was busy.
    pub(super) fn into_error(self, path: &Path, patience: Duration) -> StoreError {
        let at = |said: &str| format!("{}: {said}", path.display());
        match self {
            Self::Sql(error) => of_sqlite(&error, at, patience),
            Self::Damaged(said) => StoreError::Damaged { message: at(said) },
            Self::Replaced => StoreError::Unavailable {
                message: at("another file keeps taking its place"),
            },
            Self::Store(error) => error,
        }
    }
}

fn of_sqlite(
    error: &rusqlite::Error,
    at: impl Fn(&str) -> String,
    patience: Duration,
) -> StoreError {
    let Some(error) = error.sqlite_error() else {
        return StoreError::Damaged {
            message: at(of_value(error)),
        };
    };
    if is_full(*error) {
        return StoreError::Full;
    }
    let message = || at(ffi::code_to_str(error.extended_code));
    match error.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => StoreError::Busy {
            seconds: patience.as_secs(),
        },
        ErrorCode::ReadOnly => StoreError::ReadOnly { message: message() },
        ErrorCode::DatabaseCorrupt
        | ErrorCode::NotADatabase
        | ErrorCode::ConstraintViolation
        | ErrorCode::TypeMismatch => StoreError::Damaged { message: message() },
        _ => StoreError::Unavailable { message: message() },
    }
}

/// The second is what SQLite says when the disk has no room for the log's index.
fn is_full(error: ffi::Error) -> bool {
    error.code == ErrorCode::DiskFull || error.extended_code == ffi::SQLITE_IOERR_SHMSIZE
}

/// What a failure that is not SQLite's own says about the file: nearly always a value that this
/// program did not write.
fn of_value(error: &rusqlite::Error) -> &'static str {
    match error {
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => "a value of a wrong form is stored",
        rusqlite::Error::QueryReturnedNoRows => "a row is missing",
        _ => "a statement doesn't fit the tables",
    }
}

/// The port's error for a failure of the file system.
pub(super) fn of_io(error: &io::Error, path: &Path) -> StoreError {
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly { message }
        }
        _ => StoreError::Unavailable { message },
    }
}
