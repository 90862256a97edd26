//! The Responses API: `POST …/responses`, always as a stream.

use serde_json::{Value, json};

use super::{
    answer::{Answer, event},
    prompt::{Calling, Place, Prompt, Reply, Tool, list, string, texts_of},
};

/// Reads a request.
pub(super) fn read(body: &Value) -> Prompt {
    let mut prompt = Prompt::default();
    prompt.message("system", body["instructions"].as_str());
    for item in list(&body["input"]) {
        match string(item, "type") {
            "function_call_output" | "custom_tool_call_output" => {
                prompt.results.push(texts_of(&item["output"]).join("\n"));
            }
            // Tools that the search has found can be called from here on.
            "tool_search_output" => {
                prompt.results.push(item["tools"].to_string());
                add_tools(&mut prompt, &item["tools"], None);
            }
            "additional_tools" => add_tools(&mut prompt, &item["tools"], None),
            "message" | "" => {
                for text in texts_of(&item["content"]) {
                    prompt.message(string(item, "role"), Some(text));
                }
            }
            _ => {}
        }
    }
    add_tools(&mut prompt, &body["tools"], None);
    prompt
}

/// Adds tools, and those in namespaces among them.
fn add_tools(prompt: &mut Prompt, tools: &Value, namespace: Option<&str>) {
    for tool in list(tools) {
        let name = string(tool, "name");
        let calling = match string(tool, "type") {
            "namespace" => {
                let place = Place::Tool(name.to_owned());
                prompt.text(place, tool["description"].as_str());
                add_tools(prompt, &tool["tools"], Some(name));
                continue;
            }
            "custom" => Calling::Script,
            "tool_search" => Calling::Search,
            _ => Calling::Function,
        };
        let named = Tool {
            name: name.to_owned(),
            namespace: namespace.map(str::to_owned),
            calling,
        };
        prompt.tool(named, &tool["description"], &tool["parameters"]);
    }
}

/// Writes the `number`-th answer.
pub(super) fn write(reply: &Reply, number: usize) -> Answer {
    let id = format!("resp_{number:04}");
    let usage = json!({
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    });
    let item = output_item(reply, number);
    let events = [
        json!({"type": "response.created", "response": {"id": id, "status": "in_progress"}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {
            "id": id, "status": "completed", "output": [item], "usage": usage,
        }}),
    ];
    Answer::events(events.iter().map(|data| event(string(data, "type"), data)))
}

fn output_item(reply: &Reply, number: usize) -> Value {
    let call_id = format!("call_{number:04}");
    let (tool, arguments) = match reply {
        Reply::Say(text) => {
            return json!({
                "type": "message",
                "id": format!("msg_{number:04}"),
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            });
        }
        Reply::Call { tool, arguments } => (tool, arguments),
    };
    let id = format!("item_{number:04}");
    let mut item = json!({"id": id, "call_id": call_id, "status": "completed"});
    let mut more = match &tool.calling {
        Calling::Function => json!({
            "type": "function_call", "name": tool.name, "arguments": arguments.to_string(),
        }),
        Calling::Script => json!({
            "type": "custom_tool_call", "name": tool.name, "input": arguments,
        }),
        Calling::Search => json!({
            "type": "tool_search_call", "execution": "client", "arguments": arguments,
        }),
    };
    if let Some(namespace) = &tool.namespace {
        more["namespace"] = json!(namespace);
    }
    if let (Value::Object(item), Value::Object(more)) = (&mut item, more) {
        item.extend(more);
    }
    item
}
