//! `edit` and `rename`: new revisions.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use imprint_core::{
    Author, ItemRef, ItemSummary,
    registry::{EditError, Edited, FileEdit, ItemEdit, RevisionRef},
};
use imprint_format::{BundleFile, ItemKind, ItemPath};

use super::{
    create::{given_text, read_text},
    item_ref, name, revision, told, unchanged,
};
use crate::{
    cli::{AcceptArgs, EditArgs, RenameArgs},
    commands::{accept::accept, editor::Draft},
    failure::{Failure, FailureKind},
    home::shown,
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
    let instructions = match &args.from {
        Some(path) => Some(read_text(path)?),
        None => given_text(args.text.instructions.as_deref())?,
    };
    if args.text.description.is_none() && instructions.is_none() {
        return in_editor(app, out, &item, &args.accept).await;
    }
    let mut edit = ItemEdit {
        description: args.text.description,
        instructions,
        ..ItemEdit::default()
    };
    if let Some(expected) = &args.expect {
        edit.expected = Some(
            app.registry
                .snapshot(&item, &revision(expected)?)
                .await?
                .revision
                .id,
        );
    }
    let edited = keep(app, &item, edit, &args.accept).await?;
    tell(app, out, &edited, "Changed").await;
    Ok(())
}

pub(super) async fn rename(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: RenameArgs,
) -> Result<(), Failure> {
    let edit = ItemEdit {
        name: Some(name(&args.to)?),
        ..ItemEdit::default()
    };
    let none = AcceptArgs {
        accept: Vec::new(),
        reason: None,
    };
    let edited = keep(app, &item_ref(kind, &args.name), edit, &none).await?;
    tell(app, out, &edited, "Renamed to").await;
    Ok(())
}

pub(in crate::commands) async fn tell(app: &App, out: &Output, edited: &Edited, verb: &str) {
    if edited.changed {
        told(app, out, &edited.item, verb).await;
    } else {
        unchanged(out, &edited.item);
    }
}

/// Opens the entry file in the user's editor, again as long as it is refused and the user wants
/// to go on. What stays refused is kept in a file and named, so that nobody's work is lost; unless
/// there is a credential in it, which is kept nowhere.
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
    let mut draft = Draft::new(kind.entry_file(), before)?;
    loop {
        let closed = draft.open(&app.settings).await;
        let left = draft.read()?;
        if left == before.as_bytes() {
            closed?;
            unchanged(out, &snapshot.item);
            return Ok(());
        }
        let edit = ItemEdit {
            files: vec![FileEdit::Put(
                ItemPath::entry_of(kind),
                BundleFile::plain(left.clone()),
            )],
            expected: Some(snapshot.revision.id),
            ..ItemEdit::default()
        };
        let failure = match closed {
            Err(failure) => failure,
            Ok(()) => match keep(app, item, edit, accepted).await {
                Ok(edited) => {
                    tell(app, out, &edited, "Changed").await;
                    return Ok(());
                }
                Err(failure) => failure,
            },
        };
        if !goes_on(out, &failure) {
            return Err(with_refused_text(app, &snapshot.item, &left, failure));
        }
    }
}

/// Asks whether to go on with a text that was refused. A newer revision makes going on useless.
fn goes_on(out: &Output, failure: &Failure) -> bool {
    if failure.kind != FailureKind::Failed || !out.can_ask() {
        return false;
    }
    out.failure(failure);
    inquire::Confirm::new("Go on editing?")
        .with_default(true)
        .prompt()
        .unwrap_or(false)
}

/// Edits the item; once more when the user accepts what was found in the text.
pub(in crate::commands) async fn keep(
    app: &App,
    item: &ItemRef,
    edit: ItemEdit,
    accepted: &AcceptArgs,
) -> Result<Edited, Failure> {
    let refused = refused_text(&edit);
    match app.registry.edit(&Author::User, item, edit.clone()).await {
        Err(EditError::Secret { findings }) if accept(app, accepted, &findings).await? => {
            Ok(app.registry.edit(&Author::User, item, edit).await?)
        }
        Err(stale @ EditError::Stale { .. }) => {
            let summary = app.registry.resolve(item, &[]).await?;
            let failure = Failure::from(stale);
            Err(match refused {
                Some(text) => with_refused_text(app, &summary, text.as_bytes(), failure),
                None => failure,
            })
        }
        result => Ok(result?),
    }
}

/// The text of an edit that a person typed somewhere else than in a file.
fn refused_text(edit: &ItemEdit) -> Option<String> {
    match (&edit.description, &edit.instructions) {
        (None, None) => None,
        (Some(description), None) => Some(description.clone()),
        (None, Some(instructions)) => Some(instructions.clone()),
        (Some(description), Some(instructions)) => Some(format!("{description}\n\n{instructions}")),
    }
}

/// Keeps a refused text in a file of its own and names it in the failure. A text with a credential
/// in it is kept nowhere.
fn with_refused_text(app: &App, item: &ItemSummary, text: &[u8], failure: Failure) -> Failure {
    if !failure.findings.is_empty() {
        return failure;
    }
    if !imprint_core::secret::scan_bytes(text).is_empty() {
        return failure.hint("your text is not kept either: there is a credential in it");
    }
    let file = app.home.refused().join(format!(
        "{}-{}.md",
        item.name,
        app.registry.clock().new_uuid()
    ));
    match write_private(&file, text) {
        Ok(()) => failure.hint(format!("your text is kept in {}", shown(&file))),
        Err(error) => failure
            .detail(format!(
                "your text could not be kept in {}: {error}",
                shown(&file)
            ))
            .detail(String::from_utf8_lossy(text)),
    }
}

/// Writes a new file that only the user may read, like everything in the home.
fn write_private(file: &Path, text: &[u8]) -> io::Result<()> {
    let mut folders = fs::DirBuilder::new();
    let mut options = fs::File::options();
    folders.recursive(true);
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        folders.mode(0o700);
        options.mode(0o600);
    }
    folders.create(file.parent().unwrap_or(Path::new(".")))?;
    options.open(file)?.write_all(text)
}
