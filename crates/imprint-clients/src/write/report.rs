//! What a pass tells: who reads what from where, what is not there and why.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use imprint_core::{
    FolderNote, FolderNoteKind, FolderReport, ItemId, PassCounts, Reader, Timestamp, Unplaced,
};
use imprint_format::ItemKind;

use super::{entry::Obstacle, plan::Plan};
use crate::{
    home::{read_bounded, replace_file},
    placement::Target,
    source::SourceItem,
    steps::Steps,
};

/// The last report, beside the manifest: a handshake reads it alone.
pub(crate) const REPORT_FILE: &str = "folders.json";
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The report of a plan that was carried out.
pub(crate) fn report(plan: &mut Plan, done: PassCounts, at: Timestamp) -> FolderReport {
    let mut unplaced = std::mem::take(&mut plan.placement.unplaced);
    let failures = Failures::of(plan);
    unplaced.extend(plan.read.items.iter().flat_map(|item| failures.tell(item)));
    unplaced.extend(plan.read.damaged.iter().map(|item| {
        Unplaced {
            item: item.id,
            kind: item.kind,
            name: item.name.as_str().to_owned(),
            client: None,
            why: "its current revision is missing from the database; put back a backup of the \
                  Imprint home"
                .to_owned(),
        }
    }));
    FolderReport {
        position: plan.read.position,
        at,
        readers: readers(plan),
        unplaced,
        notes: std::mem::take(&mut plan.notes),
        done,
    }
}

/// The clients that read a folder in which at least one item is as it should be.
fn readers(plan: &Plan) -> Vec<Reader> {
    let mut readers = BTreeSet::new();
    for (at, target) in plan.placement.targets.iter().enumerate() {
        let there = |item| matches!(plan.outcomes.get(&(at, item)), Some(None));
        if !target.items.iter().any(|item| there(*item)) {
            continue;
        }
        readers.extend(target.readers.iter().map(|(client, folder)| Reader {
            client: (*client).to_owned(),
            kind: target.kind,
            folder: folder.display().to_string(),
        }));
    }
    readers.into_iter().collect()
}

/// What is missing where.
struct Failures<'p> {
    plan: &'p Plan,
    targets: BTreeMap<ItemId, Vec<(usize, &'p Target)>>,
}

impl<'p> Failures<'p> {
    fn of(plan: &'p Plan) -> Self {
        let mut targets: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (at, target) in plan.placement.targets.iter().enumerate() {
            for item in &target.items {
                targets.entry(*item).or_default().push((at, target));
            }
        }
        Self { plan, targets }
    }

    /// One entry for all clients when the item is nowhere, else one for each client that reads
    /// none of the folders where it is.
    fn tell(&self, item: &SourceItem) -> Vec<Unplaced> {
        let targets = self.targets.get(&item.id).map_or(&[][..], Vec::as_slice);
        let why = |at| self.plan.outcomes.get(&(at, item.id))?.as_deref();
        let failed: Vec<_> = targets
            .iter()
            .filter_map(|(at, target)| Some((*target, why(*at)?)))
            .collect();
        let Some((_, first)) = failed.first() else {
            return Vec::new();
        };
        if failed.len() == targets.len() {
            return vec![crate::placement::unplaced(item, None, (*first).to_owned())];
        }
        let served: BTreeSet<_> = targets
            .iter()
            .filter(|(at, _)| why(*at).is_none())
            .flat_map(|(_, target)| target.readers.iter().map(|(client, _)| *client))
            .collect();
        let mut told = BTreeSet::new();
        failed
            .iter()
            .flat_map(|(target, why)| {
                target
                    .readers
                    .iter()
                    .map(move |(client, _)| (*client, *why))
            })
            .filter(|(client, _)| !served.contains(client) && told.insert(*client))
            .map(|(client, why)| crate::placement::unplaced(item, Some(client), why.to_owned()))
            .collect()
    }
}

/// What people read of something that was left alone.
pub(crate) fn note_of(path: &Path, obstacle: &Obstacle, kind: ItemKind) -> FolderNote {
    let shown = path.display().to_string();
    let quoted = quoted(&shown);
    let what = match kind {
        ItemKind::Skill => "folder",
        ItemKind::Persona | ItemKind::Guideline => "file",
    };
    let (note, message) = match obstacle {
        Obstacle::Foreign => (
            FolderNoteKind::Foreign,
            format!("Imprint did not write what is there and left it alone. `imprint import {quoted} --on-collision replace` takes it in; to have Imprint's version there, move it away and run `imprint write`"),
        ),
        Obstacle::ForeignFile(file) => (
            FolderNoteKind::Foreign,
            format!("`{file}`, which Imprint did not write, stands where a file of this {kind} belongs; the {what} was left alone. Rename that file, then run `imprint write`"),
        ),
        Obstacle::Edited(files) => (
            FolderNoteKind::Edited,
            format!("{} edited by hand after Imprint wrote {}; left alone. `imprint adopt {quoted}` keeps the edit; to drop it, delete the {what} and run `imprint write`", list(files), if files.len() == 1 { "it" } else { "them" }),
        ),
        Obstacle::Link => (
            FolderNoteKind::Link,
            "a link is there that does not lead to this very item; it was left alone. Remove the link and run `imprint write` to have the item there".to_owned(),
        ),
        Obstacle::Unknown => (
            FolderNoteKind::Foreign,
            format!("Imprint wrote it for an item that its database doesn't hold any more, and it may be the last copy; it was left alone. `imprint import {shown}` takes it in; if you don't want it, delete the {what}"),
        ),
        Obstacle::Unreadable(why) => (
            FolderNoteKind::Unwritable,
            format!("it could not be read or written: {why}. Mend that, then run `imprint write`"),
        ),
    };
    FolderNote {
        path: shown,
        what: note,
        message,
    }
}

/// A path as a shell takes it for one word.
fn quoted(path: &str) -> String {
    if path.contains([' ', '(', ')', '&', ';', '"', '$']) && !path.contains('\'') {
        format!("'{path}'")
    } else {
        path.to_owned()
    }
}

fn list(files: &[String]) -> String {
    match files {
        [] => "it was".to_owned(),
        [one] => format!("`{one}` was"),
        [one, others @ ..] => format!("`{one}` and {} more were", others.len()),
    }
}

/// Reads the last report; `None` where there is none that can be read.
pub(crate) fn read(home: &Path) -> Option<FolderReport> {
    let bytes = read_bounded(&home.join(REPORT_FILE), MAX_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Keeps a report, unless it says what the kept one says.
pub(crate) fn keep(home: &Path, report: &FolderReport, steps: &Steps) -> io::Result<()> {
    let same = |old: &FolderReport| {
        FolderReport {
            at: report.at,
            ..old.clone()
        } == *report
    };
    if read(home).as_ref().is_some_and(same) {
        return Ok(());
    }
    let text = serde_json::to_vec_pretty(report).map_err(io::Error::other)?;
    replace_file(&home.join(REPORT_FILE), &text, steps)
}
