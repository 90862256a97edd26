//! `imprint skills` and `imprint personas`: the same verbs for both kinds.

mod create;
mod edit;
mod export;
mod files;
mod history;
mod list;
mod show;
mod state;
mod validate;

use imprint_core::{FolderReport, ItemRef, ItemSummary, registry::RevisionRef};
use imprint_format::{ItemKind, ItemName, suggest_name};
use serde::Serialize;

use crate::{
    cli::ItemCommand,
    failure::{Failure, FailureKind},
    output::Output,
    wiring::App,
};

pub(super) use create::{create, given_text};
pub(super) use edit::{in_editor, keep, tell as tell_edited};
pub(super) use history::run as history;
pub(super) use list::run as list;
pub(super) use state::{remove, restore};

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    command: ItemCommand,
) -> Result<(), Failure> {
    match command {
        ItemCommand::List(args) => list::run(app, out, kind, args).await,
        ItemCommand::Show(args) => show::run(app, out, kind, args).await,
        ItemCommand::Create(args) => create::run(app, out, kind, args).await,
        ItemCommand::Edit(args) => edit::run(app, out, kind, args).await,
        ItemCommand::Files(args) => files::run(app, out, kind, args).await,
        ItemCommand::Enable(arg) => state::enable(app, out, kind, &arg.name).await,
        ItemCommand::Disable(arg) => state::disable(app, out, kind, &arg.name).await,
        ItemCommand::Remove(args) => state::remove(app, out, kind, args).await,
        ItemCommand::Restore(args) => state::restore(app, out, kind, args).await,
        ItemCommand::History(args) => history::run(app, out, kind, args).await,
        ItemCommand::Diff(args) => history::diff(app, out, kind, args).await,
        ItemCommand::Rename(args) => edit::rename(app, out, kind, args).await,
        ItemCommand::Pin(args) => state::pin(app, out, kind, args).await,
        ItemCommand::Validate(args) => validate::run(app, out, kind, args).await,
        ItemCommand::Export(args) => export::run(app, out, kind, args).await,
    }
}

/// What a changing command prints with `--json`.
#[derive(Serialize)]
struct Change<'a> {
    changed: bool,
    item: &'a ItemSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    folders: Option<FolderReport>,
}

/// What a command that changes several items prints with `--json`.
#[derive(Serialize)]
struct Changes<'a> {
    changed: bool,
    items: &'a [ItemSummary],
    #[serde(skip_serializing_if = "Option::is_none")]
    folders: Option<FolderReport>,
}

/// Tells about a change and writes it into the clients' folders.
pub(super) async fn told(app: &App, out: &Output, item: &ItemSummary, verb: &str) {
    let folders = app.write_folders(out).await;
    let change = Change {
        changed: true,
        item,
        folders,
    };
    out.data(&change, |out| {
        tell(out, item, change.folders.as_ref(), verb);
    });
}

/// [`told`] for changes to several items, all of them written at once.
async fn told_all(app: &App, out: &Output, items: &[ItemSummary], verb: &str) {
    if let [item] = items {
        return told(app, out, item, verb).await;
    }
    let changes = Changes {
        changed: true,
        items,
        folders: app.write_folders(out).await,
    };
    out.data(&changes, |out| {
        for item in items {
            tell(out, item, changes.folders.as_ref(), verb);
        }
    });
}

fn tell(out: &Output, item: &ItemSummary, folders: Option<&FolderReport>, verb: &str) {
    let place = folders.map(|report| place(report, item));
    out.message(&format!(
        "{verb} {} `{}` (revision {}){}",
        item.kind,
        item.name,
        item.head.short(),
        place.unwrap_or_default()
    ));
    let Some(report) = folders else { return };
    for note in report
        .notes
        .iter()
        .filter(|note| note.path.contains(item.name.as_str()))
    {
        out.warning(&format!("{}: {}", note.path, note.message));
    }
    for unplaced in report
        .unplaced
        .iter()
        .filter(|unplaced| unplaced.item == item.id)
    {
        out.warning(&unplaced.why);
    }
}

fn place(report: &FolderReport, item: &ItemSummary) -> String {
    let mut folders: Vec<_> = report
        .readers
        .iter()
        .filter(|reader| reader.kind == item.kind)
        .map(|reader| crate::home::shown(std::path::Path::new(&reader.folder)))
        .collect();
    folders.sort();
    folders.dedup();
    let unplaced = report
        .unplaced
        .iter()
        .any(|unplaced| unplaced.item == item.id);
    if folders.is_empty() || unplaced || item.state != imprint_core::ItemState::Active {
        return String::new();
    }
    format!(", in {}", folders.join(" and "))
}

/// Nothing differed.
fn unchanged(out: &Output, item: &ItemSummary) {
    let change = Change {
        changed: false,
        item,
        folders: None,
    };
    out.data(&change, |out| {
        out.message(&format!(
            "{} `{}` is as it was; nothing to change",
            item.kind, item.name
        ));
    });
}

fn item_ref(kind: ItemKind, name: &str) -> ItemRef {
    ItemRef::of(kind, name)
}

pub(super) fn name(text: &str) -> Result<ItemName, Failure> {
    text.parse().map_err(|fault| {
        let failure = Failure::new(
            FailureKind::Usage,
            format!(
                "`{}` can't be a name: {fault}",
                imprint_format::text::one_line(text)
            ),
        );
        match suggest_name(text) {
            Some(name) => failure.hint(format!("`{name}` can")),
            None => failure,
        }
    })
}

fn revision(text: &str) -> Result<RevisionRef, Failure> {
    text.parse()
        .map_err(|fault: imprint_core::registry::NotARevision| {
            Failure::new(FailureKind::Usage, fault.to_string())
        })
}
