//! The folders from which clients read, and the copies that writing passes keep in them.

use std::{collections::BTreeMap, path::Path};

use imprint_core::{FolderNoteKind, Unplaced};

use super::{Ailment, Examination, Finding, Severity};
use crate::{
    inspect::{Inspected, PlaceState},
    known::known_client,
    write::{Planned, PlannedEntry},
};

/// How many names stand in a sentence.
const NAMED: usize = 5;

/// What stands in the place of folders from which this client reads.
pub(super) fn findings(inspected: &Inspected) -> Vec<Finding> {
    let finding = |place: &crate::inspect::Place| {
        let folder = place.folder.display();
        let reads = format!("from which {} reads {}s", inspected.title, place.kind);
        let finding = match &place.state {
            PlaceState::Missing | PlaceState::Folder | PlaceState::Link { .. } => return None,
            PlaceState::Dangling { link, to } => Finding::error(
                Ailment::DanglingFolder,
                format!("`{folder}`, {reads}, can't be reached: `{link}` is a link to `{to}`, which is not there"),
            )
            .by_hand(format!("make that folder again, or remove the link `{link}`; then run `imprint write`")),
            PlaceState::NoFolder => Finding::error(
                Ailment::NoFolder,
                format!("`{folder}`, {reads}, is no folder"),
            )
            .by_hand("move away what stands there, then run `imprint write`"),
            PlaceState::Unreadable { why } => Finding::error(
                Ailment::NoFolder,
                format!("`{folder}`, {reads}, can't be looked at: {why}"),
            )
            .by_hand("mend that, then run `imprint write`"),
        };
        Some(finding.of(inspected.id))
    };
    inspected.places.iter().filter_map(finding).collect()
}

/// What the next writing pass would do, and what it would leave alone.
pub(super) fn of_the_pass(examination: &Examination<'_>) -> Vec<Finding> {
    let planned = match examination.planned {
        Ok(planned) => planned,
        Err(why) => {
            let finding = Finding::error(Ailment::NoPass, why);
            return vec![finding.by_hand("do that, then run `imprint doctor` again")];
        }
    };
    let mut findings: Vec<_> = left_alone(planned).collect();
    findings.extend(not_written(planned));
    findings.extend(leftovers(planned));
    findings.extend(unplaced(planned, &findings));
    findings
}

/// Copies that someone edited, and what stands in the way of ours.
fn left_alone(planned: &Planned) -> impl Iterator<Item = Finding> + '_ {
    let entries = planned
        .folders
        .iter()
        .flat_map(|folder| folder.entries.iter().map(move |entry| (folder, entry)));
    entries.filter_map(|(folder, entry)| {
        let why = entry.why.as_deref()?;
        let place = Path::new(&folder.folder).join(&entry.name);
        let (place, kind) = (place.display(), entry.kind);
        Some(if entry.what == Some(FolderNoteKind::Edited) {
            let what = format!("the copy of the {kind} at `{place}` was edited by hand, and the other clients don't have that edit");
            Finding::warning(Ailment::EditedCopy, what).command("imprint adopt")
        } else {
            Finding::warning(Ailment::LeftAlone, format!("`{place}`: {why}"))
        })
    })
}

/// Copies that are not as the registry has them.
fn not_written(planned: &Planned) -> Option<Finding> {
    let is_due = |entry: &&PlannedEntry| matches!(entry.action, "write" | "replace" | "remove");
    let entries = planned.folders.iter().flat_map(|folder| &folder.entries);
    let names: Vec<_> = entries
        .filter(is_due)
        .map(|entry| entry.name.as_str())
        .collect();
    if names.is_empty() {
        return None;
    }
    let what = format!(
        "copies in clients' folders are not as the registry has them: {}",
        few(&names)
    );
    Some(Finding::warning(Ailment::NotWritten, what).command("imprint write"))
}

fn leftovers(planned: &Planned) -> Option<Finding> {
    let folders = planned
        .folders
        .iter()
        .filter(|folder| !folder.leftovers.is_empty());
    let folders: Vec<_> = folders
        .map(|folder| format!("`{}`", folder.folder))
        .collect();
    if folders.is_empty() {
        return None;
    }
    let what = format!(
        "a writing pass that was killed left temporary files in {}",
        folders.join(", ")
    );
    Some(Finding::note(Ailment::Leftovers, what).command("imprint write"))
}

/// Items that no folder has, unless what stands in their way was told.
fn unplaced(planned: &Planned, told: &[Finding]) -> Vec<Finding> {
    let is_told = |one: &&Unplaced| told.iter().any(|finding| finding.what.contains(&one.why));
    let rest = planned.unplaced.iter().filter(|one| !is_told(one));
    let mut by_reason: BTreeMap<(&str, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for (one, clients) in Unplaced::by_reason(rest) {
        by_reason
            .entry((&one.why, clients))
            .or_default()
            .push(&one.name);
    }
    let finding = |((why, clients), names): ((&str, Vec<&str>), Vec<&str>)| {
        let titles = clients
            .iter()
            .map(|id| known_client(id).map_or(*id, |client| client.facts.title));
        let titles: Vec<_> = titles.collect();
        let whose = if titles.is_empty() {
            String::new()
        } else {
            format!(" of {}", few(&titles))
        };
        let what = format!(
            "in no folder{whose}: {} ({why}); over MCP they are told of all the same",
            few(&names)
        );
        Finding::new(Ailment::Unplaced, Severity::Note, what)
    };
    by_reason.into_iter().map(finding).collect()
}

/// The first few names, and how many more there are.
pub(super) fn few(names: &[&str]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use imprint_format::ItemKind;

    use super::*;
    use crate::{doctor::sample::Sample, inspect::Place, write::PlannedFolder};

    fn planned(action: &'static str, what: Option<FolderNoteKind>) -> Sample {
        let mut sample = Sample::connected();
        let entry = PlannedEntry {
            name: "tea".to_owned(),
            item: "00000000-0000-7000-8000-000000000001".parse().unwrap(),
            kind: ItemKind::Skill,
            action,
            what,
            why: what.map(|_| "it was left alone".to_owned()),
        };
        if let Ok(planned) = &mut sample.planned {
            planned.folders.push(PlannedFolder {
                folder: "/home/ada/.agents/skills".to_owned(),
                missing: false,
                entries: vec![entry],
                leftovers: Vec::new(),
            });
        }
        sample
    }

    fn told(sample: &Sample) -> Vec<Ailment> {
        let found = of_the_pass(&sample.examination());
        found.iter().map(|finding| finding.id).collect()
    }

    #[test]
    fn folders_that_are_no_folders_are_told() {
        let mut sample = Sample::connected();
        let place = |state| Place {
            kind: ItemKind::Skill,
            folder: "/home/ada/.claude/skills".into(),
            state,
            is_kept: true,
        };
        let dangling = PlaceState::Dangling {
            link: "/home/ada/.claude".to_owned(),
            to: "dots/claude".to_owned(),
        };
        sample.inspected.places = vec![
            place(PlaceState::Folder),
            place(dangling),
            place(PlaceState::NoFolder),
        ];
        let found = findings(&sample.inspected);
        let ailments: Vec<_> = found.iter().map(|one| one.id).collect();
        assert_eq!(ailments, [Ailment::DanglingFolder, Ailment::NoFolder]);
    }

    #[test]
    fn copies_are_told_by_what_became_of_them() {
        assert_eq!(told(&planned("keep", None)), []);
        assert_eq!(told(&planned("replace", None)), [Ailment::NotWritten]);
        assert_eq!(
            told(&planned("leave", Some(FolderNoteKind::Edited))),
            [Ailment::EditedCopy]
        );
        assert_eq!(
            told(&planned("leave", Some(FolderNoteKind::Foreign))),
            [Ailment::LeftAlone]
        );
    }

    #[test]
    fn a_pass_that_cannot_be_is_told_and_so_are_items_without_place() {
        let mut sample = planned("leave", Some(FolderNoteKind::Foreign));
        let one = |why: &str| Unplaced {
            item: "00000000-0000-7000-8000-000000000001".parse().unwrap(),
            kind: ItemKind::Skill,
            name: "tea".to_owned(),
            client: None,
            why: why.to_owned(),
        };
        if let Ok(planned) = &mut sample.planned {
            planned.unplaced = vec![one("it was left alone"), one("only the user may start it")];
        }
        assert_eq!(told(&sample), [Ailment::LeftAlone, Ailment::Unplaced]);
        sample.planned = Err("`written.json` is damaged".to_owned());
        assert_eq!(told(&sample), [Ailment::NoPass]);
    }

    #[test]
    fn many_names_are_counted() {
        assert_eq!(few(&["a", "b"]), "a, b");
        assert_eq!(
            few(&["a", "b", "c", "d", "e", "f", "g"]),
            "a, b, c, d, e and 2 more"
        );
    }
}
