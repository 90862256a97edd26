//! `files`: what stands beside the entry file.

use std::path::Path;

use imprint_core::registry::{FileEdit, ItemEdit, RevisionRef};
use imprint_format::{BundleFile, ItemKind, ItemPath, limits};
use serde::Serialize;

use super::{edit, item_ref};
use crate::{
    cli::FilesArgs,
    failure::{Failure, FailureKind},
    output::Output,
    wiring::App,
};

/// What `--print` gives with `--json`. A file that is no text has none.
#[derive(Serialize)]
struct Printed<'a> {
    path: ItemPath,
    size: usize,
    executable: bool,
    text: Option<&'a str>,
}

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: FilesArgs,
) -> Result<(), Failure> {
    if let Some(path) = &args.print {
        return print(app, out, kind, &args.name, path).await;
    }
    if args.add.is_empty() && args.remove.is_empty() {
        return list(app, out, kind, &args.name).await;
    }
    let mut files = Vec::new();
    for added in &args.add {
        files.push(read(added)?);
    }
    for removed in &args.remove {
        files.push(FileEdit::Remove(item_path(removed)?));
    }
    let change = ItemEdit {
        files,
        ..ItemEdit::default()
    };
    let edited = edit::keep(app, &item_ref(kind, &args.name), change, &args.accept).await;
    let edited = edited.map_err(|failure| match failure.kind {
        FailureKind::NotFound if failure.unknown_name.is_none() => {
            failure.item_hint(format!("files {}", args.name), "lists its files")
        }
        _ => failure,
    })?;
    edit::tell(app, out, &edited, "Changed").await;
    Ok(())
}

async fn list(app: &App, out: &Output, kind: ItemKind, name: &str) -> Result<(), Failure> {
    let snapshot = app
        .registry
        .snapshot(&item_ref(kind, name), &RevisionRef::Head)
        .await?;
    let files = &snapshot.revision.files;
    out.data(files, |out| {
        let mode = |executable| if executable { "executable" } else { "" }.to_owned();
        out.table(
            &["FILE", "BYTES", "SHA-256", ""],
            files.iter().map(|file| {
                let size = file.size.to_string();
                vec![
                    file.path.to_string(),
                    size,
                    file.digest.short(),
                    mode(file.executable),
                ]
            }),
        );
    });
    Ok(())
}

async fn print(
    app: &App,
    out: &Output,
    kind: ItemKind,
    name: &str,
    path: &str,
) -> Result<(), Failure> {
    let snapshot = app
        .registry
        .snapshot(&item_ref(kind, name), &RevisionRef::Head)
        .await?;
    let wanted = item_path(path)?;
    let Some(file) = snapshot.bundle.get(&wanted) else {
        return Err(Failure::new(
            FailureKind::NotFound,
            format!("`{name}` has no file `{wanted}`"),
        )
        .item_hint(format!("files {name}"), "lists them"));
    };
    let printed = Printed {
        path: wanted,
        size: file.bytes.len(),
        executable: file.executable,
        text: file.as_text(),
    };
    out.data(&printed, |out| out.bytes(&file.bytes));
    Ok(())
}

/// `LOCAL`, or `LOCAL=PATH`.
fn read(added: &str) -> Result<FileEdit, Failure> {
    let (local, place) = added.split_once('=').map_or_else(
        || (Path::new(added), file_name(added)),
        |(local, place)| (Path::new(local), place),
    );
    let meta = std::fs::metadata(local).map_err(|error| Failure::io("read", local, &error))?;
    if !meta.is_file() {
        return Err(Failure::failed(format!("`{}` is no file", local.display()))
            .hint("name each file of a folder"));
    }
    if meta.len() > limits::ITEM_BYTES as u64 {
        return Err(Failure::failed(format!(
            "`{}` is larger than 10 MiB, the most that an item may have",
            local.display()
        )));
    }
    let bytes = std::fs::read(local).map_err(|error| Failure::io("read", local, &error))?;
    let file = BundleFile {
        bytes: bytes.into(),
        executable: is_executable(&meta),
    };
    Ok(FileEdit::Put(item_path(place)?, file))
}

fn file_name(path: &str) -> &str {
    let name = Path::new(path).file_name();
    name.and_then(|name| name.to_str()).unwrap_or_default()
}

fn item_path(text: &str) -> Result<ItemPath, Failure> {
    text.parse().map_err(|fault: imprint_format::PathFault| {
        Failure::new(
            FailureKind::Usage,
            format!("`{text}` can't be a file of an item: {fault}"),
        )
    })
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}
