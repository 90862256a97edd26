//! What a document says about the item: name, description and the fields that clients use.

use crate::{Document, ItemKind, Reading};

/// An item's header as read leniently. `name` may break the rules (kept as written); only
/// path-like names are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// As written, trimmed; the folder's (or file's) name when there is none.
    pub name: String,
    /// Trimmed, in full.
    pub description: String,
    /// `allowed-tools` of a skill, `tools` of a persona; `None` when omitted or blank, empty when
    /// an empty list stands there.
    pub tools: Option<Vec<String>>,
    /// A persona's `model`.
    pub model: Option<String>,
    /// A persona's `color` (or `colour`).
    pub color: Option<String>,
    /// `disable-model-invocation: true`: only the user starts it.
    pub hidden_from_model: bool,
}

/// Reads an item's entry file. `home` is the name that stands for the item outside the file: the
/// folder of a `SKILL.md`, the file stem of an agent file. Not for guidelines, which have no
/// header.
pub fn read_header(
    kind: ItemKind,
    home: Option<&str>,
    bytes: &[u8],
) -> Reading<(Header, Document)> {
    let _ = (kind, home, bytes);
    todo!()
}
