//! Names of items, and the safe folder names made from the names of others.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::limits::NAME_CHARS;

/// A name that may be written: 1 to 64 characters, `a`–`z`, `0`–`9` and single hyphens, none at
/// either end (Agent Skills specification; the ASCII subset that every client loads).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemName(String);

/// Why a text is no name that may be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing is left.
    #[error("a name can't be empty")]
    Empty,
    /// More than 64 characters.
    #[error("a name has at most {NAME_CHARS} characters, this one has {0}")]
    TooLong(usize),
    /// A character that names don't have.
    #[error("a name has only lower-case letters a to z, digits and hyphens, not {0:?}")]
    Character(char),
    /// A hyphen at an end, or two in a row.
    #[error("a name has single hyphens, and none at its start or end")]
    Hyphen,
}

impl ItemName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn check(text: &str) -> Result<(), NameFault> {
        if text.is_empty() {
            return Err(NameFault::Empty);
        }
        if let Some(other) = text
            .chars()
            .find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-'))
        {
            return Err(NameFault::Character(other));
        }
        if text.len() > NAME_CHARS {
            return Err(NameFault::TooLong(text.len()));
        }
        if text.starts_with('-') || text.ends_with('-') || text.contains("--") {
            return Err(NameFault::Hyphen);
        }
        Ok(())
    }
}

impl FromStr for ItemName {
    type Err = NameFault;

    fn from_str(text: &str) -> Result<Self, NameFault> {
        Self::check(text)?;
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for ItemName {
    type Error = NameFault;

    fn try_from(text: String) -> Result<Self, NameFault> {
        Self::check(&text)?;
        Ok(Self(text))
    }
}

impl From<ItemName> for String {
    fn from(name: ItemName) -> Self {
        name.0
    }
}

impl AsRef<str> for ItemName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ItemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The nearest name that may be written, for a text that may not: lower case, accents folded,
/// everything else a hyphen, cut to 64. `None` when no letter or digit is left.
pub fn suggest_name(text: &str) -> Option<ItemName> {
    let _ = text;
    todo!()
}

/// The folder that an item with this name, as others wrote it, gets: [`suggest_name`], else a
/// name made from the digest of the text. Never a path.
pub fn safe_folder_name(text: &str) -> ItemName {
    let _ = text;
    todo!()
}
