//! The Chat Completions API: `POST …/chat/completions`.

use serde_json::{Value, json};

use super::{
    answer::{Answer, data},
    prompt::{Prompt, Reply, Tool, list, string, texts_of},
};

/// Reads a request.
pub(super) fn read(body: &Value) -> Prompt {
    let mut prompt = Prompt::default();
    for message in list(&body["messages"]) {
        let texts = texts_of(&message["content"]);
        match string(message, "role") {
            "tool" => prompt.results.push(texts.join("\n")),
            role => texts
                .into_iter()
                .for_each(|text| prompt.message(role, Some(text))),
        }
    }
    for tool in list(&body["tools"]) {
        let function = &tool["function"];
        prompt.tool(
            Tool::function(string(function, "name")),
            &function["description"],
            &function["parameters"],
        );
    }
    prompt
}

/// Writes the `number`-th answer.
pub(super) fn write(reply: &Reply, number: usize, streams: bool) -> Answer {
    let (message, finish) = match reply {
        Reply::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Reply::Call { tool, arguments } => (
            json!({"role": "assistant", "content": null, "tool_calls": [{
                "index": 0,
                "id": format!("call_{number:04}"),
                "type": "function",
                "function": {"name": tool.name, "arguments": arguments.to_string()},
            }]}),
            "tool_calls",
        ),
    };
    let completion = |object: &str, choice: Value| {
        json!({
            "id": format!("chatcmpl-{number:04}"),
            "object": object,
            "created": 0,
            "model": "scripted",
            "choices": [choice],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        })
    };
    if !streams {
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        return Answer::json(&completion("chat.completion", choice));
    }
    let chunk = |choice| data(&completion("chat.completion.chunk", choice));
    Answer::events([
        chunk(json!({"index": 0, "delta": message, "finish_reason": null})),
        chunk(json!({"index": 0, "delta": {}, "finish_reason": finish})),
        "data: [DONE]\n\n".to_owned(),
    ])
}
