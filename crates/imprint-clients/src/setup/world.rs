//! A user's home with clients in it and an empty registry, for tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use imprint_core::{ItemFilter, ItemSummary, OwnerId, Registry};
use tokio::runtime::Runtime;

use super::{
    ConnectAs, Decision, SetupChoices, SetupError, SetupOutcome, SetupPlan, UndoReport,
    engine::Engine,
};
use crate::{
    launch::System,
    machine::{Machine, Os},
    steps::Steps,
    test_registry::registry,
};

pub(super) struct World {
    user: tempfile::TempDir,
    pub(super) machine: Machine,
    pub(super) registry: Registry,
    runtime: Runtime,
}

pub(super) fn skill(name: &str, text: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n{text}\n")
}

/// Everything, and connected.
pub(super) fn everything() -> SetupChoices {
    SetupChoices {
        connect: Some(ConnectAs {
            program: "/opt/bin/imprint".to_owned(),
            home: None,
            system: System::Linux,
        }),
        ..SetupChoices::default()
    }
}

impl World {
    /// A home in which these configuration folders are.
    pub(super) fn new(configs: &[&str]) -> Self {
        let user = tempfile::tempdir().unwrap();
        for config in configs {
            fs::create_dir_all(user.path().join(config)).unwrap();
        }
        Self {
            machine: Machine::new(Os::current(), fs::canonicalize(user.path()).unwrap()),
            registry: registry(),
            runtime: tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap(),
            user,
        }
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.user.path()).unwrap().join(path)
    }

    /// Writes a file that was changed so many seconds after 1970.
    pub(super) fn put(&self, path: &str, text: &str, changed: u64) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(changed))
            .unwrap();
    }

    pub(super) fn put_skill(&self, place: &str, name: &str, text: &str, changed: u64) {
        self.put(&format!("{place}/SKILL.md"), &skill(name, text), changed);
    }

    #[cfg(unix)]
    pub(super) fn link(&self, target: &str, link: &str) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, link).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    pub(super) fn with<T>(&self, steps: &Steps, work: impl FnOnce(&Engine<'_>) -> T) -> T {
        work(&Engine {
            home: &self.path(".imprint"),
            machine: &self.machine,
            left_alone: &[],
            registry: &self.registry,
            runtime: self.runtime.handle().clone(),
            steps,
        })
    }

    pub(super) fn plan(&self, choices: &SetupChoices) -> SetupPlan {
        self.with(&Steps::unsynced(), |engine| engine.plan(choices))
            .unwrap()
    }

    pub(super) fn try_set_up(
        &self,
        choices: &SetupChoices,
        steps: &Steps,
    ) -> Result<SetupOutcome, SetupError> {
        self.with(steps, |engine| engine.carry_out(choices, None, &mut |_| {}))
    }

    pub(super) fn set_up(&self) -> SetupOutcome {
        self.try_set_up(&everything(), &Steps::unsynced()).unwrap()
    }

    pub(super) fn try_undo(&self, steps: &Steps) -> Result<UndoReport, SetupError> {
        self.with(steps, |engine| engine.undo())
    }

    pub(super) fn undo(&self) -> UndoReport {
        self.try_undo(&Steps::unsynced()).unwrap()
    }

    pub(super) fn items(&self) -> Vec<ItemSummary> {
        let all = ItemFilter::default();
        let items = self.registry.store().items(OwnerId::LOCAL, &all);
        self.runtime.block_on(items).unwrap()
    }

    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Decisions by place, below the home, a line each.
    pub(super) fn decisions(&self, plan: &SetupPlan) -> String {
        let user = self.path("");
        let lines = plan.places.iter().map(|place| {
            let path = place.path.replace(&*user.to_string_lossy(), "");
            match &place.decision {
                Decision::Stay { reason } => format!("{path}: stay, {reason}"),
                decision => format!("{path}: {decision:?}"),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Everything but the home of Imprint: kind and mode, and bytes or target.
    pub(super) fn tree(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let top = self.path("");
        collect(&top, &top, &mut found);
        found
    }
}

fn collect(top: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap().display().to_string();
        if name == ".imprint" {
            continue;
        }
        let metadata = fs::symlink_metadata(&path).unwrap();
        let mode = mode(&metadata);
        if metadata.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(name, format!("link {}", target.display()));
        } else if metadata.is_dir() {
            found.insert(name, format!("folder {mode:o}"));
            collect(top, &path, found);
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.insert(name, format!("file {mode:o} {text}"));
        }
    }
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777
}

#[cfg(not(unix))]
fn mode(_metadata: &fs::Metadata) -> u32 {
    0
}
