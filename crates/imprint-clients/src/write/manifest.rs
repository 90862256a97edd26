//! What we wrote into clients' folders, kept in `written.json` in the home.
//!
//! The manifest is written before the files, so that a kill at any instant leaves every file that
//! we touched listed. Only what it lists, with a digest that it lists, may be replaced or removed.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use imprint_core::ItemId;
use imprint_format::{Digest, ItemKind};
use serde::{Deserialize, Serialize};

use crate::{
    home::{RecordFault, read_record, write_record},
    steps::Steps,
};

/// The file in the home.
pub(crate) const MANIFEST_FILE: &str = "written.json";
/// The layout that this program writes and reads.
const VERSION: u32 = 1;
/// More than any real manifest has.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Everything that we wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    /// By the folder behind all links.
    pub(crate) roots: BTreeMap<String, Root>,
    /// The variables that moved folders when they were last seen.
    #[serde(default)]
    pub(crate) variables: BTreeMap<String, String>,
}

/// One client's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Root {
    /// The folder as its clients name it.
    pub(crate) folder: String,
    /// Folders that we made to have this one, the outermost first; the last may be itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) created: Vec<PathBuf>,
    /// What we wrote, by its name in the folder.
    pub(crate) entries: BTreeMap<String, Written>,
}

/// One item in a folder: a folder of its own, or one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) item: ItemId,
    pub(crate) kind: ItemKind,
    /// By the path below the client's folder, `/` between components.
    pub(crate) files: BTreeMap<String, OurFile>,
}

/// One file that we wrote, or were about to write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OurFile {
    /// The content; more than one while it is being replaced.
    pub(crate) digests: BTreeSet<Digest>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) executable: bool,
}

/// Why the manifest can't be used. Nothing is written then: without it we can't tell our files
/// from the user's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ManifestError {
    #[error("`{}` can't be read: {source}; mend that, then run `imprint write`", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("`{}` is damaged ({message}); no folder was touched. Move the file away and run `imprint write`: what it listed then counts as yours", path.display())]
    Damaged { path: PathBuf, message: String },
    #[error("`{}` was written by a newer Imprint (layout {found}, this one knows {VERSION}); update this one", path.display())]
    Newer { path: PathBuf, found: u64 },
    #[error("`{}` can't be written: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            version: VERSION,
            roots: BTreeMap::new(),
            variables: BTreeMap::new(),
        }
    }
}

impl Manifest {
    /// Reads the manifest of this home; `None` when there is no such file, which alone means that
    /// nothing was written.
    pub(crate) fn read(home: &Path) -> Result<Option<Self>, ManifestError> {
        let path = home.join(MANIFEST_FILE);
        match read_record(&path, MAX_BYTES, VERSION) {
            Ok(read) => Ok(read),
            Err(RecordFault::Unreadable(source)) => Err(ManifestError::Unreadable { path, source }),
            Err(RecordFault::Damaged(message)) => Err(ManifestError::Damaged { path, message }),
            Err(RecordFault::Newer(found)) => Err(ManifestError::Newer { path, found }),
        }
    }

    /// Writes the manifest, at once or not at all.
    pub(crate) fn write(&self, home: &Path, steps: &Steps) -> Result<(), ManifestError> {
        let path = home.join(MANIFEST_FILE);
        write_record(&path, self, steps)
            .map_err(|source| ManifestError::Unwritable { path, source })
    }

    /// Whether we made this folder.
    pub(crate) fn created(&self, folder: &Path) -> bool {
        self.roots
            .values()
            .any(|root| root.created.iter().any(|made| made == folder))
    }

    /// The folder of an item, as a client names it, the first in the order of folders.
    pub(crate) fn folder_of(&self, item: ItemId) -> Option<PathBuf> {
        self.roots.values().find_map(|root| {
            let (name, _) = root
                .entries
                .iter()
                .find(|(_, written)| written.item == item && written.kind == ItemKind::Skill)?;
            Some(Path::new(&root.folder).join(name))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn sample() -> Manifest {
        let item = "00000000-0000-7000-8000-000000000001".parse().unwrap();
        let file = OurFile {
            digests: BTreeSet::from([Digest::of(b"one"), Digest::of(b"two")]),
            executable: true,
        };
        let written = Written {
            item,
            kind: ItemKind::Skill,
            files: BTreeMap::from([("tea/SKILL.md".to_owned(), file)]),
        };
        let mut manifest = Manifest::default();
        manifest.roots.insert(
            "/real/skills".to_owned(),
            Root {
                folder: "/home/ada/.agents/skills".to_owned(),
                created: vec!["/home/ada/.agents".into()],
                entries: BTreeMap::from([("tea".to_owned(), written)]),
            },
        );
        manifest
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(home.path()).unwrap(), None);
        let manifest = sample();
        manifest.write(home.path(), &Steps::unsynced()).unwrap();
        assert_eq!(Manifest::read(home.path()).unwrap(), Some(manifest.clone()));
        let names: Vec<_> = fs::read_dir(home.path()).unwrap().collect();
        assert_eq!(names.len(), 1);
        let tea = "00000000-0000-7000-8000-000000000001".parse().unwrap();
        let folder = Path::new("/home/ada/.agents/skills").join("tea");
        assert_eq!(manifest.folder_of(tea), Some(folder));
        assert!(manifest.created(Path::new("/home/ada/.agents")));
        assert!(!manifest.created(Path::new("/home/ada")));
    }

    #[test]
    fn only_a_missing_file_means_that_nothing_was_written() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(MANIFEST_FILE);
        for damaged in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"version":1}"#,
            r#"{"version":1,"roots":7}"#,
        ] {
            fs::write(&path, damaged).unwrap();
            let error = Manifest::read(home.path()).unwrap_err();
            assert!(
                matches!(error, ManifestError::Damaged { .. }),
                "{damaged}: {error}"
            );
        }
        fs::write(&path, r#"{"version":2,"roots":{}}"#).unwrap();
        let error = Manifest::read(home.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Newer { found: 2, .. }));
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let error = Manifest::read(home.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Unreadable { .. }));
    }
}
