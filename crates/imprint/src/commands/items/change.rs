//! What is said of a change to an item, after the folders were written.

use std::path::Path;

use imprint_core::{FolderNote, FolderNoteKind, FolderReport, ItemState, ItemSummary};
use imprint_format::ItemKind;
use serde::Serialize;

use crate::{
    commands::reach,
    home::shown,
    output::{Output, count, listed},
    wiring::App,
};

/// How many folders are named; more are counted.
const NAMED_FOLDERS: usize = 2;

/// What a changing command prints with `--json`.
#[derive(Serialize)]
struct Change<'a> {
    changed: bool,
    item: &'a ItemSummary,
    /// Where clients find it: folders of skills, files of personas.
    places: Vec<String>,
    /// What was left alone or left out, of this item.
    notes: Vec<FolderNote>,
}

/// Writes a change into the clients' folders and tells of it: what was done, where the item is
/// now, and what to know about that.
pub(in crate::commands) async fn told(app: &App, out: &Output, item: &ItemSummary, done: &str) {
    let (changed, unplaced) = written(app, out, item).await;
    let done = format!("{done}{}", where_it_is(&changed.places, item));
    print(out, &changed, &done, &unplaced);
}

/// What a command that changes several items prints with `--json`.
#[derive(Serialize)]
struct Changes<'a> {
    changed: bool,
    items: &'a [ItemSummary],
    /// What was left alone, of these items.
    notes: Vec<FolderNote>,
}

/// Tells of several changes, a sentence each, all of them written at once. One is told as by
/// [`told_without_places`].
pub(super) async fn told_all(app: &App, out: &Output, items: &[ItemSummary], done: &[String]) {
    if let ([item], [done]) = (items, done) {
        return told_without_places(app, out, item, done).await;
    }
    let report = write(app, out).await;
    let notes = items
        .iter()
        .flat_map(|item| notes_of(report.as_ref(), item));
    let changes = Changes {
        changed: true,
        items,
        notes: notes.collect(),
    };
    out.data(&changes, |out| {
        for sentence in done {
            out.message(sentence);
        }
        for warning in reach::sentences(&changes.notes) {
            out.warning(&warning);
        }
    });
}

/// [`told`], for a change that moves nothing.
pub(super) async fn told_without_places(app: &App, out: &Output, item: &ItemSummary, done: &str) {
    let (changed, unplaced) = written(app, out, item).await;
    print(out, &changed, done, &unplaced);
}

async fn written<'a>(app: &App, out: &Output, item: &'a ItemSummary) -> (Change<'a>, Vec<String>) {
    let report = write(app, out).await;
    let change = Change {
        changed: true,
        item,
        places: app.folders.places_of(item.id).await,
        notes: notes_of(report.as_ref(), item),
    };
    let unplaced = unplaced(report.as_ref(), &change);
    (change, unplaced)
}

fn print(out: &Output, changed: &Change<'_>, done: &str, unplaced: &[String]) {
    out.data(changed, |out| {
        out.message(done);
        for warning in reach::sentences(&changed.notes).iter().chain(unplaced) {
            out.warning(warning);
        }
    });
}

/// Tells that nothing differed.
pub(in crate::commands) fn unchanged(out: &Output, item: &ItemSummary, why: &str) {
    let change = Change {
        changed: false,
        item,
        places: Vec::new(),
        notes: Vec::new(),
    };
    out.data(&change, |out| {
        out.message(&format!(
            "Nothing changed: {} `{}` {why}",
            item.kind, item.name
        ));
    });
}

async fn write(app: &App, out: &Output) -> Option<FolderReport> {
    let _status = out.status("Writing the folders of your clients …");
    app.write_folders(out).await
}

/// `; in ~/.agents/skills and ~/.claude/skills`.
fn where_it_is(places: &[String], item: &ItemSummary) -> String {
    if item.state != ItemState::Active || item.kind == ItemKind::Guideline {
        return String::new();
    }
    let mut folders: Vec<_> = places
        .iter()
        .filter_map(|place| Path::new(place).parent().map(shown))
        .collect();
    folders.sort();
    folders.dedup();
    match folders.len() {
        0 => "; your clients get it over MCP".to_owned(),
        1..=NAMED_FOLDERS => format!("; in {}", listed(&folders)),
        more => format!("; in {} of your clients", count(more, "folder")),
    }
}

/// What the pass says of this item. Of an item that is out of the folders only what stayed there.
fn notes_of(report: Option<&FolderReport>, item: &ItemSummary) -> Vec<FolderNote> {
    let notes = report.map(|report| report.notes.as_slice());
    let of_item = |note: &&FolderNote| {
        reach::stands_for(Path::new(&note.path), item.kind, item.name.as_str())
            && (item.state == ItemState::Active || note.what != FolderNoteKind::LeftOut)
    };
    notes
        .unwrap_or_default()
        .iter()
        .filter(of_item)
        .cloned()
        .collect()
}

/// Why the item is not where it should be, as far as no note says so.
fn unplaced(report: Option<&FolderReport>, changed: &Change<'_>) -> Vec<String> {
    let Some(report) = report else {
        return Vec::new();
    };
    let mut told = Vec::new();
    for unplaced in report
        .unplaced
        .iter()
        .filter(|one| one.item == changed.item.id)
    {
        let known = changed
            .notes
            .iter()
            .any(|note| note.message == unplaced.why);
        let client: Vec<_> = unplaced
            .client
            .as_deref()
            .map(reach::title)
            .into_iter()
            .collect();
        let line = format!("it {}", reach::in_no_folder(&client, &unplaced.why));
        if !known && !told.contains(&line) {
            told.push(line);
        }
    }
    told
}
