//! The writing pass: active items into the folders that clients read.
//!
//! One pass at a time holds the lock in the home. It reads the registry after taking it, decides
//! every entry of every folder purely (`plan`, `entry`), lists what it will touch in the manifest,
//! carries it out, and ends with a report. Only what the manifest lists, unchanged, is ever
//! replaced or removed.

mod apply;
mod by_hand;
mod disk;
mod entry;
mod manifest;
mod plan;
mod preview;
mod report;
mod roots;
mod survey;
mod taken_in;
mod wanted;
mod withdraw;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use imprint_core::{FolderReport, ItemId, StoreError};

use self::plan::Plan;
use crate::{
    client::Client,
    lock::{self, LockError},
    machine::Machine,
    source::ItemSource,
    steps::Steps,
};

pub(crate) use by_hand::ChangedCopy;
pub(crate) use entry::Wanted;
pub(crate) use manifest::{Manifest, ManifestError, Written};
pub(crate) use roots::{is_only_ours, resolve, tidy};
pub(crate) use wanted::{persona as wanted_persona, skill as wanted_skill};
pub(crate) use withdraw::Withdrawn;

pub use preview::{Planned, PlannedEntry, PlannedFolder};
pub use taken_in::{Adopted, TakenIn};

/// Why no pass took place, or why it ended early. What was written is listed, so the next pass goes
/// on from there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PassError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("the registry can't be read: {0}")]
    Store(#[from] StoreError),
    #[error("`{}` can't be made: {source}", path.display())]
    Home { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("the report can't be kept: {0}")]
    Report(io::Error),
}

/// What a pass works with.
pub(crate) struct Pass<'a> {
    /// The home, where manifest, report and lock are.
    pub(crate) home: &'a Path,
    pub(crate) machine: &'a Machine,
    /// Ids of clients whose own folders the user wants left alone.
    pub(crate) left_alone: &'a [String],
    pub(crate) source: &'a dyn ItemSource,
    pub(crate) steps: &'a Steps,
}

impl Pass<'_> {
    /// One pass. Where nothing is to be written and nothing ever was, nothing is created.
    pub(crate) fn run(&self) -> Result<FolderReport, PassError> {
        if Manifest::read(self.home)?.is_none() {
            let read = self.source.active()?;
            if read.items.is_empty() && read.damaged.is_empty() {
                return Ok(FolderReport {
                    position: read.position,
                    at: self.source.now(),
                    ..FolderReport::default()
                });
            }
        }
        let lock = lock::take(self.home)?;
        self.run_holding(&lock)
    }

    /// One pass by a caller that holds the lock.
    pub(crate) fn run_holding(&self, _lock: &File) -> Result<FolderReport, PassError> {
        let kept = Manifest::read(self.home)?;
        let mut manifest = kept.clone().unwrap_or_default();
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        let mut plan = self.plan(&machine, &manifest)?;
        manifest.variables = machine.to_remember();
        apply::intend(&plan, &mut manifest);
        self.keep(&manifest, kept.as_ref())?;
        let kept = manifest.clone();
        let counts = apply::carry_out(&mut plan, &mut manifest, self.source, self.steps);
        roots::tidy(&mut manifest, self.steps);
        self.keep(&manifest, Some(&kept))?;
        let report = report::report(&mut plan, counts, self.source.now());
        report::keep(self.home, &report, self.steps).map_err(PassError::Report)?;
        Ok(report)
    }

    /// What a pass would do now. Creates nothing, takes no lock.
    pub(crate) fn preview(&self) -> Result<Planned, PassError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        Ok(preview::of(self.plan(&machine, &manifest)?))
    }

    /// The clients that a pass looks after. Creates nothing.
    pub(crate) fn installed(&self) -> Result<Vec<&'static Client>, PassError> {
        let manifest = Manifest::read(self.home)?.unwrap_or_default();
        let machine = self.machine.clone().with_remembered(&manifest.variables);
        Ok(plan::installed(&machine, &manifest, self.left_alone))
    }

    fn plan(&self, machine: &Machine, manifest: &Manifest) -> Result<Plan, PassError> {
        let read = self.source.active()?;
        let installed = plan::installed(machine, manifest, self.left_alone);
        Ok(Plan::make(
            machine,
            &installed,
            read,
            manifest,
            self.source,
            self.steps,
        ))
    }

    fn keep(&self, manifest: &Manifest, kept: Option<&Manifest>) -> Result<(), PassError> {
        if kept != Some(manifest) {
            manifest.write(self.home, self.steps)?;
        }
        Ok(())
    }
}

/// The clients on this machine, the best known first. A folder that we made shows nothing. Creates
/// nothing.
pub fn installed(home: &Path, machine: &Machine) -> Vec<&'static Client> {
    // Without a manifest no folder is known to be ours, and then the worst is a client too many.
    let manifest = Manifest::read(home).ok().flatten().unwrap_or_default();
    plan::installed(machine, &manifest, &[])
}

/// What the last pass in this home reported.
pub(crate) fn last_report(home: &Path) -> Option<FolderReport> {
    report::read(home)
}

/// The folder in which clients find a skill.
pub(crate) fn folder_of(home: &Path, item: ItemId) -> Option<PathBuf> {
    let manifest = Manifest::read(home).ok()??;
    manifest.folder_of(item).filter(|folder| folder.is_dir())
}

/// Every place in clients' folders that holds an item of ours.
pub(crate) fn places_of(home: &Path, item: ItemId) -> Vec<String> {
    let manifest = Manifest::read(home).ok().flatten().unwrap_or_default();
    let places = manifest.roots.values().flat_map(|root| {
        let entries = root.entries.iter();
        entries
            .filter(|(_, written)| written.item == item && !written.files.is_empty())
            .map(|(name, _)| Path::new(&root.folder).join(name).display().to_string())
    });
    places.collect()
}

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[cfg(unix)]
mod unix_tests;
#[cfg(test)]
mod world;
