//! Taking back everything that the journal says, the newest step first, under the lock of the
//! folders. Every part of it can be done again, so an undo that was stopped goes on where it was.
//!
//! First the places, while their items still are in the registry: a pass that comes in between
//! then writes our copies again and never removes what is to be given back. The registry after
//! that, and a pass at last, which takes away what is left of items that setup had created.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{
    KeptByUndo, SetupError, SetupFailure, UndoPlan, UndoReport,
    connections::TakenBack,
    engine::Engine,
    journal::{Journal, JournalStep},
    relocate::{forget_leftovers, put_copy, relocate, remove_all},
    snapshot::{Restored, is_same, restore},
};
use crate::{
    connect::{ConnectError, Removed},
    lock,
    source::ItemSource as _,
    steps::Step,
    write::{Manifest, Withdrawn, Written, tidy},
};
use imprint_core::{
    Author, ItemId, ItemRef, ItemState, ItemSummary, RevisionId, registry::RevisionRef,
};
use imprint_format::Digest;

/// What setup did with one item.
#[derive(Clone, Debug, Default)]
struct OfItem {
    name: String,
    was_created: bool,
    /// The revision before the first setup that changed it.
    before: Option<RevisionId>,
    /// What setups put into it.
    trees: BTreeSet<Digest>,
}

struct Undoing<'u> {
    engine: &'u Engine<'u>,
    manifest: Manifest,
    items: BTreeMap<ItemId, OfItem>,
    /// Items that someone edited in the registry since.
    edited: BTreeSet<ItemId>,
    report: UndoReport,
}

impl Engine<'_> {
    /// What an undo would take back, as the journal has it. Creates nothing.
    pub(crate) fn undo_plan(&self) -> Result<UndoPlan, SetupError> {
        let journal = Journal::read(self.home)?;
        if journal.is_empty() {
            return Err(SetupError::NothingToUndo);
        }
        let items = items_of(&journal);
        let mut plan = UndoPlan {
            remove: items.values().filter(|of| of.was_created).count(),
            restore: items.values().filter(|of| !of.was_created).count(),
            ..UndoPlan::default()
        };
        for step in &journal.steps {
            match step {
                JournalStep::Move { from, to, .. } if fs::symlink_metadata(to).is_ok() => {
                    plan.move_back.push(from.display().to_string());
                }
                JournalStep::Connect { client } if !plan.disconnect.contains(client) => {
                    plan.disconnect.push(client.clone());
                }
                JournalStep::Adopt { .. } => plan.release += 1,
                _ => {}
            }
        }
        Ok(plan)
    }

    /// Takes all setups back. Where there was none, nothing is created.
    pub(crate) fn undo(&self) -> Result<UndoReport, SetupError> {
        if Journal::read(self.home)?.is_empty() {
            return Err(SetupError::NothingToUndo);
        }
        let lock = lock::take(self.home)?;
        self.connecting().clear_up(&lock).map_err(Box::new)?;
        let journal = Journal::read(self.home)?;
        if journal.is_empty() {
            return Err(SetupError::NothingToUndo);
        }
        let mut undoing = Undoing {
            engine: self,
            manifest: Manifest::read(self.home)?.unwrap_or_default(),
            items: items_of(&journal),
            edited: BTreeSet::new(),
            report: UndoReport::default(),
        };
        undoing.disconnect(&lock, &journal)?;
        undoing.find_edited()?;
        undoing.release(&journal)?;
        undoing.withdraw(&journal)?;
        undoing.move_back(&journal)?;
        undoing.put_back(&journal)?;
        undoing.tell_missing(&journal);
        undoing.restore_items()?;
        let report = undoing.report;
        self.with_pass(|pass| pass.run_holding(&lock))?;
        if report.failures.is_empty() {
            Journal::set_aside(self.home, self.source().now(), self.steps)?;
        }
        Ok(report)
    }
}

fn items_of(journal: &Journal) -> BTreeMap<ItemId, OfItem> {
    let mut items: BTreeMap<ItemId, OfItem> = BTreeMap::new();
    for step in &journal.steps {
        match step {
            JournalStep::Create {
                item,
                kind,
                name,
                trees,
            } => {
                let of = items.entry(*item).or_default();
                of.name = format!("{kind} {name}");
                of.was_created = true;
                of.trees.extend(trees);
            }
            JournalStep::Revise {
                item,
                kind,
                name,
                before,
                trees,
            } => {
                let of = items.entry(*item).or_default();
                of.name = format!("{kind} {name}");
                of.before.get_or_insert(*before);
                of.trees.extend(trees);
            }
            JournalStep::Adopt { .. } | JournalStep::Move { .. } | JournalStep::Connect { .. } => {}
        }
    }
    items
}

impl Undoing<'_> {
    /// Takes our entries out. A file that can't be read as what it is stays, and is told.
    fn disconnect(&mut self, lock: &File, journal: &Journal) -> Result<(), SetupError> {
        for TakenBack { file, removal } in self.engine.disconnect(lock, &journal.steps)? {
            let why = match removal {
                Ok(removal) => match removal.removed {
                    Removed::Foreign(_) => "the entry there is not Imprint's any more".to_owned(),
                    Removed::Gone => continue,
                    Removed::FirstBytes | Removed::File | Removed::Entry => {
                        self.report.disconnected.push(file);
                        continue;
                    }
                },
                Err(error @ (ConnectError::File { .. } | ConnectError::Config { .. })) => {
                    error.to_string()
                }
                Err(error) => return Err(Box::new(error).into()),
            };
            self.report.kept.push(KeptByUndo {
                what: file,
                why,
                original: None,
            });
        }
        Ok(())
    }

    /// Items whose current content is neither from before nor from a setup are the user's work:
    /// they and what stands of them stay.
    fn find_edited(&mut self) -> Result<(), SetupError> {
        for (item, of) in &self.items {
            let Some(stored) = self.stored(*item)? else {
                continue;
            };
            let is_before = of.before == Some(stored.head);
            let is_restored = match of.before {
                Some(before) => self.tree_of(before)? == Some(stored.tree),
                None => false,
            };
            if !is_before && !is_restored && !of.trees.contains(&stored.tree) {
                self.edited.insert(*item);
                self.report.kept.push(KeptByUndo {
                    what: of.name.clone(),
                    why: "it was edited since, so it stays as it is now".to_owned(),
                    original: None,
                });
            }
        }
        Ok(())
    }

    /// Copies that became ours are as they were, and no more ours.
    fn release(&mut self, journal: &Journal) -> Result<(), SetupError> {
        for step in journal.steps.iter().rev() {
            let JournalStep::Adopt {
                item,
                folder,
                name,
                snapshot,
            } = step
            else {
                continue;
            };
            let key = folder.to_str().unwrap_or_default();
            let root = self.manifest.roots.get(key);
            let Some(listed) = root.and_then(|root| root.entries.get(name)).cloned() else {
                continue;
            };
            let place = folder.join(name);
            if self.edited.contains(item) {
                self.keep(
                    &place,
                    "its item was edited since",
                    Some(snapshot.as_path()),
                );
                continue;
            }
            let restored = match self.restore_from(snapshot, &place, &listed) {
                Ok(restored) => restored,
                Err(error) => {
                    self.failed(&place, &error)?;
                    continue;
                }
            };
            match restored {
                Restored::AsItWas => self.report.released.push(place.display().to_string()),
                Restored::NoSnapshot => {
                    self.keep(&place, "its copy in the backup is gone", None);
                }
                Restored::Edited(file) => {
                    let why = format!("`{file}` was edited since");
                    self.keep(&place, &why, Some(snapshot.as_path()));
                }
            }
            if let Some(root) = self.manifest.roots.get_mut(key) {
                root.entries.remove(name);
            }
            self.write_manifest()?;
        }
        Ok(())
    }

    /// Without the snapshot, what was there before can't be told from what came later: nothing of
    /// it goes.
    fn restore_from(
        &self,
        snapshot: &Path,
        place: &Path,
        listed: &Written,
    ) -> io::Result<Restored> {
        if fs::symlink_metadata(snapshot).is_err() {
            return Ok(Restored::NoSnapshot);
        }
        restore(snapshot, place, listed, self.engine.steps)
    }

    /// Takes our copies away from where something else was, and those of items that setup created.
    fn withdraw(&mut self, journal: &Journal) -> Result<(), SetupError> {
        let mut places: BTreeSet<(PathBuf, String)> = BTreeSet::new();
        for step in &journal.steps {
            if let JournalStep::Move { from, to, .. } = step
                && let (Some(folder), Some(name)) = (from.parent(), from.file_name())
                && fs::symlink_metadata(to).is_ok()
            {
                places.insert((folder.to_owned(), name.to_string_lossy().into_owned()));
            }
        }
        let mut ours = Vec::new();
        for (real, root) in &self.manifest.roots {
            for (name, written) in &root.entries {
                let place = (PathBuf::from(real), name.clone());
                let of = self.items.get(&written.item);
                let is_of_setup = of.is_some_and(|of| of.was_created) || places.contains(&place);
                if is_of_setup && !self.edited.contains(&written.item) {
                    ours.push(place);
                }
            }
        }
        for (real, name) in ours {
            let withdrawn = self
                .engine
                .with_pass(|pass| pass.withdraw(&mut self.manifest, &real, &name));
            let withdrawn = match withdrawn {
                Ok(withdrawn) => withdrawn,
                Err(error) => {
                    self.failed(&real.join(&name), &error)?;
                    continue;
                }
            };
            if let Withdrawn::Stays(why) = withdrawn
                && !places.contains(&(real.clone(), name.clone()))
            {
                self.keep(&real.join(&name), &why, None);
            }
            self.write_manifest()?;
        }
        Ok(())
    }

    fn move_back(&mut self, journal: &Journal) -> Result<(), SetupError> {
        for step in journal.steps.iter().rev() {
            let JournalStep::Move { item, from, to } = step else {
                continue;
            };
            let moved = self.move_one_back(*item, from, to);
            if let Err(error) = moved {
                self.failed(from, &error)?;
            }
        }
        Ok(())
    }

    fn move_one_back(&mut self, item: Option<ItemId>, from: &Path, to: &Path) -> io::Result<()> {
        let steps = self.engine.steps;
        forget_leftovers(from, to, steps)?;
        if fs::symlink_metadata(to).is_err() {
            return Ok(());
        }
        if fs::symlink_metadata(from).is_err() {
            if let Some(folder) = from.parent().filter(|folder| !folder.is_dir()) {
                steps.take(Step::MakeFolder)?;
                fs::create_dir_all(folder)?;
            }
            relocate(to, from, steps)?;
            self.report.moved_back.push(from.display().to_string());
        } else if is_same(from, to)? {
            // Stopped between two disks, once both were whole.
            remove_all(to, steps)?;
        } else {
            let is_of_edited = item.is_some_and(|item| self.edited.contains(&item));
            let why = if is_of_edited {
                "its item was edited since"
            } else {
                "something else stands there now, or was edited since"
            };
            self.keep(from, why, Some(to));
        }
        Ok(())
    }

    /// A copy that became ours and that a pass took away since, because its item was removed, comes
    /// back from its snapshot.
    fn put_back(&mut self, journal: &Journal) -> Result<(), SetupError> {
        for step in journal.steps.iter().rev() {
            let JournalStep::Adopt {
                item,
                folder,
                name,
                snapshot,
            } = step
            else {
                continue;
            };
            let place = folder.join(name);
            if stands(&place) || !stands(snapshot) {
                continue;
            }
            if self.edited.contains(item) {
                let why = "it was taken away since, and its item was edited";
                self.keep(&place, why, Some(snapshot.as_path()));
                continue;
            }
            match put_copy(snapshot, &place, self.engine.steps) {
                Ok(()) => self.report.released.push(place.display().to_string()),
                Err(error) => self.failed(&place, &error)?,
            }
        }
        Ok(())
    }

    /// Names what is gone from its place and from the backup, which someone deleted.
    fn tell_missing(&mut self, journal: &Journal) {
        let missing: BTreeSet<_> = journal
            .steps
            .iter()
            .filter_map(|step| match step {
                JournalStep::Move { from, to, .. } if !stands(from) && !stands(to) => Some(from),
                _ => None,
            })
            .collect();
        for place in missing {
            self.keep(place, "it is no more in the backup", None);
        }
    }

    /// What the system refuses is told, and the rest goes on; a stop is a stop.
    fn failed(&mut self, place: &Path, error: &io::Error) -> Result<(), SetupError> {
        self.engine.step(Step::Home)?;
        self.report.failures.push(SetupFailure {
            what: place.display().to_string(),
            why: error.to_string(),
        });
        Ok(())
    }

    /// Items that setup created go, those that it revised get their revision back.
    fn restore_items(&mut self) -> Result<(), SetupError> {
        let items = std::mem::take(&mut self.items);
        for (item, of) in &items {
            if self.edited.contains(item) {
                continue;
            }
            let Some(stored) = self.stored(*item)? else {
                continue;
            };
            if stored.state == ItemState::Removed {
                continue;
            }
            let registry = self.engine.registry;
            let reference = ItemRef {
                kind: Some(stored.kind),
                name: item.to_string(),
            };
            if of.was_created {
                self.engine.step(Step::Registry)?;
                let removed = registry.set_state(&reference, ItemState::Removed);
                self.engine.runtime.block_on(removed)?;
                self.report.removed += 1;
            } else if let Some(before) = of.before
                && self.tree_of(before)? != Some(stored.tree)
            {
                self.engine.step(Step::Registry)?;
                let revision = RevisionRef::Prefix(before.to_string());
                let restored = registry.restore(&Author::User, &reference, &revision);
                self.engine.runtime.block_on(restored)?;
                self.report.restored += 1;
            }
        }
        tidy(&mut self.manifest, self.engine.steps);
        self.write_manifest()
    }

    fn stored(&self, item: ItemId) -> Result<Option<ItemSummary>, SetupError> {
        let registry = self.engine.registry;
        let stored = registry.store().item(registry.owner(), item);
        Ok(self.engine.runtime.block_on(stored)?)
    }

    fn tree_of(&self, revision: RevisionId) -> Result<Option<Digest>, SetupError> {
        let registry = self.engine.registry;
        let revision = registry.store().revision(registry.owner(), revision);
        let revision = self.engine.runtime.block_on(revision)?;
        Ok(revision.map(|revision| revision.tree))
    }

    fn write_manifest(&self) -> Result<(), SetupError> {
        self.manifest.write(self.engine.home, self.engine.steps)?;
        Ok(())
    }

    fn keep(&mut self, what: &Path, why: &str, original: Option<&Path>) {
        self.report.kept.push(KeptByUndo {
            what: what.display().to_string(),
            why: why.to_owned(),
            original: original.map(|original| original.display().to_string()),
        });
    }
}

fn stands(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
