//! Connecting a client: our server's entry in its configuration file, and taking it out again.
//!
//! What is to be written is planned purely (`plan`) from what stands in the file now. The file is
//! found behind its links (`file`), the connection is listed in the home (`record`) and the old
//! text kept before anything is touched, and the new text takes its place in one step (`swap`). One
//! process at a time holds the lock of the home; an editor that saves meanwhile starts it over.

mod apply;
mod disconnect;
mod entry;
mod file;
mod plan;
mod program;
mod project;
mod record;
mod swap;

use std::path::{Path, PathBuf};

use imprint_core::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use self::record::Record;
pub use self::{
    disconnect::{Aim, Leaving, Removal, Removed},
    entry::Entry,
    file::FileFault,
    plan::{Change, Planned},
    program::{Program, ProgramError},
    project::project_folder,
    record::RecordError,
};
use crate::{
    client::{Client, ConfigFile},
    config::{ConfigError, Slot, Syntax, Value},
    launch::{Launch, SERVER_NAME},
    lock::LockError,
    machine::Machine,
    steps::Steps,
    wsl::Elsewhere,
};

/// For whom an entry counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// For the user, wherever they work.
    User,
    /// For everyone who works in this folder.
    Project(PathBuf),
}

/// One server's entry in one client's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The client's id.
    pub client: String,
    /// For whom it counts.
    pub scope: Scope,
    /// The file as the client names it.
    pub file: PathBuf,
    /// Its language.
    pub syntax: Syntax,
    /// The names that lead to the servers.
    pub servers: Vec<String>,
    /// The entry's name among them.
    pub name: String,
    /// The entry.
    pub entry: Value,
    /// Whether the file and its folders may be made.
    pub makes_folders: bool,
}

/// Why a client has no file to write an entry into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    /// Nobody established one, or none counts.
    #[error("keeps its servers in no file that is known")]
    Unknown,
    /// It has one for the user alone.
    #[error("has no such file in a project, as far as is known")]
    NotInProjects,
    /// The person is in no project: in their home folder, or above it.
    #[error("was not connected: your home folder and what is above it is no project")]
    NoProject,
    /// Its file lies in a folder that is not there.
    #[error("was not found on this computer")]
    NoPlace,
}

/// Why nothing was written. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// An entry of our name is there that is not ours.
    #[error("`{}` has a server called `{}` already, which Imprint didn't write: {found}", file.display(), found.name)]
    Conflict {
        /// The file.
        file: PathBuf,
        /// What is there.
        found: Box<Entry>,
    },
    /// The file can't be used.
    #[error("`{}` was not touched: {fault}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        fault: FileFault,
    },
    /// Its text can't be edited.
    #[error("`{}` was not touched: {error}", file.display())]
    Config {
        /// The file.
        file: PathBuf,
        /// Why, with line and column where it can't be parsed.
        error: ConfigError,
    },
    /// Others save the file faster than it can be read.
    #[error("`{}` was not touched: another program kept changing it; close that, then run the command again", file.display())]
    Unsteady {
        /// The file.
        file: PathBuf,
    },
    /// The system refuses.
    #[error("`{}` can't be written: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it says.
        source: std::io::Error,
    },
    /// The record can't be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Someone else is writing.
    #[error("{0}")]
    Busy(String),
}

impl From<LockError> for ConnectError {
    fn from(error: LockError) -> Self {
        Self::Busy(error.to_string())
    }
}

/// What was done to connect a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connected {
    /// What was written, and where.
    pub planned: Planned,
    /// Where the file's old text is kept; `None` when nothing was written or there was no file.
    pub backup: Option<PathBuf>,
}

impl Wanted {
    /// Our entry for a client. `is_installed` tells whether the client is on this machine: only
    /// then its file is made, or where nobody knows how to tell and its folder is there.
    pub fn of(
        client: &Client,
        machine: &Machine,
        launch: &Launch,
        scope: Scope,
        is_installed: bool,
    ) -> Result<Self, NoFile> {
        let config = client.config.as_ref().ok_or(NoFile::Unknown)?;
        let file = match &scope {
            Scope::User => file::choose((config.user)(machine)).ok_or(NoFile::NoPlace)?,
            Scope::Project(folder) => {
                let parts = config.project.ok_or(NoFile::NotInProjects)?;
                parts
                    .iter()
                    .fold(folder.clone(), |path, part| path.join(part))
            }
        };
        Ok(Self::in_file(
            client,
            config,
            launch,
            scope,
            file,
            is_installed,
        ))
    }

    /// Our entry for a client on the other side of WSL's border, for the user.
    pub fn elsewhere(
        client: &Client,
        elsewhere: &Elsewhere,
        launch: &Launch,
        is_installed: bool,
    ) -> Result<Self, NoFile> {
        let config = client.config.as_ref().ok_or(NoFile::Unknown)?;
        let places = (config.user)(&elsewhere.machine).into_iter();
        let seen = places.filter_map(|place| elsewhere.seen_from_here(&place));
        let file = file::choose(seen.collect()).ok_or(NoFile::NoPlace)?;
        let scope = Scope::User;
        Ok(Self::in_file(
            client,
            config,
            launch,
            scope,
            file,
            is_installed,
        ))
    }

    fn in_file(
        client: &Client,
        config: &ConfigFile,
        launch: &Launch,
        scope: Scope,
        file: PathBuf,
        is_installed: bool,
    ) -> Self {
        let may_be_there = client.presence.is_none() && file.parent().is_some_and(Path::is_dir);
        Self {
            client: client.facts.id.to_owned(),
            scope,
            file,
            syntax: config.syntax,
            servers: config.servers.iter().map(|&part| part.to_owned()).collect(),
            name: SERVER_NAME.to_owned(),
            entry: (config.form)(launch),
            makes_folders: is_installed || may_be_there,
        }
    }

    /// The names that lead to the entry, its own last.
    pub(crate) fn path(&self) -> Vec<&str> {
        let servers = self.servers.iter().map(String::as_str);
        servers.chain([self.name.as_str()]).collect()
    }
}

/// The connections of a home. Nothing here needs a runtime; each call may wait for the lock.
#[derive(Clone, Copy, Debug)]
pub struct Connections<'a> {
    /// The home, where the record, the backups and the lock are.
    pub home: &'a Path,
    /// The time.
    pub at: Timestamp,
}

impl Connections<'_> {
    /// What connecting would do now. Creates nothing, takes no lock.
    pub fn plan(&self, wanted: &Wanted) -> Result<Planned, ConnectError> {
        self.working(|work| work.plan(wanted))
    }

    /// Writes the entry, unless it is there already.
    pub fn connect(&self, wanted: &Wanted) -> Result<Connected, ConnectError> {
        self.working(|work| work.connect(wanted))
    }

    /// Every place where a client has an entry of ours: those that are listed, and the user's file
    /// where an entry is ours by its form.
    pub fn leaving(
        &self,
        client: &str,
        user: Option<&Wanted>,
    ) -> Result<Vec<Leaving>, RecordError> {
        self.working(|work| work.leaving(client, user))
    }

    /// The files of which a change was begun and nobody knows that it was made: its process was
    /// killed, or is at work now. The next change of any file clears that up.
    pub fn unfinished(&self) -> Result<Vec<PathBuf>, RecordError> {
        let record = record::Record::read(self.home)?;
        let begun = record
            .connections
            .into_iter()
            .filter(|one| one.writing.is_some());
        Ok(begun.map(|one| one.file).collect())
    }

    /// Takes the entry out.
    pub fn disconnect(&self, leaving: &Leaving, aim: Aim) -> Result<Removal, ConnectError> {
        self.working(|work| work.disconnect(leaving, aim))
    }

    fn working<T>(&self, work: impl FnOnce(Work<'_>) -> T) -> T {
        work(Work {
            home: self.home,
            at: self.at,
            steps: &Steps::unlimited(),
        })
    }
}

/// The same, with the steps that it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a> {
    pub(crate) home: &'a Path,
    pub(crate) at: Timestamp,
    pub(crate) steps: &'a Steps,
}

impl Wanted {
    fn slot<'s>(&self, path: &'s [&'s str]) -> Slot<'s> {
        Slot {
            syntax: self.syntax,
            path,
        }
    }
}

#[cfg(test)]
mod race_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[cfg(unix)]
mod unix_tests;
