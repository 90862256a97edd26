//! An item's files, checked.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::{
    Digest, ItemKind, ItemPath, PathFault,
    limits::{ITEM_BYTES, ITEM_FILES, TEXT_FILE_BYTES},
    path::fold,
};

/// One file of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// The content.
    pub bytes: Arc<[u8]>,
    /// Whether the owner may execute it. The only mode bit that travels.
    pub executable: bool,
}

impl BundleFile {
    /// A plain file.
    pub fn plain(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            bytes: bytes.into(),
            executable: false,
        }
    }

    /// The digest of the content.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }

    /// The content as text, if it is UTF-8 without NUL.
    pub fn as_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    }
}

/// The files of one item: always its entry file, at most [`crate::limits::ITEM_FILES`] files and
/// [`crate::limits::ITEM_BYTES`] bytes, no two paths that collide on some file system, text files
/// at most [`crate::limits::TEXT_FILE_BYTES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    kind: ItemKind,
    files: BTreeMap<ItemPath, BundleFile>,
}

/// Why files don't make an item, or can't be changed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum BundleError {
    #[error("there is no {entry}", entry = .0.entry_file())]
    NoEntryFile(ItemKind),
    #[error("`{path}`: {fault}")]
    Path { path: String, fault: PathFault },
    #[error("`{added}` and `{present}` are the same file on some systems")]
    Collision { added: String, present: String },
    #[error("`{path}` is {bytes} bytes; a text file may have {limit}")]
    TextTooLarge {
        path: String,
        bytes: usize,
        limit: usize,
    },
    #[error("the files are {bytes} bytes together; an item may have {limit}")]
    TooLarge { bytes: usize, limit: usize },
    #[error("there are {files} files; an item may have {limit}")]
    TooManyFiles { files: usize, limit: usize },
    #[error("`{path}` is both a file and a folder")]
    FileIsFolder { path: String },
    #[error("there is no file `{path}`")]
    NoSuchFile { path: String },
}

impl Bundle {
    /// A bundle of these files.
    pub fn new(
        kind: ItemKind,
        files: impl IntoIterator<Item = (ItemPath, BundleFile)>,
    ) -> Result<Self, BundleError> {
        let mut checked = BTreeMap::new();
        let mut taken = TakenPaths::default();
        for (path, file) in files {
            taken.take(&path)?;
            checked.insert(path, file);
            check_count(checked.len())?;
        }
        Self {
            kind,
            files: checked,
        }
        .checked()
    }

    /// A bundle of the entry file alone.
    pub fn of_entry(kind: ItemKind, text: &str) -> Result<Self, BundleError> {
        Self::new(
            kind,
            [(ItemPath::entry_of(kind), BundleFile::plain(text.as_bytes()))],
        )
    }

    /// What the files are.
    pub fn kind(&self) -> ItemKind {
        self.kind
    }

    /// The files in the order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&ItemPath, &BundleFile)> {
        self.files.iter()
    }

    /// One file.
    pub fn get(&self, path: &ItemPath) -> Option<&BundleFile> {
        self.files.get(path)
    }

    /// The entry file.
    #[expect(
        clippy::expect_used,
        reason = "every constructor checks that it is there"
    )]
    pub fn entry(&self) -> &BundleFile {
        self.files
            .get(&ItemPath::entry_of(self.kind))
            .expect("a bundle has its entry file")
    }

    /// The same bundle with one file added or replaced. A replaced file keeps its executable bit
    /// when `file` does not say otherwise by being executable itself. A path that was given in
    /// another Unicode spelling than the present one is no replacement but a collision.
    pub fn with_file(&self, path: ItemPath, mut file: BundleFile) -> Result<Self, BundleError> {
        let mut files = self.files.clone();
        if !path.was_respelled()
            && let Some(replaced) = files.remove(&path)
        {
            file.executable |= replaced.executable;
        }
        Self::new(self.kind, files.into_iter().chain([(path, file)]))
    }

    /// The same bundle without one file. The entry file can't be taken out.
    pub fn without_file(&self, path: &ItemPath) -> Result<Self, BundleError> {
        let mut files = self.files.clone();
        if files.remove(path).is_none() {
            return Err(BundleError::NoSuchFile {
                path: path.to_string(),
            });
        }
        Self {
            kind: self.kind,
            files,
        }
        .checked()
    }

    /// The digest of the whole tree: SHA-256 over, for each file in path order, its path, a zero
    /// byte, a byte that is 1 for executable and else 0, and the 32 bytes of its content digest.
    pub fn tree_digest(&self) -> Digest {
        let mut encoding = Vec::with_capacity(self.files.len() * 64);
        for (path, file) in &self.files {
            encoding.extend_from_slice(path.as_str().as_bytes());
            encoding.extend_from_slice(&[0, u8::from(file.executable)]);
            encoding.extend_from_slice(file.digest().as_bytes());
        }
        Digest::of(&encoding)
    }

    /// All bytes together.
    pub fn size(&self) -> usize {
        self.files.values().map(|file| file.bytes.len()).sum()
    }

    /// The bundle, if its entry file is there and its sizes are within the limits.
    fn checked(self) -> Result<Self, BundleError> {
        if !self.files.contains_key(&ItemPath::entry_of(self.kind)) {
            return Err(BundleError::NoEntryFile(self.kind));
        }
        for (path, file) in &self.files {
            let bytes = file.bytes.len();
            if bytes > TEXT_FILE_BYTES && file.as_text().is_some() {
                return Err(BundleError::TextTooLarge {
                    path: path.to_string(),
                    bytes,
                    limit: TEXT_FILE_BYTES,
                });
            }
        }
        let bytes = self.size();
        if bytes > ITEM_BYTES {
            return Err(BundleError::TooLarge {
                bytes,
                limit: ITEM_BYTES,
            });
        }
        Ok(self)
    }
}

fn check_count(files: usize) -> Result<(), BundleError> {
    if files > ITEM_FILES {
        return Err(BundleError::TooManyFiles {
            files,
            limit: ITEM_FILES,
        });
    }
    Ok(())
}

/// The paths of files and their folders, by the key under which they collide.
#[derive(Default)]
struct TakenPaths {
    files: HashMap<String, String>,
    /// By key: the folder as spelled, and a file in it.
    folders: HashMap<String, (String, String)>,
}

impl TakenPaths {
    /// Takes a file's path and its folders', if no file system would mix them up with others.
    fn take(&mut self, path: &ItemPath) -> Result<(), BundleError> {
        let collision = |present: &str| BundleError::Collision {
            added: path.to_string(),
            present: present.to_owned(),
        };
        let key = path.collision_key();
        if let Some(present) = self.files.get(&key) {
            return Err(collision(present));
        }
        if self.folders.contains_key(&key) {
            return Err(BundleError::FileIsFolder {
                path: path.to_string(),
            });
        }
        for folder in folders_of(path.as_str()) {
            let key = fold(folder);
            if let Some(file) = self.files.get(&key) {
                return Err(BundleError::FileIsFolder { path: file.clone() });
            }
            let (spelled, present) = self
                .folders
                .entry(key)
                .or_insert_with(|| (folder.to_owned(), path.to_string()));
            if spelled != folder {
                return Err(collision(present));
            }
        }
        self.files.insert(key, path.to_string());
        Ok(())
    }
}

/// The folders that a path goes through, outermost first.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> ItemPath {
        text.parse().unwrap()
    }

    fn skill(paths: &[&str]) -> Result<Bundle, BundleError> {
        let files = paths
            .iter()
            .map(|text| (path(text), BundleFile::plain(text.as_bytes())));
        Bundle::new(ItemKind::Skill, files)
    }

    fn added(base: &[&str], text: &str) -> Result<Bundle, BundleError> {
        skill(base)?.with_file(path(text), BundleFile::plain(*b"new"))
    }

    #[test]
    fn the_entry_file_must_be_there_and_stays() {
        assert_eq!(
            skill(&["skill.md"]),
            Err(BundleError::NoEntryFile(ItemKind::Skill))
        );
        let bundle = skill(&["SKILL.md", "a"]).unwrap();
        assert_eq!(&*bundle.entry().bytes, b"SKILL.md");
        assert_eq!(
            bundle.without_file(&path("SKILL.md")),
            Err(BundleError::NoEntryFile(ItemKind::Skill))
        );
        assert_eq!(bundle.without_file(&path("a")).unwrap().files().len(), 1);
        assert!(matches!(
            bundle.without_file(&path("b")),
            Err(BundleError::NoSuchFile { .. })
        ));
    }

    #[test]
    fn paths_that_meet_on_some_system_collide() {
        let base = ["SKILL.md", "references/Guide.md"];
        for text in [
            "references/guide.md",
            "REFERENCES/Guide.md",
            "REFERENCES/Other.md",
            "skill.md",
        ] {
            let error = added(&base, text).unwrap_err();
            assert!(matches!(error, BundleError::Collision { .. }), "{text}");
        }
        for text in [
            "References",
            "SKILL.md/x",
            "references/Guide.md/x",
            "Skill.MD/x",
        ] {
            let error = added(&base, text).unwrap_err();
            assert!(matches!(error, BundleError::FileIsFolder { .. }), "{text}");
        }
        assert!(added(&base, "references/Guide2.md").is_ok());
        let base = ["SKILL.md", "caf\u{e9}.md"];
        assert!(added(&base, "caf\u{e9}.md").is_ok());
        assert!(matches!(
            added(&base, "cafe\u{301}.md"),
            Err(BundleError::Collision { .. })
        ));
    }

    #[test]
    fn replacing_keeps_the_executable_bit() {
        let script = BundleFile {
            bytes: Arc::from(*b"old"),
            executable: true,
        };
        let bundle = skill(&["SKILL.md"]).unwrap();
        let bundle = bundle.with_file(path("run.sh"), script).unwrap();
        let new = bundle.with_file(path("run.sh"), BundleFile::plain(*b"new"));
        let new = new.unwrap();
        assert_eq!(
            new.get(&path("run.sh")),
            Some(&BundleFile {
                bytes: Arc::from(*b"new"),
                executable: true
            })
        );
        assert_ne!(bundle.tree_digest(), new.tree_digest());
    }

    #[test]
    fn limits_hold() {
        let bundle = skill(&["SKILL.md"]).unwrap();
        let with = |bytes: Vec<u8>| bundle.with_file(path("x"), BundleFile::plain(bytes));
        assert!(with(vec![b'x'; TEXT_FILE_BYTES]).is_ok());
        assert!(matches!(
            with(vec![b'x'; TEXT_FILE_BYTES + 1]),
            Err(BundleError::TextTooLarge { .. })
        ));
        assert!(with(vec![0; TEXT_FILE_BYTES + 1]).is_ok());
        assert!(matches!(
            with(vec![0; ITEM_BYTES]),
            Err(BundleError::TooLarge { .. })
        ));
        let many = |count: usize| {
            let names = (1..count).map(|at| format!("f{at}"));
            let names: Vec<_> = names.chain(["SKILL.md".to_owned()]).collect();
            skill(&names.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert!(many(ITEM_FILES).is_ok());
        assert!(matches!(
            many(ITEM_FILES + 1),
            Err(BundleError::TooManyFiles { .. })
        ));
    }

    #[test]
    fn the_tree_digest_depends_on_paths_modes_and_contents() {
        let digest = |paths: &[&str]| skill(paths).unwrap().tree_digest();
        assert_eq!(digest(&["SKILL.md", "a"]), digest(&["a", "SKILL.md"]));
        assert_ne!(digest(&["SKILL.md", "a"]), digest(&["SKILL.md", "b"]));
        let executable = BundleFile {
            bytes: Arc::from(*b"a"),
            executable: true,
        };
        let bundle = skill(&["SKILL.md"]).unwrap();
        let bundle = bundle.with_file(path("a"), executable).unwrap();
        assert_ne!(bundle.tree_digest(), digest(&["SKILL.md", "a"]));
    }
}
