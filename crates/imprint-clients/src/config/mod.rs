//! Editors of clients' configuration texts: one member is read, put or taken out, and every other
//! byte stays as it is. Texts in, texts out; nothing here touches a disk.

mod hide;
mod json;
mod layout;
mod toml;
mod yaml;

use serde::{Deserialize, Serialize};

pub use hide::shown;
pub(crate) use hide::shown_args;
pub use serde_json::Value;

/// The longest text that is edited, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The deepest nesting that is read, in levels; the libraries below stop at about as many.
const MAX_DEPTH: usize = 128;

/// How a configuration text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// JSON as RFC 8259 has it: no comments, no trailing commas.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML. What is written is of TOML 1.0, too.
    Toml,
    /// YAML 1.2; only block style is written.
    Yaml,
}

/// A member's place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    /// How the text is written.
    pub syntax: Syntax,
    /// The names that lead to the member, its own name last. Empty means the whole document, which
    /// can be read but not written.
    pub path: &'a [&'a str],
}

/// A text with the member in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// The whole text; the very same bytes when the member already had that value.
    pub text: String,
    /// What [`take_out`] needs in order to restore the first bytes.
    pub made: Made,
}

/// What stood in the way of a member before it was put, so that taking it out restores exactly
/// that. Who puts a member again keeps the `Made` of the first time. It may hold the text of a
/// value that was replaced, and so whatever secret stood in that value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// How many of the path's names stood before: `before` speaks of the value there, or of the
    /// absence of the next name.
    at: usize,
    before: Before,
    /// The blanks and line ends beside the member that were changed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Before {
    /// The document held no value; this is its whole text.
    Document(String),
    /// The text of the value: an empty or null parent, or the member's own earlier value.
    Value(String),
    /// There was no member of that name among others.
    Absent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Gap {
    was: String,
    is: String,
}

impl Made {
    /// For a member that is known to be ours although its first `Made` is lost: taking it out
    /// leaves its parents.
    pub const fn of_member(slot: &Slot<'_>) -> Self {
        Self {
            at: slot.path.len().saturating_sub(1),
            before: Before::Absent,
            gap: None,
        }
    }
}

/// Why a text can't be read or edited. The text is never quoted: it may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// It is not of its syntax.
    #[error("line {line}, column {column}: {message}")]
    Unparsable {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// Something stands where the member would have to go.
    #[error("{what}")]
    NoRoom {
        /// What that is.
        what: String,
    },
    /// A name on the way stands twice in one object, so that clients may take either.
    #[error("{name} stands there twice")]
    Ambiguous {
        /// The names that lead to it.
        name: String,
    },
    /// It is longer than [`MAX_BYTES`].
    #[error("the file has {bytes} bytes; at most {MAX_BYTES} are edited")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The edited text didn't read as the old one with just this member changed.
    #[error("this file can't be edited without changing something else in it")]
    OtherChange,
}

impl ConfigError {
    fn no_room(what: impl Into<String>) -> Self {
        Self::NoRoom { what: what.into() }
    }

    /// `at` is a byte offset in `text`.
    fn unparsable(text: &str, at: usize, message: impl Into<String>) -> Self {
        let (line, column) = layout::line_and_column(text, at);
        Self::Unparsable {
            line,
            column,
            message: message.into(),
        }
    }
}

/// What stands at the slot, whatever its shape. `None` when nothing does, or when something on the
/// way has no members.
pub fn get(text: &str, slot: &Slot<'_>) -> Result<Option<Value>, ConfigError> {
    let root = read(slot, body(text)?.1)?;
    let mut value = &root;
    for name in slot.path {
        match value.get(name) {
            Some(next) => value = next,
            None => return Ok(None),
        }
    }
    Ok(Some(value.clone()))
}

/// Adds the member as the last one of its parent, making missing parents, or replaces its value
/// where it stands. Nothing changes when it has that value already.
pub fn put(text: &str, slot: &Slot<'_>, value: &Value) -> Result<Put, ConfigError> {
    if slot.path.is_empty() {
        return Err(ConfigError::no_room("a whole document is never replaced"));
    }
    let (mark, text) = body(text)?;
    let before = read(slot, text)?;
    let put = match slot.syntax {
        Syntax::Json | Syntax::Jsonc => json::put(text, slot, value)?,
        Syntax::Toml => toml::put(text, slot, value)?,
        Syntax::Yaml => yaml::put(text, slot, value)?,
    };
    let after = read(slot, &put.text).map_err(|_| ConfigError::OtherChange)?;
    let is_there = slot.path.iter().try_fold(&after, |at, name| at.get(name));
    if is_there != Some(value) || without(before, slot.path) != without(after, slot.path) {
        return Err(ConfigError::OtherChange);
    }
    Ok(Put {
        text: format!("{mark}{}", put.text),
        made: put.made,
    })
}

/// Takes the member out, or brings back what it replaced, and with it everything that was made for
/// it and holds nothing else now. A text without the member stays as it is.
pub fn take_out(text: &str, slot: &Slot<'_>, made: &Made) -> Result<String, ConfigError> {
    let (mark, text) = body(text)?;
    let before = read(slot, text)?;
    let taken = match slot.syntax {
        Syntax::Json | Syntax::Jsonc => json::take_out(text, slot, made)?,
        Syntax::Toml => toml::take_out(text, slot, made)?,
        Syntax::Yaml => yaml::take_out(text, slot, made)?,
    };
    let after = read(slot, &taken).map_err(|_| ConfigError::OtherChange)?;
    if without(before, slot.path) != without(after, slot.path) {
        return Err(ConfigError::OtherChange);
    }
    Ok(format!("{mark}{taken}"))
}

/// The byte order mark, if there is one, and the text behind it.
fn body(text: &str) -> Result<(&str, &str), ConfigError> {
    if text.len() > MAX_BYTES {
        return Err(ConfigError::TooLong { bytes: text.len() });
    }
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    Ok(text.split_at(mark))
}

/// The whole text as one value; `null` for one without any.
fn read(slot: &Slot<'_>, text: &str) -> Result<Value, ConfigError> {
    match slot.syntax {
        Syntax::Json | Syntax::Jsonc => json::read(text, slot),
        Syntax::Toml => toml::read(text, slot),
        Syntax::Yaml => yaml::read(text, slot),
    }
}

/// A document without the member at a path and without the parents that are empty then: what an
/// edit must leave alone.
fn without(mut value: Value, path: &[&str]) -> Value {
    remove(&mut value, path);
    value
}

fn remove(value: &mut Value, path: &[&str]) {
    if let (Some(map), [name, rest @ ..]) = (value.as_object_mut(), path) {
        if let Some(member) = map.get_mut(*name) {
            remove(member, rest);
            if rest.is_empty() || member.is_null() {
                map.shift_remove(*name);
            }
        }
        if map.is_empty() {
            *value = Value::Null;
        }
    }
}

/// `names` as people read them.
fn dotted(names: &[&str]) -> String {
    format!("`{}`", names.join("."))
}

/// `value` in objects for each of `names`, the outermost first.
fn nested(names: &[&str], value: &Value) -> Value {
    names.iter().rev().fold(value.clone(), |inner, name| {
        Value::Object([((*name).to_owned(), inner)].into_iter().collect())
    })
}

#[cfg(test)]
mod tests;
