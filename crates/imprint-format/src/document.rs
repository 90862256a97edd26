//! A file with front matter, kept byte for byte.

use std::{collections::HashMap, ops::Range};

use crate::{
    About, Diagnostic, Reading,
    front_matter::{self, FenceFault, Fences, FrontMatter},
    limits::TEXT_FILE_BYTES,
    text::visible,
    yaml::{self, ScalarStyle, YamlError, YamlFault},
};

/// One field of the front matter, as read (after repair, duplicates resolved).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as text.
    pub key: String,
    /// The value.
    pub value: yaml::Value,
    /// How the value is written, when it is a scalar that stands there itself.
    pub style: Option<ScalarStyle>,
    /// The line in the file, from 1.
    pub line: u32,
}

impl Field {
    /// Whether nothing stands there: no value, or YAML's unquoted `null`.
    pub fn is_null(&self) -> bool {
        self.style == Some(ScalarStyle::Plain)
            && matches!(
                self.value.as_str(),
                Some("" | "~" | "null" | "Null" | "NULL")
            )
    }
}

/// A file with front matter and body, exactly as it was read, with its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub(crate) text: String,
    fields: Vec<Field>,
    body: Range<usize>,
    pub(crate) fences: Fences,
    pub(crate) front_matter: FrontMatter,
}

impl Document {
    /// Reads a file: size, encoding, byte order mark, fences, YAML, repair, duplicates.
    /// Diagnostics here are about `file`, `frontmatter`, and for repaired or duplicate keys the
    /// field (`name`, `description`, `tools`, else `frontmatter`).
    pub fn read(bytes: &[u8]) -> Reading<Self> {
        match decode(bytes).and_then(Self::parse) {
            Ok(document) => Reading {
                diagnostics: document.remarks(),
                value: Some(document),
            },
            Err(diagnostic) => Reading::refused(diagnostic),
        }
    }

    fn parse(text: &str) -> Result<Self, Diagnostic> {
        let start = text.len() - text.strip_prefix('\u{FEFF}').unwrap_or(text).len();
        let fences = front_matter::find_fences(text, start).map_err(no_front_matter)?;
        let front_matter = front_matter::parse(text, fences.header.clone())
            .map_err(|error| bad_front_matter(&error))?;
        Ok(Self {
            fields: fields(&front_matter),
            body: trimmed(text, fences.rest),
            text: text.to_owned(),
            fences,
            front_matter,
        })
    }

    /// What is to be said about a file that could be read.
    fn remarks(&self) -> Vec<Diagnostic> {
        let repairs = self.front_matter.repairs.iter().map(|repair| {
            let message = format!(
                "the value of `{}` is not valid YAML; it is taken as it stands",
                visible(&repair.key)
            );
            Diagnostic::warning(about_key(&repair.key), message)
                .at_line(repair.line)
                .with_hint("put the value in double quotes, with `\\` before each `\"` and `\\`")
        });
        let mut times: HashMap<&str, usize> = HashMap::new();
        for entry in &self.front_matter.entries {
            *times.entry(&entry.key).or_default() += 1;
        }
        let again = self
            .fields
            .iter()
            .filter(|field| times[field.key.as_str()] > 1);
        let again = again.map(|field| duplicate(about_key(&field.key), &field.key, field.line));
        let nested = self.front_matter.nested_duplicates.iter();
        let nested = nested.map(|again| duplicate(About::Frontmatter, &again.key, again.line));
        repairs.chain(again).chain(nested).collect()
    }

    /// The whole file, byte for byte as it was read (a byte order mark included).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The fields in the order in which they stand; of duplicates the last.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// One field.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// One field's value.
    pub fn get(&self, key: &str) -> Option<&yaml::Value> {
        self.field(key).map(|field| &field.value)
    }

    /// The fields with their types, as any reader of YAML 1.2 takes them: without repair, and
    /// without keys that are lists or maps. Of duplicates the last.
    pub fn typed_fields(&self) -> Result<Vec<(String, yaml::Typed)>, YamlError> {
        yaml::parse_typed(&self.text[self.fences.header.clone()])
    }

    /// Whether values had to be taken as they stand because they are no YAML: an unquoted `: `, which
    /// not every reader puts up with.
    pub fn is_mended(&self) -> bool {
        !self.front_matter.repairs.is_empty()
    }

    /// Everything behind the closing fence, blanks and line ends at both ends removed.
    pub fn body(&self) -> &str {
        &self.text[self.body.clone()]
    }
}

/// A text file's bytes as text, within the limits.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, Diagnostic> {
    if bytes.len() > TEXT_FILE_BYTES {
        let message = format!(
            "the file is {} bytes; at most {TEXT_FILE_BYTES} are read",
            bytes.len()
        );
        return Err(Diagnostic::error(About::File, message)
            .with_hint("move the long parts into files beside it"));
    }
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(
            Diagnostic::error(About::File, "the file is UTF-16, not UTF-8")
                .with_hint("save it as UTF-8"),
        );
    }
    if is_binary(bytes) {
        return Err(Diagnostic::error(About::File, "the file is not text"));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = before.matches('\n').count() + 1;
        Diagnostic::error(About::File, "the file is not UTF-8")
            .at_line(u32::try_from(line).unwrap_or(u32::MAX))
            .with_hint("save it as UTF-8")
    })
}

/// NUL, or how files of well-known formats start.
fn is_binary(bytes: &[u8]) -> bool {
    const STARTS: &[&[u8]] = &[
        b"\x89PNG",
        b"\xFF\xD8\xFF",
        b"GIF8",
        b"%PDF-",
        b"PK\x03\x04",
        b"\x7FELF",
        b"\x1F\x8B",
        b"7z\xBC\xAF",
        b"\xFD7zXZ",
        b"BZh",
        b"RIFF",
        b"\xCA\xFE\xBA\xBE",
        b"\x28\xB5\x2F\xFD",
    ];
    STARTS.iter().any(|start| bytes.starts_with(start)) || bytes.contains(&0)
}

fn no_front_matter(fault: FenceFault) -> Diagnostic {
    let message = match fault {
        FenceFault::NoOpening => "there is no front matter: the first line is not `---`",
        FenceFault::BlankFirst => "there is a blank line before the front matter",
        FenceFault::NoClosing => "the front matter has no end: a second line `---` is missing",
    };
    let hint = match fault {
        FenceFault::NoOpening => {
            "start the file with a line `---`, the lines `name: …` and `description: …`, and \
             another line `---`"
        }
        FenceFault::BlankFirst => "remove the lines before the first `---`",
        FenceFault::NoClosing => "put a line `---` between the header and the instructions",
    };
    Diagnostic::error(About::Frontmatter, message)
        .at_line(1)
        .with_hint(hint)
}

fn bad_front_matter(error: &YamlError) -> Diagnostic {
    let (message, hint) = match error.fault {
        YamlFault::Syntax => (
            format!(
                "the front matter is not valid YAML: {}",
                visible(&error.message)
            ),
            "write each field as one line `key: \"value\"`",
        ),
        YamlFault::Limit => (
            format!("the front matter is refused: {}", error.message),
            "write the values out, and keep long texts in the body",
        ),
    };
    Diagnostic::error(About::Frontmatter, message)
        .at_line(error.line)
        .with_hint(hint)
}

fn duplicate(about: About, key: &str, line: u32) -> Diagnostic {
    let key = visible(key);
    let message = format!("`{key}` stands there more than once; the last one counts");
    Diagnostic::warning(about, message)
        .at_line(line)
        .with_hint("keep one of them")
}

/// What a remark about this key is about.
pub(crate) fn about_key(key: &str) -> About {
    match key {
        "name" => About::Name,
        "description" => About::Description,
        "tools" | "allowed-tools" => About::Tools,
        _ => About::Frontmatter,
    }
}

/// The last entry of each key, in the order in which they stand.
fn fields(front_matter: &FrontMatter) -> Vec<Field> {
    let entries = &front_matter.entries;
    let last: HashMap<&str, usize> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| (entry.key.as_str(), at))
        .collect();
    let kept = entries.iter().enumerate();
    kept.filter(|(at, entry)| last.get(entry.key.as_str()) == Some(at))
        .map(|(_, entry)| Field {
            key: entry.key.clone(),
            value: entry.value.clone(),
            style: entry.style,
            line: entry.line,
        })
        .collect()
}

/// The text from byte `from` on without blanks at its ends.
fn trimmed(text: &str, from: usize) -> Range<usize> {
    let rest = &text[from..];
    let start = from + (rest.len() - rest.trim_start().len());
    start..start + text[start..].trim_end().len()
}

#[cfg(test)]
mod tests;
