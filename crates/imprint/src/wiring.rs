//! Putting the parts together: the one place that names store, clients and server at once.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use imprint_clients::{EnvironmentOf, Folders, Machine};
use imprint_core::{
    ClientFolders, Clock, FolderReport, FoldersError, ItemId, OwnerId, Registry, Timestamp,
};
use imprint_store::{RememberingStore, SqliteStore};
use uuid::Uuid;

use crate::{cli::Global, failure::Failure, home::Home, output::Output, settings::Settings};

/// Everything that a command works with. Making one touches no file but the settings.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) home: Home,
    pub(crate) settings: Settings,
    pub(crate) registry: Registry,
    pub(crate) folders: Arc<Folders>,
}

impl App {
    /// The parts for this user and machine. `environment` says whose settings this process was
    /// started with.
    pub(crate) fn new(global: &Global, environment: EnvironmentOf) -> Result<Self, Failure> {
        let home = Home::find(global.home.as_deref())?;
        Self::in_home(home, machine(environment)?)
    }

    /// The parts for a process that a client started, and the folders as far as it may use them.
    /// Settings that can't be read don't keep it from serving, but nobody knows then which folders
    /// they leave alone, so it writes none.
    pub(crate) fn for_client(
        global: &Global,
        out: &Output,
    ) -> Result<(Self, Arc<dyn ClientFolders>), Failure> {
        let (app, trouble) = Self::lenient(global, EnvironmentOf::Client)?;
        let folders = Arc::clone(&app.folders);
        let Some(failure) = trouble else {
            return Ok((app, folders));
        };
        let why = failure.message;
        out.warning(&format!(
            "{why}; going on with the defaults, without writing folders"
        ));
        Ok((app, Arc::new(ReadFolders { folders, why })))
    }

    /// The parts, with the defaults where the settings can't be read, and why they can't.
    pub(crate) fn lenient(
        global: &Global,
        environment: EnvironmentOf,
    ) -> Result<(Self, Option<Failure>), Failure> {
        let home = Home::find(global.home.as_deref())?;
        let machine = machine(environment)?;
        let (settings, trouble) = match Settings::read(&home.settings_file()) {
            Ok(settings) => (settings, None),
            Err(failure) => (Settings::default(), Some(failure)),
        };
        Ok((Self::with(home, machine, settings), trouble))
    }

    /// The parts for a home on a machine that may be made up.
    pub(crate) fn in_home(home: Home, machine: Machine) -> Result<Self, Failure> {
        let settings = Settings::read(&home.settings_file())?;
        Ok(Self::with(home, machine, settings))
    }

    /// The registry for a server that is asked the same again and again: answers are remembered
    /// until any process commits something.
    pub(crate) fn remembering(&self) -> Registry {
        let store = SqliteStore::new(self.home.database());
        self.registry
            .through(Arc::new(RememberingStore::new(store)))
    }

    fn with(home: Home, machine: Machine, settings: Settings) -> Self {
        let store = Arc::new(SqliteStore::new(home.database()));
        let registry = Registry::new(store, Arc::new(SystemClock), OwnerId::LOCAL);
        let folders = Folders::new(home.root(), machine, registry.clone())
            .leaving_alone(settings.skipped_clients());
        let folders = Arc::new(folders);
        Self {
            home,
            settings,
            registry,
            folders,
        }
    }

    /// One writing pass after a change. A failure is no failure of the change: it is told as a
    /// warning, and the next pass writes it.
    pub(crate) async fn write_folders(&self, out: &Output) -> Option<FolderReport> {
        match self.folders.write().await {
            Ok(report) => Some(report),
            Err(error) => {
                out.warning(&format!(
                    "{error}; the change itself is kept, run `imprint write`"
                ));
                None
            }
        }
    }
}

pub(crate) fn machine(environment: EnvironmentOf) -> Result<Machine, Failure> {
    Machine::current(environment).map_err(|error| Failure::failed(error.to_string()))
}

/// Folders that are read and not written.
#[derive(Debug)]
struct ReadFolders {
    folders: Arc<Folders>,
    /// Why they are not written.
    why: String,
}

#[async_trait]
impl ClientFolders for ReadFolders {
    async fn write(&self) -> Result<FolderReport, FoldersError> {
        let message = format!("{}; mend that, then run `imprint write`", self.why);
        Err(FoldersError { message })
    }

    async fn last_report(&self) -> Option<FolderReport> {
        self.folders.last_report().await
    }

    async fn folder_of(&self, item: ItemId) -> Option<String> {
        self.folders.folder_of(item).await
    }
}

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        #[expect(clippy::expect_used, reason = "without randomness no key may be made")]
        getrandom::fill(&mut bytes).expect("the system has a source of randomness");
        bytes
    }
}
