//! `history` and `diff`: earlier revisions.

use std::collections::BTreeSet;

use imprint_core::{
    Author, Revision,
    registry::{RevisionRef, Snapshot},
};
use imprint_format::{ItemKind, ItemPath};
use serde::Serialize;

use super::{item_ref, revision};
use crate::{
    cli::{DiffArgs, HistoryArgs},
    commands::diff,
    failure::{Failure, FailureKind},
    output::Output,
    time,
    wiring::App,
};

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: HistoryArgs,
) -> Result<(), Failure> {
    let revisions = app
        .registry
        .history(&item_ref(kind, &args.name), 0, args.limit)
        .await?;
    out.data(&revisions, |out| {
        out.overview(
            &["REVISION", "WHEN", "BY", "NAME", "DESCRIPTION"],
            revisions.iter().map(|revision| {
                vec![
                    revision.id.short(),
                    time::shown(revision.at),
                    author(&revision.author),
                    revision.name.to_string(),
                    revision.description.clone(),
                ]
            }),
        );
    });
    Ok(())
}

/// Who made a revision, for people.
pub(in crate::commands) fn author(author: &Author) -> String {
    match author {
        Author::User => "you".to_owned(),
        Author::Agent { client } => format!("an agent in {client}"),
        Author::Import => "an import".to_owned(),
    }
}

#[derive(Serialize)]
struct Difference<'a> {
    from: &'a Revision,
    to: &'a Revision,
    files: Vec<FileDifference>,
}

#[derive(Serialize)]
struct FileDifference {
    path: ItemPath,
    diff: String,
}

pub(super) async fn diff(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: DiffArgs,
) -> Result<(), Failure> {
    let item = item_ref(kind, &args.name);
    let from = match &args.from {
        Some(from) => revision(from)?,
        None if app.registry.history(&item, 0, 2).await?.len() < 2 => {
            let message = format!(
                "`{}` has one revision, so there is nothing to compare",
                args.name
            );
            return Err(Failure::new(FailureKind::NotFound, message));
        }
        None => RevisionRef::Back(1),
    };
    let from = app.registry.snapshot(&item, &from).await?;
    let to = app.registry.snapshot(&item, &revision(&args.to)?).await?;
    let files = differences(&from, &to);
    let difference = Difference {
        from: &from.revision,
        to: &to.revision,
        files,
    };
    out.data(&difference, |out| {
        if difference.files.is_empty() {
            out.message("The two revisions have the same files");
        }
        for file in &difference.files {
            out.diff(&file.diff);
        }
    });
    Ok(())
}

/// A unified diff for each file that differs, in the order of their paths.
fn differences(from: &Snapshot, to: &Snapshot) -> Vec<FileDifference> {
    let paths: BTreeSet<_> = from
        .bundle
        .files()
        .chain(to.bundle.files())
        .map(|(path, _)| path.clone())
        .collect();
    paths
        .into_iter()
        .filter_map(|path| difference(from, to, path))
        .collect()
}

fn difference(from: &Snapshot, to: &Snapshot, path: ItemPath) -> Option<FileDifference> {
    let heading = |snapshot: &Snapshot| format!("{path} ({})", snapshot.revision.id.short());
    let diff = diff::of_files(
        path.as_str(),
        from.bundle.get(&path),
        to.bundle.get(&path),
        (&heading(from), &heading(to)),
    )?;
    Some(FileDifference { path, diff })
}
