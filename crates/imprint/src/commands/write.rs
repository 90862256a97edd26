//! `imprint write`: the writing pass, and who finds what where afterwards.

use std::{collections::BTreeMap, path::Path};

use imprint_clients::Client;
use imprint_core::{ClientFolders, FolderNote, FolderReport, Unplaced};
use imprint_format::ItemKind;

use crate::{cli::WriteArgs, failure::Failure, home::shown, output::Output, wiring::App};

pub(super) async fn run(app: &App, out: &Output, args: WriteArgs) -> Result<(), Failure> {
    if args.dry_run {
        return dry_run(app, out).await;
    }
    let report = app.folders.write().await?;
    let installed = app.folders.installed().await?;
    out.data(&report, |out| {
        print_reach(out, &installed, &report);
        out.line(&counts(&report));
        print_left_alone(out, &report.unplaced, &report.notes);
    });
    Ok(())
}

async fn dry_run(app: &App, out: &Output) -> Result<(), Failure> {
    let planned = app.folders.plan().await?;
    out.data(&planned, |out| {
        if planned.is_idle() {
            out.line("Everything is as it should be; nothing would be written");
        }
        for folder in &planned.folders {
            for entry in folder.entries.iter().filter(|entry| entry.action != "keep") {
                let place = Path::new(&folder.folder).join(&entry.name);
                out.line(&format!("{} {}", entry.action, shown(&place)));
                if let Some(why) = &entry.why {
                    out.line(&format!("  {why}"));
                }
            }
        }
        print_left_alone(out, &planned.unplaced, &planned.notes);
    });
    Ok(())
}

/// `2 written, 1 replaced, 0 removed, 4 as they were`.
pub(super) fn counts(report: &FolderReport) -> String {
    let done = report.done;
    format!(
        "Folders: {} written, {} replaced, {} removed, {} as they were",
        done.written, done.replaced, done.removed, done.kept
    )
}

/// A table: each installed client, and from where it reads skills and personas.
pub(super) fn print_reach(out: &Output, installed: &[&Client], report: &FolderReport) {
    let mut rows: BTreeMap<&str, [Vec<String>; 2]> = BTreeMap::new();
    for client in installed {
        rows.entry(client.facts.title).or_default();
    }
    for reader in &report.readers {
        let Some(client) = installed
            .iter()
            .find(|client| client.facts.id == reader.client)
        else {
            continue;
        };
        let column = match reader.kind {
            ItemKind::Skill => 0,
            ItemKind::Persona => 1,
            ItemKind::Guideline => continue,
        };
        rows.entry(client.facts.title).or_default()[column].push(shown(Path::new(&reader.folder)));
    }
    if rows.is_empty() {
        out.line("Clients: none found on this machine yet");
        return;
    }
    let cell = |kind: ItemKind, folders: &[String]| {
        if !folders.is_empty() {
            folders.join(", ")
        } else if report.readers.iter().any(|reader| reader.kind == kind) {
            "over MCP".to_owned()
        } else {
            "(none yet)".to_owned()
        }
    };
    out.table(
        &["CLIENT", "SKILLS FROM", "PERSONAS FROM"],
        rows.into_iter().map(|(title, [skills, personas])| {
            vec![
                title.to_owned(),
                cell(ItemKind::Skill, &skills),
                cell(ItemKind::Persona, &personas),
            ]
        }),
    );
}

fn print_left_alone(out: &Output, unplaced: &[Unplaced], notes: &[FolderNote]) {
    for unplaced in unplaced {
        let whom = unplaced
            .client
            .as_deref()
            .map(|id| format!(" for {id}"))
            .unwrap_or_default();
        out.line(&format!(
            "Not in a folder{whom}: {} {}: {}",
            unplaced.kind, unplaced.name, unplaced.why
        ));
    }
    for note in notes {
        out.line(&format!(
            "Left alone: {}: {}",
            shown(Path::new(&note.path)),
            note.message
        ));
    }
    if !unplaced.is_empty() {
        out.message("What is in no folder reaches its clients over MCP");
    }
}
