//! Paths of files inside an item, safe on every system.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::ItemKind;

/// A relative path inside an item, `/` between components. Holds no `..`, no drive, no absolute
/// part, no name that Windows can't hold, no control character; NFC; within the limits of
/// [`crate::limits`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemPath(String);

/// Why a text is no path inside an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PathFault {
    #[error("a path can't be empty")]
    Empty,
    #[error("the path is absolute; give it relative to the item's folder")]
    Absolute,
    #[error("the path leaves the item's folder or holds `.` or an empty component")]
    Escapes,
    #[error("`{0}` has a character that not every system can hold in a file name")]
    Character(String),
    #[error("`{0}` is a name that Windows reserves")]
    Reserved(String),
    #[error("`{0}` ends in a period or blank, which Windows drops")]
    Trailing(String),
    #[error("the path is too long or too deep")]
    TooLong,
}

impl ItemPath {
    /// The path of the entry file of an item of this kind.
    pub fn entry_of(kind: ItemKind) -> Self {
        Self(kind.entry_file().to_owned())
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The components, outermost first.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The key under which two paths collide on some file system: NFC, then full case folding.
    pub fn collision_key(&self) -> String {
        todo!()
    }
}

impl FromStr for ItemPath {
    type Err = PathFault;

    fn from_str(text: &str) -> Result<Self, PathFault> {
        let _ = text;
        todo!()
    }
}

impl TryFrom<String> for ItemPath {
    type Error = PathFault;

    fn try_from(text: String) -> Result<Self, PathFault> {
        text.parse()
    }
}

impl From<ItemPath> for String {
    fn from(path: ItemPath) -> Self {
        path.0
    }
}

impl AsRef<str> for ItemPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ItemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether this path, as it stands in an archive or folder, is something that systems leave
/// behind (`__MACOSX/…`, `.DS_Store`, `Thumbs.db`, `desktop.ini`, `._…`): dropped without a word.
pub fn is_archive_junk(path: &str) -> bool {
    let _ = path;
    todo!()
}
