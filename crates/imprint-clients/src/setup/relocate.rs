//! Moving a folder, a file or a link as it is, and copying one: modes, times, links as links and
//! empty folders are kept. Nothing is ever moved or copied onto something.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    home::make_home,
    steps::{Step, Steps},
};

/// Of what is on its way between two disks.
const ON_ITS_WAY: &str = ".imprint-moving-";

/// Moves what is at `from` to `to`, where nothing may be. The folders above `to` are made. Where
/// the two are on different disks, it is copied whole, and the original goes in one instant.
pub(crate) fn relocate(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    refuse_taken(to)?;
    make_above(to, steps)?;
    steps.take(Step::Place)?;
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            relocate_by_copy(from, to, steps)
        }
        moved => moved,
    }?;
    for folder in [from.parent(), to.parent()].into_iter().flatten() {
        steps.sync_folder(|| fs::File::open(folder));
    }
    Ok(())
}

/// A copy under another name first, so that a kill leaves no half of it under its own.
fn relocate_by_copy(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    let (coming, going) = (on_its_way(to), on_its_way(from));
    remove_all(&coming, steps)?;
    remove_all(&going, steps)?;
    copy(from, &coming, steps)?;
    steps.take(Step::Place)?;
    fs::rename(&coming, to)?;
    steps.take(Step::Place)?;
    fs::rename(from, &going)?;
    remove_all(&going, steps)
}

fn on_its_way(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(ON_ITS_WAY);
    name.push(path.file_name().unwrap_or_default());
    path.with_file_name(name)
}

/// Copies what is at `from` to `to`, where nothing may be. The folders above `to` are made.
pub(crate) fn copy(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    refuse_taken(to)?;
    make_above(to, steps)?;
    copy_entry(from, to, steps)
}

/// [`copy`] that takes its place at once, so that a kill leaves no half of it under its own name.
pub(crate) fn put_copy(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    refuse_taken(to)?;
    let coming = on_its_way(to);
    remove_all(&coming, steps)?;
    copy(from, &coming, steps)?;
    steps.take(Step::Place)?;
    fs::rename(&coming, to)
}

fn copy_entry(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_symlink() {
        steps.take(Step::Place)?;
        return copy_link(from, to);
    }
    if metadata.is_file() {
        return copy_file(from, to, &metadata, steps);
    }
    if !metadata.is_dir() {
        let message = format!("`{}` is no file, folder or link", from.display());
        return Err(io::Error::other(message));
    }
    steps.take(Step::MakeFolder)?;
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_entry(&entry.path(), &to.join(entry.file_name()), steps)?;
    }
    // After what is in it: a folder that may not be written is copied all the same.
    let copied = fs::File::open(to);
    fs::set_permissions(to, metadata.permissions())?;
    if let (Ok(copied), Ok(modified)) = (copied, metadata.modified()) {
        // Where the system sets no times of folders, theirs is the least of it.
        let _ = copied.set_modified(modified);
    }
    Ok(())
}

/// Through one handle, because the copy may be one that can't be opened for writing again.
fn copy_file(from: &Path, to: &Path, metadata: &fs::Metadata, steps: &Steps) -> io::Result<()> {
    let mut source = fs::File::open(from)?;
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    steps.take(Step::Begin)?;
    let mut target = options.open(to)?;
    steps.take(Step::Fill)?;
    io::copy(&mut source, &mut target)?;
    steps.sync(&target)?;
    if let Ok(modified) = metadata.modified() {
        target.set_modified(modified)?;
    }
    target.set_permissions(metadata.permissions())
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(windows)]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    let target = fs::read_link(from)?;
    if from.is_dir() {
        std::os::windows::fs::symlink_dir(target, to)
    } else {
        std::os::windows::fs::symlink_file(target, to)
    }
}

/// Removes what a move between two disks left beside its ends when it was stopped.
pub(crate) fn forget_leftovers(from: &Path, to: &Path, steps: &Steps) -> io::Result<()> {
    remove_all(&on_its_way(from), steps)?;
    remove_all(&on_its_way(to), steps)
}

/// Removes what is at a path, links as links. Absent is fine.
pub(crate) fn remove_all(path: &Path, steps: &Steps) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    steps.take(Step::RemoveFolder)?;
    if metadata.is_dir() {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_up(path)?;
                fs::remove_dir_all(path)
            }
            removed => removed,
        }
    } else {
        fs::remove_file(path)
    }
}

/// Lets folders that may not be written be emptied; links are not followed.
#[cfg(unix)]
fn open_up(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(windows)]
fn open_up(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn refuse_taken(to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("something stands at `{}`", to.display()),
        )),
    }
}

/// The folders above a path, the user's alone where they are new.
fn make_above(path: &Path, steps: &Steps) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) else {
        return Ok(());
    };
    steps.take(Step::MakeFolder)?;
    make_home(folder)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn tree(top: &Path) -> PathBuf {
        let tea = top.join("tea");
        fs::create_dir_all(tea.join("empty")).unwrap();
        fs::write(tea.join("SKILL.md"), "tea").unwrap();
        fs::write(tea.join("brew.sh"), "#!").unwrap();
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(&tea.join("brew.sh"), 0o750);
        symlink("../nowhere", tea.join("link")).unwrap();
        mode(&tea.join("empty"), 0o500);
        tea
    }

    fn seen(top: &Path) -> String {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        format!(
            "{} {:o} {:o} {}",
            fs::read_to_string(top.join("SKILL.md")).unwrap(),
            mode(&top.join("brew.sh")),
            mode(&top.join("empty")),
            fs::read_link(top.join("link")).unwrap().display(),
        )
    }

    #[test]
    fn a_copy_has_modes_times_links_and_empty_folders() {
        let top = tempfile::tempdir().unwrap();
        let tea = tree(top.path());
        let to = top.path().join("a/b/tea");
        copy(&tea, &to, &Steps::unsynced()).unwrap();
        assert_eq!(seen(&to), "tea 750 500 ../nowhere");
        let time = |path: &Path| fs::metadata(path.join("SKILL.md")).unwrap().modified();
        assert_eq!(time(&to).unwrap(), time(&tea).unwrap());
        let again = copy(&tea, &to, &Steps::unsynced()).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn between_disks_folders_that_may_not_be_written_move_too() {
        let top = tempfile::tempdir().unwrap();
        let tea = tree(top.path());
        let inner = tea.join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("steps.md"), "One.").unwrap();
        for folder in [&inner, &tea] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
        }
        let to = top.path().join("there");
        relocate_by_copy(&tea, &to, &Steps::unsynced()).unwrap();
        assert_eq!(seen(&to), "tea 750 500 ../nowhere");
        assert!(!tea.exists());
        let left = fs::read_dir(top.path()).unwrap().count();
        assert_eq!(left, 1);
        remove_all(&to, &Steps::unsynced()).unwrap();
        assert!(!to.exists());
    }

    #[test]
    fn between_disks_nothing_is_ever_half_there() {
        for stop in 0..30 {
            let top = tempfile::tempdir().unwrap();
            let tea = tree(top.path());
            let to = top.path().join("there");
            let moved = relocate_by_copy(&tea, &to, &Steps::limited(stop));
            let whole = |path: &Path| seen(path) == "tea 750 500 ../nowhere";
            assert!(tea.exists() || to.exists());
            assert!(!to.exists() || whole(&to), "{stop}");
            assert!(!tea.exists() || whole(&tea), "{stop}");
            if moved.is_ok() {
                assert!(!tea.exists());
                return;
            }
        }
        panic!("it never ended");
    }
}
