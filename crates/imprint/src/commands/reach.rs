//! Which client gets what from where, in words: a table of all clients, and what was left alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use imprint_clients::{Client, clients};
use imprint_core::{
    FolderNote, FolderNoteKind, FolderReport, ItemSummary, Unplaced,
    fit::{FitInput, Peer, told_over_mcp},
};
use imprint_format::ItemKind;

use crate::{
    home::shown,
    output::{Output, count, listed},
};

/// A client's name for people.
pub(super) fn title(id: &str) -> &str {
    clients().by_id(id).map_or(id, |client| client.title)
}

/// A table: each client found here, where it reads skills and personas, and how much of the
/// catalog it is told over MCP. `items` are all items, guidelines included.
pub(super) fn print_reach(
    out: &Output,
    installed: &[&Client],
    report: &FolderReport,
    items: &[ItemSummary],
) {
    let row = |title: &str, id: &str, name: Option<&str>| {
        let from = |kind| folders(report, id, kind);
        let skills = from(ItemKind::Skill);
        let personas = from(ItemKind::Persona);
        vec![
            title.to_owned(),
            skills,
            personas,
            over_mcp(name, report, items),
        ]
    };
    let found = installed.iter().map(|client| {
        let mut names = client.facts.names.iter().chain(client.facts.name_prefixes);
        let name = names.next().copied();
        row(client.facts.title, client.facts.id, name)
    });
    let mut rows: Vec<_> = found.collect();
    rows.push(row("any other client", "", None));
    let header = ["CLIENT", "SKILLS FROM", "PERSONAS FROM", "OVER MCP"];
    out.table(&header, rows);
}

fn folders(report: &FolderReport, client: &str, kind: ItemKind) -> String {
    let readers = report.readers.iter();
    let folders: Vec<_> = readers
        .filter(|reader| reader.client == client && reader.kind == kind)
        .map(|reader| shown(Path::new(&reader.folder)))
        .collect();
    if folders.is_empty() {
        return "-".to_owned();
    }
    folders.join(", ")
}

/// How many items a client that calls itself so is told of.
fn over_mcp(name: Option<&str>, report: &FolderReport, items: &[ItemSummary]) -> String {
    let told = |name: Option<&str>| {
        let peer = Peer {
            name: name.map(str::to_owned),
            ..Peer::default()
        };
        let input = FitInput {
            items,
            guidelines: &[],
            report: Some(report),
            peer: &peer,
            clients: clients(),
        };
        told_over_mcp(&input).len()
    };
    match (told(name), told(None)) {
        (0, 0) => "-".to_owned(),
        (0, _) => "nothing more".to_owned(),
        (some, all) if some == all => format!("all {}", count(all, "item")),
        (some, all) => format!("{some} of {}", count(all, "item")),
    }
}

/// What a pass did, in a sentence.
pub(super) fn counts(report: &FolderReport) -> String {
    let done = report.done;
    let copies = |number: u32| count(number as usize, "copy");
    if done.written + done.replaced + done.removed == 0 {
        return match done.kept {
            0 => "There is nothing to write".to_owned(),
            kept => format!("The folders are as they should be ({})", copies(kept)),
        };
    }
    let mut parts = Vec::new();
    for (number, verb) in [
        (done.written, "wrote"),
        (done.replaced, "replaced"),
        (done.removed, "took away"),
    ] {
        if number > 0 {
            parts.push(format!("{verb} {}", copies(number)));
        }
    }
    let mut sentence = listed(&parts);
    sentence[..1].make_ascii_uppercase();
    sentence
}

/// What is not where it should be and why, a paragraph each. With `all`, what clients' own forms
/// have no room for as well; else it is counted.
pub(super) fn print_left_alone(
    out: &Output,
    unplaced: &[Unplaced],
    notes: &[FolderNote],
    all: bool,
) {
    let (left_out, left_alone): (Vec<_>, Vec<_>) = notes
        .iter()
        .cloned()
        .partition(|note| note.what == FolderNoteKind::LeftOut);
    for sentence in sentences(&left_alone) {
        out.prose(&sentence);
    }
    let told: BTreeSet<&str> = left_alone
        .iter()
        .map(|note| note.message.as_str())
        .collect();
    for sentence in missing(unplaced, &told) {
        out.prose(&sentence);
    }
    if left_out.is_empty() {
        return;
    }
    if all {
        let mut by_persona: BTreeMap<String, Vec<FolderNote>> = BTreeMap::new();
        for note in left_out {
            by_persona
                .entry(stem(Path::new(&note.path)))
                .or_default()
                .push(note);
        }
        for (persona, notes) in by_persona {
            for sentence in sentences(&notes) {
                out.prose(&format!("persona {persona}: {sentence}"));
            }
        }
    } else {
        let personas: BTreeSet<_> = left_out
            .iter()
            .map(|note| stem(Path::new(&note.path)))
            .collect();
        out.message(&format!(
            "Some clients don't know a model, a colour or the tools of {}; \
             `imprint write --verbose` says which",
            count(personas.len(), "persona")
        ));
    }
}

/// Notes as sentences, each said once for all the paths or clients that it holds for.
pub(super) fn sentences(notes: &[FolderNote]) -> Vec<String> {
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for note in notes {
        let (what, of) = match note.what {
            FolderNoteKind::LeftOut => without_title(&note.message),
            _ => (
                note.message.replace(&note.path, "PATH"),
                Some(shown(Path::new(&note.path))),
            ),
        };
        let of = of.into_iter();
        match grouped.iter_mut().find(|(same, _)| *same == what) {
            Some((_, all)) => all.extend(of),
            None => grouped.push((what, of.collect())),
        }
    }
    grouped
        .into_iter()
        .map(|(what, of)| sentence(&what, &of))
        .collect()
}

fn sentence(what: &str, of: &[String]) -> String {
    let is_place = of.first().is_some_and(|one| one.contains(['/', '\\']));
    match of {
        [] => what.to_owned(),
        [place] if is_place => format!("{place}: {}", what.replace("PATH", place)),
        places if is_place => format!("{}: {what}", places.join(", ")),
        [client] => format!("{client} {what}"),
        clients => {
            let plural = what.replacen("has ", "have ", usize::from(what.starts_with("has ")));
            format!("{} {plural}", listed(clients))
        }
    }
}

/// A remark about a rendered persona, with the client that it begins with apart.
fn without_title(message: &str) -> (String, Option<String>) {
    let mut facts = clients().clients().iter();
    let apart = facts.find_map(|client| {
        let rest = message.strip_prefix(client.title)?.strip_prefix(' ')?;
        Some((rest.to_owned(), Some(client.title.to_owned())))
    });
    apart.unwrap_or_else(|| (message.to_owned(), None))
}

/// Items that are missing in folders, each with why, but for what is told already.
fn missing(unplaced: &[Unplaced], told: &BTreeSet<&str>) -> Vec<String> {
    let mut grouped: BTreeMap<(String, &str), BTreeSet<&str>> = BTreeMap::new();
    for one in unplaced
        .iter()
        .filter(|one| !told.contains(one.why.as_str()))
    {
        let item = format!("{} {}", one.kind, one.name);
        let clients = grouped.entry((item, &one.why)).or_default();
        clients.extend(one.client.as_deref().map(title));
    }
    let lines = grouped.into_iter().map(|((item, why), clients)| {
        let clients: Vec<_> = clients.into_iter().collect();
        format!("{item} {}", in_no_folder(&clients, why))
    });
    lines.collect()
}

/// `is in no folder of Codex: why`.
pub(super) fn in_no_folder(clients: &[&str], why: &str) -> String {
    match clients {
        [] => format!("is in no folder: {why}"),
        clients => format!("is in no folder of {}: {why}", listed(clients)),
    }
}

/// Whether what stands at a path in a client's folder is for an item of this kind and name.
pub(super) fn stands_for(path: &Path, kind: ItemKind, name: &str) -> bool {
    let file = path.file_name().and_then(|file| file.to_str());
    match kind {
        ItemKind::Skill => file == Some(name),
        ItemKind::Persona => {
            let rest = file.and_then(|file| file.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with('.'))
        }
        ItemKind::Guideline => false,
    }
}

/// A persona's name, from its file's.
fn stem(path: &Path) -> String {
    let file = path
        .file_name()
        .and_then(|file| file.to_str())
        .unwrap_or_default();
    file.split('.').next().unwrap_or(file).to_owned()
}
