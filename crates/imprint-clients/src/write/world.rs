//! A user's home with clients in it, and a registry that is a map, for tests.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use imprint_core::{FileRef, FolderReport, ItemId, LogPosition, StoreError, Timestamp};
use imprint_format::{Digest, ItemKind};

use super::{Pass, PassError, Planned};
use crate::{
    machine::{Machine, Os},
    source::{ItemSource, SourceItem, SourceItems},
    steps::Steps,
};

#[derive(Default)]
pub(super) struct FakeSource {
    items: RefCell<BTreeMap<(ItemKind, String), SourceItem>>,
    contents: RefCell<BTreeMap<Digest, Arc<[u8]>>>,
    position: RefCell<u64>,
    /// Items that were active once and that the registry has lost.
    lost: RefCell<BTreeSet<ItemId>>,
}

impl ItemSource for FakeSource {
    fn active(&self) -> Result<SourceItems, StoreError> {
        Ok(SourceItems {
            position: LogPosition(*self.position.borrow()),
            items: self.items.borrow().values().cloned().collect(),
            damaged: Vec::new(),
        })
    }

    fn holds(&self, item: ItemId) -> Result<bool, StoreError> {
        Ok(!self.lost.borrow().contains(&item))
    }

    fn content(&self, digest: Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.contents.borrow().get(&digest).cloned())
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_000)
    }
}

pub(super) struct World {
    pub(super) source: FakeSource,
    pub(super) machine: Machine,
    pub(super) left_alone: Vec<String>,
    user: tempfile::TempDir,
}

pub(super) fn skill(name: &str, text: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n{text}\n")
}

impl World {
    /// A home in which these clients' configuration folders are.
    pub(super) fn new(configs: &[&str]) -> Self {
        let user = tempfile::tempdir().unwrap();
        for config in configs {
            fs::create_dir_all(user.path().join(config)).unwrap();
        }
        Self {
            source: FakeSource::default(),
            machine: Machine::new(Os::current(), user.path()),
            left_alone: Vec::new(),
            user,
        }
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.user.path().join(path)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.path(".imprint")
    }

    /// Makes an item active with these files. A path that ends in `.sh` is executable.
    pub(super) fn set(&self, kind: ItemKind, name: &str, files: &[(&str, &str)]) -> ItemId {
        let mut items = self.source.items.borrow_mut();
        let number = *self.source.position.borrow() + 1;
        let key = (kind, name.to_owned());
        let fresh = format!("00000000-0000-7000-8000-{number:012}")
            .parse()
            .unwrap();
        let id = items.get(&key).map_or(fresh, |item| item.id);
        let mut contents = self.source.contents.borrow_mut();
        let files = files.iter().map(|(path, text)| {
            let digest = Digest::of(text.as_bytes());
            contents.insert(digest, text.as_bytes().into());
            FileRef {
                path: path.parse().unwrap(),
                digest,
                size: text.len() as u64,
                executable: path.strip_suffix(".sh").is_some(),
            }
        });
        let item = SourceItem {
            id,
            kind,
            name: name.parse().unwrap(),
            hidden_from_model: false,
            files: files.collect(),
        };
        items.insert(key, item);
        *self.source.position.borrow_mut() += 1;
        id
    }

    pub(super) fn set_skill(&self, name: &str, text: &str) -> ItemId {
        self.set(ItemKind::Skill, name, &[("SKILL.md", &skill(name, text))])
    }

    pub(super) fn set_persona(&self, name: &str, text: &str) -> ItemId {
        self.set(
            ItemKind::Persona,
            name,
            &[("PERSONA.md", &skill(name, text))],
        )
    }

    pub(super) fn hide(&self, kind: ItemKind, name: &str) {
        let mut items = self.source.items.borrow_mut();
        items
            .get_mut(&(kind, name.to_owned()))
            .unwrap()
            .hidden_from_model = true;
    }

    pub(super) fn unset(&self, kind: ItemKind, name: &str) {
        self.source
            .items
            .borrow_mut()
            .remove(&(kind, name.to_owned()));
        *self.source.position.borrow_mut() += 1;
    }

    /// Takes an item out of the registry, as the loss of its database would.
    pub(super) fn lose_item(&self, kind: ItemKind, name: &str) {
        let lost = self.source.items.borrow()[&(kind, name.to_owned())].id;
        self.source.lost.borrow_mut().insert(lost);
        self.unset(kind, name);
    }

    /// Takes a content out of the store, as a damaged one would be.
    pub(super) fn lose(&self, text: &str) {
        let digest = Digest::of(text.as_bytes());
        self.source.contents.borrow_mut().remove(&digest);
    }

    pub(super) fn try_pass(&self, steps: &Steps) -> Result<FolderReport, PassError> {
        self.with(steps, |pass| pass.run())
    }

    pub(super) fn pass(&self) -> FolderReport {
        self.try_pass(&Steps::unsynced()).unwrap()
    }

    pub(super) fn preview(&self) -> Planned {
        self.with(&Steps::unsynced(), |pass| pass.preview())
            .unwrap()
    }

    pub(super) fn with<T>(&self, steps: &Steps, work: impl FnOnce(Pass<'_>) -> T) -> T {
        work(Pass {
            home: &self.home(),
            machine: &self.machine,
            left_alone: &self.left_alone,
            source: &self.source,
            steps,
        })
    }

    pub(super) fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    /// Every file and empty folder but those of the home, with the files' contents.
    pub(super) fn tree(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        list(self.user.path(), self.user.path(), &mut found);
        found.retain(|path, _| !path.starts_with(".imprint/"));
        found
    }

    /// The paths of [`Self::tree`], a line each.
    pub(super) fn listing(&self) -> String {
        self.tree().into_keys().collect::<Vec<_>>().join("\n")
    }

    /// The report's remarks, with this home's path taken out.
    pub(super) fn remarks(&self, report: &FolderReport) -> String {
        let notes = report
            .notes
            .iter()
            .map(|note| format!("{:?} {}: {}", note.what, note.path, note.message));
        let unplaced = report.unplaced.iter().map(|unplaced| {
            let client = unplaced.client.as_deref().unwrap_or("all");
            format!("unplaced {} for {client}", unplaced.name)
        });
        let text = notes.chain(unplaced).collect::<Vec<_>>().join("\n");
        text.replace(self.user.path().to_str().unwrap(), "~")
    }
}

fn list(top: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::path);
    if entries.is_empty() {
        found.insert(format!("{}/", name(top, folder)), String::new());
    }
    for entry in entries {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            list(top, &path, found);
        } else {
            let text = fs::read(&path).unwrap_or_default();
            found.insert(
                name(top, &path),
                String::from_utf8_lossy(&text).into_owned(),
            );
        }
    }
}

fn name(top: &Path, path: &Path) -> String {
    let below = path.strip_prefix(top).unwrap();
    let parts: Vec<_> = below.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("/")
}
