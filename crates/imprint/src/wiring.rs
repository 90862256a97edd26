//! Putting the parts together: the one place that names store, clients and server at once.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use imprint_clients::{EnvironmentOf, Folders, Machine};
use imprint_core::{ClientFolders, Clock, FolderReport, OwnerId, Registry, Timestamp};
use imprint_store::SqliteStore;
use uuid::Uuid;

use crate::{cli::Global, failure::Failure, home::Home, settings::Settings};

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
        let machine =
            Machine::current(environment).map_err(|error| Failure::failed(error.to_string()))?;
        Self::in_home(home, machine)
    }

    /// The parts for a home on a machine that may be made up.
    pub(crate) fn in_home(home: Home, machine: Machine) -> Result<Self, Failure> {
        let settings = Settings::read(&home.settings_file())?;
        let store = Arc::new(SqliteStore::new(home.database()));
        let registry = Registry::new(store, Arc::new(SystemClock), OwnerId::LOCAL);
        let folders = Folders::new(home.root(), machine, registry.clone())
            .leaving_alone(settings.skipped_clients());
        let folders = Arc::new(folders);
        Ok(Self {
            home,
            settings,
            registry,
            folders,
        })
    }

    /// One writing pass after a change. A failure is no failure of the change: it is told as a
    /// warning, and the next pass writes it.
    pub(crate) async fn write_folders(&self, out: &crate::output::Output) -> Option<FolderReport> {
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
}
