//! Personas as clients write them: each client's own file format, with the values that it can read
//! and no others.

mod back;
mod markdown;
mod values;

use imprint_format::{About, Diagnostic, Header, ItemName, Severity, safe_folder_name};
use toml_edit::DocumentMut;

use crate::known::known_client;

pub(crate) use back::carry_back;
use values::Fate;

/// How a client writes a persona.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the client's name")]
pub enum Dialect {
    ClaudeCode,
    Codex,
    CopilotCli,
    Cursor,
    GeminiCli,
    OpenCode,
    QwenCode,
}

/// A persona as it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Persona<'a> {
    /// Its header.
    pub header: &'a Header,
    /// Everything behind the header.
    pub instructions: &'a str,
}

/// A persona as one client reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The file's name in the client's agents folder.
    pub file_name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// A warning for each value that is left out, and an error where the client would refuse the
    /// file whatever is left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rendered {
    /// Why the client would refuse this file, if it would: then it is better not written.
    pub fn refused(&self) -> Option<&Diagnostic> {
        self.diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The persona for the client with this id; `None` where that client reads no persona that we
/// write.
pub fn render_for(persona: Persona<'_>, client: &str) -> Option<Rendered> {
    let folder = known_client(client)?.personas.as_ref()?;
    Some(render(persona, folder.dialect))
}

/// The persona in a client's own form. Never fails: what the client can't read is left out, with a
/// diagnostic.
pub fn render(persona: Persona<'_>, dialect: Dialect) -> Rendered {
    let name = safe_folder_name(&persona.header.name);
    let mut diagnostics = Vec::new();
    let fields = Fields {
        model: kept_model(persona, dialect, &mut diagnostics),
        color: kept_color(persona, dialect, &mut diagnostics),
        tools: kept_tools(persona, dialect, &mut diagnostics),
        name,
    };
    diagnostics.extend(dialect.refusal(&fields.name, persona.instructions));
    let text = match dialect {
        Dialect::Codex => codex_toml(&fields, persona),
        _ => markdown::write(&fields, persona, dialect),
    };
    Rendered {
        file_name: format!("{}{}", fields.name, dialect.ending()),
        bytes: text.into_bytes(),
        diagnostics,
    }
}

/// What is left of a persona's header for one client.
struct Fields {
    name: ItemName,
    tools: Option<Vec<String>>,
    model: Option<String>,
    color: Option<String>,
}

fn kept_model(
    persona: Persona<'_>,
    dialect: Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let model = persona.header.model.as_deref()?;
    settle(dialect.model(model), About::Model, diagnostics)
}

fn kept_color(
    persona: Persona<'_>,
    dialect: Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let color = persona.header.color.as_deref()?;
    settle(dialect.color(color), About::Color, diagnostics)
}

fn kept_tools(
    persona: Persona<'_>,
    dialect: Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<String>> {
    let tools = persona.header.tools.as_deref()?;
    settle(dialect.tools(tools), About::Tools, diagnostics)
}

fn settle<T>(fate: Fate<T>, about: About, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
    match fate {
        Fate::Kept(value) => Some(value),
        Fate::Implied => None,
        Fate::LeftOut(why) => {
            diagnostics.push(Diagnostic::warning(about, why));
            None
        }
    }
}

/// Codex: TOML with `name`, `description`, `developer_instructions` and any key of its
/// configuration.
fn codex_toml(fields: &Fields, persona: Persona<'_>) -> String {
    let mut document = DocumentMut::new();
    document["name"] = toml_edit::value(fields.name.as_str());
    document["description"] = toml_edit::value(persona.header.description.as_str());
    if let Some(model) = &fields.model {
        document["model"] = toml_edit::value(model.as_str());
    }
    document["developer_instructions"] = toml_edit::value(persona.instructions);
    document.to_string()
}

#[cfg(test)]
mod tests;
