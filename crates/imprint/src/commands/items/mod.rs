//! `imprint skills` and `imprint personas`: the same verbs for both kinds.

mod change;
mod create;
mod edit;
mod export;
mod files;
mod history;
mod kept_text;
mod list;
mod proposals;
mod show;
mod state;
mod validate;

use imprint_core::{ItemFilter, ItemRef, ItemState, registry::RevisionRef};
use imprint_format::{ItemKind, ItemName, suggest_name, text};

use crate::{
    cli::ItemCommand,
    failure::{Failure, FailureKind},
    output::Output,
    wiring::App,
};

pub(super) use change::{told, unchanged};
pub(super) use create::{create, given_text};
pub(super) use edit::{in_editor, keep, tell};
pub(super) use history::author;

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    command: ItemCommand,
) -> Result<(), Failure> {
    let result = match command {
        ItemCommand::List(args) => list::run(app, out, kind, args).await,
        ItemCommand::Show(args) => show::run(app, out, kind, args).await,
        ItemCommand::Create(args) => create::run(app, out, kind, args).await,
        ItemCommand::Edit(args) => edit::run(app, out, kind, args).await,
        ItemCommand::Files(args) => files::run(app, out, kind, args).await,
        ItemCommand::Enable(arg) => state::set(app, out, kind, &arg.name, ItemState::Active).await,
        ItemCommand::Disable(arg) => {
            state::set(app, out, kind, &arg.name, ItemState::Disabled).await
        }
        ItemCommand::Remove(args) => state::remove(app, out, kind, args).await,
        ItemCommand::Restore(args) => state::restore(app, out, kind, args).await,
        ItemCommand::History(args) => history::run(app, out, kind, args).await,
        ItemCommand::Diff(args) => history::diff(app, out, kind, args).await,
        ItemCommand::Rename(args) => edit::rename(app, out, kind, args).await,
        ItemCommand::Pin(args) => state::pin(app, out, kind, args).await,
        ItemCommand::Validate(args) => validate::run(app, out, kind, args).await,
        ItemCommand::Export(args) => export::run(app, out, kind, args).await,
        ItemCommand::Proposals(args) => proposals::run(app, out, kind, args).await,
    };
    match result {
        Err(failure) => Err(of_another_kind(app, kind, failure.about(kind)).await),
        done => done,
    }
}

/// Adds to a failure that an item of another kind has the name, if one has.
async fn of_another_kind(app: &App, kind: ItemKind, failure: Failure) -> Failure {
    let Some(name) = &failure.unknown_name else {
        return failure;
    };
    let filter = ItemFilter {
        name: Some(name.to_string()),
        states: vec![ItemState::Active, ItemState::Disabled],
        ..ItemFilter::default()
    };
    let found = app
        .registry
        .store()
        .items(app.registry.owner(), &filter)
        .await
        .unwrap_or_default();
    let Some(other) = found.iter().find(|item| item.kind != kind) else {
        return failure;
    };
    let hint = format!(
        "there is a {} of that name: `imprint {}s show {}`",
        other.kind, other.kind, other.name
    );
    failure.hint(hint)
}

fn item_ref(kind: ItemKind, name: &str) -> ItemRef {
    ItemRef::of(kind, name)
}

pub(super) fn name(given: &str) -> Result<ItemName, Failure> {
    given.parse().map_err(|fault| {
        let failure = Failure::new(
            FailureKind::Usage,
            format!("`{}` can't be a name: {fault}", text::one_line(given)),
        );
        match suggest_name(given) {
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
