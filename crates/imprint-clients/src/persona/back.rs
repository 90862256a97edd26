//! What someone changed in a client's own form of a persona, carried back into the persona as it
//! is kept.

use imprint_format::{About, Diagnostic, Document, EditFieldError, Header, ItemKind, read_header};

use super::{Dialect, Persona, render};
use crate::import::codex_persona_text;

/// A persona with what was changed in one client's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CarriedBack {
    /// The text of its `PERSONA.md`.
    pub(crate) text: String,
    /// What was changed there and can't be carried back.
    pub(crate) notes: Vec<String>,
}

/// Why nothing can be carried back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CarryBackError {
    /// The client's file, or the persona, can't be read.
    #[error("{0}")]
    Unreadable(Diagnostic),
    /// The persona's header can't be edited so.
    #[error(transparent)]
    Field(#[from] EditFieldError),
}

/// The persona `kept` with what differs between the client's file as we would write it and the one
/// `found`. Only what differs is touched, so that values that the client's form has no room for
/// stay.
pub(crate) fn carry_back(
    kept: &[u8],
    found: &[u8],
    dialect: Dialect,
) -> Result<CarriedBack, CarryBackError> {
    let (header, document) = read(kept)?;
    let persona = Persona {
        header: &header,
        instructions: document.body(),
    };
    let mut notes = Vec::new();
    let (before, before_document) =
        read_form(&render(persona, dialect).bytes, dialect, &mut notes)?;
    notes.clear();
    let (after, after_document) = read_form(found, dialect, &mut notes)?;
    let mut edited = document.clone();
    for (key, text) in changed_fields(&before, &after) {
        match text {
            Some(text) => match edited.with_field(key, &text) {
                Ok(with_field) => edited = with_field,
                Err(EditFieldError::NotAScalar { .. }) => notes.push(format!(
                    "`{key}` was changed there to `{text}`; it stays as it is kept, because it is a list"
                )),
                Err(other) => return Err(other.into()),
            },
            None => notes.push(format!(
                "`{key}` was taken out there; it stays as it is kept"
            )),
        }
    }
    if before_document.body() != after_document.body() {
        // A body is read without the line end behind it, which a file keeps.
        let end = if document.text().ends_with('\n') {
            "\n"
        } else {
            ""
        };
        edited = edited.with_body(&format!("{}{end}", after_document.body()))?;
    }
    Ok(CarriedBack {
        text: edited.text().to_owned(),
        notes,
    })
}

/// The fields that differ, with their new text; `None` for one that is gone.
fn changed_fields(before: &Header, after: &Header) -> Vec<(&'static str, Option<String>)> {
    let mut changed = Vec::new();
    if before.description != after.description {
        changed.push(("description", Some(after.description.clone())));
    }
    if before.model != after.model {
        changed.push(("model", after.model.clone()));
    }
    if before.color != after.color {
        changed.push(("color", after.color.clone()));
    }
    if before.tools != after.tools {
        changed.push(("tools", after.tools.as_ref().map(|tools| tools.join(", "))));
    }
    changed
}

fn read_form(
    bytes: &[u8],
    dialect: Dialect,
    notes: &mut Vec<String>,
) -> Result<(Header, Document), CarryBackError> {
    if dialect != Dialect::Codex {
        return read(bytes);
    }
    let text = codex_persona_text(bytes, notes).map_err(CarryBackError::Unreadable)?;
    read(text.as_bytes())
}

fn read(bytes: &[u8]) -> Result<(Header, Document), CarryBackError> {
    // A name has no part in what is carried back, so that of the file is as good as any.
    let reading = read_header(ItemKind::Persona, Some("persona"), bytes);
    let mut diagnostics = reading.diagnostics.into_iter();
    reading.value.ok_or_else(|| {
        let why = diagnostics.next();
        let unknown = || Diagnostic::error(About::File, "the file can't be read");
        CarryBackError::Unreadable(why.unwrap_or_else(unknown))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: &str = "---\n# mine\nname: diver\ndescription: Dives.\nmodel: sonnet\ntools:\n  - Read\n  - Grep\nicon: whale\n---\n\nYou dive.\n";

    fn rendered(dialect: Dialect) -> String {
        let (header, document) = read(KEPT.as_bytes()).unwrap();
        let persona = Persona {
            header: &header,
            instructions: document.body(),
        };
        String::from_utf8(render(persona, dialect).bytes).unwrap()
    }

    const DIALECTS: [Dialect; 7] = [
        Dialect::ClaudeCode,
        Dialect::Codex,
        Dialect::CopilotCli,
        Dialect::Cursor,
        Dialect::GeminiCli,
        Dialect::OpenCode,
        Dialect::QwenCode,
    ];

    #[test]
    fn a_file_as_we_wrote_it_changes_nothing() {
        for dialect in DIALECTS {
            let back = carry_back(KEPT.as_bytes(), rendered(dialect).as_bytes(), dialect).unwrap();
            assert_eq!(back.text, KEPT, "{dialect:?}");
            assert_eq!(back.notes, Vec::<String>::new());
        }
    }

    #[test]
    fn changed_instructions_and_description_come_back_and_nothing_else() {
        for dialect in DIALECTS {
            let found = rendered(dialect)
                .replace("You dive.", "You dive deep.")
                .replace("Dives.", "Dives far.");
            let back = carry_back(KEPT.as_bytes(), found.as_bytes(), dialect).unwrap();
            let expected = KEPT
                .replace("You dive.", "You dive deep.")
                .replace("description: Dives.", "description: Dives far.");
            assert_eq!(back.text, expected, "{dialect:?}");
        }
    }

    #[test]
    fn a_model_comes_back_from_a_client_that_knows_it() {
        let found = rendered(Dialect::ClaudeCode)
            .replace("sonnet", "opus")
            .replace("  - Grep\n", "");
        let back = carry_back(KEPT.as_bytes(), found.as_bytes(), Dialect::ClaudeCode).unwrap();
        assert!(back.text.contains("model: opus\n"), "{}", back.text);
        assert!(back.text.contains("icon: whale\n"));
        assert_eq!(back.notes.len(), 1, "{:?}", back.notes);
    }

    #[test]
    fn what_is_taken_out_stays_and_is_told() {
        let found = rendered(Dialect::ClaudeCode).replace("model: sonnet\n", "");
        let back = carry_back(KEPT.as_bytes(), found.as_bytes(), Dialect::ClaudeCode).unwrap();
        assert_eq!(back.text, KEPT);
        assert_eq!(back.notes.len(), 1);
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        assert!(carry_back(KEPT.as_bytes(), b"= x", Dialect::Codex).is_err());
        assert!(carry_back(KEPT.as_bytes(), b"no header", Dialect::Cursor).is_err());
    }
}
