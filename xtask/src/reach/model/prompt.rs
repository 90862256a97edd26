//! What a client sends to its model and what the model answers, whatever the provider's wire.

use serde_json::Value;

/// One request to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Prompt {
    /// Everything that the model reads, in order: system texts, messages, descriptions of tools.
    pub(crate) texts: Vec<PromptText>,
    /// The tools that it may call.
    pub(crate) tools: Vec<Tool>,
    /// What tools have answered so far, in order.
    pub(crate) results: Vec<String>,
}

/// One text of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PromptText {
    pub(crate) place: Place,
    pub(crate) text: String,
}

/// Where in a request a text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// What the application tells the model.
    System,
    /// A message of the conversation.
    Message,
    /// The description of the tool of this name, with those of its parameters.
    Tool(String),
}

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The namespace that it is in, where the wire has such.
    pub(crate) namespace: Option<String>,
    pub(crate) calling: Calling,
}

/// How a tool is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Calling {
    /// With arguments as JSON.
    Function,
    /// With free text, which is a program that calls other tools.
    Script,
    /// The provider's own search for tools.
    Search,
}

/// What the model answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// A call of a tool. The arguments of a [`Calling::Script`] are a text.
    Call { tool: Tool, arguments: Value },
    /// A text, with which the turn ends.
    Say(String),
}

impl Prompt {
    /// Adds a text, if there is one.
    pub(super) fn text(&mut self, place: Place, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let text = text.to_owned();
            self.texts.push(PromptText { place, text });
        }
    }

    /// Adds a message: a system text where its role is the application's.
    pub(super) fn message(&mut self, role: &str, text: Option<&str>) {
        let place = match role {
            "system" | "developer" => Place::System,
            _ => Place::Message,
        };
        self.text(place, text);
    }

    /// Adds a tool with its description and those in its parameters.
    pub(super) fn tool(&mut self, tool: Tool, description: &Value, parameters: &Value) {
        let mut text = description.as_str().unwrap_or_default().to_owned();
        append_strings(parameters, &mut text);
        self.text(Place::Tool(tool.whole_name()), Some(&text));
        self.tools.push(tool);
    }

    /// Whether any of its texts holds this one.
    pub(crate) fn says(&self, wanted: &str) -> bool {
        self.texts.iter().any(|text| text.text.contains(wanted))
    }
}

impl Tool {
    /// A function of this name.
    pub(super) fn function(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            namespace: None,
            calling: Calling::Function,
        }
    }

    /// Its name with its namespace in front, as an application writes it that has no namespaces.
    pub(crate) fn whole_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{}__{}", namespace.trim_end_matches('_'), self.name),
            None => self.name.clone(),
        }
    }
}

/// The texts of a message's content, which is one text, or blocks of which some hold one.
pub(super) fn texts_of(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => Vec::new(),
    }
}

/// A list's members; none where there is no list.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A text member; empty where there is none.
pub(super) fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// All strings in a value, one a line: what a model reads in a schema.
fn append_strings(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push('\n');
            text.push_str(string);
        }
        Value::Array(members) => members
            .iter()
            .for_each(|member| append_strings(member, text)),
        Value::Object(members) => members
            .values()
            .for_each(|member| append_strings(member, text)),
        _ => {}
    }
}
