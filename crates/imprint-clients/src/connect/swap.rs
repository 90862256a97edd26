//! Replacing one file without losing what another program saves meanwhile.
//!
//! Where the file system can, the new file and the old one change places in one step, and what
//! came out is compared with what was read: if someone saved in between, the two change back.
//! Elsewhere the comparison is made right before the rename. A program that keeps the old file open
//! and writes into it later can't be noticed by anyone.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::{
    config::MAX_BYTES,
    home::read_bounded,
    steps::{Step, Steps},
};

/// A file, and the one beside it through which it is replaced.
pub(crate) struct Swap<'a> {
    pub(crate) real: &'a Path,
    /// In the same folder; nobody else's, and listed in the record. It never holds half a text:
    /// until it is whole, the new one has the name of [`unfinished`].
    pub(crate) temporary: &'a Path,
    pub(crate) steps: &'a Steps,
}

/// The name of a temporary file that is being filled.
pub(crate) fn unfinished(temporary: &Path) -> PathBuf {
    temporary.with_extension("part")
}

/// Why a file was not replaced. It is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SwapError {
    /// It is not what was read any more.
    #[error("someone changed it meanwhile")]
    Changed {
        /// A text that someone saved meanwhile and someone else saved over, who may have read ours.
        displaced: Option<Vec<u8>>,
    },
    #[error("{0}")]
    Io(#[from] io::Error),
}

const CHANGED: SwapError = SwapError::Changed { displaced: None };

impl Swap<'_> {
    /// Puts `bytes` in the place of `expected`; `None`: of no file. The mode and owner stay; a new
    /// file is the user's alone.
    pub(crate) fn replace(&self, expected: Option<&[u8]>, bytes: &[u8]) -> Result<(), SwapError> {
        let placed = self.fill(expected.is_some(), bytes).and_then(|()| {
            self.steps.take(Step::Place)?;
            match expected {
                None => self.place_new(),
                Some(expected) => self.place_over(expected, bytes),
            }
        });
        self.clear(placed)
    }

    /// Removes the file, if it still is what was read.
    pub(crate) fn remove(&self, expected: &[u8]) -> Result<(), SwapError> {
        self.steps.take(Step::Place)?;
        fs::rename(self.real, self.temporary).map_err(or_changed)?;
        if holds(self.temporary, expected) {
            return self.clear(Ok(()));
        }
        self.steps.take(Step::Place)?;
        match self.place_new() {
            Ok(()) => self.clear(Err(CHANGED)),
            // Someone made a newer one meanwhile, which then counts.
            Err(SwapError::Changed { .. }) => self.clear(Err(self.displaced())),
            // The temporary file holds the only copy; the next run puts it back.
            Err(error) => Err(error),
        }
    }

    /// Takes the temporary file away, whatever it holds by now.
    fn clear(&self, outcome: Result<(), SwapError>) -> Result<(), SwapError> {
        match self.steps.take(Step::RemoveFile) {
            Ok(()) => {
                let _ = fs::remove_file(self.temporary);
                let _ = fs::remove_file(unfinished(self.temporary));
            }
            Err(stopped) => return outcome.and(Err(stopped.into())),
        }
        let folder = self.real.parent().unwrap_or(Path::new("."));
        self.steps.sync_folder(|| File::open(folder));
        outcome
    }

    fn fill(&self, replaces: bool, bytes: &[u8]) -> Result<(), SwapError> {
        self.steps.take(Step::Begin)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let unfinished = unfinished(self.temporary);
        let mut file = options.open(&unfinished)?;
        let (front, back) = bytes.split_at(bytes.len() / 2);
        for part in [front, back] {
            self.steps.take(Step::Fill)?;
            file.write_all(part)?;
        }
        if replaces {
            keep_owner_and_mode(&file, self.real)?;
        }
        self.steps.sync(&file)?;
        self.steps.take(Step::Fill)?;
        Ok(fs::rename(unfinished, self.temporary)?)
    }

    /// Gives the temporary file its name, unless something has that name by now.
    fn place_new(&self) -> Result<(), SwapError> {
        match fs::hard_link(self.temporary, self.real) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(CHANGED),
            // A file system without such links.
            Err(_) if fs::symlink_metadata(self.real).is_ok() => Err(CHANGED),
            Err(_) => Ok(fs::rename(self.temporary, self.real)?),
        }
    }

    fn place_over(&self, expected: &[u8], bytes: &[u8]) -> Result<(), SwapError> {
        match exchange(self.temporary, self.real) {
            Ok(()) if holds(self.temporary, expected) => Ok(()),
            Ok(()) => {
                self.steps.take(Step::Place)?;
                self.change_back(bytes)
            }
            Err(error) if is_unsupported(&error) => {
                if !holds(self.real, expected) {
                    return Err(CHANGED);
                }
                Ok(fs::rename(self.temporary, self.real)?)
            }
            Err(error) => Err(or_changed(error)),
        }
    }

    /// Someone saved before the exchange. If someone saved again after it, over our text, the newer
    /// one stays in its place, and the one before it is given to the caller to keep.
    fn change_back(&self, bytes: &[u8]) -> Result<(), SwapError> {
        if exchange(self.temporary, self.real).is_err() {
            return Err(self.displaced());
        }
        if holds(self.temporary, bytes) {
            return Err(CHANGED);
        }
        exchange(self.temporary, self.real)?;
        Err(self.displaced())
    }

    /// What someone saved and what no longer stands in its place.
    fn displaced(&self) -> SwapError {
        SwapError::Changed {
            displaced: read_bounded(self.temporary, MAX_BYTES as u64).ok(),
        }
    }
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    read_bounded(path, MAX_BYTES as u64).is_ok_and(|found| found == bytes)
}

/// That the file went away is a change like any other.
fn or_changed(error: io::Error) -> SwapError {
    match error.kind() {
        io::ErrorKind::NotFound => CHANGED,
        _ => SwapError::Io(error),
    }
}

/// Two files change places in one step.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether this file system (or system) can't exchange files.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

/// Who runs us as another user must not take the file away from its owner.
#[cfg(unix)]
fn keep_owner_and_mode(file: &File, old: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let old = match fs::metadata(old) {
        // It went away; the exchange will notice.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let new = file.metadata()?;
    if old.uid() != new.uid() {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    } else if old.gid() != new.gid() {
        // Refused to who is not in that group, whom the file is no less for then.
        let _ = fchown(file, None, Some(old.gid()));
    }
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))
}

#[cfg(not(unix))]
fn keep_owner_and_mode(_file: &File, _old: &Path) -> io::Result<()> {
    Ok(())
}
