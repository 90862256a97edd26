//! Making what a case starts from: its input, copied, and the operations of its `setup`.

use std::{
    fs,
    io::{BufWriter, Write as _},
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

use super::{schema::Requirement, verdict::CaseError};

/// One operation. Paths are relative to the case's temporary folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum SetupOp {
    /// A UTF-8 file; folders above it are made.
    Write { path: String, text: String },
    /// A big file.
    Repeat {
        path: String,
        prefix: String,
        unit: String,
        times: usize,
        suffix: String,
    },
    /// A folder, and those above it.
    Mkdir { path: String },
    /// New permissions, as octal digits.
    Chmod { path: String, mode: String },
    /// A link whose target is written as it stands.
    Symlink { path: String, target: String },
    /// So many empty folders.
    ManyDirs { path: String, count: usize },
}

impl SetupOp {
    /// Carries the operation out below `root`.
    pub(super) fn run(&self, root: &Path) -> Result<(), CaseError> {
        match self {
            Self::Write { path, text } => write(&below(root, path)?, text.as_bytes()),
            Self::Repeat {
                path,
                prefix,
                unit,
                times,
                suffix,
            } => {
                let path = below(root, path)?;
                make_parent(&path)?;
                write_repeated(&path, [prefix, unit, suffix], *times).map_err(CaseError::at(&path))
            }
            Self::Mkdir { path } => make_folder(&below(root, path)?),
            Self::Chmod { path, mode } => set_mode(&below(root, path)?, mode),
            Self::Symlink { path, target } => {
                let path = below(root, path)?;
                make_parent(&path)?;
                link(target, &path).map_err(CaseError::at(&path))
            }
            Self::ManyDirs { path, count } => {
                let path = below(root, path)?;
                (0..*count).try_for_each(|i| make_folder(&path.join(format!("d{i:05}"))))
            }
        }
    }
}

/// A path of a case inside the temporary folder; a case can't name another.
pub(super) fn below(root: &Path, path: &str) -> Result<PathBuf, CaseError> {
    let inside = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside {
        return Err(CaseError::Schema(format!(
            "the path `{path}` leaves the case's folder"
        )));
    }
    Ok(root.join(path))
}

/// Copies a folder's content, links as links, into a folder that exists. The copies may be written
/// though the originals lie in a checkout that is read-only.
pub(super) fn copy_tree(from: &Path, to: &Path) -> Result<(), CaseError> {
    for entry in fs::read_dir(from).map_err(CaseError::at(from))? {
        let entry = entry.map_err(CaseError::at(from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(CaseError::at(&source))?;
        if kind.is_dir() {
            make_folder(&target)?;
            copy_tree(&source, &target)?;
        } else if kind.is_symlink() {
            let points_to = fs::read_link(&source).map_err(CaseError::at(&source))?;
            link(&points_to, &target).map_err(CaseError::at(&target))?;
        } else {
            fs::copy(&source, &target).map_err(CaseError::at(&source))?;
            make_writable(&target).map_err(CaseError::at(&target))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_writable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path)?.permissions().mode();
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o200))
}

#[cfg(not(unix))]
fn make_writable(path: &Path) -> std::io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(false);
    fs::set_permissions(path, permissions)
}

/// Whether this system has what a case requires.
pub(super) fn is_met(requirement: Requirement, folder: &Path) -> bool {
    match requirement {
        Requirement::Posix => cfg!(unix),
        Requirement::CaseSensitiveFs => {
            let (lower, upper) = (folder.join("case-probe"), folder.join("CASE-PROBE"));
            let sensitive = fs::write(&lower, "").is_ok() && !upper.exists();
            // Nothing depends on the probe; one that stays behind lies in a temporary folder.
            let _ = fs::remove_file(lower);
            sensitive
        }
    }
}

/// Writes a file and makes the folders above it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), CaseError> {
    make_parent(path)?;
    fs::write(path, bytes).map_err(CaseError::at(path))
}

/// Writes piece by piece: the memory of the process that does it may be measured.
fn write_repeated(
    path: &Path,
    [prefix, unit, suffix]: [&str; 3],
    times: usize,
) -> std::io::Result<()> {
    let mut file = BufWriter::new(fs::File::create(path)?);
    file.write_all(prefix.as_bytes())?;
    for _ in 0..times {
        file.write_all(unit.as_bytes())?;
    }
    file.write_all(suffix.as_bytes())?;
    file.flush()
}

pub(super) fn make_folder(path: &Path) -> Result<(), CaseError> {
    fs::create_dir_all(path).map_err(CaseError::at(path))
}

fn make_parent(path: &Path) -> Result<(), CaseError> {
    path.parent().map_or(Ok(()), make_folder)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: &str) -> Result<(), CaseError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = octal(mode)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(CaseError::at(path))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, mode: &str) -> Result<(), CaseError> {
    octal(mode).map(|_| ())
}

/// Permissions as octal digits, such as `0755`.
pub(super) fn octal(mode: &str) -> Result<u32, CaseError> {
    u32::from_str_radix(mode, 8)
        .ok()
        .filter(|mode| *mode <= 0o7777)
        .ok_or_else(|| CaseError::Schema(format!("`{mode}` is no mode")))
}

#[cfg(unix)]
fn link(target: impl AsRef<Path>, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: impl AsRef<Path>, path: &Path) -> std::io::Result<()> {
    let target = target.as_ref();
    let is_folder = path
        .parent()
        .is_some_and(|parent| parent.join(target).is_dir());
    if is_folder {
        std::os::windows::fs::symlink_dir(target, path)
    } else {
        std::os::windows::fs::symlink_file(target, path)
    }
}
