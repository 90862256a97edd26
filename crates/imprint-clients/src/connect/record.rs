//! What we wrote into clients' configuration files, kept in `connections.json` in the home.
//!
//! A connection is listed before its file is touched, so that after a kill at any instant the next
//! run can tell what happened and clear it up.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use imprint_core::Timestamp;
use imprint_format::Digest;
use serde::{Deserialize, Serialize};

use super::{Scope, Wanted, file::Found};
use crate::{
    config::{Made, Syntax, Value},
    home::{RecordFault, read_record, write_record},
    steps::Steps,
};

/// The file in the home.
pub(crate) const RECORD_FILE: &str = "connections.json";
/// The layout that this program writes and reads.
const VERSION: u32 = 1;
/// More than any real record has: each connection may hold the text of a document that was blank.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Every connection that we made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    version: u32,
    pub(crate) connections: Vec<Connection>,
}

/// Our entry in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connection {
    /// The client's id.
    pub(crate) client: String,
    pub(crate) scope: Scope,
    /// The file as the client names it.
    pub(crate) file: PathBuf,
    /// The file behind all links.
    pub(crate) real: PathBuf,
    pub(crate) syntax: Syntax,
    /// The names that lead to the servers.
    pub(crate) servers: Vec<String>,
    /// The entry's name.
    pub(crate) name: String,
    /// The entry as we wrote it.
    pub(crate) entry: Value,
    /// What stood in its way before.
    pub(crate) made: Made,
    /// What the entry was before, when there was one that was ours by its form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<Value>,
    /// How to get back the file as it was.
    pub(crate) origin: Origin,
    /// The whole file as we wrote it; more than one while it is being replaced.
    pub(crate) wrote: BTreeSet<Digest>,
    /// Folders that we made for it, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) created: Vec<PathBuf>,
    /// When it was written last.
    pub(crate) at: Timestamp,
    /// Set while the file is being written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) writing: Option<Writing>,
}

impl Connection {
    /// An entry in a file as it was found, with nothing written yet.
    pub(crate) fn of(wanted: &Wanted, found: &Found, made: Made, origin: Origin) -> Self {
        Self {
            client: wanted.client.clone(),
            scope: wanted.scope.clone(),
            file: wanted.file.clone(),
            real: found.real.clone(),
            syntax: wanted.syntax,
            servers: wanted.servers.clone(),
            name: wanted.name.clone(),
            entry: wanted.entry.clone(),
            made,
            replaced: None,
            origin,
            wrote: BTreeSet::new(),
            created: Vec::new(),
            at: Timestamp::default(),
            writing: None,
        }
    }
}

/// What the file was before our entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    /// There was none.
    Absent,
    /// These bytes, kept in the home.
    Backup { file: PathBuf, digest: Digest },
    /// It holds edits of others that were made beside our entry, so the entry alone is taken out.
    Edited {
        /// Whether there was no file before our entry.
        was_absent: bool,
    },
}

/// A change of a file that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Writing {
    /// The file beside the real one that holds the new text, then the old one.
    pub(crate) temporary: PathBuf,
    /// What was read; `None` when there was no file.
    pub(crate) was: Option<Digest>,
    /// What it becomes; `None` when it is removed.
    pub(crate) becomes: Option<Digest>,
}

/// Why the record can't be used. No client's file is written then.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It can't be read.
    #[error("`{}` can't be read: {source}", path.display())]
    #[expect(missing_docs, reason = "the file, and what the system says")]
    Unreadable { path: PathBuf, source: io::Error },
    /// It is no record.
    #[error("`{}` is damaged ({message}); no client's file was touched. Move it away and run the command again: entries that start `imprint mcp` still count as ours", path.display())]
    #[expect(missing_docs, reason = "the file, and what the parser says")]
    Damaged { path: PathBuf, message: String },
    /// A newer program wrote it.
    #[error("`{}` was written by a newer Imprint (layout {found}, this one knows {VERSION}); update this one", path.display())]
    #[expect(missing_docs, reason = "the file and its layout")]
    Newer { path: PathBuf, found: u64 },
    /// It can't be written.
    #[error("`{}` can't be written: {source}", path.display())]
    #[expect(missing_docs, reason = "the file, and what the system says")]
    Unwritable { path: PathBuf, source: io::Error },
}

impl Default for Record {
    fn default() -> Self {
        Self {
            version: VERSION,
            connections: Vec::new(),
        }
    }
}

impl Record {
    /// Reads the record of this home; an empty one when there is no such file.
    pub(crate) fn read(home: &Path) -> Result<Self, RecordError> {
        let path = home.join(RECORD_FILE);
        match read_record(&path, MAX_BYTES, VERSION) {
            Ok(read) => Ok(read.unwrap_or_default()),
            Err(RecordFault::Unreadable(source)) => Err(RecordError::Unreadable { path, source }),
            Err(RecordFault::Damaged(message)) => Err(RecordError::Damaged { path, message }),
            Err(RecordFault::Newer(found)) => Err(RecordError::Newer { path, found }),
        }
    }

    /// Writes the record, at once or not at all.
    pub(crate) fn write(&self, home: &Path, steps: &Steps) -> Result<(), RecordError> {
        let path = home.join(RECORD_FILE);
        write_record(&path, self, steps).map_err(|source| RecordError::Unwritable { path, source })
    }

    /// The connection that stands at this place of this file, whichever client it was made for.
    pub(crate) fn at(
        &self,
        real: &Path,
        servers: &[impl AsRef<str>],
        name: &str,
    ) -> Option<&Connection> {
        let servers = servers.iter().map(AsRef::as_ref);
        self.connections.iter().find(|one| {
            let names = one.servers.iter().map(String::as_str);
            one.real == real && one.name == name && names.eq(servers.clone())
        })
    }

    /// Whether we wrote what stands at this place of a file, whatever the program in it is called.
    pub(crate) fn wrote(
        &self,
        file: &Path,
        servers: &[impl AsRef<str>],
        name: &str,
        present: &Value,
    ) -> bool {
        let real = fs::canonicalize(file);
        let recorded = real.ok().and_then(|real| self.at(&real, servers, name));
        recorded.is_some_and(|recorded| recorded.still_stands(present))
    }

    /// Whether a change has begun of which nobody knows that it is made.
    pub(crate) fn is_writing(&self) -> bool {
        self.connections
            .iter()
            .any(|connection| connection.writing.is_some())
    }

    /// Lists a connection in the place of the one at the same place of the same file.
    pub(crate) fn set(&mut self, connection: Connection) {
        self.forget(&connection);
        self.connections.push(connection);
    }

    /// Drops a connection.
    pub(crate) fn forget(&mut self, gone: &Connection) {
        self.connections.retain(|one| {
            (&one.real, &one.servers, &one.name) != (&gone.real, &gone.servers, &gone.name)
        });
    }
}
