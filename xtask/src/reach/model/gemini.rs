//! The Gemini API: `POST …/models/NAME:generateContent` and `:streamGenerateContent`.

use serde_json::{Value, json};

use super::{
    answer::{Answer, data},
    prompt::{Prompt, Reply, Tool, list, string, texts_of},
};

/// Reads a request.
pub(super) fn read(body: &Value) -> Prompt {
    let mut prompt = Prompt::default();
    for text in texts_of(&body["systemInstruction"]["parts"]) {
        prompt.message("system", Some(text));
    }
    for content in list(&body["contents"]) {
        for part in list(&content["parts"]) {
            prompt.message(string(content, "role"), part["text"].as_str());
            if let Some(result) = part.get("functionResponse") {
                prompt.results.push(result_text(&result["response"]));
            }
        }
    }
    let declarations = list(&body["tools"])
        .iter()
        .flat_map(|tool| list(&tool["functionDeclarations"]));
    for function in declarations {
        // A schema stands under either of two names.
        let parameters = ["parametersJsonSchema", "parameters"]
            .into_iter()
            .find_map(|key| function.get(key))
            .unwrap_or(&Value::Null);
        let tool = Tool::function(string(function, "name"));
        prompt.tool(tool, &function["description"], parameters);
    }
    prompt
}

/// A result is an object of the application's choice; in most its `output` is the text.
fn result_text(response: &Value) -> String {
    response["output"]
        .as_str()
        .map_or_else(|| response.to_string(), str::to_owned)
}

/// Writes an answer. This wire has no numbers.
pub(super) fn write(reply: &Reply, streams: bool) -> Answer {
    let part = match reply {
        Reply::Say(text) => json!({"text": text}),
        Reply::Call { tool, arguments } => {
            json!({"functionCall": {"name": tool.name, "args": arguments}})
        }
    };
    let response = json!({
        "candidates": [{
            "content": {"role": "model", "parts": [part]},
            "finishReason": "STOP",
            "index": 0,
        }],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "scripted",
    });
    if streams {
        Answer::events([data(&response)])
    } else {
        Answer::json(&response)
    }
}
