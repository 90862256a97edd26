//! The part of YAML 1.2 that front matter needs, with every scalar kept as the text that stands
//! there (no numbers, booleans or dates) and the place of every value.

mod place;
mod tree;
mod typed;

use std::ops::Range;

pub use typed::{Typed, parse_typed};

/// A YAML value. Aliases are already replaced by what they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar, quotes and folding undone, otherwise as it stands. A blank value is `""`.
    Scalar(String),
    /// A sequence.
    Sequence(Vec<Self>),
    /// A mapping, in order; of duplicate keys only the last. A key that is no scalar stands as it
    /// is written.
    Mapping(Vec<(String, Self)>),
}

impl Value {
    /// The scalar's text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Scalar(text) => Some(text),
            Self::Sequence(_) | Self::Mapping(_) => None,
        }
    }
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "YAML's own names")]
pub enum ScalarStyle {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// One top-level entry of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key as text.
    pub key: String,
    /// The value.
    pub value: Value,
    /// How the value is written, when it is a scalar that stands there itself.
    pub style: Option<ScalarStyle>,
    /// Byte range of the value in the parsed text, without anchor and tag; a block scalar from its
    /// indicator to the end of its last line that is not blank. Empty, right behind the colon (or
    /// anchor), for no value.
    pub span: Range<usize>,
    /// The key's line, from 1.
    pub line: u32,
}

/// What kind of trouble a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YamlFault {
    /// It is not the YAML that is expected here.
    Syntax,
    /// It asks for more than the limits allow: aliases, depth, an anchor inside itself.
    Limit,
}

/// Why a text is no mapping that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct YamlError {
    /// From 1, in the parsed text.
    pub line: u32,
    /// What the parser says.
    pub message: String,
    /// The kind of trouble.
    pub fault: YamlFault,
}

/// A key that stands more than once in a mapping below the top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedDuplicate {
    /// The key.
    pub key: String,
    /// The line of its last place, from 1.
    pub line: u32,
}

/// A text's top-level mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// The entries in order, duplicates included.
    pub entries: Vec<Entry>,
    /// Duplicate keys below the top level.
    pub nested_duplicates: Vec<NestedDuplicate>,
    /// Whether the mapping is written with braces.
    pub flow: bool,
    /// How many blanks stand before its keys, when it is not written with braces.
    pub indent: usize,
}

/// The top-level mapping of a text, duplicates included, in order. An empty text is an empty
/// mapping. At most [`crate::limits::YAML_ALIASES`] aliases, none cyclic, and
/// [`crate::limits::YAML_DEPTH`] levels.
pub fn parse_mapping(text: &str) -> Result<Vec<Entry>, YamlError> {
    parse_root(text).map(|root| root.entries)
}

/// [`parse_mapping`] with what an editor and a strict reader want to know beside the entries.
pub fn parse_root(text: &str) -> Result<Root, YamlError> {
    refuse_unprintable(text)?;
    tree::Builder::new(text).root()
}

/// YAML's own rule (`c-printable`, YAML 1.2.2 section 5.1), which the parser does not enforce.
fn refuse_unprintable(text: &str) -> Result<(), YamlError> {
    let Some((at, bad)) = text.char_indices().find(|(_, c)| !is_printable(*c)) else {
        return Ok(());
    };
    let before = crate::lines::lines(&text[..at], 0);
    let line = before.filter(|line| line.next > line.end).count() + 1;
    Err(YamlError {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        message: format!("the character U+{:04X} can't stand in YAML", u32::from(bad)),
        fault: YamlFault::Syntax,
    })
}

/// Whether a character may stand in YAML unescaped.
pub(crate) fn is_printable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        _ => !c.is_control(),
    }
}

#[cfg(test)]
mod tests;
