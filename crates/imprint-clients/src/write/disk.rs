//! One client's folder through a handle: no link below it is followed, every file appears whole,
//! and nothing is replaced or removed that isn't what the caller says it is.

use std::{
    cell::Cell,
    collections::BTreeSet,
    io::{self, Read as _, Write as _},
    path::Path,
};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::{
    ambient_authority,
    fs::{Dir, File, Metadata, OpenOptions},
};
use imprint_format::{
    Digest,
    limits::{ITEM_BYTES, PATH_DEPTH},
};

use super::entry::FoundFile;
use crate::steps::{Step, Steps};

const TEMPORARY_PREFIX: &str = ".imprint-";
const TEMPORARY_SUFFIX: &str = ".tmp";
/// Entries of one of our own folders that are looked at for files that aren't ours.
const MAX_LISTED: usize = 4_096;

/// A client's folder.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    dir: Dir,
    steps: &'a Steps,
    temporary: Cell<u32>,
}

/// What stands at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Absent,
    Folder,
    File,
    Link,
    Other,
}

/// A file as it should be written.
pub(crate) struct NewFile<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) executable: bool,
    /// What may stand there now: files with these contents, which may carry an executable bit.
    pub(crate) replaces: Option<Replaced<'b>>,
}

/// What may be replaced.
pub(crate) struct Replaced<'b> {
    pub(crate) digests: &'b BTreeSet<Digest>,
    pub(crate) executable: bool,
}

/// Why a file was not written or removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskError {
    /// Since it was looked at, someone changed what stands there.
    #[error("someone changed it meanwhile")]
    Changed,
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl<'a> Folder<'a> {
    /// Opens a folder that exists.
    pub(crate) fn open(path: &Path, steps: &'a Steps) -> io::Result<Self> {
        Ok(Self {
            dir: Dir::open_ambient_dir(path, ambient_authority())?,
            steps,
            temporary: Cell::new(0),
        })
    }

    /// What stands at a name directly in the folder.
    pub(crate) fn kind(&self, name: &str) -> io::Result<Kind> {
        kind_of(&self.dir, name)
    }

    /// The file at a path; `None` where nothing is.
    pub(crate) fn find(&self, path: &str) -> Option<FoundFile> {
        match self.look(path) {
            Ok(found) => found,
            Err(error) => Some(FoundFile::Unreadable(error.to_string())),
        }
    }

    /// The bytes of a file that was found with this digest; `None` when it has other ones now.
    pub(crate) fn read(&self, path: &str, digest: Digest) -> Option<Vec<u8>> {
        let (dir, name) = self.parent(path).ok()??;
        let (bytes, _) = read_bytes(&dir, name).ok()??;
        (Digest::of(&bytes) == digest).then_some(bytes)
    }

    fn look(&self, path: &str) -> io::Result<Option<FoundFile>> {
        let (folders, name) = split(path);
        let mut dir = self.dir.try_clone()?;
        for folder in folders {
            match kind_of(&dir, folder)? {
                Kind::Folder => dir = dir.open_dir_nofollow(folder)?,
                Kind::Absent => return Ok(None),
                Kind::Link => return Ok(Some(FoundFile::Link)),
                Kind::File | Kind::Other => return Ok(Some(FoundFile::Other)),
            }
        }
        Ok(match kind_of(&dir, name)? {
            Kind::Absent => None,
            Kind::Link => Some(FoundFile::Link),
            Kind::Folder | Kind::Other => Some(FoundFile::Other),
            Kind::File => Some(read_file(&dir, name)?),
        })
    }

    /// Writes a file: beside its place, synced, renamed. Folders on the way are made. The name
    /// itself is not synced: one that a power cut takes back is listed in the manifest, and the
    /// next pass puts it there again.
    pub(crate) fn put(&self, path: &str, file: &NewFile<'_>) -> Result<(), DiskError> {
        let (folders, name) = split(path);
        let mut dir = self.dir.try_clone()?;
        for folder in folders {
            if kind_of(&dir, folder)? == Kind::Absent {
                self.steps.take(Step::MakeFolder)?;
                dir.create_dir(folder)?;
            }
            dir = dir.open_dir_nofollow(folder)?;
        }
        let permissions = may_replace(&dir, name, file)?;
        let temporary = self.begin(&dir, file.executable)?;
        let placed = self
            .fill(&dir, &temporary, file, permissions)
            .and_then(|()| {
                // Looked at again as late as can be: an editor may have saved meanwhile.
                may_replace(&dir, name, file)?;
                self.steps.take(Step::Place)?;
                Ok(dir.rename(&temporary, &dir, name)?)
            });
        if placed.is_err() && self.steps.take(Step::RemoveFile).is_ok() {
            let _ = dir.remove_file(&temporary);
        }
        placed
    }

    /// A new temporary file's name.
    fn begin(&self, dir: &Dir, executable: bool) -> Result<String, DiskError> {
        loop {
            let count = self.temporary.get();
            self.temporary.set(count.wrapping_add(1));
            let name = format!(
                "{TEMPORARY_PREFIX}{}-{count}{TEMPORARY_SUFFIX}",
                std::process::id()
            );
            self.steps.take(Step::Begin)?;
            match dir.open_with(&name, &new_file_options(executable)) {
                Ok(_) => return Ok(name),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn fill(
        &self,
        dir: &Dir,
        temporary: &str,
        file: &NewFile<'_>,
        permissions: Option<Metadata>,
    ) -> Result<(), DiskError> {
        let mut options = OpenOptions::new();
        options.write(true).follow(FollowSymlinks::No);
        let mut target = dir.open_with(temporary, &options)?;
        let half = file.bytes.len() / 2;
        for part in [&file.bytes[..half], &file.bytes[half..]] {
            self.steps.take(Step::Fill)?;
            target.write_all(part)?;
        }
        if let Some(old) = permissions {
            keep_mode(&target, &old, file)?;
        }
        Ok(self.steps.sync(&target.into_std())?)
    }

    /// Removes a file whose content is one of these; absent is fine.
    pub(crate) fn remove(&self, path: &str, digests: &BTreeSet<Digest>) -> Result<(), DiskError> {
        let Some((dir, name)) = self.parent(path)? else {
            return Ok(());
        };
        match kind_of(&dir, name)? {
            Kind::Absent => return Ok(()),
            Kind::File => match read_file(&dir, name)? {
                FoundFile::Bytes { digest, .. } if digests.contains(&digest) => {}
                _ => return Err(DiskError::Changed),
            },
            Kind::Folder | Kind::Link | Kind::Other => return Err(DiskError::Changed),
        }
        self.steps.take(Step::RemoveFile)?;
        dir.remove_file(name)?;
        Ok(())
    }

    /// Removes the folders above a file, the innermost first, as long as they are empty.
    pub(crate) fn remove_empty_above(&self, path: &str) -> io::Result<()> {
        let mut rest = path;
        while let Some((above, _)) = rest.rsplit_once('/') {
            rest = above;
            let Some((dir, name)) = self.parent(rest)? else {
                continue;
            };
            if kind_of(&dir, name)? != Kind::Folder {
                continue;
            }
            if dir.open_dir_nofollow(name)?.entries()?.next().is_some() {
                break;
            }
            self.steps.take(Step::RemoveFolder)?;
            dir.remove_dir(name)?;
        }
        Ok(())
    }

    /// Removes a temporary file that a killed pass left.
    pub(crate) fn sweep(&self, path: &str) -> io::Result<()> {
        if let Some((dir, name)) = self.parent(path)?
            && kind_of(&dir, name)? == Kind::File
        {
            self.steps.take(Step::RemoveFile)?;
            dir.remove_file(name)?;
        }
        Ok(())
    }

    /// The temporary files that killed passes left directly in the folder.
    pub(crate) fn leftovers(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in self.dir.entries()? {
            if let Some(name) = entry?.file_name().to_str()
                && is_temporary(name)
            {
                found.push(name.to_owned());
            }
        }
        found.sort();
        Ok(found)
    }

    /// All files below one of our folders, no link followed, in order; at most so many that a
    /// folder in which someone keeps a whole tree doesn't hold a pass up.
    pub(crate) fn files_below(&self, name: &str) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        let mut open = vec![(self.dir.open_dir_nofollow(name)?, name.to_owned(), 1)];
        while let Some((dir, path, depth)) = open.pop() {
            for entry in dir.entries()? {
                let entry = entry?;
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|_| found.len() < MAX_LISTED) else {
                    continue;
                };
                let below = format!("{path}/{name}");
                if entry.file_type()?.is_dir() && depth < PATH_DEPTH {
                    open.push((dir.open_dir_nofollow(name)?, below, depth + 1));
                } else {
                    found.push(below);
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// The folder that a path stands in; `None` where a folder on the way is missing.
    fn parent<'p>(&self, path: &'p str) -> io::Result<Option<(Dir, &'p str)>> {
        let (folders, name) = split(path);
        let mut dir = self.dir.try_clone()?;
        for folder in folders {
            if kind_of(&dir, folder)? == Kind::Absent {
                return Ok(None);
            }
            dir = dir.open_dir_nofollow(folder)?;
        }
        Ok(Some((dir, name)))
    }
}

/// Whether a file's name is one of our temporary files'.
pub(crate) fn is_temporary(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX))
        .is_some_and(|middle| middle.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
}

fn split(path: &str) -> (impl Iterator<Item = &str>, &str) {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    (folders.split('/').filter(|part| !part.is_empty()), name)
}

fn kind_of(dir: &Dir, name: &str) -> io::Result<Kind> {
    let metadata = match dir.symlink_metadata(name) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kind::Absent),
        Err(error) => return Err(error),
    };
    Ok(if metadata.is_symlink() {
        Kind::Link
    } else if metadata.is_dir() {
        Kind::Folder
    } else if metadata.is_file() {
        Kind::File
    } else {
        Kind::Other
    })
}

/// Reads a file no further than any of ours can be long: a longer one isn't ours.
fn read_file(dir: &Dir, name: &str) -> io::Result<FoundFile> {
    Ok(match read_bytes(dir, name)? {
        None => FoundFile::Other,
        Some((bytes, metadata)) => FoundFile::Bytes {
            digest: Digest::of(&bytes),
            executable: is_executable(&metadata),
        },
    })
}

/// A file's bytes; `None` for what is no file, or larger than any of ours.
fn read_bytes(dir: &Dir, name: &str) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    let file = dir.open_with(name, &options)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > ITEM_BYTES as u64 {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(ITEM_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some((bytes, metadata)))
}

/// Whether the file may take its place, and the metadata of the one that it replaces.
fn may_replace(dir: &Dir, name: &str, file: &NewFile<'_>) -> Result<Option<Metadata>, DiskError> {
    match (kind_of(dir, name)?, &file.replaces) {
        (Kind::Absent, _) => Ok(None),
        (Kind::File, Some(replaced)) => match read_file(dir, name)? {
            FoundFile::Bytes { digest, .. }
                if replaced.digests.contains(&digest) || digest == Digest::of(file.bytes) =>
            {
                Ok(Some(dir.symlink_metadata(name)?))
            }
            _ => Err(DiskError::Changed),
        },
        _ => Err(DiskError::Changed),
    }
}

#[cfg(unix)]
fn new_file_options(executable: bool) -> OpenOptions {
    use cap_std::fs::OpenOptionsExt as _;

    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(if executable { 0o755 } else { 0o644 });
    options
}

#[cfg(not(unix))]
fn new_file_options(_executable: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "there is no such bit on other systems"
)]
fn is_executable(metadata: &Metadata) -> Option<bool> {
    use cap_std::fs::MetadataExt as _;

    Some(metadata.mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata) -> Option<bool> {
    None
}

/// Gives a replacement the mode of what it replaces, with the executable bit as it should be.
#[cfg(unix)]
fn keep_mode(target: &File, old: &Metadata, file: &NewFile<'_>) -> io::Result<()> {
    use cap_std::fs::{MetadataExt as _, Permissions, PermissionsExt as _};

    let mut mode = old.mode() & 0o777;
    if file.executable {
        // Whoever may read it may run it.
        mode |= (mode & 0o444) >> 2;
    } else if file
        .replaces
        .as_ref()
        .is_some_and(|replaced| replaced.executable)
    {
        mode &= !0o111;
    }
    target.set_permissions(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_mode(_target: &File, _old: &Metadata, _file: &NewFile<'_>) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[path = "disk_tests.rs"]
mod tests;
