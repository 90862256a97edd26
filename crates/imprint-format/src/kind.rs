//! The kinds of item that the registry keeps.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A folder with a `SKILL.md` in the Agent Skills format.
    Skill,
    /// A role for a subagent, kept as a `PERSONA.md`.
    Persona,
    /// A rule that the user gives to all agents: plain Markdown without front matter.
    Guideline,
}

impl ItemKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Skill, Self::Persona, Self::Guideline];

    /// The kind's name in lower case, as used on the command line, in JSON and in the catalog.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Persona => "persona",
            Self::Guideline => "guideline",
        }
    }

    /// The file that makes a folder an item of this kind.
    pub const fn entry_file(self) -> &'static str {
        match self {
            Self::Skill => "SKILL.md",
            Self::Persona => "PERSONA.md",
            Self::Guideline => "GUIDELINE.md",
        }
    }

    /// Whether the entry file starts with YAML front matter.
    pub const fn has_front_matter(self) -> bool {
        !matches!(self, Self::Guideline)
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ItemKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

/// The text names no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of item; use `skill`, `persona` or `guideline`")]
pub struct UnknownKind(String);
