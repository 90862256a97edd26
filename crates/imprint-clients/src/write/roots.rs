//! Clients' folders themselves: what is behind their links, making them, and taking away the ones
//! that we made once nothing is left in them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::manifest::Manifest;
use crate::steps::{Step, Steps};

/// What stands at a client's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RootState {
    /// A folder.
    There,
    /// Nothing; these folders have to be made, the outermost first.
    Missing(Vec<PathBuf>),
    /// A link that leads nowhere.
    Dangling,
    /// Something that is no folder.
    NoFolder,
    /// It can't be looked at.
    Unreadable(String),
}

/// A path with every link resolved as far as the path exists. A link that leads nowhere stays.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    if fs::symlink_metadata(path).is_ok() {
        return path.to_owned();
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => resolve(parent).join(name),
        _ => path.to_owned(),
    }
}

/// Looks at a client's folder, given with its links resolved.
pub(crate) fn look_at(real: &Path) -> RootState {
    match fs::symlink_metadata(real) {
        Ok(metadata) if metadata.is_dir() => RootState::There,
        Ok(metadata) if metadata.is_symlink() => RootState::Dangling,
        Ok(_) => RootState::NoFolder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut missing: Vec<_> = real
                .ancestors()
                .take_while(|folder| is_absent(folder))
                .map(Path::to_owned)
                .collect();
            missing.reverse();
            RootState::Missing(missing)
        }
        Err(error) => RootState::Unreadable(error.to_string()),
    }
}

/// Makes folders, the outermost first. One that someone made meanwhile is fine.
pub(crate) fn make(folders: &[PathBuf], steps: &Steps) -> io::Result<()> {
    for folder in folders {
        steps.take(Step::MakeFolder)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
    }
    Ok(())
}

/// Whether everything at a folder is there because we wrote it: we made the folder, and all that is
/// in it are folders that we made.
pub(crate) fn is_only_ours(folder: &Path, manifest: &Manifest) -> bool {
    let real = resolve(folder);
    if !manifest.created(&real) {
        return false;
    }
    fs::read_dir(&real).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| manifest.created(&entry.path())))
    })
}

/// Takes away the folders that we made for clients' folders in which nothing of ours is left,
/// where nothing else is in them, and forgets those that are gone.
pub(crate) fn tidy(manifest: &mut Manifest, steps: &Steps) {
    let empty = manifest
        .roots
        .values()
        .filter(|root| root.entries.is_empty());
    let mut folders: Vec<_> = empty.flat_map(|root| root.created.clone()).collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    for folder in &folders {
        if steps.take(Step::RemoveFolder).is_ok() {
            // Refused by the system while anything is in it.
            let _ = fs::remove_dir(folder);
        }
    }
    manifest.roots.retain(|_, root| {
        if root.entries.is_empty() {
            root.created.retain(|folder| !is_absent(folder));
        }
        !root.entries.is_empty() || !root.created.is_empty()
    });
}

fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
