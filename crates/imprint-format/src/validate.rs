//! The strict rules for everything that we write.

use crate::{Bundle, Diagnostic, ItemKind, ItemName};

/// A header that passed the strict rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictHeader {
    /// The name.
    pub name: ItemName,
    /// 1 to 1,024 characters, trimmed. A guideline's is the first line of its text, cut to 250.
    pub description: String,
    /// `disable-model-invocation: true`.
    pub hidden_from_model: bool,
}

/// Checks an entry file against everything that may be written: valid YAML without repair, unique
/// keys, name and description within the specification, no hidden characters, UTF-8. All faults
/// are told, not the first alone. `folder` must equal the name where it is given. For a guideline
/// `folder` is its name.
pub fn validate(
    kind: ItemKind,
    folder: Option<&str>,
    bytes: &[u8],
) -> Result<StrictHeader, Vec<Diagnostic>> {
    let _ = (kind, folder, bytes);
    todo!()
}

/// [`validate`] for the entry file of a bundle.
pub fn validate_bundle(
    folder: Option<&str>,
    bundle: &Bundle,
) -> Result<StrictHeader, Vec<Diagnostic>> {
    validate(bundle.kind(), folder, &bundle.entry().bytes)
}
