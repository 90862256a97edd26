//! Codex's agent files, which are TOML: the same persona as a `PERSONA.md`.

use imprint_format::{About, Diagnostic, quote_scalar};
use toml_edit::{DocumentMut, Item};

use super::source::shown;

/// The keys that a persona has too, except the instructions.
const HEADER_KEYS: [&str; 3] = ["name", "description", "model"];
const INSTRUCTIONS: &str = "developer_instructions";

/// Whether a file in a folder of agents is one of Codex's.
pub(super) fn is_codex_agent(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    !name.starts_with('.') && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// The text of the entry file that such a file makes. What only Codex knows is left out and noted.
pub(crate) fn persona_text(bytes: &[u8], notes: &mut Vec<String>) -> Result<String, Diagnostic> {
    let document = std::str::from_utf8(bytes)
        .map_err(|_| Diagnostic::error(About::File, "the file is not UTF-8"))?
        .parse::<DocumentMut>()
        .map_err(|error| {
            let message = format!("the file is not valid TOML: {}", shown(error.message()));
            Diagnostic::error(About::File, message)
        })?;
    let Some(instructions) = document.get(INSTRUCTIONS).and_then(Item::as_str) else {
        let message = format!("there is no `{INSTRUCTIONS}`, so this is no agent of Codex");
        return Err(Diagnostic::error(About::File, message));
    };
    let mut text = "---\n".to_owned();
    for (key, value) in document.iter().filter(|(key, _)| *key != INSTRUCTIONS) {
        match value.as_str() {
            Some(value) if HEADER_KEYS.contains(&key) => {
                text.extend([key, ": ", &quote_scalar(value), "\n"]);
            }
            _ => notes.push(format!(
                "left out: `{}`, which only Codex knows",
                shown(key)
            )),
        }
    }
    text.push_str("---\n\n");
    text.push_str(instructions.trim());
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use imprint_format::{ItemKind, read_header};

    use super::*;
    use crate::{Dialect, Persona, render};

    #[test]
    fn what_we_write_for_codex_is_read_back() {
        let file = "---\nname: critic\ndescription: \"Use: \\\"often\\\"\"\nmodel: gpt-5\n---\n\
                    Judge.\n\nBe # fair.\n";
        let reading = read_header(ItemKind::Persona, None, file.as_bytes());
        let (header, document) = reading.value.unwrap();
        let persona = Persona {
            header: &header,
            instructions: document.body(),
        };
        let rendered = render(persona, Dialect::Codex);
        let mut notes = Vec::new();
        let text = persona_text(&rendered.bytes, &mut notes).unwrap();
        let again = read_header(ItemKind::Persona, None, text.as_bytes());
        let (read, document_again) = again.value.unwrap();
        assert_eq!(read, header);
        assert_eq!(document_again.body(), document.body());
        assert!(notes.is_empty());
    }

    #[test]
    fn what_only_codex_knows_is_noted() {
        let file = "description = \"x\"\nsandbox_mode = \"read-only\"\n\
                    developer_instructions = \"Judge.\"\n[mcp_servers]\n";
        let mut notes = Vec::new();
        let text = persona_text(file.as_bytes(), &mut notes).unwrap();
        assert_eq!(text, "---\ndescription: x\n---\n\nJudge.\n");
        assert_eq!(
            notes,
            [
                "left out: `sandbox_mode`, which only Codex knows",
                "left out: `mcp_servers`, which only Codex knows"
            ]
        );
        let other = persona_text(b"[package]\nname = \"x\"\n", &mut notes);
        assert_eq!(other.unwrap_err().about, About::File);
        assert!(persona_text(b"= x", &mut notes).is_err());
    }
}
