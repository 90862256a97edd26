//! The suite's prompts.

use rmcp::{
    ErrorData,
    model::{GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult},
};
use serde_json::{Value, json};

use super::{
    asking,
    content::{picture, resource, text},
    result,
};

const ASKING: &str = "test_input_required_result_prompt";

pub(super) fn list() -> Result<ListPromptsResult, ErrorData> {
    let argument = |name: &str| json!({ "name": name, "description": name, "required": true });
    let prompt = |name: &str, arguments: Value| json!({ "name": name, "description": name.replace('_', " "), "arguments": arguments });
    result(json!({
        "prompts": [
            prompt("test_simple_prompt", json!([])),
            prompt("test_prompt_with_arguments", json!([argument("arg1"), argument("arg2")])),
            prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")])),
            prompt("test_prompt_with_image", json!([])),
            prompt(ASKING, json!([])),
        ],
        "ttlMs": 0,
        "cacheScope": "private",
    }))
}

pub(super) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let value = arguments.and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let [first, second] = ["arg1", "arg2"].map(argument);
            vec![text(&format!(
                "Prompt with arguments: arg1='{first}', arg2='{second}'"
            ))]
        }
        "test_prompt_with_embedded_resource" => {
            let body = "Embedded resource content for testing.";
            vec![
                resource(&argument("resourceUri"), "text/plain", body),
                text("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => vec![picture(), text("Please analyze the image above.")],
        ASKING => {
            let responses = request.input_responses.as_ref();
            match responses.and_then(|responses| responses.get("user_context")) {
                Some(_) => vec![text("The prompt with the context that was given.")],
                None => return Ok(asking::prompt_context()?.into()),
            }
        }
        other => {
            let fault = format!("there is no prompt `{other}`");
            return Err(ErrorData::invalid_params(fault, None));
        }
    };
    let messages: Vec<_> = contents
        .into_iter()
        .map(|content| json!({ "role": "user", "content": content }))
        .collect();
    let prompt: GetPromptResult = result(json!({ "messages": messages }))?;
    Ok(prompt.into())
}
