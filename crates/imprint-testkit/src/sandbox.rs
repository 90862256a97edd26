//! An empty machine in a temporary folder: a working folder, a home, a place for the registry.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use imprint_clients::{Folders, Machine, Os};
use imprint_core::{Clock, OwnerId, Registry};
use imprint_store::SqliteStore;
use tempfile::TempDir;

use crate::clock::SystemClock;

/// A throw-away machine. The registry's folder does not exist before something is kept.
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    _folder: TempDir,
}

impl Sandbox {
    /// A new one.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("imprint-").tempdir()?;
        // The system's temporary folder may itself be a link; paths are compared later.
        let root = folder.path().canonicalize()?;
        let sandbox = Self {
            root,
            _folder: folder,
        };
        fs::create_dir(sandbox.work())?;
        fs::create_dir(sandbox.home())?;
        fs::create_dir(sandbox.programs())?;
        Ok(sandbox)
    }

    /// The folder in which things are run; holds a case's input.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The user's home folder.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where Imprint keeps everything (`IMPRINT_HOME`).
    pub fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.data().join("imprint.db")
    }

    /// The only folder on `PATH`, empty: clients that are installed on the real machine are not
    /// seen from here.
    fn programs(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// A program that runs here and sees nothing of the real machine.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("HOME", self.home())
            .env("USERPROFILE", self.home())
            .env("PATH", self.programs())
            .env("IMPRINT_HOME", self.data());
        // Without it no program starts on Windows.
        if let Some(system) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", system);
        }
        command
    }

    /// The registry, as the product keeps it.
    pub fn registry(&self) -> Registry {
        let store = Arc::new(SqliteStore::new(self.database()));
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        Registry::new(store, clock, OwnerId::LOCAL)
    }

    /// The machine with nothing set.
    pub fn machine(&self) -> Machine {
        Machine::new(Os::current(), self.home())
    }

    /// The writing pass over this machine's folders, or those that `machine` moves.
    pub fn folders(&self, machine: Machine) -> Folders {
        Folders::new(self.data(), machine, self.registry())
    }
}
