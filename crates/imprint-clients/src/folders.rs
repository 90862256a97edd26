//! The port to clients' folders, over this machine's disk.

use std::path::PathBuf;

use async_trait::async_trait;
use imprint_core::{ClientFolders, FolderReport, FoldersError, ItemId, Registry};
use tokio::{runtime::Handle, task};

use crate::{
    machine::Machine,
    source::RegistrySource,
    write::{self, Pass, PassError, Planned, Steps},
};

/// Clients' folders on this machine, kept as the registry says. All disk work runs on the
/// runtime's blocking threads, so calls need a tokio runtime.
#[derive(Clone, Debug)]
pub struct Folders {
    home: PathBuf,
    machine: Machine,
    registry: Registry,
}

impl Folders {
    /// The folders of this machine's clients, for the registry in this home.
    pub fn new(home: impl Into<PathBuf>, machine: Machine, registry: Registry) -> Self {
        Self {
            home: home.into(),
            machine,
            registry,
        }
    }

    /// What a pass would do now. Creates nothing.
    pub async fn plan(&self) -> Result<Planned, FoldersError> {
        self.blocking(|pass| pass.preview()).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(Pass<'_>) -> Result<T, PassError> + Send + 'static,
    ) -> Result<T, FoldersError> {
        let runtime = Handle::current();
        let this = self.clone();
        let worked = task::spawn_blocking(move || {
            work(Pass {
                home: &this.home,
                machine: &this.machine,
                source: &RegistrySource::new(&this.registry, runtime),
                steps: &Steps::unlimited(),
            })
        });
        match worked.await {
            Ok(result) => result.map_err(|error| FoldersError {
                message: error.to_string(),
            }),
            Err(_) => Err(FoldersError {
                message: "the pass ended unexpectedly; run `imprint write`".to_owned(),
            }),
        }
    }
}

#[async_trait]
impl ClientFolders for Folders {
    async fn write(&self) -> Result<FolderReport, FoldersError> {
        self.blocking(|pass| pass.run()).await
    }

    async fn last_report(&self) -> Option<FolderReport> {
        let home = self.home.clone();
        task::spawn_blocking(move || write::last_report(&home))
            .await
            .ok()?
    }

    async fn folder_of(&self, item: ItemId) -> Option<String> {
        let home = self.home.clone();
        let folder = task::spawn_blocking(move || write::folder_of(&home, item));
        Some(folder.await.ok()??.display().to_string())
    }
}
