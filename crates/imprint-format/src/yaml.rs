//! The part of YAML 1.2 that front matter needs, with every scalar kept as the text that stands
//! there (no numbers, booleans or dates) and the place of every value.

use std::ops::Range;

/// A YAML value. Aliases are already replaced by what they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar, quotes and folding undone, otherwise as it stands. A blank value is `""`.
    Scalar(String),
    /// A sequence.
    Sequence(Vec<Value>),
    /// A mapping, in order; of duplicate keys only the last.
    Mapping(Vec<(String, Value)>),
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
    /// Byte range of the value in the parsed text; empty, right behind the colon, for no value.
    pub span: Range<usize>,
    /// The key's line, from 1.
    pub line: u32,
}

/// Why a text is no mapping that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct YamlError {
    /// From 1, in the parsed text.
    pub line: u32,
    /// What the parser says.
    pub message: String,
}

/// The top-level mapping of a text, duplicates included, in order. An empty text is an empty
/// mapping. At most [`crate::limits::YAML_ALIASES`] aliases, none cyclic, and
/// [`crate::limits::YAML_DEPTH`] levels.
pub fn parse_mapping(text: &str) -> Result<Vec<Entry>, YamlError> {
    let _ = text;
    todo!()
}
