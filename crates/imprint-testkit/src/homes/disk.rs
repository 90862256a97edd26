//! Making files, folders and links with their modes and times.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The folder in which everything is made. All paths are relative to it, with `/`.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
}

/// A file to make.
#[derive(Clone, Debug)]
pub(super) struct NewFile {
    /// Relative to what it belongs to.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) mode: u32,
}

impl NewFile {
    pub(super) fn new(path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.to_owned(),
            bytes: bytes.into(),
            mode: 0o644,
        }
    }

    pub(super) fn with_mode(self, mode: u32) -> Self {
        Self { mode, ..self }
    }
}

impl Disk {
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        let root = root.canonicalize()?;
        Ok(Self { root })
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A folder and those around it; they may be there already.
    pub(super) fn folder(&self, path: &str) -> io::Result<()> {
        fs::create_dir_all(self.path(path))
    }

    /// A file with the folders around it.
    pub(super) fn file(&self, file: &NewFile) -> io::Result<()> {
        let path = self.path(&file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, &file.bytes)?;
        set_mode(&path, file.mode)
    }

    /// Files in a folder, all of this time: seconds since 1970.
    pub(super) fn files(&self, folder: &str, files: &[NewFile], modified: u64) -> io::Result<()> {
        for file in files {
            let path = format!("{folder}/{}", file.path);
            let placed = NewFile {
                path,
                ..file.clone()
            };
            self.file(&placed)?;
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(modified);
            File::options()
                .write(true)
                .open(self.path(&placed.path))?
                .set_modified(time)?;
        }
        Ok(())
    }

    /// A link whose text is `target`.
    pub(super) fn link(&self, path: &str, target: &Path) -> io::Result<()> {
        let path = self.path(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        make_link(target, &path)
    }

    /// Takes every right from a file; `false` where that keeps nobody out, as with an
    /// administrator's account. Then it is as before.
    pub(super) fn seal(&self, path: &str) -> io::Result<bool> {
        let path = self.path(path);
        set_mode(&path, 0o000)?;
        if File::open(&path).is_err() {
            return Ok(true);
        }
        set_mode(&path, 0o644)?;
        Ok(false)
    }
}

/// The text of a link in the folder `from` that leads to `to`, both relative to the root.
pub(super) fn relative(from: &str, to: &str) -> PathBuf {
    let (mut from, mut to): (Vec<_>, Vec<_>) = (from.split('/').collect(), to.split('/').collect());
    while !from.is_empty() && from.first() == to.first() {
        from.remove(0);
        to.remove(0);
    }
    let up = from.iter().map(|_| "..");
    up.chain(to).collect()
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on systems with modes")]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn make_link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
