//! A file with front matter, kept byte for byte.

use crate::{EditFieldError, Reading, yaml};

/// One field of the front matter, as read (after repair, duplicates resolved).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as text.
    pub key: String,
    /// The value.
    pub value: yaml::Value,
    /// The line in the file, from 1.
    pub line: u32,
}

/// A file with front matter and body, exactly as it was read, with its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    text: String,
    fields: Vec<Field>,
    body: std::ops::Range<usize>,
}

impl Document {
    /// Reads a file: size, encoding, byte order mark, fences, YAML, repair, duplicates.
    /// Diagnostics here are about `file`, `frontmatter`, and for repaired or duplicate keys the
    /// field (`name`, `description`, `tools`, else `frontmatter`).
    pub fn read(bytes: &[u8]) -> Reading<Self> {
        let _ = bytes;
        todo!()
    }

    /// The whole file, byte for byte as it was read (a byte order mark included).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The fields in the order in which they stand; of duplicates the last.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// One field's value.
    pub fn get(&self, key: &str) -> Option<&yaml::Value> {
        self.fields
            .iter()
            .find(|field| field.key == key)
            .map(|field| &field.value)
    }

    /// Everything behind the closing fence, blanks and line ends at both ends removed.
    pub fn body(&self) -> &str {
        &self.text[self.body.clone()]
    }

    /// The same file with one field's text replaced, or added as the last field. Every other
    /// byte stays; an equal value gives the same bytes. The result is read again and compared
    /// before it is returned.
    pub fn with_field(&self, key: &str, value: &str) -> Result<Self, EditFieldError> {
        let _ = (key, value);
        todo!()
    }

    /// The same file with everything after the closing fence replaced, except leading blank
    /// lines; line ends of the new text become the file's own.
    pub fn with_body(&self, body: &str) -> Result<Self, EditFieldError> {
        let _ = body;
        todo!()
    }
}
