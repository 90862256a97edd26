//! The tools as clients list them.
//!
//! Small, because they stand in every conversation. Allowed values stand in the descriptions as
//! well, because some clients drop `enum`s.

use rmcp::model::{MetaObject, Tool as Definition, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::Tool;

/// The tools that are offered, always in the same order. The description of `skills` is fitted to
/// the client.
pub(crate) fn list(skills_description: &str, offers: impl Fn(Tool) -> bool) -> Vec<Definition> {
    let offered = Tool::ALL.into_iter().filter(|tool| offers(*tool));
    offered
        .map(|tool| match tool {
            Tool::Skills => skills(skills_description.to_owned()),
            Tool::SkillEdit => skill_edit(),
            Tool::Guidelines => guidelines(),
        })
        .collect()
}

fn skills(description: String) -> Definition {
    let schema = object(
        json!({
            "action": { "type": "string", "enum": ["list", "get"], "description": "list or get" },
            "name": { "type": "string", "description": "get: the item's name" },
            "kind": {
                "type": "string",
                "enum": ["skill", "persona"],
                "description": "skill or persona; both if left out",
            },
            "path": {
                "type": "string",
                "description": "get: another of its files, or a folder of them",
            },
            "query": { "type": "string", "description": "list: what the task is about" },
            "start": start(),
        }),
        &["action"],
    );
    // Without this, Claude Code hides the tool behind a search.
    let mut meta = MetaObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), Value::Bool(true));
    Definition::new(Tool::Skills.name(), description, schema)
        .with_title("Skills and personas")
        .with_annotations(reading("Skills and personas"))
        .with_meta(meta)
}

fn skill_edit() -> Definition {
    let description = "Creates a skill or persona of the user, or changes one, for all of the \
        user's AI clients. create: name, description (when to use it) and instructions, or files \
        with a SKILL.md or PERSONA.md. edit: what is given is replaced, the rest stays. Every \
        version is kept. Read an item with skills before you edit it. Removing is up to the user.";
    let schema = object(
        json!({
            "action": { "type": "string", "enum": ["create", "edit"], "description": "create or edit" },
            "name": { "type": "string", "description": "a-z, 0-9 and hyphens, at most 64 characters" },
            "kind": {
                "type": "string",
                "enum": ["skill", "persona"],
                "description": "skill or persona; create: skill if left out",
            },
            "description": {
                "type": "string",
                "description": "What it does and when to use it, at most 1024 characters",
            },
            "instructions": { "type": "string", "description": "Markdown, without front matter" },
            "files": {
                "type": "object",
                "additionalProperties": { "type": ["string", "null"] },
                "description": "Other files by path: the text, or null to take it out",
            },
            "state": {
                "type": "string",
                "enum": ["active", "disabled"],
                "description": "edit: active or disabled",
            },
            "expected_revision": {
                "type": "string",
                "description": "edit: refused if the item has another revision by now",
            },
        }),
        &["action", "name"],
    );
    let annotations = ToolAnnotations::with_title("Create or edit skills")
        .read_only(false)
        .destructive(true)
        .idempotent(false)
        .open_world(false);
    Definition::new(Tool::SkillEdit.name(), description, schema)
        .with_title("Create or edit skills")
        .with_annotations(annotations)
}

fn guidelines() -> Definition {
    let description = "The user's guidelines, whole: the rules that the user gives to all agents.";
    Definition::new(
        Tool::Guidelines.name(),
        description,
        object(json!({ "start": start() }), &[]),
    )
    .with_title("Guidelines")
    .with_annotations(reading("Guidelines"))
}

fn start() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "description": "next_start of the answer that this one continues",
    })
}

fn reading(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
}

fn object(properties: Value, required: &[&str]) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimated tokens, four characters each, of what a model sees of the tools.
    #[test]
    fn the_tools_stay_within_their_budget() {
        let chars: usize = list(&"x".repeat(500), |_| true)
            .iter()
            .map(|tool| {
                let schema = Value::Object((*tool.input_schema).clone()).to_string();
                let description = tool.description.as_deref().unwrap_or_default();
                tool.name.len() + description.chars().count() + schema.chars().count()
            })
            .sum();
        assert!(chars.div_ceil(4) <= 1_200, "{} tokens", chars.div_ceil(4));
    }

    #[test]
    fn every_tool_has_a_good_name_and_all_hints() {
        for tool in list("", |_| true) {
            let fits = |b: u8| b.is_ascii_lowercase() || b == b'_';
            assert!(tool.name.bytes().all(fits) && tool.name.len() <= 40);
            let hints = tool.annotations.expect("annotations");
            assert!(hints.read_only_hint.is_some() && hints.destructive_hint.is_some());
            assert!(hints.idempotent_hint.is_some() && hints.open_world_hint.is_some());
            assert_eq!(tool.input_schema["additionalProperties"], false);
        }
    }
}
