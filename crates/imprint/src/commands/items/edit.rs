//! `edit` and `rename`: new revisions.

use imprint_core::{
    Author, ItemRef, ItemState,
    registry::{EditError, Edited, FileEdit, ItemEdit, RevisionRef, Snapshot},
};
use imprint_format::{BundleFile, Document, ItemKind, ItemPath};

use super::{
    create::{given_text, read_text},
    item_ref,
    kept_text::keep_refused,
    name, revision, told, unchanged,
};
use crate::{
    cli::{AcceptArgs, EditArgs, RenameArgs},
    commands::{accept::accept, editor::Draft},
    failure::{Failure, FailureKind},
    output::Output,
    wiring::App,
};

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: EditArgs,
) -> Result<(), Failure> {
    let item = item_ref(kind, &args.name);
    let Some(mut edit) = given(kind, &args)? else {
        return in_editor(app, out, &item, &args.accept).await;
    };
    if let Some(expected) = &args.expect {
        let expected = app.registry.snapshot(&item, &revision(expected)?).await?;
        edit.expected = Some(expected.revision.id);
    }
    let edited = keep(app, &item, edit, &args.accept).await?;
    tell(app, out, &edited, "Changed").await;
    Ok(())
}

/// What the options ask for; `None` when they ask for nothing. A file with a header is the whole
/// entry file, one without is the instructions.
fn given(kind: ItemKind, args: &EditArgs) -> Result<Option<ItemEdit>, Failure> {
    let mut edit = ItemEdit {
        description: args.text.description.clone(),
        ..ItemEdit::default()
    };
    match &args.from {
        None => edit.instructions = given_text(args.text.instructions.as_deref())?,
        Some(path) => {
            let text = read_text(path)?;
            if Document::read(text.as_bytes()).value.is_some() {
                edit.files = vec![whole(kind, text.into_bytes())];
            } else {
                edit.instructions = Some(text);
            }
        }
    }
    let asks = edit.description.is_some() || edit.instructions.is_some() || !edit.files.is_empty();
    Ok(asks.then_some(edit))
}

fn whole(kind: ItemKind, bytes: Vec<u8>) -> FileEdit {
    FileEdit::Put(ItemPath::entry_of(kind), BundleFile::plain(bytes))
}

pub(super) async fn rename(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: RenameArgs,
) -> Result<(), Failure> {
    let before = app
        .registry
        .resolve(&item_ref(kind, &args.name), &[])
        .await?;
    let edit = ItemEdit {
        name: Some(name(&args.to)?),
        ..ItemEdit::default()
    };
    let none = AcceptArgs {
        accept: Vec::new(),
        reason: None,
    };
    let edited = keep(app, &(&before).into(), edit, &none).await?;
    if edited.changed {
        let done = format!("Renamed {kind} `{}` to `{}`", before.name, edited.item.name);
        told(app, out, &edited.item, &done).await;
    } else {
        unchanged(out, &edited.item, "has this name already");
    }
    Ok(())
}

pub(in crate::commands) async fn tell(app: &App, out: &Output, edited: &Edited, verb: &str) {
    let item = &edited.item;
    if edited.changed {
        let done = format!(
            "{verb} {} `{}` (revision {})",
            item.kind,
            item.name,
            item.head.short()
        );
        told(app, out, item, &done).await;
    } else {
        unchanged(out, item, "is like that already");
    }
}

/// Opens the entry file in the user's editor, and again when the text is refused and they want
/// to. What stays refused is kept in a file and named.
pub(in crate::commands) async fn in_editor(
    app: &App,
    out: &Output,
    item: &ItemRef,
    accepted: &AcceptArgs,
) -> Result<(), Failure> {
    let snapshot = app.registry.snapshot(item, &RevisionRef::Head).await?;
    let kind = snapshot.item.kind;
    let Some(before) = snapshot.bundle.entry().as_text() else {
        return Err(Failure::failed(format!(
            "the {} is not text",
            kind.entry_file()
        )));
    };
    if snapshot.item.state == ItemState::Removed {
        let name = snapshot.item.name.clone();
        return Err(EditError::Removed { name }.into());
    }
    let mut draft = Draft::new(kind.entry_file(), before)?;
    loop {
        let closed = draft.open(&app.settings).await;
        let left = draft.read()?;
        if left == before.as_bytes() {
            closed?;
            unchanged(out, &snapshot.item, "was left as it is");
            return Ok(());
        }
        let kept = match closed {
            Ok(()) => keep_whole(app, &snapshot, left.clone(), accepted).await,
            Err(failure) => Err(failure),
        };
        let failure = match kept {
            Ok(edited) => {
                tell(app, out, &edited, "Changed").await;
                return Ok(());
            }
            Err(failure) => failure.about(kind),
        };
        let failure = match goes_on(out, failure) {
            Next::Again => continue,
            Next::End(failure) => failure,
        };
        return Err(keep_refused(app, &snapshot.item, &left, failure));
    }
}

/// What follows a text that was refused.
enum Next {
    Again,
    End(Failure),
}

/// Asks whether to go on with a text that was refused. A newer revision makes going on useless.
/// What was told by asking is not told again.
fn goes_on(out: &Output, failure: Failure) -> Next {
    if failure.kind != FailureKind::Failed || !out.can_ask() {
        return Next::End(failure);
    }
    out.failure(&failure);
    if out.ask("Go on editing?") {
        return Next::Again;
    }
    Next::End(Failure {
        findings: failure.findings,
        ..Failure::failed("nothing was changed")
    })
}

/// Keeps the whole entry file, if the item is still as it was.
async fn keep_whole(
    app: &App,
    before: &Snapshot,
    bytes: Vec<u8>,
    accepted: &AcceptArgs,
) -> Result<Edited, Failure> {
    let edit = ItemEdit {
        files: vec![whole(before.item.kind, bytes)],
        expected: Some(before.revision.id),
        ..ItemEdit::default()
    };
    keep(app, &(&before.item).into(), edit, accepted).await
}

/// Edits the item; once more when the user accepts what was found in the text. A text that is
/// refused because the item has moved on is kept in a file.
pub(in crate::commands) async fn keep(
    app: &App,
    item: &ItemRef,
    edit: ItemEdit,
    accepted: &AcceptArgs,
) -> Result<Edited, Failure> {
    let typed = typed_text(&edit);
    match app.registry.edit(&Author::User, item, edit.clone()).await {
        Err(EditError::Secret { findings }) if accept(app, accepted, &findings).await? => {
            Ok(app.registry.edit(&Author::User, item, edit).await?)
        }
        Err(stale @ EditError::Stale { .. }) => {
            let summary = app.registry.resolve(item, &[]).await?;
            let failure = Failure::from(stale);
            Err(match typed {
                Some(text) => keep_refused(app, &summary, text.as_bytes(), failure),
                None => failure,
            })
        }
        result => Ok(result?),
    }
}

/// The text of an edit that may stand nowhere else than in it.
fn typed_text(edit: &ItemEdit) -> Option<String> {
    match (&edit.description, &edit.instructions) {
        (None, None) => None,
        (Some(text), None) | (None, Some(text)) => Some(text.clone()),
        (Some(description), Some(instructions)) => Some(format!("{description}\n\n{instructions}")),
    }
}
