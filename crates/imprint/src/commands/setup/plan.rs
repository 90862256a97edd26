//! What setup shows before it asks.

use std::{collections::BTreeMap, path::Path};

use imprint_clients::setup::{ConnectionChange, Decision, PlannedPlace, SetupPlan};
use imprint_format::ItemKind;

use super::differing;
use crate::{
    commands::reach::title,
    home::shown,
    output::{Output, count, listed},
};

/// So many of a kind of thing are named; `--verbose` names all.
pub(super) const NAMED: usize = 12;

/// Prints the plan. `program` is what clients will start, where that may not last.
pub(super) fn print(out: &Output, plan: &SetupPlan, program: Option<&str>) {
    let clients: Vec<_> = plan.clients.iter().map(|id| title(id)).collect();
    if !clients.is_empty() {
        let found = count(clients.len(), "client");
        out.prose(&format!("Found {found}: {}", listed(&clients)));
    }
    found(out, plan);
    taken_in(out, plan);
    differing::print(out, plan);
    left(out, plan);
    moved(out, plan);
    adopted(out, plan);
    connections(out, plan, program);
    if !plan.remarks.is_empty() {
        out.line("");
        out.heading("Seen besides");
    }
    for remark in &plan.remarks {
        out.prose(&format!("  {remark}"));
    }
    out.line("");
}

/// `3 folders hold 71 skills and 4 personas: 48 skills and 2 personas without the copies`,
/// and a table of them.
fn found(out: &Output, plan: &SetupPlan) {
    let folders: Vec<_> = plan.folders.iter().filter(|one| one.found > 0).collect();
    if folders.is_empty() {
        out.line("There are no skills and no personas in their folders");
        return;
    }
    let number = |kind: ItemKind| -> usize {
        let of_kind = folders.iter().filter(|folder| folder.kind == kind);
        of_kind.map(|folder| folder.found).sum()
    };
    let items = |kind: ItemKind| {
        let mut names: Vec<_> = plan
            .places
            .iter()
            .filter(|place| place.kind == kind)
            .map(|place| &place.name)
            .collect();
        names.sort();
        names.dedup();
        names.len()
    };
    let sum = |number: &dyn Fn(ItemKind) -> usize| {
        let parts: Vec<_> = [ItemKind::Skill, ItemKind::Persona]
            .into_iter()
            .filter(|kind| number(*kind) > 0)
            .map(|kind| count(number(kind), kind.as_str()))
            .collect();
        listed(&parts)
    };
    let without_copies = sum(&items);
    let without_copies = if without_copies.is_empty() {
        "none of which can be kept".to_owned()
    } else {
        format!("{without_copies} without the copies")
    };
    let verb = if folders.len() == 1 { "holds" } else { "hold" };
    out.prose(&format!(
        "{} {verb} {}: {without_copies}",
        count(folders.len(), "folder"),
        sum(&number),
    ));
    let rows = folders.iter().map(|folder| {
        let readers: Vec<_> = folder.readers.iter().map(|id| title(id)).collect();
        vec![
            shown(Path::new(&folder.folder)),
            count(folder.found, folder.kind.as_str()),
            readers.join(", "),
        ]
    });
    out.line("");
    out.table(&["FOLDER", "HOLDS", "READ BY"], rows);
}

fn taken_in(out: &Output, plan: &SetupPlan) {
    let new = plan.taken_in().filter(|item| item.is_new());
    let names: Vec<_> = new.map(|item| item.name.to_string()).collect();
    section(out, names.len(), "to take in", &names);
    let changed = plan.taken_in().filter(|item| !item.is_new());
    let names: Vec<_> = changed.map(|item| item.name.to_string()).collect();
    section(out, names.len(), "stored, with a new revision", &names);
}

/// A number, what it is of, and the first names.
fn section(out: &Output, number: usize, what: &str, names: &[String]) {
    if number == 0 {
        return;
    }
    out.line("");
    out.heading(&format!("{number} {what}"));
    out.prose(&format!("  {}", few(out, names)));
}

/// The first names, and how many there are more.
pub(super) fn few(out: &Output, names: &[String]) -> String {
    if out.is_verbose() || names.len() <= NAMED {
        return names.join(", ");
    }
    let more = names.len() - NAMED;
    format!("{} and {more} more", names[..NAMED].join(", "))
}

fn left(out: &Output, plan: &SetupPlan) {
    if plan.left.is_empty() {
        return;
    }
    out.line("");
    let number = plan.left.len();
    out.heading(&format!("{number} can't be taken in and {}", stays(number)));
    let most = if out.is_verbose() { number } else { NAMED };
    for skipped in plan.left.iter().take(most) {
        let place = shown(Path::new(&skipped.place));
        let mut reasons = skipped.reasons.iter();
        let reason = reasons.next().map(|reason| reason.message.as_str());
        let more = match reasons.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        out.prose(&format!("  {place}: {}{more}", reason.unwrap_or_default()));
    }
    if number > most {
        out.line(&format!(
            "  and {} more; `--verbose` names all",
            number - most
        ));
    }
    if plan.left.iter().any(|skipped| !skipped.findings.is_empty()) {
        out.prose("  `imprint import PLACE` shows what was found in a file and how to accept it");
    }
}

fn moved(out: &Output, plan: &SetupPlan) {
    let replaced: Vec<_> = plan.places_that(|one| *one == Decision::Replace).collect();
    let surplus: Vec<_> = plan.places_that(|one| *one == Decision::Surplus).collect();
    if !replaced.is_empty() {
        out.line("");
        let number = count(replaced.len(), "place");
        out.heading(&format!(
            "{number} where the content changes; what is there moves to the backup"
        ));
        places(out, &replaced);
    }
    if !surplus.is_empty() {
        out.line("");
        let number = count(surplus.len(), "surplus copy");
        out.heading(&format!(
            "{number} to the backup: the clients find the item elsewhere"
        ));
        places(out, &surplus);
    }
    let staying = plan.places_that(|one| matches!(one, Decision::Stay { .. }));
    let staying: Vec<_> = staying.collect();
    if !staying.is_empty() {
        out.line("");
        out.heading(&format!(
            "{} as they are",
            count(staying.len(), "more place")
        ));
        let most = if out.is_verbose() {
            staying.len()
        } else {
            NAMED
        };
        for place in staying.iter().take(most) {
            if let Decision::Stay { reason } = &place.decision {
                out.prose(&format!("  {}: {reason}", shown(Path::new(&place.path))));
            }
        }
    }
}

fn stays(number: usize) -> &'static str {
    if number == 1 {
        "stays as it is"
    } else {
        "stay as they are"
    }
}

/// Names by folder.
fn places(out: &Output, places: &[&PlannedPlace]) {
    let mut by_folder: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for place in places {
        let path = Path::new(&place.path);
        let folder = path.parent().map(shown).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        by_folder.entry(folder).or_default().push(name.into_owned());
    }
    for (folder, names) in by_folder {
        out.prose(&format!("  {folder}: {}", few(out, &names)));
    }
}

fn adopted(out: &Output, plan: &SetupPlan) {
    let adopted: Vec<_> = plan.places_that(|one| *one == Decision::Adopt).collect();
    if !adopted.is_empty() {
        out.line("");
        let number = count(adopted.len(), "copy");
        out.heading(&format!(
            "{number} to keep current from now on, where they are"
        ));
        places(out, &adopted);
    }
    let edited = plan.places_that(|one| *one == Decision::Edited).count();
    if edited > 0 {
        out.prose(&format!(
            "{} of Imprint's that you edited; `imprint adopt` takes the edits in",
            count(edited, "copy")
        ));
    }
}

fn connections(out: &Output, plan: &SetupPlan, program: Option<&str>) {
    let written: Vec<_> = plan
        .connections
        .iter()
        .filter_map(|one| match &one.change {
            ConnectionChange::Add { file } => Some((one, file, "added to")),
            ConnectionChange::Update { file } => Some((one, file, "brought up to date in")),
            ConnectionChange::Unchanged | ConnectionChange::Refused { .. } => None,
        })
        .collect();
    if !written.is_empty() {
        out.line("");
        let number = count(written.len(), "client");
        out.heading(&format!("{number} to connect over MCP"));
        for (one, file, how) in written {
            let file = shown(Path::new(file));
            out.prose(&format!(
                "  {}: an entry is {how} {file}",
                title(&one.client)
            ));
        }
        if let Some(program) = program {
            out.prose(&format!(
                "  `{program}` lies in the folder of a build: clients that start it lose it with \
                 the next one"
            ));
        }
    }
    for one in &plan.connections {
        if let ConnectionChange::Refused { reason } = &one.change {
            out.prose(&format!(
                "  {} is not connected: {reason}",
                title(&one.client)
            ));
        }
    }
}
