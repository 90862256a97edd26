//! Lossless edits: the bytes of one value or of the body, nothing else.

/// Why an edit can't be made without touching more than it names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum EditFieldError {
    #[error("`{key}` holds a list or map; edit the file as a whole")]
    NotAScalar { key: String },
    #[error("`{key}` is spelled in a way that can't be edited alone; edit the file as a whole")]
    Spelling { key: String },
    #[error("the new text of `{key}` holds a character that YAML can't hold")]
    Character { key: String },
}
