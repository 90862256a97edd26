//! Carries a plan out: the intent into the manifest first, then the files.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use imprint_core::{FolderNote, FolderNoteKind, ItemId, PassCounts};
use imprint_format::Digest;

use super::{
    disk::{DiskError, Folder, Kind, NewFile, Replaced},
    entry::{Action, Obstacle, Wanted, WantedFile},
    manifest::{Manifest, OurFile, Root, Written},
    plan::{EntryPlan, Plan, RootPlan},
    report::note_of,
    roots::{self, RootState},
};
use crate::{source::ItemSource, steps::Steps};

/// Lists in the manifest everything that carrying the plan out will touch, so that a kill at any
/// instant leaves no file of ours unlisted.
pub(crate) fn intend(plan: &Plan, manifest: &mut Manifest) {
    for (real, planned) in &plan.roots {
        let writes =
            |entry: &&EntryPlan| matches!(entry.action, Action::Write | Action::Replace { .. });
        let writing: Vec<_> = planned.entries.iter().filter(|(_, e)| writes(e)).collect();
        if writing.is_empty() {
            continue;
        }
        let root = manifest.roots.entry(real.clone()).or_default();
        root.folder = planned.folder.display().to_string();
        if let RootState::Missing(missing) = &planned.state {
            let new = missing
                .iter()
                .filter(|folder| !root.created.contains(folder));
            let new: Vec<_> = new.cloned().collect();
            root.created.extend(new);
        }
        for (name, entry) in writing {
            if let Some(wanted) = &entry.wanted {
                intend_entry(root, name, wanted);
            }
        }
    }
}

fn intend_entry(root: &mut Root, name: &str, wanted: &Wanted) {
    let new = wanted.written();
    let Some(ours) = root.entries.get_mut(name) else {
        root.entries.insert(name.to_owned(), new);
        return;
    };
    ours.item = new.item;
    for (path, file) in new.files {
        let listed = ours.files.entry(path).or_insert_with(OurFile::default);
        listed.digests.extend(file.digests);
        listed.executable |= file.executable;
    }
}

/// Does what the plan says, and notes what came of it in the plan and in the manifest.
pub(crate) fn carry_out(
    plan: &mut Plan,
    manifest: &mut Manifest,
    source: &dyn ItemSource,
    steps: &Steps,
) -> PassCounts {
    let mut came = Came::default();
    for (real, planned) in &plan.roots {
        let root = manifest.roots.entry(real.clone()).or_insert_with(|| Root {
            folder: planned.folder.display().to_string(),
            ..Root::default()
        });
        let worker = Worker {
            folder: prepare(planned, steps),
            planned,
            source,
        };
        worker.root(root, &mut came);
    }
    plan.notes.extend(came.notes);
    plan.outcomes.extend(came.outcomes);
    came.counts
}

/// What came of carrying a plan out.
#[derive(Default)]
struct Came {
    counts: PassCounts,
    notes: Vec<FolderNote>,
    /// Why an item is not there as a target wants it, if it isn't.
    outcomes: Vec<((usize, ItemId), Option<String>)>,
}

/// A folder that can't be written says so once, not for each item.
fn once_for_all(mut notes: Vec<FolderNote>, folder: &Path) -> Vec<FolderNote> {
    let mut seen = BTreeSet::new();
    notes.retain_mut(|note| {
        if note.what != FolderNoteKind::Unwritable {
            return true;
        }
        note.path = folder.display().to_string();
        seen.insert(note.message.clone())
    });
    notes
}

/// Opens a client's folder, made where something is to be written and it is missing.
fn prepare<'s>(planned: &RootPlan, steps: &'s Steps) -> Result<Folder<'s>, String> {
    let told = |error: std::io::Error| error.to_string();
    if let RootState::Missing(missing) = &planned.state
        && !planned.entries.is_empty()
    {
        roots::make(missing, steps).map_err(told)?;
    }
    Folder::open(&planned.real, steps).map_err(told)
}

struct Worker<'p> {
    folder: Result<Folder<'p>, String>,
    planned: &'p RootPlan,
    source: &'p dyn ItemSource,
}

impl Worker<'_> {
    fn root(&self, root: &mut Root, came: &mut Came) {
        if let Ok(folder) = &self.folder {
            for leftover in &self.planned.leftovers {
                // Tried again at the next pass when it fails.
                let _ = folder.sweep(leftover);
            }
        }
        let mut notes = Vec::new();
        // What goes first makes room for what comes.
        let is_removal = |(_, entry): &(&String, &EntryPlan)| entry.wanted.is_none();
        let entries = self.planned.entries.iter();
        let (removals, rest): (Vec<_>, Vec<_>) = entries.partition(is_removal);
        for (name, entry) in removals.into_iter().chain(rest) {
            let path = self.planned.folder.join(name);
            notes.extend(extra_note(&path, entry));
            let obstacle = self.entry(name, entry, root).err();
            count(&mut came.counts, entry, obstacle.is_none());
            let note = obstacle.map(|obstacle| note_of(&path, &obstacle, entry.kind));
            let why = note.as_ref().map(|note| note.message.clone());
            notes.extend(note);
            if let Some(at) = entry.target {
                came.outcomes.push(((at, entry.item), why));
            }
        }
        came.notes.extend(once_for_all(notes, &self.planned.folder));
    }

    /// Carries one entry out, and lists what is ours of it from now on.
    fn entry(&self, name: &str, entry: &EntryPlan, root: &mut Root) -> Result<(), Obstacle> {
        let ours = root.entries.get(name).cloned();
        let (left, result) = match (&entry.action, &entry.wanted) {
            (Action::Keep, Some(wanted)) => (Some(wanted.written()), Ok(())),
            (Action::Write | Action::Replace { .. }, Some(wanted)) => {
                match self.write(&entry.action, wanted, ours.as_ref()) {
                    Ok(()) => (Some(wanted.written()), Ok(())),
                    Err(failure) => (ours, Err(failure)),
                }
            }
            (Action::Remove { remove, edited }, _) => self.take_away(name, remove, edited, ours),
            (Action::Leave(obstacle), _) => {
                let still_ours = !matches!(obstacle, Obstacle::Foreign | Obstacle::Link);
                (ours.filter(|_| still_ours), Err(obstacle.clone()))
            }
            // Someone else's, or nothing at all: not ours to list.
            _ => (None, Ok(())),
        };
        match left {
            Some(left) => root.entries.insert(name.to_owned(), left),
            None => root.entries.remove(name),
        };
        result
    }

    /// Other files first, the entry file last, and only then those that are not wanted any more.
    fn write(
        &self,
        action: &Action,
        wanted: &Wanted,
        ours: Option<&Written>,
    ) -> Result<(), Obstacle> {
        let folder = self.folder()?;
        let (write, remove): (Vec<&String>, &[String]) = match action {
            Action::Replace { write, remove } => (write.iter().collect(), remove),
            _ => (wanted.files.keys().collect(), &[]),
        };
        let is_entry = |path: &&&String| **path == &wanted.entry_file;
        let others = write.iter().filter(|path| !is_entry(path));
        for path in others.chain(write.iter().filter(is_entry)) {
            let Some(file) = wanted.files.get(*path) else {
                continue;
            };
            let bytes = self.content(path, file)?;
            let listed = ours.and_then(|ours| ours.files.get(*path));
            let new = NewFile {
                bytes: &bytes,
                executable: file.executable,
                replaces: listed.map(|listed| Replaced {
                    digests: &listed.digests,
                    executable: listed.executable,
                }),
            };
            folder
                .put(path, &new)
                .map_err(|error| obstacle(error, path, listed))?;
        }
        remove_files(folder, remove, ours)
    }

    fn take_away(
        &self,
        name: &str,
        remove: &[String],
        edited: &[String],
        ours: Option<Written>,
    ) -> (Option<Written>, Result<(), Obstacle>) {
        match self.folder() {
            Ok(folder) => take_away(folder, name, remove, edited, ours),
            Err(failure) => (ours, Err(failure)),
        }
    }

    fn folder(&self) -> Result<&Folder<'_>, Obstacle> {
        self.folder
            .as_ref()
            .map_err(|why| Obstacle::Unreadable(why.clone()))
    }

    fn content(&self, path: &str, file: &WantedFile) -> Result<Arc<[u8]>, Obstacle> {
        if let Some(rendered) = &file.rendered {
            return Ok(rendered.clone());
        }
        match self.source.content(file.digest) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(Obstacle::Unreadable(format!(
                "the content of `{path}` is missing"
            ))),
            Err(error) => Err(Obstacle::Unreadable(error.to_string())),
        }
    }
}

/// Removes what is ours of an entry, and says what of it is still listed. The entry file first, so
/// that the client sees the whole item go at once. A folder of ours in which something else is left
/// stays listed: the item may come back into it.
pub(super) fn take_away(
    folder: &Folder<'_>,
    name: &str,
    remove: &[String],
    edited: &[String],
    ours: Option<Written>,
) -> (Option<Written>, Result<(), Obstacle>) {
    let mut ordered = remove.to_vec();
    ordered.sort_by_key(|path| !super::entry::is_entry_file(path));
    let told = |error: std::io::Error| Obstacle::Unreadable(error.to_string());
    let removed = remove_files(folder, &ordered, ours.as_ref()).and_then(|()| {
        folder
            .remove_empty_above(&format!("{name}/."))
            .map_err(told)?;
        folder.kind(name).map_err(told)
    });
    let left = match removed {
        Err(failure) => return (ours, Err(failure)),
        Ok(left) => left,
    };
    let result = match edited {
        [] => Ok(()),
        edited => Err(Obstacle::Edited(edited.to_vec())),
    };
    let still_ours = ours.filter(|_| left == Kind::Folder || !edited.is_empty());
    let still_ours = still_ours.map(|mut ours| {
        ours.files.retain(|path, _| edited.contains(path));
        ours
    });
    (still_ours, result)
}

fn remove_files(
    folder: &Folder<'_>,
    paths: &[String],
    ours: Option<&Written>,
) -> Result<(), Obstacle> {
    let nothing = BTreeSet::<Digest>::new();
    for path in paths {
        let listed = ours.and_then(|ours| ours.files.get(path));
        let digests = listed.map_or(&nothing, |listed| &listed.digests);
        folder
            .remove(path, digests)
            .map_err(|error| obstacle(error, path, listed))?;
    }
    for path in paths {
        folder
            .remove_empty_above(path)
            .map_err(|error| Obstacle::Unreadable(error.to_string()))?;
    }
    Ok(())
}

fn obstacle(error: DiskError, path: &str, listed: Option<&OurFile>) -> Obstacle {
    match error {
        DiskError::Io(error) => Obstacle::Unreadable(error.to_string()),
        DiskError::Changed if listed.is_some() => Obstacle::Edited(vec![path.to_owned()]),
        DiskError::Changed => Obstacle::ForeignFile(path.to_owned()),
    }
}

fn extra_note(path: &Path, entry: &EntryPlan) -> Option<FolderNote> {
    let first = entry.extra.first()?;
    let name = first
        .split_once('/')
        .map_or(first.as_str(), |(_, below)| below);
    let more = match entry.extra.len() {
        1 => format!("`{name}` in it is not Imprint's and was"),
        n => format!(
            "`{name}` and {} more files in it are not Imprint's and were",
            n - 1
        ),
    };
    Some(FolderNote {
        path: path.display().to_string(),
        what: FolderNoteKind::Foreign,
        message: format!(
            "{more} left alone; `imprint adopt {}` takes what is new there",
            path.display()
        ),
    })
}

fn count(counts: &mut PassCounts, entry: &EntryPlan, done: bool) {
    let counter = match &entry.action {
        _ if !done => return,
        Action::Keep | Action::KeepForeign => &mut counts.kept,
        Action::Write => &mut counts.written,
        Action::Replace { .. } => &mut counts.replaced,
        Action::Remove { remove, .. } if !remove.is_empty() => &mut counts.removed,
        Action::Remove { .. } | Action::Forget | Action::Leave(_) => return,
    };
    *counter += 1;
}
