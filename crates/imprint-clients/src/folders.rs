//! The port to clients' folders, over this machine's disk.

use std::path::PathBuf;

use async_trait::async_trait;
use imprint_core::{ClientFolders, FolderReport, FoldersError, ItemId, Registry};
use tokio::{runtime::Handle, task};

use crate::{
    client::Client,
    import::Source,
    machine::Machine,
    source::RegistrySource,
    steps::Steps,
    write::{self, Adopted, ChangedCopy, Pass, PassError, Planned, TakenIn},
};

/// Clients' folders on this machine, kept as the registry says. All disk work runs on the
/// runtime's blocking threads, so calls need a tokio runtime.
#[derive(Clone, Debug)]
pub struct Folders {
    pub(crate) home: PathBuf,
    pub(crate) machine: Machine,
    pub(crate) registry: Registry,
    pub(crate) left_alone: Vec<String>,
}

impl Folders {
    /// The folders of this machine's clients, for the registry in this home.
    pub fn new(home: impl Into<PathBuf>, machine: Machine, registry: Registry) -> Self {
        Self {
            home: home.into(),
            machine,
            registry,
            left_alone: Vec::new(),
        }
    }

    /// The same folders, but for the own ones of these clients (by id). What is in them of ours is
    /// taken out by the next pass.
    #[must_use]
    pub fn leaving_alone(mut self, clients: Vec<String>) -> Self {
        self.left_alone = clients;
        self
    }

    /// What a pass would do now. Creates nothing.
    pub async fn plan(&self) -> Result<Planned, FoldersError> {
        self.blocking(|pass| pass.preview()).await
    }

    /// The clients found on this machine that a pass looks after, the best known first.
    pub async fn installed(&self) -> Result<Vec<&'static Client>, FoldersError> {
        self.blocking(|pass| pass.installed()).await
    }

    /// The copies among what was taken in that [`Self::adopt`] would make ours. Creates nothing.
    pub async fn adoptable(&self, taken: Vec<TakenIn>) -> Result<Vec<Adopted>, FoldersError> {
        self.blocking(move |pass| pass.adoptable(&taken)).await
    }

    /// Looks after copies from now on that were taken in from the very places where passes write
    /// them; the next pass keeps them as the registry says. What such a copy holds and the
    /// registry doesn't is kept in the home, in `originals`.
    pub async fn adopt(&self, taken: Vec<TakenIn>) -> Result<Vec<Adopted>, FoldersError> {
        self.blocking(move |pass| pass.adopt(&taken)).await
    }

    /// The copies of ours that someone changed. Creates nothing.
    pub(crate) async fn changed_copies(&self) -> Result<Vec<ChangedCopy>, FoldersError> {
        self.blocking(|pass| pass.changed_copies()).await
    }

    /// What stands in the user's folders of the clients found here, our own copies left out. A
    /// folder that can't be read is passed over. Creates nothing.
    pub(crate) async fn hand_made(&self) -> Result<Vec<Source>, FoldersError> {
        self.blocking(|pass| pass.hand_made()).await
    }

    /// The machine whose folders these are.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The folders and files in which clients find an item, as far as passes look after them.
    /// Absolute paths, in the order of folders.
    pub async fn places_of(&self, item: ItemId) -> Vec<String> {
        let home = self.home.clone();
        let places = task::spawn_blocking(move || write::places_of(&home, item));
        places.await.unwrap_or_default()
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
                left_alone: &this.left_alone,
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

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use imprint_core::{Author, Batch, Change, Draft, ItemRef, ItemState, OwnerId};
    use imprint_format::{Bundle, ItemKind, ItemName, compose};

    use super::*;
    use crate::{machine::Os, test_registry::registry};

    fn folders(user: &Path) -> Folders {
        fs::create_dir_all(user.join(".claude")).unwrap();
        let machine = Machine::new(Os::current(), user);
        Folders::new(user.join(".imprint"), machine, registry())
    }

    async fn create(folders: &Folders, kind: ItemKind, name: &str) -> ItemId {
        let name: ItemName = name.parse().unwrap();
        let text = compose(kind, &name, "Does it.", "Do it well.").unwrap();
        let item = ItemId(folders.registry.clock().new_uuid());
        let draft = Draft {
            item,
            name,
            description: "Does it.".to_owned(),
            hidden_from_model: false,
            bundle: Bundle::of_entry(kind, &text).unwrap(),
            parents: Vec::new(),
            author: Author::User,
        };
        let batch = Batch {
            changes: vec![Change::Revise(draft)],
            ..Batch::default()
        };
        let store = folders.registry.store();
        store
            .commit(OwnerId::LOCAL, batch, BTreeMap::new())
            .await
            .unwrap();
        item
    }

    #[tokio::test]
    async fn what_the_registry_holds_is_in_the_folders() {
        let user = tempfile::tempdir().unwrap();
        let folders = folders(user.path());
        assert_eq!(folders.last_report().await, None);
        folders.write().await.unwrap();
        assert_eq!(folders.last_report().await, None);

        let tea = create(&folders, ItemKind::Skill, "tea").await;
        create(&folders, ItemKind::Persona, "diver").await;
        create(&folders, ItemKind::Guideline, "tone").await;
        assert!(!folders.plan().await.unwrap().is_idle());
        let found = folders.installed().await.unwrap();
        assert_eq!(found.len(), 1);
        let report = folders.write().await.unwrap();
        assert_eq!(report.done.written, 3);
        assert_eq!(
            report.position,
            folders
                .registry
                .store()
                .position(OwnerId::LOCAL)
                .await
                .unwrap()
        );
        assert_eq!(folders.last_report().await, Some(report));
        let folder = folders.folder_of(tea).await.unwrap();
        assert!(Path::new(&folder).join("SKILL.md").is_file());
        assert!(user.path().join(".claude/agents/diver.md").is_file());

        let tea = ItemRef {
            kind: Some(ItemKind::Skill),
            name: "tea".to_owned(),
        };
        folders
            .registry
            .set_state(&tea, ItemState::Disabled)
            .await
            .unwrap();
        assert_eq!(folders.write().await.unwrap().done.removed, 2);
        assert!(!Path::new(&folder).exists());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn passes_at_once_write_everything_once() {
        let user = tempfile::tempdir().unwrap();
        let folders = folders(user.path());
        for n in 0..20 {
            create(&folders, ItemKind::Skill, &format!("skill-{n}")).await;
        }
        let passes: Vec<_> = (0..8)
            .map(|_| {
                let folders = folders.clone();
                tokio::spawn(async move { folders.write().await.unwrap() })
            })
            .collect();
        let mut written = 0;
        for pass in passes {
            let report = pass.await.unwrap();
            assert_eq!(report.notes, []);
            written += report.done.written;
        }
        assert_eq!(written, 40);
    }
}
