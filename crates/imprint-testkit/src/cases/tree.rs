//! A folder as a value, to be compared with what it was.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::verdict::{CaseError, Verdict};

/// Everything below a folder, by its path with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree(pub(super) BTreeMap<String, Entry>);

/// One thing in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Folder,
    File { bytes: Vec<u8>, mode: u32 },
    Link(PathBuf),
}

impl Tree {
    /// What is below a folder now; nothing, where there is no folder. Links are not followed.
    pub(super) fn of(folder: &Path) -> Result<Self, CaseError> {
        let mut tree = Self::default();
        if folder.is_dir() {
            tree.add(folder, "")?;
        }
        Ok(tree)
    }

    fn add(&mut self, folder: &Path, prefix: &str) -> Result<(), CaseError> {
        for entry in fs::read_dir(folder).map_err(CaseError::at(folder))? {
            let entry = entry.map_err(CaseError::at(folder))?;
            let path = entry.path();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let metadata = fs::symlink_metadata(&path).map_err(CaseError::at(&path))?;
            let found = if metadata.is_dir() {
                self.add(&path, &format!("{name}/"))?;
                Entry::Folder
            } else if metadata.is_symlink() {
                Entry::Link(fs::read_link(&path).map_err(CaseError::at(&path))?)
            } else {
                Entry::File {
                    bytes: fs::read(&path).map_err(CaseError::at(&path))?,
                    mode: mode_of(&metadata),
                }
            };
            self.0.insert(name, found);
        }
        Ok(())
    }

    /// The files alone.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().filter_map(|(path, entry)| match entry {
            Entry::File { bytes, .. } => Some((path.as_str(), bytes.as_slice())),
            Entry::Folder | Entry::Link(_) => None,
        })
    }

    /// A difference for each path that is not as it was.
    pub(super) fn compare(&self, verdict: &mut Verdict, after: &Self) {
        for (path, entry) in &self.0 {
            match after.0.get(path) {
                None => verdict.differs(format!("`{path}` is gone")),
                Some(now) => verdict.holds(now == entry, || format!("`{path}` has changed")),
            }
        }
        for path in after.0.keys().filter(|path| !self.0.contains_key(*path)) {
            verdict.differs(format!("`{path}` is new"));
        }
    }
}

/// The files below a folder with their sizes, none of them opened: a process that opens and closes
/// a database's file loses the locks that it holds on it, so one that may be in use is never read.
pub(super) fn sizes(folder: &Path) -> Result<BTreeMap<String, u64>, CaseError> {
    let mut sizes = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&next).map_err(CaseError::at(&next))? {
            let path = entry.map_err(CaseError::at(&next))?.path();
            // A file that a running program takes away meanwhile is not there.
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                sizes.insert(name, metadata.len());
            }
        }
    }
    Ok(sizes)
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
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "1").unwrap();
        fs::write(folder.path().join("b"), "1").unwrap();
        let before = Tree::of(folder.path()).unwrap();
        let differences = |after: &Tree| {
            let mut verdict = Verdict::default();
            before.compare(&mut verdict, after);
            verdict.differences
        };
        assert_eq!(differences(&before), Vec::<String>::new());
        fs::write(folder.path().join("a"), "2").unwrap();
        fs::remove_file(folder.path().join("b")).unwrap();
        fs::create_dir(folder.path().join("c")).unwrap();
        let after = Tree::of(folder.path()).unwrap();
        assert_eq!(
            differences(&after),
            ["`a` has changed", "`b` is gone", "`c` is new"]
        );
    }
}
