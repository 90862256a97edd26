//! Giving a place its files back as they were before it became ours.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use imprint_format::{Digest, ItemKind, limits::ITEM_BYTES};

use super::relocate::{copy, remove_all};
use crate::{
    home::read_bounded,
    steps::{Step, Steps},
    write::Written,
};

/// What became of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Restored {
    /// It is as it was.
    AsItWas,
    /// There is no snapshot any more; it was left.
    NoSnapshot,
    /// This file is someone's work since then, and was left; the others are as they were.
    Edited(String),
}

/// Gives a place, a skill's folder or a persona's file, the bytes and modes of its snapshot. Only
/// what we wrote since, by what the manifest lists, is replaced or removed.
pub(crate) fn restore(
    snapshot: &Path,
    place: &Path,
    listed: &Written,
    steps: &Steps,
) -> io::Result<Restored> {
    let nothing = BTreeSet::new();
    let mut files: BTreeMap<PathBuf, &BTreeSet<Digest>> = BTreeMap::new();
    // A later pass took away what a later revision doesn't have.
    for file in files_of(snapshot)? {
        files.insert(file, &nothing);
    }
    for (path, file) in &listed.files {
        let inside = match listed.kind {
            ItemKind::Skill => path.split('/').skip(1).collect(),
            _ => PathBuf::new(),
        };
        files.insert(inside, &file.digests);
    }
    let mut edited = None;
    for (inside, ours) in files {
        let (old, now) = (below(snapshot, &inside), below(place, &inside));
        if is_same(&old, &now)? {
            continue;
        }
        if !may_go(&now, ours) {
            edited.get_or_insert_with(|| now.display().to_string());
            continue;
        }
        replace(&old, &now, steps)?;
    }
    Ok(edited.map_or(Restored::AsItWas, Restored::Edited))
}

/// A path in a place; the empty one is the place, a persona's file.
fn below(place: &Path, inside: &Path) -> PathBuf {
    if inside.as_os_str().is_empty() {
        place.to_owned()
    } else {
        place.join(inside)
    }
}

/// The files and links in a folder, by their paths in it; of a file, the empty path.
fn files_of(place: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let at = below(place, &inside);
        match look(&at)? {
            Some(metadata) if metadata.is_dir() => {
                for entry in fs::read_dir(&at)? {
                    open.push(inside.join(entry?.file_name()));
                }
            }
            Some(_) => files.push(inside),
            None => {}
        }
    }
    Ok(files)
}

/// Whether what stands there is a file that we wrote, or nothing.
fn may_go(now: &Path, ours: &BTreeSet<Digest>) -> bool {
    match fs::symlink_metadata(now) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(metadata) if metadata.is_file() => read_bounded(now, ITEM_BYTES as u64)
            .is_ok_and(|bytes| ours.contains(&Digest::of(&bytes))),
        Ok(_) => false,
    }
}

/// Puts the old file in place of the present one; one that was not there goes, with the folders
/// that were made for it.
fn replace(old: &Path, now: &Path, steps: &Steps) -> io::Result<()> {
    if fs::symlink_metadata(old).is_err() {
        steps.take(Step::RemoveFile)?;
        fs::remove_file(now)?;
        remove_new_folders(old, now, steps)?;
        return Ok(());
    }
    if let (Some(old), Some(now)) = (old.parent(), now.parent()) {
        make_like(old, now, steps)?;
    }
    // Named as passes name theirs, so that a pass clears up what a kill leaves.
    let process = std::process::id();
    let beside = now.with_file_name(format!(".imprint-{process}-0.tmp"));
    remove_all(&beside, steps)?;
    copy(old, &beside, steps)?;
    steps.take(Step::Place)?;
    fs::rename(&beside, now)
}

/// Makes folders that are missing, with the modes that they had.
fn make_like(old: &Path, now: &Path, steps: &Steps) -> io::Result<()> {
    if now.is_dir() {
        return Ok(());
    }
    if let (Some(old), Some(now)) = (old.parent(), now.parent()) {
        make_like(old, now, steps)?;
    }
    steps.take(Step::MakeFolder)?;
    fs::create_dir(now)?;
    fs::set_permissions(now, fs::metadata(old)?.permissions())
}

fn remove_new_folders(old: &Path, now: &Path, steps: &Steps) -> io::Result<()> {
    let folders = old.ancestors().zip(now.ancestors()).skip(1);
    for (old, now) in folders {
        let is_new = fs::symlink_metadata(old).is_err();
        if !is_new || fs::read_dir(now)?.next().is_some() {
            return Ok(());
        }
        steps.take(Step::RemoveFolder)?;
        fs::remove_dir(now)?;
    }
    Ok(())
}

/// Whether two trees are the same in names, bytes, modes and links. Two that are not there are.
pub(crate) fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (Some(first), Some(second)) = (look(one)?, look(other)?) else {
        return Ok(look(one)?.is_none() && look(other)?.is_none());
    };
    if first.file_type() != second.file_type() {
        return Ok(false);
    }
    if first.is_symlink() {
        return Ok(fs::read_link(one)? == fs::read_link(other)?);
    }
    if first.permissions() != second.permissions() {
        return Ok(false);
    }
    if first.is_file() {
        return Ok(first.len() == second.len() && fs::read(one)? == fs::read(other)?);
    }
    let (names, others) = (names(one)?, names(other)?);
    if names != others {
        return Ok(false);
    }
    for name in names {
        if !is_same(&one.join(&name), &other.join(&name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn look(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn names(folder: &Path) -> io::Result<BTreeSet<std::ffi::OsString>> {
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name()))
        .collect()
}
