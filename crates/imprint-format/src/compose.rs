//! Writing a new entry file.

use crate::{ItemKind, ItemName};

/// Why these texts don't make an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ComposeError {
    #[error("a description can't be empty")]
    EmptyDescription,
    #[error("a description has at most {limit} characters, this one has {chars}")]
    DescriptionTooLong { chars: usize, limit: usize },
    #[error("the description holds {0}, which a person can't see; take it out")]
    HiddenCharacter(String),
}

/// A new entry file: `name`, quoted `description`, blank line, instructions, one final newline.
/// For a guideline the instructions alone. Any YAML 1.1 or 1.2 parser reads the same texts back.
pub fn compose(
    kind: ItemKind,
    name: &ItemName,
    description: &str,
    instructions: &str,
) -> Result<String, ComposeError> {
    let _ = (kind, name, description, instructions);
    todo!()
}

/// A text as a YAML scalar that every YAML 1.1 and 1.2 parser reads as that string: plain when it
/// may be, else double-quoted with only `\` and `"` (and control characters) escaped.
pub fn quote_scalar(text: &str) -> String {
    let _ = text;
    todo!()
}
