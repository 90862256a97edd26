//! Watches a database for commits of any process.
//!
//! SQLite counts for each connection, in `PRAGMA data_version`, how often others changed the
//! database. One connection that never writes counts everybody's commits, this store's too.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    fault::Fault,
    file::{DatabaseFile, FileIdentity},
    open::{self, Opened},
};
use crate::Generation;

/// The connection that counts. Opened where waiting is allowed, asked anywhere.
#[derive(Debug, Default)]
pub(super) struct Watch {
    watched: Mutex<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    open: Option<Opened>,
    /// Counts openings and closings.
    file: u64,
    /// Counts what was seen to change.
    change: u64,
    /// `None` when it isn't known what happened since.
    seen: Option<Seen>,
}

/// What a look showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// There is no file.
    Nothing,
    /// The file's count. A new connection begins anew, so which one it was counts too.
    Version { file: u64, version: i64 },
}

impl Watch {
    /// The generation now. Opens nothing: `None` until [`Watch::keep`] has done so.
    pub(super) fn generation(&self, file: &DatabaseFile) -> Option<Generation> {
        let identity = file.identity();
        let mut watched = self.watched();
        let seen = match identity {
            Ok(Some(identity)) => watched.version(identity),
            Ok(None) => {
                watched.close();
                Some(Seen::Nothing)
            }
            Err(_) => None,
        };
        watched.note(seen)
    }

    /// Keeps a connection to the file open, if it is still the one with this identity. Best
    /// effort: without it, the generation is not known.
    pub(super) fn keep(&self, file: &DatabaseFile, identity: FileIdentity) {
        if self.watched().has_open(identity) {
            return;
        }
        let Ok(opened) = open::for_watching(file, identity) else {
            return;
        };
        let before = {
            let mut watched = self.watched();
            if watched.has_open(identity) {
                return;
            }
            watched.file += 1;
            watched.open.replace(opened)
        };
        // Closing may touch the disk, which nobody should wait for.
        drop(before);
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    fn has_open(&self, identity: FileIdentity) -> bool {
        self.open
            .as_ref()
            .is_some_and(|opened| opened.identity == identity)
    }

    /// The generation that a look comes to.
    fn note(&mut self, now: Option<Seen>) -> Option<Generation> {
        if now.is_none() || now != self.seen {
            self.change += 1;
            self.seen = now;
        }
        now.map(|_| Generation {
            file: self.file,
            change: self.change,
        })
    }

    /// What the connection shows of the file with this identity; `None` if it can't.
    fn version(&mut self, identity: FileIdentity) -> Option<Seen> {
        let opened = self.open.as_ref().filter(|it| it.identity == identity)?;
        match opened.data_version() {
            Ok(version) => Some(Seen::Version {
                file: self.file,
                version,
            }),
            Err(fault) if fault.is_passing() => None,
            Err(_) => {
                self.close();
                None
            }
        }
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.file += 1;
        }
    }
}

impl Opened {
    fn data_version(&self) -> Result<i64, Fault> {
        let mut ask = self.conn.prepare_cached("PRAGMA data_version")?;
        Ok(ask.query_row([], |row| row.get(0))?)
    }
}
