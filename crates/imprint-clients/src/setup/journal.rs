//! What setups did, in `setup/journal.json` in the home, so that it can be taken back.
//!
//! Steps are written before they are taken. Whether one was taken can be seen from what it is
//! about, so a journal that names more than was done, after a kill, does no harm: a step that was
//! not taken is passed over.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use imprint_core::{ItemId, RevisionId, Timestamp};
use imprint_format::{Digest, ItemKind, ItemName};
use serde::{Deserialize, Serialize};

use crate::{
    home::{RecordFault, dated, make_home, read_record, write_record},
    steps::Steps,
};

/// The folder in the home.
const FOLDER: &str = "setup";
const FILE: &str = "journal.json";
/// The layout that this program writes and reads.
const VERSION: u32 = 1;
/// More than any real journal has.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// All steps of all setups since the last one that was taken back, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journal {
    version: u32,
    pub(crate) steps: Vec<JournalStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "step")]
pub(crate) enum JournalStep {
    /// An item is created; these are its contents, the last stays current.
    Create {
        item: ItemId,
        kind: ItemKind,
        name: ItemName,
        trees: Vec<Digest>,
    },
    /// A stored item gets new revisions with these contents.
    Revise {
        item: ItemId,
        kind: ItemKind,
        name: ItemName,
        before: RevisionId,
        trees: Vec<Digest>,
    },
    /// What stands at a place, a name in a client's folder, becomes a copy of ours. Its files as
    /// they were are in the snapshot.
    Adopt {
        item: ItemId,
        folder: PathBuf,
        name: String,
        snapshot: PathBuf,
    },
    /// Something is moved from a client's folder into the backup. Paths are behind all links of
    /// the client's folder.
    Move {
        /// The item that stood there; `None` where it is more than one, behind a link.
        item: Option<ItemId>,
        from: PathBuf,
        to: PathBuf,
    },
    /// A client gets its entry.
    Connect { client: String },
}

/// Why the journal can't be used. Nothing is done then.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses to read it.
    #[error("`{}` can't be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not as we write it.
    #[error("`{}` is damaged ({message}); nothing was touched. What it says was moved is in the folder `backups` of the same home", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A newer Imprint has written it.
    #[error("`{}` was written by a newer Imprint (layout {found}, this one knows {VERSION}); update this one", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: u64,
    },
    /// The system refuses to write it.
    #[error("`{}` can't be written: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            version: VERSION,
            steps: Vec::new(),
        }
    }
}

impl Journal {
    /// The journal of this home; empty where there is none.
    pub(crate) fn read(home: &Path) -> Result<Self, JournalError> {
        let path = file(home);
        match read_record(&path, MAX_BYTES, VERSION) {
            Ok(read) => Ok(read.unwrap_or_default()),
            Err(RecordFault::Unreadable(source)) => Err(JournalError::Unreadable { path, source }),
            Err(RecordFault::Damaged(message)) => Err(JournalError::Damaged { path, message }),
            Err(RecordFault::Newer(found)) => Err(JournalError::Newer { path, found }),
        }
    }

    /// Whether there is nothing to take back.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds steps, at once or not at all. The caller holds the lock.
    pub(crate) fn add(
        &mut self,
        new: impl IntoIterator<Item = JournalStep>,
        home: &Path,
        steps: &Steps,
    ) -> Result<(), JournalError> {
        let before = self.steps.len();
        self.steps.extend(new);
        if self.steps.len() == before {
            return Ok(());
        }
        let path = file(home);
        make_home(&home.join(FOLDER))
            .and_then(|()| write_record(&path, self, steps))
            .map_err(|source| JournalError::Unwritable { path, source })
    }

    /// Sets the journal aside once everything in it is taken back. The caller holds the lock.
    pub(crate) fn set_aside(
        home: &Path,
        now: Timestamp,
        steps: &Steps,
    ) -> Result<(), JournalError> {
        let path = file(home);
        let aside = home
            .join(FOLDER)
            .join(format!("undone-{}.json", dated(now, super::backup::DATE)));
        let moved = steps
            .take(crate::steps::Step::Home)
            .and_then(|()| fs::rename(&path, aside));
        moved.map_err(|source| JournalError::Unwritable { path, source })
    }
}

fn file(home: &Path) -> PathBuf {
    home.join(FOLDER).join(FILE)
}
