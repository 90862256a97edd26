//! Looking after copies that the user took in from where they stand: what a client's folder holds
//! at the very place of an item becomes ours, so that the next pass keeps it current. What of it
//! is not in the registry byte for byte (a header that was mended) is kept in the home first.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs::{self, File},
    path::{Path, PathBuf},
};

use imprint_core::ItemId;
use imprint_format::{Digest, ItemKind};
use serde::Serialize;

use super::{
    Pass, PassError,
    disk::Folder,
    entry::{Action, FoundFile, Obstacle},
    manifest::{Manifest, OurFile, Written},
    plan::{EntryPlan, Plan, RootPlan},
    roots::{self, RootState},
};
use crate::{home::replace_file, lock};

/// Where the originals of mended files are kept, in the home.
const ORIGINALS: &str = "originals";

/// Something that the user took in, and where it stood: a skill's folder or a persona's file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TakenIn {
    /// The item that it became, or is a copy of.
    pub item: ItemId,
    /// The place.
    pub place: PathBuf,
}

/// A copy in a client's folder that is looked after from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Adopted {
    /// The item.
    pub item: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// The skill's folder or the persona's file: an absolute path.
    pub path: String,
}

/// A copy that may become ours.
struct Copy {
    adopted: Adopted,
    /// The folder's key in the manifest, and the name in it.
    root: String,
    name: String,
    folder: PathBuf,
    written: Written,
    /// Files whose bytes the registry doesn't hold, by their paths.
    originals: Vec<(String, Vec<u8>)>,
}

impl Pass<'_> {
    /// The copies that [`Self::adopt`] would make ours. Creates nothing.
    pub(crate) fn adoptable(&self, taken: &[TakenIn]) -> Result<Vec<Adopted>, PassError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        let copies = self.copies(&manifest, taken)?;
        Ok(copies.into_iter().map(|copy| copy.adopted).collect())
    }

    /// Makes copies ours that stand where passes write these very items. Changes none of them: the
    /// next pass does.
    pub(crate) fn adopt(&self, taken: &[TakenIn]) -> Result<Vec<Adopted>, PassError> {
        if self.adoptable(taken)?.is_empty() {
            return Ok(Vec::new());
        }
        let lock = lock::take(self.home)?;
        self.adopt_holding(&lock, taken)
    }

    /// [`Self::adopt`] by a caller that holds the lock.
    pub(crate) fn adopt_holding(
        &self,
        _lock: &File,
        taken: &[TakenIn],
    ) -> Result<Vec<Adopted>, PassError> {
        let mut manifest = Manifest::read(self.home)?.unwrap_or_default();
        let copies = self.copies(&manifest, taken)?;
        for copy in &copies {
            self.keep_originals(copy)?;
            let root = manifest.roots.entry(copy.root.clone()).or_default();
            root.folder = copy.folder.display().to_string();
            root.entries.insert(copy.name.clone(), copy.written.clone());
        }
        manifest.write(self.home, self.steps)?;
        Ok(copies.into_iter().map(|copy| copy.adopted).collect())
    }

    fn copies(&self, manifest: &Manifest, taken: &[TakenIn]) -> Result<Vec<Copy>, PassError> {
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        let plan = self.plan(&machine, manifest)?;
        let taken: HashSet<(ItemId, PathBuf)> = taken
            .iter()
            .map(|taken| (taken.item, roots::resolve(&taken.place)))
            .collect();
        let mut copies = Vec::new();
        for (key, root) in &plan.roots {
            let here = root.entries.iter().filter(|(name, entry)| {
                may_become_ours(entry) && taken.contains(&(entry.item, root.real.join(name)))
            });
            let here: Vec<_> = here.collect();
            if here.is_empty() || root.state != RootState::There {
                continue;
            }
            let ours = manifest.roots.get(key).map(|root| &root.entries);
            let Ok(folder) = Folder::open(&root.real, self.steps) else {
                continue;
            };
            for (name, entry) in here {
                let ours = ours.and_then(|entries| entries.get(name));
                copies.extend(copy(&plan, key, root, name, entry, ours, &folder));
            }
        }
        Ok(copies)
    }

    /// Bytes that no revision holds are kept under their digest, so that a second call repeats
    /// nothing.
    fn keep_originals(&self, copy: &Copy) -> Result<(), PassError> {
        for (path, bytes) in &copy.originals {
            let file = Path::new(path).file_name().unwrap_or_default();
            let stem = copy.name.split('.').next().unwrap_or(&copy.name);
            let folder = self
                .home
                .join(ORIGINALS)
                .join(format!("{stem}-{}", Digest::of(bytes).short()));
            let kept = fs::create_dir_all(&folder)
                .and_then(|()| replace_file(&folder.join(file), bytes, self.steps));
            kept.map_err(|source| PassError::Home {
                path: folder.join(file),
                source,
            })?;
        }
        Ok(())
    }
}

/// Whether what stands there is someone else's work on the item, and neither a link nor a thing
/// that can't be read.
fn may_become_ours(entry: &EntryPlan) -> bool {
    matches!(
        entry.action,
        Action::KeepForeign | Action::Leave(Obstacle::Foreign | Obstacle::Edited(_))
    )
}

/// What stands there, as the manifest would list it; `None` where it is not made of files alone.
fn copy(
    plan: &Plan,
    key: &str,
    root: &RootPlan,
    name: &str,
    entry: &EntryPlan,
    ours: Option<&Written>,
    folder: &Folder<'_>,
) -> Option<Copy> {
    let wanted = entry.wanted.as_ref()?;
    let item = plan.read.items.iter().find(|item| item.id == entry.item)?;
    let stored: HashSet<Digest> = item.files.iter().map(|file| file.digest).collect();
    let mut files: BTreeMap<String, OurFile> =
        ours.map(|ours| ours.files.clone()).unwrap_or_default();
    let mut originals = Vec::new();
    for (path, wants) in &wanted.files {
        let (digest, executable) = match folder.find(path) {
            None => continue,
            Some(FoundFile::Bytes { digest, executable }) => (digest, executable),
            Some(_) => return None,
        };
        let listed = files.entry(path.clone()).or_default();
        let known = listed.digests.contains(&digest) || stored.contains(&digest);
        if !known && digest != wants.digest {
            originals.push((path.clone(), folder.read(path, digest)?));
        }
        listed.digests.extend(BTreeSet::from([digest]));
        listed.executable |= executable.unwrap_or(wants.executable);
    }
    files.contains_key(&wanted.entry_file).then(|| Copy {
        adopted: Adopted {
            item: entry.item,
            kind: entry.kind,
            path: root.folder.join(name).display().to_string(),
        },
        root: key.to_owned(),
        name: name.to_owned(),
        folder: root.folder.clone(),
        written: Written {
            item: entry.item,
            kind: entry.kind,
            files,
        },
        originals,
    })
}

#[cfg(test)]
#[path = "taken_in_tests.rs"]
mod tests;
