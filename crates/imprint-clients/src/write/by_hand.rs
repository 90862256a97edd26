//! What was made by hand in the folders that clients read: copies of ours that someone changed since
//! we wrote them, and what stands beside them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use imprint_core::ItemId;
use imprint_format::{Digest, ItemKind};

use super::{
    Pass, PassError,
    entry::{Action, Obstacle},
    manifest::{Manifest, Written},
    plan::EntryPlan,
    roots,
};
use crate::{
    import::{ImportLimits, Source, read_source},
    known::shared_skills,
    machine::Machine,
};

/// One copy: a skill's folder or a persona's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedCopy {
    pub(crate) item: ItemId,
    pub(crate) kind: ItemKind,
    pub(crate) place: PathBuf,
    /// What we wrote there, by the path in the item; a persona's only file by its name.
    pub(crate) written: BTreeMap<String, BTreeSet<Digest>>,
}

impl Pass<'_> {
    /// The copies that a pass leaves alone because they were edited, and those beside whose files
    /// others were put. Creates nothing.
    pub(crate) fn changed_copies(&self) -> Result<Vec<ChangedCopy>, PassError> {
        let Some(manifest) = Manifest::read(self.home)? else {
            return Ok(Vec::new());
        };
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        let plan = self.plan(&machine, &manifest)?;
        let mut changed = Vec::new();
        for (key, root) in &plan.roots {
            let Some(ours) = manifest.roots.get(key) else {
                continue;
            };
            let entries = root.entries.iter().filter(|(_, entry)| is_changed(entry));
            for (name, _) in entries {
                if let Some(written) = ours.entries.get(name) {
                    changed.push(ChangedCopy {
                        item: written.item,
                        kind: written.kind,
                        place: root.folder.join(name),
                        written: by_path_in_item(written),
                    });
                }
            }
        }
        Ok(changed)
    }

    /// Where our copies stand, by their real places: a skill's folder or a persona's file.
    pub(crate) fn our_places(&self) -> Result<BTreeSet<PathBuf>, PassError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        let roots = manifest.roots.iter();
        let places = roots.flat_map(|(real, root)| {
            let names = root.entries.keys();
            names.map(move |name| PathBuf::from(real).join(name))
        });
        Ok(places.collect())
    }

    /// What stands in the folders that clients found here read, our own copies left out.
    pub(crate) fn hand_made(&self) -> Result<Vec<Source>, PassError> {
        let ours = self.our_places()?;
        let mut seen = BTreeSet::new();
        let mut sources = Vec::new();
        for folder in self.read_folders()? {
            if !seen.insert(roots::resolve(&folder)) {
                continue;
            }
            let Ok(mut source) = read_source(&folder, &ImportLimits::default()) else {
                continue;
            };
            let foreign = |place: &str| {
                let place = roots::resolve(Path::new(place));
                !ours.iter().any(|ours| place.starts_with(ours))
            };
            source.items.retain(|item| foreign(&item.place));
            source.skipped.retain(|skipped| foreign(&skipped.place));
            sources.push(source);
        }
        Ok(sources)
    }

    /// This machine, with the variables that the last pass knew.
    fn remembering_machine(&self) -> Result<Machine, PassError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        Ok(self.machine.clone().with_remembered(&manifest.variables))
    }

    /// Every user's folder that the clients found here read, the shared one first.
    fn read_folders(&self) -> Result<Vec<PathBuf>, PassError> {
        let machine = self.remembering_machine()?;
        let mut folders = vec![shared_skills(&machine)];
        for client in self.installed()? {
            folders.extend(client.skill_folders(&machine).reads);
            let personas = client.personas.iter();
            folders.extend(personas.map(|personas| (personas.folder)(&machine)));
        }
        folders.retain(|folder| folder.is_dir());
        Ok(folders)
    }
}

fn is_changed(entry: &EntryPlan) -> bool {
    let edited = matches!(
        entry.action,
        Action::Leave(Obstacle::Edited(_) | Obstacle::ForeignFile(_))
    );
    edited || (entry.kind == ItemKind::Skill && !entry.extra.is_empty())
}

fn by_path_in_item(written: &Written) -> BTreeMap<String, BTreeSet<Digest>> {
    let files = written.files.iter().map(|(path, file)| {
        let below = match written.kind {
            ItemKind::Skill => path
                .split_once('/')
                .map_or(path.as_str(), |(_, below)| below),
            _ => path,
        };
        (below.to_owned(), file.digests.clone())
    });
    files.collect()
}
