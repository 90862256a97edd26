//! Lossless edits: the bytes of one value or of the body, nothing else.

use crate::{
    Document,
    front_matter::FrontMatter,
    limits::TEXT_FILE_BYTES,
    lines::{is_blank, line_at, lines, with_line_ends},
    quote::{
        double_quoted, may_be_plain, may_be_plain_in_flow, may_be_single_quoted, quote_scalar,
        single_quoted,
    },
    yaml::{Entry, ScalarStyle, Value},
};

/// Why an edit can't be made without touching more than it names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum EditFieldError {
    #[error("`{key}` holds a list or map; edit the file as a whole")]
    NotAScalar { key: String },
    #[error("`{key}` is spelled in a way that can't be edited alone; edit the file as a whole")]
    Spelling { key: String },
    #[error("the new text of `{key}` holds a character that a text file can't hold")]
    Character { key: String },
    #[error("with the new text the file is larger than {limit} bytes")]
    TooLarge { limit: usize },
}

impl Document {
    /// The same file with one field's text replaced, or added as the last field. Every other
    /// byte stays; an equal value (blanks at its ends apart, which reading drops) gives the same
    /// bytes. The result is read again and compared before it is returned.
    pub fn with_field(&self, key: &str, value: &str) -> Result<Self, EditFieldError> {
        if value.contains('\0') || key.contains('\0') {
            return Err(EditFieldError::Character {
                key: key.to_owned(),
            });
        }
        let last = self
            .front_matter
            .entries
            .iter()
            .rfind(|entry| entry.key == key);
        let text = match last {
            None => self.text_with_new(key, value),
            Some(entry) => {
                let Value::Scalar(old) = &entry.value else {
                    return Err(EditFieldError::NotAScalar {
                        key: key.to_owned(),
                    });
                };
                if old == value || old.trim() == value {
                    return Ok(self.clone());
                }
                self.text_with_replaced(entry, value)
            }
        };
        self.read_back(&text, key, value)
    }

    /// The same file with everything after the closing fence replaced, except leading blank
    /// lines; line ends of the new text become the file's own. An equal body (line ends and blanks
    /// at its ends apart) gives the same bytes.
    pub fn with_body(&self, body: &str) -> Result<Self, EditFieldError> {
        const KEY: &str = "body";
        if body.contains('\0') {
            return Err(EditFieldError::Character {
                key: KEY.to_owned(),
            });
        }
        let ending = self.body_line_end();
        let same = |text: &str| with_line_ends(text.trim(), "\n");
        if same(body) == same(self.body()) {
            return Ok(self.clone());
        }
        let body = with_line_ends(body, ending);
        let mut kept = self.fences.rest;
        for line in lines(&self.text, kept) {
            if !is_blank(line.of(&self.text)) {
                break;
            }
            kept = line.next;
        }
        let mut text = self.text[..kept].to_owned();
        if !text.ends_with(['\n', '\r']) {
            text.push_str(ending);
        }
        text.push_str(&body);
        let edited = read_edited(&text, KEY)?;
        if edited.front_matter == self.front_matter && edited.body() == body.trim() {
            Ok(edited)
        } else {
            Err(EditFieldError::Spelling {
                key: KEY.to_owned(),
            })
        }
    }

    /// The same file with every value that reading took as it stands put in quotes, so that any
    /// YAML parser reads it alike. Without such values the same bytes.
    pub fn with_repairs_quoted(&self) -> Result<Self, EditFieldError> {
        let Some(first) = self.front_matter.repairs.first() else {
            return Ok(self.clone());
        };
        let repaired = self.front_matter.entries.iter().filter(|entry| {
            let mut repairs = self.front_matter.repairs.iter();
            repairs.any(|repair| repair.span == entry.span)
        });
        let mut text = self.text.clone();
        // From the end on, so that the places before stay.
        for entry in repaired.rev() {
            let value = entry.value.as_str().unwrap_or_default();
            text.replace_range(entry.span.clone(), &double_quoted(value));
        }
        let quoted = read_edited(&text, &first.key)?;
        let values = |document: &Self| {
            let entries = document.front_matter.entries.iter();
            let values = entries.map(|entry| (entry.key.clone(), entry.value.clone()));
            values.collect::<Vec<_>>()
        };
        let same = quoted.front_matter.repairs.is_empty()
            && values(&quoted) == values(self)
            && quoted.body() == self.body();
        if same {
            Ok(quoted)
        } else {
            Err(EditFieldError::Spelling {
                key: first.key.clone(),
            })
        }
    }

    /// How the file ends its lines: as its first line does.
    fn line_end(&self) -> &str {
        line_at(&self.text, 0).ending(&self.text)
    }

    /// How the body ends its lines; a body of one unfinished line, as the file does.
    fn body_line_end(&self) -> &str {
        match line_at(&self.text, self.fences.rest).ending(&self.text) {
            "" => self.line_end(),
            ending => ending,
        }
    }

    /// The file with one more line before the closing fence.
    fn text_with_new(&self, key: &str, value: &str) -> String {
        let (before, after) = self.text.split_at(self.fences.header.end);
        let indent = " ".repeat(self.front_matter.indent);
        let (key, value) = (quote_scalar(key), quote_scalar(value));
        let ending = self.line_end();
        format!("{before}{indent}{key}: {value}{ending}{after}")
    }

    fn text_with_replaced(&self, entry: &Entry, value: &str) -> String {
        let new = respelled(&self.front_matter, entry, value);
        let (start, end) = (entry.span.start, entry.span.end);
        let old = &self.text[start..end];
        let (before, after) = (&self.text[..start], &self.text[end..]);
        if old.is_empty() {
            return insert_value(before, &new, after);
        }
        let is_block = matches!(
            entry.style,
            Some(ScalarStyle::Literal | ScalarStyle::Folded)
        );
        // What stands behind a block's indicator on its line is a comment, which stays.
        let comment = if is_block { behind_indicator(old) } else { "" };
        format!("{before}{new}{comment}{after}")
    }

    /// The edited text as a document, if the field has its new value and all else is as before.
    fn read_back(&self, text: &str, key: &str, value: &str) -> Result<Self, EditFieldError> {
        let edited = read_edited(text, key)?;
        let others = |document: &Self| {
            let entries = document.front_matter.entries.iter();
            let mut others: Vec<_> = entries
                .map(|entry| (entry.key.clone(), entry.value.clone()))
                .collect();
            if let Some(at) = others.iter().rposition(|(other, _)| other == key) {
                others.remove(at);
            }
            others
        };
        let same = edited.get(key).and_then(Value::as_str) == Some(value)
            && others(&edited) == others(self)
            && edited.body() == self.body();
        if same {
            Ok(edited)
        } else {
            Err(EditFieldError::Spelling {
                key: key.to_owned(),
            })
        }
    }
}

fn read_edited(text: &str, key: &str) -> Result<Document, EditFieldError> {
    if text.len() > TEXT_FILE_BYTES {
        return Err(EditFieldError::TooLarge {
            limit: TEXT_FILE_BYTES,
        });
    }
    Document::read(text.as_bytes())
        .value
        .ok_or_else(|| EditFieldError::Spelling {
            key: key.to_owned(),
        })
}

/// A new value in the spelling of the old one: quotes stay, plain and block become plain when
/// they may.
fn respelled(front_matter: &FrontMatter, entry: &Entry, value: &str) -> String {
    let plain = if front_matter.flow {
        may_be_plain_in_flow(value)
    } else {
        may_be_plain(value)
    };
    match entry.style {
        Some(ScalarStyle::SingleQuoted) if may_be_single_quoted(value) => single_quoted(value),
        Some(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) => double_quoted(value),
        _ if plain => value.to_owned(),
        _ => double_quoted(value),
    }
}

/// Puts a value where none stands. The blanks behind the colon stay; a comment keeps the one
/// before it.
fn insert_value(before: &str, value: &str, after: &str) -> String {
    let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
    let (blanks, rest) = after.split_at(blanks);
    if blanks.is_empty() || rest.starts_with('#') {
        format!("{before} {value}{after}")
    } else {
        format!("{before}{blanks}{value}{rest}")
    }
}

/// The rest of a block scalar's first line behind its indicator.
fn behind_indicator(block: &str) -> &str {
    let first = line_at(block, 0).of(block);
    let indicator = first.find([' ', '\t']).unwrap_or(first.len());
    first[indicator..].trim_end()
}

#[cfg(test)]
mod tests;
