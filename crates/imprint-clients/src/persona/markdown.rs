//! Personas as Markdown with front matter.

use imprint_format::quote_scalar;

use super::{Dialect, Fields, Persona};

/// The file: the keys that the client reads, a blank line, the instructions, one final newline.
pub(super) fn write(fields: &Fields, persona: Persona<'_>, dialect: Dialect) -> String {
    let mut text = String::from("---\n");
    let mut field = |key: &str, value: &str| {
        text.push_str(key);
        text.push_str(": ");
        text.push_str(&quote_scalar(value));
        text.push('\n');
    };
    if dialect != Dialect::OpenCode {
        // OpenCode takes the file's name.
        field("name", fields.name.as_str());
    }
    field("description", &persona.header.description);
    if dialect == Dialect::OpenCode {
        // Without it the persona would stand among the agents that the user switches between.
        field("mode", "subagent");
    }
    if let Some(model) = &fields.model {
        field("model", model);
    }
    if let Some(color) = &fields.color {
        field("color", color);
    }
    if let Some(tools) = &fields.tools {
        list(&mut text, "tools", tools);
    }
    text.push_str("---\n");
    let instructions = persona.instructions.trim_matches('\n');
    if !instructions.is_empty() {
        text.push('\n');
        text.push_str(instructions);
        text.push('\n');
    }
    text
}

fn list(text: &mut String, key: &str, values: &[String]) {
    text.push_str(key);
    if values.is_empty() {
        text.push_str(": []\n");
        return;
    }
    text.push_str(":\n");
    for value in values {
        text.push_str("  - ");
        text.push_str(&quote_scalar(value));
        text.push('\n');
    }
}
