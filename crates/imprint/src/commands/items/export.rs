//! `export`: items as plain files in a folder of the user's choice.

use std::{fs, io, path::Path};

use imprint_core::{ItemFilter, ItemState, ItemSummary};
use imprint_format::{Bundle, ItemKind};
use serde::Serialize;

use super::item_ref;
use crate::{
    cli::ExportArgs,
    failure::{Failure, FailureKind},
    home::shown,
    output::{Output, count},
    wiring::App,
};

#[derive(Serialize)]
struct Exported {
    name: String,
    folder: String,
}

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: ExportArgs,
) -> Result<(), Failure> {
    let items = wanted(app, kind, &args.names).await?;
    if args.to.symlink_metadata().is_ok() && !args.to.is_dir() {
        let message = format!("`{}` is no folder; nothing was exported", shown(&args.to));
        return Err(Failure::new(FailureKind::Conflict, message).hint("choose another place"));
    }
    refuse_to_overwrite(&args.to, &items, args.force)?;
    let mut exported = Vec::new();
    for item in &items {
        let bundle = app.registry.files_of(item).await?;
        let folder = args.to.join(item.name.as_str());
        write(&bundle, &folder, args.force)
            .map_err(|error| Failure::io("write", &folder, &error))?;
        exported.push(Exported {
            name: item.name.to_string(),
            folder: folder.display().to_string(),
        });
    }
    out.data(&exported, |out| {
        for one in &exported {
            out.line(&one.folder);
        }
        out.message(&format!(
            "Exported {} to {}",
            count(exported.len(), kind.as_str()),
            shown(&args.to)
        ));
    });
    Ok(())
}

async fn wanted(app: &App, kind: ItemKind, names: &[String]) -> Result<Vec<ItemSummary>, Failure> {
    if names.is_empty() {
        let states = vec![ItemState::Active, ItemState::Disabled];
        let filter = ItemFilter {
            kind: Some(kind),
            states,
            ..ItemFilter::default()
        };
        return Ok(app
            .registry
            .store()
            .items(app.registry.owner(), &filter)
            .await?);
    }
    let mut items = Vec::new();
    for name in names {
        items.push(app.registry.resolve(&item_ref(kind, name), &[]).await?);
    }
    Ok(items)
}

/// Refuses before anything is written. Even by force only an item takes another's place, so that
/// a slip in the target costs no one a folder of something else.
fn refuse_to_overwrite(to: &Path, items: &[ItemSummary], force: bool) -> Result<(), Failure> {
    for item in items {
        let place = to.join(item.name.as_str());
        let Ok(found) = place.symlink_metadata() else {
            continue;
        };
        let conflict = |why: &str| {
            let message = format!("`{}` {why}; nothing was exported", place.display());
            Failure::new(FailureKind::Conflict, message)
        };
        if !force {
            return Err(conflict("is there already")
                .hint("choose another folder, or replace it with `--force`"));
        }
        let entry = item.kind.entry_file();
        if found.is_dir() && place.join(entry).symlink_metadata().is_err() {
            return Err(conflict(&format!("is a folder without a `{entry}`"))
                .hint("choose another folder, or move that one away yourself"));
        }
    }
    Ok(())
}

/// Writes the files beside their place first, so that a reader sees the old or the new folder.
fn write(bundle: &Bundle, folder: &Path, force: bool) -> io::Result<()> {
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let fresh = tempfile::Builder::new()
        .prefix(".imprint-export-")
        .tempdir_in(parent)?;
    for (path, file) in bundle.files() {
        let target = path
            .components()
            .fold(fresh.path().to_path_buf(), |at, part| at.join(part));
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, &file.bytes)?;
        if file.executable {
            make_executable(&target)?;
        }
    }
    open_to_others(fresh.path())?;
    let aside = tempfile::Builder::new()
        .prefix(".imprint-export-")
        .tempdir_in(parent)?;
    let old = aside.path().join("old");
    let is_moved = force && folder.symlink_metadata().is_ok();
    if is_moved {
        fs::rename(folder, &old)?;
    }
    if let Err(error) = fs::rename(fresh.path(), folder) {
        if is_moved && fs::rename(&old, folder).is_err() {
            // Better a folder under an odd name than none.
            let _ = aside.keep();
        }
        return Err(error);
    }
    let _ = fresh.keep();
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A temporary folder is the user's alone; an exported one is like any other.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}
