//! Doing what a plan says: the journal first, then the registry, the copies that become ours, the
//! moves into the backup, and a writing pass; all under the lock of the folders.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    path::{Path, PathBuf},
};

use imprint_core::{
    Author, FolderReport, ItemId, ItemRef,
    registry::{ItemEdit, NewItem},
};
use serde::Serialize;

use super::{
    SetupChoices, SetupError,
    backup::Backup,
    connections::ConnectAs,
    engine::Engine,
    journal::{Journal, JournalStep},
    links,
    plan::{Decision, PlannedItem, PlannedPlace, SetupPlan},
    relocate::{copy, relocate},
    view::ClientView,
};
use crate::{
    import::{ApplyError, replacing},
    lock,
    source::ItemSource as _,
    steps::Step,
    write::{Adopted, TakenIn},
};

/// What setup did.
#[derive(Debug, Default, Serialize)]
pub struct SetupOutcome {
    /// The plan that was carried out, made anew under the lock.
    pub plan: SetupPlan,
    /// The items that are new or got new revisions.
    pub taken_in: Vec<ItemId>,
    /// Copies that are looked after from now on.
    pub adopted: Vec<Adopted>,
    /// What was moved, and where it is now.
    pub moved: Vec<Moved>,
    /// The clients, by id, that were connected, or whose entry was brought up to date.
    pub connected: Vec<String>,
    /// What each client lists now.
    pub after: Vec<ClientView>,
    /// The folder of the backup, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// What could not be done; the rest was.
    pub failures: Vec<SetupFailure>,
    /// What the writing pass came to.
    pub report: FolderReport,
}

/// Something that was moved into the backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

/// Something that could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetupFailure {
    /// The item or the place.
    pub what: String,
    /// Why.
    pub why: String,
}

/// What is being done, for a person who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupProgress {
    /// Items are taken in: so many are done, of so many.
    TakingIn(usize, usize),
    /// Places are moved or looked after.
    Moving(usize, usize),
    /// The folders are written.
    Writing,
}

/// Where doing it stands.
struct Doing<'d> {
    engine: &'d Engine<'d>,
    lock: File,
    journal: Journal,
    backup: Backup,
    outcome: SetupOutcome,
    /// Items that could not be kept: what stands of them stays.
    failed: BTreeSet<ItemId>,
    tell: &'d mut dyn FnMut(SetupProgress),
}

impl Engine<'_> {
    /// Plans once more under the lock and does it, unless that is more than was agreed to.
    pub(crate) fn carry_out(
        &self,
        choices: &SetupChoices,
        agreed: Option<&SetupPlan>,
        tell: &mut dyn FnMut(SetupProgress),
    ) -> Result<SetupOutcome, SetupError> {
        let lock = lock::take(self.home)?;
        self.connecting().clear_up(&lock).map_err(Box::new)?;
        let plan = self.plan(choices)?;
        if agreed.is_some_and(|agreed| !plan.is_within(agreed)) {
            return Err(SetupError::Changed);
        }
        let user = self.machine.home(&[]);
        let mut doing = Doing {
            engine: self,
            lock,
            journal: Journal::read(self.home)?,
            backup: Backup::new(self.home, &user, self.source().now()),
            outcome: SetupOutcome::default(),
            failed: BTreeSet::new(),
            tell,
        };
        doing.take_in(&plan)?;
        doing.settle_places(&plan)?;
        if let Some(connect) = &choices.connect {
            doing.connect(&plan, connect)?;
        }
        (doing.tell)(SetupProgress::Writing);
        doing.outcome.report = self.with_pass(|pass| pass.run_holding(&doing.lock))?;
        doing.outcome.after = self.view(&plan.clients)?;
        doing.outcome.plan = plan;
        Ok(doing.outcome)
    }

    pub(crate) fn step(&self, step: Step) -> Result<(), SetupError> {
        self.steps.take(step).map_err(|error| SetupError::Stopped {
            message: error.to_string(),
        })
    }
}

impl Doing<'_> {
    fn take_in(&mut self, plan: &SetupPlan) -> Result<(), SetupError> {
        let steps: Vec<_> = plan.taken_in().map(intent).collect();
        self.note(steps)?;
        let all = plan.taken_in().count();
        for (done, item) in plan.taken_in().enumerate() {
            (self.tell)(SetupProgress::TakingIn(done, all));
            match self.keep(item)? {
                Ok(()) => self.outcome.taken_in.push(item.item),
                Err(error) => {
                    self.failed.insert(item.item);
                    self.fail(&format!("{} {}", item.kind, item.name), &error);
                }
            }
        }
        Ok(())
    }

    /// Puts an item's contents into the registry, one after the other.
    fn keep(&self, item: &PlannedItem) -> Result<Result<(), ApplyError>, SetupError> {
        let mut current = item.before;
        for bundle in &item.revisions {
            self.engine.step(Step::Registry)?;
            let kept = self.engine.runtime.block_on(async {
                let registry = self.engine.registry;
                let Some(head) = current else {
                    let new = NewItem::Files {
                        bundle: bundle.clone(),
                        name: Some(item.name.clone()),
                    };
                    let created = registry.create_as(item.item, &Author::Import, new).await?;
                    return Ok::<_, ApplyError>(created.head);
                };
                let reference = ItemRef {
                    kind: Some(item.kind),
                    name: item.item.to_string(),
                };
                let stored = registry.resolve(&reference, &[]).await;
                let stored = stored.map_err(imprint_core::registry::EditError::from)?;
                let files = registry.files_of(&stored).await;
                let files = files.map_err(imprint_core::registry::EditError::from)?;
                let edit = ItemEdit {
                    files: replacing(&files, bundle),
                    expected: Some(head),
                    ..ItemEdit::default()
                };
                let edited = registry.edit(&Author::Import, &reference, edit).await?;
                Ok(edited.item.head)
            });
            match kept {
                Ok(head) => current = Some(head),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }

    /// Makes copies ours, then moves what has to go. All of it is in the journal before.
    fn settle_places(&mut self, plan: &SetupPlan) -> Result<(), SetupError> {
        let is_kept =
            |place: &&PlannedPlace| place.item.is_none_or(|item| !self.failed.contains(&item));
        let adopted: Vec<_> = plan
            .places_that(|decision| *decision == Decision::Adopt)
            .filter(is_kept)
            .collect();
        let mut going: BTreeMap<&Path, Vec<&PlannedPlace>> = BTreeMap::new();
        for place in plan.places_that(Decision::is_move) {
            going.entry(&place.top).or_default().push(place);
        }
        going.retain(|_, places| places.iter().all(is_kept));
        let adoptions: Vec<_> = adopted
            .iter()
            .filter_map(|place| adoption(place, &mut self.backup))
            .collect();
        // A link before what it leads to, and in undo after that: one that is stopped in between
        // leaves no link that leads nowhere, which the next survey would pass by.
        let mut going: Vec<_> = going.into_iter().collect();
        going.sort_by_key(|(from, _)| std::cmp::Reverse(links::chain(from).len()));
        let moves: Vec<_> = going
            .iter()
            .map(|(from, places)| JournalStep::Move {
                item: places.first().and_then(|place| place.item),
                from: (*from).to_owned(),
                to: self.backup.place_for(from),
            })
            .collect();
        if adoptions.is_empty() && moves.is_empty() {
            return Ok(());
        }
        self.note(adoptions.iter().chain(&moves).cloned().collect())?;
        self.outcome.backup = Some(self.backup.root().display().to_string());
        self.adopt(&adoptions)?;
        let all = moves.len();
        for (done, step) in moves.iter().enumerate() {
            (self.tell)(SetupProgress::Moving(done, all));
            if let JournalStep::Move { from, to, .. } = step {
                self.move_away(from, to)?;
            }
        }
        Ok(())
    }

    /// Copies what is to become ours into the backup, then lists it as ours.
    fn adopt(&mut self, adoptions: &[JournalStep]) -> Result<(), SetupError> {
        let mut taken = Vec::new();
        for step in adoptions {
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
            match copy(&place, snapshot, self.engine.steps) {
                Ok(()) => taken.push(TakenIn { item: *item, place }),
                Err(error) => self.stopped_or_failed(&place, &error)?,
            }
        }
        if taken.is_empty() {
            return Ok(());
        }
        let adopted = self
            .engine
            .with_pass(|pass| pass.adopt_holding(&self.lock, &taken))?;
        self.outcome.adopted = adopted;
        Ok(())
    }

    fn move_away(&mut self, from: &Path, to: &Path) -> Result<(), SetupError> {
        match relocate(from, to, self.engine.steps) {
            Ok(()) => self.outcome.moved.push(Moved {
                from: from.display().to_string(),
                to: to.display().to_string(),
            }),
            Err(error) => self.stopped_or_failed(from, &error)?,
        }
        Ok(())
    }

    /// Connects every client whose file takes the entry.
    fn connect(&mut self, plan: &SetupPlan, connect: &ConnectAs) -> Result<(), SetupError> {
        let writing = plan.connections.iter().filter(|one| one.change.writes());
        let writing: Vec<_> = writing.collect();
        let mut steps = Vec::new();
        for one in &writing {
            steps.extend(self.engine.connection_step(one)?);
        }
        self.note(steps)?;
        let machine = self.engine.remembering_machine()?;
        for one in writing {
            match self.engine.connect(&self.lock, one, &machine, connect) {
                Ok(()) => self.outcome.connected.push(one.client.clone()),
                Err(error) => {
                    self.engine.step(Step::Home)?;
                    self.fail(&one.client, &error);
                }
            }
        }
        Ok(())
    }

    /// A place that can't be moved or copied stays as it is, and is told; the rest goes on.
    fn stopped_or_failed(
        &mut self,
        place: &Path,
        error: &std::io::Error,
    ) -> Result<(), SetupError> {
        self.engine.step(Step::Home)?;
        self.fail(&place.display().to_string(), error);
        Ok(())
    }

    fn fail(&mut self, what: &str, why: &dyn std::fmt::Display) {
        self.outcome.failures.push(SetupFailure {
            what: what.to_owned(),
            why: why.to_string(),
        });
    }

    fn note(&mut self, steps: Vec<JournalStep>) -> Result<(), SetupError> {
        self.journal
            .add(steps, self.engine.home, self.engine.steps)?;
        Ok(())
    }
}

fn intent(item: &PlannedItem) -> JournalStep {
    let trees = item
        .revisions
        .iter()
        .map(imprint_format::Bundle::tree_digest);
    let trees = trees.collect();
    match item.before {
        None => JournalStep::Create {
            item: item.item,
            kind: item.kind,
            name: item.name.clone(),
            trees,
        },
        Some(before) => JournalStep::Revise {
            item: item.item,
            kind: item.kind,
            name: item.name.clone(),
            before,
            trees,
        },
    }
}

fn adoption(place: &PlannedPlace, backup: &mut Backup) -> Option<JournalStep> {
    let folder: PathBuf = place.top.parent()?.to_owned();
    Some(JournalStep::Adopt {
        item: place.item?,
        name: place.top.file_name()?.to_str()?.to_owned(),
        folder,
        snapshot: backup.place_for(&place.top),
    })
}
