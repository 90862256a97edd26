//! A folder as a value, to be compared with what it was: paths, kinds, modes, link targets, bytes.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// How much of a file a difference shows, in bytes.
const SHOWN_BYTES: usize = 60;

/// Everything below a folder, by its path with `/`. Times are left out: reading changes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<String, Entry>);

/// One thing in a folder. Modes are permission bits, 0 on systems without them.
#[derive(Clone, PartialEq, Eq)]
pub enum Entry {
    /// A folder; what is in it has entries of its own.
    Folder {
        /// Its mode.
        mode: u32,
    },
    /// A regular file.
    File {
        /// Its content.
        bytes: Vec<u8>,
        /// Its mode.
        mode: u32,
    },
    /// A link, not followed.
    Link(PathBuf),
    /// A file or folder that the system refuses to open.
    Sealed {
        /// Its mode.
        mode: u32,
        /// Its size.
        len: u64,
    },
    /// A pipe, socket or device.
    Special,
}

/// Why a folder can't be compared.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct TreeError {
    /// Where.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// What is below `root` now, but for the paths in `except` (relative, with `/`) and everything
/// below them. Nothing, where there is no folder.
pub fn snapshot(root: &Path, except: &[&str]) -> Result<Snapshot, TreeError> {
    let mut snapshot = Snapshot::default();
    if root.is_dir() {
        snapshot.add(root, "", except)?;
    }
    Ok(snapshot)
}

impl Snapshot {
    fn add(&mut self, folder: &Path, prefix: &str, except: &[&str]) -> Result<(), TreeError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| TreeError { path, source }
        };
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            let file_name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{file_name}");
            if except.contains(&name.as_str()) {
                continue;
            }
            let found = Entry::of(&path).map_err(at(&path))?;
            if let Entry::Folder { .. } = found {
                self.add(&path, &format!("{name}/"), except)?;
            }
            self.0.insert(name, found);
        }
        Ok(())
    }

    /// What stands at a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.0.get(path)
    }

    /// Everything, in the order of the paths.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.0.iter().map(|(path, entry)| (path.as_str(), entry))
    }

    /// The files alone.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().filter_map(|(path, entry)| match entry {
            Entry::File { bytes, .. } => Some((path.as_str(), bytes.as_slice())),
            _ => None,
        })
    }

    /// A sentence for each path that is not as it was, in the order of the paths.
    pub fn differences(&self, after: &Self) -> Vec<String> {
        let mut paths: Vec<_> = self.0.keys().chain(after.0.keys()).collect();
        paths.sort_unstable();
        paths.dedup();
        let differences =
            paths
                .into_iter()
                .filter_map(|path| match (self.0.get(path), after.0.get(path)) {
                    (Some(_), None) => Some(format!("`{path}` is gone")),
                    (None, Some(now)) => Some(format!("`{path}` is new: {now}")),
                    (Some(was), Some(now)) if was != now => {
                        Some(format!("`{path}` was {was}, and is {now}"))
                    }
                    _ => None,
                });
        differences.collect()
    }
}

impl Entry {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        let mode = mode_of(&metadata);
        let len = metadata.len();
        let sealed = |error: io::Error| match error.kind() {
            io::ErrorKind::PermissionDenied => Ok(Self::Sealed { mode, len }),
            _ => Err(error),
        };
        if metadata.is_symlink() {
            return fs::read_link(path).map(Self::Link);
        }
        if metadata.is_dir() {
            return fs::read_dir(path).map_or_else(sealed, |_| Ok(Self::Folder { mode }));
        }
        if !metadata.is_file() {
            return Ok(Self::Special);
        }
        fs::read(path).map_or_else(sealed, |bytes| Ok(Self::File { bytes, mode }))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { mode } => write!(f, "a folder ({mode:o})"),
            Self::File { bytes, mode } => {
                let start = &bytes[..bytes.len().min(SHOWN_BYTES)];
                let start = start.escape_ascii();
                write!(f, "a file ({mode:o}, {} bytes: {start})", bytes.len())
            }
            Self::Link(target) => write!(f, "a link to `{}`", target.display()),
            Self::Sealed { mode, len } => write!(f, "sealed ({mode:o}, {len} bytes)"),
            Self::Special => f.write_str("no file, folder or link"),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(unix)]
fn mode_of(metadata: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o7777
}

#[cfg(not(unix))]
fn mode_of(_: &fs::Metadata) -> u32 {
    0
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn every_kind_of_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str, mode| {
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        for name in ["a", "b", "c"] {
            fs::write(at(name), "1").unwrap();
            mode(name, 0o644);
        }
        fs::create_dir(at("d")).unwrap();
        mode("d", 0o755);
        symlink("a", at("l")).unwrap();
        fs::create_dir_all(at("left/alone")).unwrap();
        let before = snapshot(folder.path(), &["left"]).unwrap();
        assert_eq!(before.differences(&before), Vec::<String>::new());

        fs::write(at("a"), "2\n").unwrap();
        fs::remove_file(at("b")).unwrap();
        mode("c", 0o600);
        mode("d", 0o700);
        fs::remove_file(at("l")).unwrap();
        symlink("b", at("l")).unwrap();
        fs::create_dir(at("new")).unwrap();
        mode("new", 0o755);
        fs::write(at("left/alone/x"), "").unwrap();
        let after = snapshot(folder.path(), &["left"]).unwrap();
        let told = before.differences(&after).join("\n");
        insta::assert_snapshot!(told, @r"
        `a` was a file (644, 1 bytes: 1), and is a file (644, 2 bytes: 2\n)
        `b` is gone
        `c` was a file (644, 1 bytes: 1), and is a file (600, 1 bytes: 1)
        `d` was a folder (755), and is a folder (700)
        `l` was a link to `a`, and is a link to `b`
        `new` is new: a folder (755)
        ");
    }
}
