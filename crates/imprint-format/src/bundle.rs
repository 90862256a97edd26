//! An item's files, checked.

use std::{collections::BTreeMap, sync::Arc};

use crate::{Digest, ItemKind, ItemPath, PathFault};

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
        let _ = (kind, files.into_iter().count());
        todo!()
    }

    /// A bundle of the entry file alone.
    pub fn of_entry(kind: ItemKind, text: &str) -> Result<Self, BundleError> {
        let _ = (kind, text);
        todo!()
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
    pub fn entry(&self) -> &BundleFile {
        todo!()
    }

    /// The same bundle with one file added or replaced. A replaced file keeps its executable bit
    /// when `file` does not say otherwise by being executable itself.
    pub fn with_file(&self, path: ItemPath, file: BundleFile) -> Result<Self, BundleError> {
        let _ = (path, file);
        todo!()
    }

    /// The same bundle without one file. The entry file can't be taken out.
    pub fn without_file(&self, path: &ItemPath) -> Result<Self, BundleError> {
        let _ = path;
        todo!()
    }

    /// The digest of the whole tree: SHA-256 over, for each file in path order, its path, a flag
    /// for executable, and its content digest.
    pub fn tree_digest(&self) -> Digest {
        todo!()
    }

    /// All bytes together.
    pub fn size(&self) -> usize {
        self.files.values().map(|file| file.bytes.len()).sum()
    }
}
