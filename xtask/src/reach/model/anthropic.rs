//! The Messages API: `POST /v1/messages`.

use serde_json::{Value, json};

use super::{
    answer::{Answer, event},
    prompt::{Prompt, Reply, Tool, list, string, texts_of},
};

const MODEL: &str = "scripted";

/// Reads a request.
pub(super) fn read(body: &Value) -> Prompt {
    let mut prompt = Prompt::default();
    for text in texts_of(&body["system"]) {
        prompt.message("system", Some(text));
    }
    for message in list(&body["messages"]) {
        let role = string(message, "role");
        for text in texts_of(&message["content"]) {
            prompt.message(role, Some(text));
        }
        for block in list(&message["content"]) {
            if block["type"] == "tool_result" {
                prompt.results.push(texts_of(&block["content"]).join("\n"));
            }
        }
    }
    // A tool with `defer_loading` is not shown before the provider's own search finds it.
    let tools = list(&body["tools"]).iter();
    for tool in tools.filter(|tool| tool["defer_loading"] != true) {
        prompt.tool(
            Tool::function(string(tool, "name")),
            &tool["description"],
            &tool["input_schema"],
        );
    }
    prompt
}

/// Writes the `number`-th answer.
pub(super) fn write(reply: &Reply, number: usize, streams: bool) -> Answer {
    let (block, empty, delta, stop) = match reply {
        Reply::Say(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": text}),
            "end_turn",
        ),
        Reply::Call { tool, arguments } => {
            let call = |input: &Value| {
                let id = format!("toolu_{number:04}");
                json!({"type": "tool_use", "id": id, "name": tool.name, "input": input})
            };
            let text = arguments.to_string();
            (
                call(arguments),
                call(&json!({})),
                json!({"type": "input_json_delta", "partial_json": text}),
                "tool_use",
            )
        }
    };
    let message = |content: Value, stop: Value| {
        json!({
            "id": format!("msg_{number:04}"),
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        })
    };
    if !streams {
        return Answer::json(&message(json!([block]), json!(stop)));
    }
    let events = [
        json!({"type": "message_start", "message": message(json!([]), Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": null},
            "usage": {"output_tokens": 1},
        }),
        json!({"type": "message_stop"}),
    ];
    Answer::events(events.iter().map(|data| event(string(data, "type"), data)))
}
