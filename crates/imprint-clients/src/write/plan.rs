//! What a pass would do: every folder looked at, every entry decided, nothing touched.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use imprint_core::{FolderNote, FolderNoteKind, ItemId};
use imprint_format::ItemKind;

use super::{
    disk::Folder,
    entry::{Action, Found, Wanted, decide, decide_unknown},
    manifest::{Manifest, Root, Written},
    roots::{self, RootState},
    survey::{Surveyed, survey},
    wanted,
};
use crate::{
    client::Client,
    known::known_clients,
    machine::Machine,
    pattern,
    placement::{Placement, Surroundings, Target, place},
    source::{ItemSource, SourceItem, SourceItems},
    steps::Steps,
};

/// Everything that a pass decided.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) read: SourceItems,
    pub(crate) placement: Placement,
    /// By the folder behind all links.
    pub(crate) roots: BTreeMap<String, RootPlan>,
    /// What became of an item in a target, by the target's place in the placement: absent while
    /// it is not carried out; else why it is not there, or nothing when it is.
    pub(crate) outcomes: BTreeMap<(usize, ItemId), Option<String>>,
    pub(crate) notes: Vec<FolderNote>,
}

/// One client's folder.
#[derive(Debug)]
pub(crate) struct RootPlan {
    pub(crate) real: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) state: RootState,
    /// By their names in the folder.
    pub(crate) entries: BTreeMap<String, EntryPlan>,
    /// Temporary files of killed passes.
    pub(crate) leftovers: Vec<String>,
}

/// One entry.
#[derive(Debug)]
pub(crate) struct EntryPlan {
    pub(crate) kind: ItemKind,
    pub(crate) item: ItemId,
    pub(crate) wanted: Option<Wanted>,
    /// The target that wants it.
    pub(crate) target: Option<usize>,
    pub(crate) action: Action,
    /// Files in a folder of ours that we neither wrote nor want.
    pub(crate) extra: Vec<String>,
}

impl Plan {
    /// Plans a pass. Reads the source and the disk.
    pub(crate) fn make(
        machine: &Machine,
        installed: &[&'static Client],
        read: SourceItems,
        manifest: &Manifest,
        source: &dyn ItemSource,
        steps: &Steps,
    ) -> Self {
        let around = Surroundings {
            machine,
            installed,
            resolve: &roots::resolve,
        };
        let mut plan = Self {
            placement: place(&read.items, &around),
            read,
            roots: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            notes: Vec::new(),
        };
        let mut wanted = plan.wanted(source);
        let mut folders: BTreeMap<String, PathBuf> = plan.folders();
        for (real, root) in &manifest.roots {
            folders
                .entry(real.clone())
                .or_insert_with(|| PathBuf::from(&root.folder));
        }
        let nothing = Root::default();
        let active: BTreeSet<ItemId> = plan.read.items.iter().map(|item| item.id).collect();
        // What can't be asked counts as not held, so that its copies stay.
        let is_held =
            |item: ItemId| active.contains(&item) || source.holds(item).unwrap_or_default();
        for (real, folder) in folders {
            let ours = Ours {
                entries: &manifest.roots.get(&real).unwrap_or(&nothing).entries,
                is_held: &is_held,
            };
            let wants = wanted.remove(&real).unwrap_or_default();
            let root = RootPlan::make(Path::new(&real), folder, wants, &ours, steps);
            plan.roots.insert(real, root);
        }
        plan
    }

    /// The targets' folders, as people know them.
    fn folders(&self) -> BTreeMap<String, PathBuf> {
        let targets = self.placement.targets.iter().rev();
        targets
            .filter_map(|target| Some((key(&target.real)?, target.folder.clone())))
            .collect()
    }

    /// What every folder should hold, by folder and name. What can't be there is an outcome.
    fn wanted(&mut self, source: &dyn ItemSource) -> BTreeMap<String, Wants> {
        let mut all: BTreeMap<String, Wants> = BTreeMap::new();
        let items: BTreeMap<ItemId, &SourceItem> =
            self.read.items.iter().map(|item| (item.id, item)).collect();
        for (at, target) in self.placement.targets.iter().enumerate() {
            let Some(real) = key(&target.real) else {
                let why = "the path of the folder is no Unicode text";
                let failed = |item: &ItemId| ((at, *item), Some(why.to_owned()));
                self.outcomes.extend(target.items.iter().map(failed));
                continue;
            };
            let wants = all.entry(real).or_default();
            for item in target.items.iter().filter_map(|item| items.get(item)) {
                match want(item, target, source, &mut self.notes) {
                    Err(why) => {
                        self.outcomes.insert((at, item.id), Some(why));
                    }
                    Ok((name, _)) if wants.contains_key(&name) => {
                        let why = format!("another client's `{name}` is in the same folder");
                        self.outcomes.insert((at, item.id), Some(why));
                    }
                    Ok((name, wanted)) => {
                        wants.insert(name, (at, wanted));
                    }
                }
            }
        }
        all
    }
}

/// What one folder should hold: by name, the target that wants it and how it should be.
type Wants = BTreeMap<String, (usize, Wanted)>;

/// What the manifest lists of one folder, and whether the registry holds an item.
struct Ours<'m> {
    entries: &'m BTreeMap<String, Written>,
    is_held: &'m dyn Fn(ItemId) -> bool,
}

fn want(
    item: &SourceItem,
    target: &Target,
    source: &dyn ItemSource,
    notes: &mut Vec<FolderNote>,
) -> Result<(String, Wanted), String> {
    let Some(dialect) = target.dialect else {
        return Ok(wanted::skill(item));
    };
    let persona = wanted::persona(item, dialect, source)?;
    let path = target.folder.join(&persona.name).display().to_string();
    notes.extend(persona.left_out.into_iter().map(|message| FolderNote {
        path: path.clone(),
        what: FolderNoteKind::LeftOut,
        message,
    }));
    Ok((persona.name, persona.wanted))
}

impl RootPlan {
    fn make(
        real: &Path,
        folder: PathBuf,
        mut wants: Wants,
        ours: &Ours<'_>,
        steps: &Steps,
    ) -> Self {
        let mut root = Self {
            real: real.to_owned(),
            folder,
            state: roots::look_at(real),
            entries: BTreeMap::new(),
            leftovers: Vec::new(),
        };
        let handle = root.open(steps);
        let names: BTreeSet<String> = wants.keys().chain(ours.entries.keys()).cloned().collect();
        for name in names {
            let (target, wanted) = wants.remove(&name).unzip();
            let listed = ours.entries.get(&name);
            let Some((kind, item)) = wanted
                .as_ref()
                .map(|wanted| (wanted.kind, wanted.item))
                .or_else(|| listed.map(|listed| (listed.kind, listed.item)))
            else {
                continue;
            };
            if wanted.is_none() && root.is_gone() {
                // It may come back, a volume that isn't mounted: what is listed stays listed.
                continue;
            }
            let surveyed = match &handle {
                Some(handle) => survey(handle, real, &name, wanted.as_ref(), listed),
                None => root.nothing_found(),
            };
            let action = match listed {
                Some(listed) if !(ours.is_held)(listed.item) => {
                    decide_unknown(wanted.as_ref(), &surveyed.found)
                }
                _ => decide(wanted.as_ref(), listed, &surveyed.found),
            };
            let entry = EntryPlan {
                kind,
                item,
                action,
                wanted,
                target,
                extra: surveyed.extra,
            };
            root.leftovers.extend(surveyed.leftovers);
            root.entries.insert(name, entry);
        }
        root
    }

    fn is_gone(&self) -> bool {
        use RootState::{Dangling, Missing, NoFolder};

        matches!(self.state, Missing(_) | Dangling | NoFolder)
    }

    /// A handle of the folder, where it can be had, with the leftovers directly in it noted.
    fn open<'s>(&mut self, steps: &'s Steps) -> Option<Folder<'s>> {
        if self.state != RootState::There {
            return None;
        }
        let opened =
            Folder::open(&self.real, steps).and_then(|folder| Ok((folder.leftovers()?, folder)));
        match opened {
            Ok((leftovers, folder)) => {
                self.leftovers = leftovers;
                Some(folder)
            }
            Err(error) => {
                self.state = RootState::Unreadable(error.to_string());
                None
            }
        }
    }

    /// What there is to say of an entry in a folder that can't be opened.
    fn nothing_found(&self) -> Surveyed {
        let found = match &self.state {
            RootState::There | RootState::Missing(_) => Found::Absent,
            RootState::Dangling => {
                Found::Unreadable("a link that leads nowhere is where the folder should be".into())
            }
            RootState::NoFolder => Found::Unreadable(
                "something that is no folder is where the folder should be".into(),
            ),
            RootState::Unreadable(why) => Found::Unreadable(why.clone()),
        };
        Surveyed {
            found,
            extra: Vec::new(),
            leftovers: Vec::new(),
        }
    }
}

/// The clients found on this machine, but for those that the user wants left alone.
pub(super) fn installed(
    machine: &Machine,
    manifest: &Manifest,
    left_alone: &[String],
) -> Vec<&'static Client> {
    let exists = |path: &Path| !pattern::found(path).is_empty();
    let ours = |path: &Path| roots::is_only_ours(path, manifest);
    let found = |client: &&Client| {
        !left_alone.iter().any(|id| id == client.facts.id)
            && client.is_installed(machine, exists, ours)
    };
    known_clients().iter().copied().filter(found).collect()
}

/// A folder's key in the manifest.
pub(crate) fn key(real: &Path) -> Option<String> {
    real.to_str().map(str::to_owned)
}
