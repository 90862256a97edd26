//! What the scripted model answers: first a call of Imprint's tool `skills`, then a last text. A
//! pure function of the request.

use serde_json::{Value, json};

use super::prompt::{Calling, Prompt, Reply, Tool};

/// After so many results the model gives up.
const MOST_RESULTS: usize = 6;

/// What the model is to do.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Stands in every request that belongs to the person's task.
    pub(crate) task: String,
    /// The skill that the model loads.
    pub(crate) skill: String,
    /// Stands at the end of that skill's instructions.
    pub(crate) body_end: String,
}

impl Script {
    /// Whether a request is one of the task, and not one that the client makes for itself (a title,
    /// a judgment of safety).
    pub(crate) fn is_task(&self, prompt: &Prompt) -> bool {
        !prompt.tools.is_empty() && prompt.says(&self.task)
    }

    /// Whether the skill came back whole.
    pub(crate) fn has_come_back(&self, prompt: &Prompt) -> bool {
        let mut results = prompt.results.iter();
        results.any(|result| result.contains(&self.body_end))
    }

    /// The answer to a request.
    pub(crate) fn reply(&self, prompt: &Prompt) -> Reply {
        if !self.is_task(prompt) || self.has_come_back(prompt) {
            return Reply::Say("Done.".to_owned());
        }
        if prompt.results.len() >= MOST_RESULTS {
            return Reply::Say("The skill did not come back.".to_owned());
        }
        self.direct(prompt)
            .or_else(|| self.through_bridge(prompt))
            .or_else(|| search(prompt))
            .or_else(|| self.in_script(prompt))
            .unwrap_or_else(|| Reply::Say("There is no such tool.".to_owned()))
    }

    fn arguments(&self) -> Value {
        json!({"action": "get", "name": self.skill})
    }

    /// A call of the tool itself.
    fn direct(&self, prompt: &Prompt) -> Option<Reply> {
        let tool = prompt
            .tools
            .iter()
            .find(|tool| is_skills(&tool.whole_name()))?;
        Some(Reply::Call {
            tool: tool.clone(),
            arguments: self.arguments(),
        })
    }

    /// A call through a client's tool that calls those that its search has found.
    fn through_bridge(&self, prompt: &Prompt) -> Option<Reply> {
        let bridge = tool_named(prompt, "tool_call")?;
        let name = prompt
            .results
            .iter()
            .find_map(|result| found_name(result))?;
        Some(Reply::Call {
            tool: bridge.clone(),
            arguments: json!({"name": name, "arguments": self.arguments()}),
        })
    }

    /// A call from a program, in the one language that such tools take so far.
    fn in_script(&self, prompt: &Prompt) -> Option<Reply> {
        let mut tools = prompt.tools.iter();
        let tool = tools.find(|tool| tool.calling == Calling::Script && tool.name == "exec")?;
        let arguments = self.arguments();
        let program = format!(
            "const result = await tools.mcp__imprint__skills({arguments});\n\
             text(JSON.stringify(result));"
        );
        Some(Reply::Call {
            tool: tool.clone(),
            arguments: Value::String(program),
        })
    }
}

/// A search for the tool, where tools are hidden behind one.
fn search(prompt: &Prompt) -> Option<Reply> {
    let tools = prompt.tools.iter();
    let by_provider = tools.clone().find(|tool| tool.calling == Calling::Search);
    let (tool, query) = match by_provider {
        Some(tool) => (tool, "imprint skills"),
        None => (
            tool_named(prompt, "ToolSearch").or_else(|| tool_named(prompt, "tool_search"))?,
            "select:mcp__imprint__skills",
        ),
    };
    Some(Reply::Call {
        tool: tool.clone(),
        arguments: json!({"query": query}),
    })
}

fn tool_named<'a>(prompt: &'a Prompt, name: &str) -> Option<&'a Tool> {
    prompt.tools.iter().find(|tool| tool.name == name)
}

/// Whether this is the name that a client gives the tool `skills` of the server `imprint`.
pub(crate) fn is_skills(name: &str) -> bool {
    let server = name
        .strip_suffix("skills")
        .map(|rest| rest.trim_end_matches(['_', '-']));
    server.is_some_and(|server| server.ends_with("imprint") && server.len() + 6 < name.len())
}

/// The name of the tool `skills` in a search's result.
fn found_name(result: &str) -> Option<&str> {
    result
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
        .find(|word| is_skills(word))
}
