//! The suite's tools.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
        ProgressNotificationParam, ServerRequest, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::{
    Changes,
    asking::{self, Asked},
    content::{picture, resource, sound, text},
    from_json, result,
};

/// The tool whose schema must arrive whole.
pub(super) const WITH_SCHEMA: &str = "json_schema_2020_12_tool";
/// How long a tool that takes time takes between its words.
const STEP: Duration = Duration::from_millis(50);
/// Tools without arguments.
const PLAIN: [&str; 24] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_tool_with_logging",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

pub(super) fn list() -> Result<Vec<Tool>, ErrorData> {
    let plain = json!({ "type": "object", "properties": {} });
    let with = |argument: &str| {
        json!({ "type": "object", "properties": { argument: { "type": "string" } },
                "required": [argument] })
    };
    let mut tools: Vec<_> = PLAIN.iter().map(|name| (*name, plain.clone())).collect();
    tools.push(("test_sampling", with("prompt")));
    tools.push(("test_elicitation", with("message")));
    tools.push((WITH_SCHEMA, rich_schema()));
    let tools: Vec<_> = tools
        .into_iter()
        .map(|(name, schema)| {
            json!({ "name": name, "description": name.replace('_', " "), "inputSchema": schema })
        })
        .collect();
    from_json(tools.into())
}

/// Every keyword that the suite wants to see again.
fn rich_schema() -> Value {
    let address = json!({
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
    });
    let needs = |one: &str| json!({ "required": [one] });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": address },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [needs("phone"), needs("email")] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": needs("phone"),
        "else": needs("email"),
        "additionalProperties": false,
    })
}

pub(super) async fn call(
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
    changes: &Changes,
) -> Result<CallToolResponse, ErrorData> {
    let capabilities = context.client_capabilities();
    match asking::call(&request, capabilities.as_ref())? {
        Some(Asked::Question(question)) => return Ok(question.into()),
        Some(Asked::Answer(answer)) => return complete(&[text(&answer)]),
        None => {}
    }
    match request.name.as_ref() {
        "test_simple_text" => complete(&[text("This is a simple text response for testing.")]),
        "test_image_content" => complete(&[picture()]),
        "test_audio_content" => complete(&[sound()]),
        "test_embedded_resource" => complete(&[resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => complete(&[
            text("Multiple content types test:"),
            picture(),
            resource(
                "test://mixed-content-resource",
                "application/json",
                &json!({ "test": "data", "value": 123 }).to_string(),
            ),
        ]),
        "test_error_handling" => failed("This tool intentionally returns an error for testing"),
        "test_tool_with_progress" => with_progress(&context).await,
        "test_tool_with_logging" => with_log(&context, true).await,
        "test_logging_tool" => {
            let wanted = context.meta.log_level().is_some();
            with_log(&context, wanted).await
        }
        "test_missing_capability" => with_capability(capabilities.as_ref()),
        "test_streaming_elicitation" => Ok(asking::streaming()?.into()),
        "test_trigger_tool_change" => {
            changes.tools.send_modify(|count| *count += 1);
            complete(&[text("The list of tools has changed")])
        }
        "test_trigger_prompt_change" => {
            changes.prompts.send_modify(|count| *count += 1);
            complete(&[text("The list of prompts has changed")])
        }
        _ => ask_client(&request, &context).await,
    }
}

fn complete(content: &[Value]) -> Result<CallToolResponse, ErrorData> {
    let answer: CallToolResult = result(json!({ "content": content }))?;
    Ok(answer.into())
}

fn failed(message: &str) -> Result<CallToolResponse, ErrorData> {
    let answer: CallToolResult = result(json!({ "content": [text(message)], "isError": true }))?;
    Ok(answer.into())
}

async fn with_progress(
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let token = context.meta.get_progress_token();
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = &token {
            let progress =
                ProgressNotificationParam::new(token.clone(), progress).with_total(100.0);
            // A client that has gone needs no progress.
            let _ = context.peer.notify_progress(progress).await;
        }
        tokio::time::sleep(STEP).await;
    }
    complete(&[text("Done, step by step")])
}

#[expect(deprecated, reason = "the older era's logging is part of the suite")]
async fn with_log(
    context: &RequestContext<RoleServer>,
    wanted: bool,
) -> Result<CallToolResponse, ErrorData> {
    for line in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        if wanted {
            let message = from_json(json!({ "level": "info", "data": line }))?;
            // A client that has gone needs no log.
            let _ = context.peer.notify_logging_message(message).await;
        }
        tokio::time::sleep(STEP).await;
    }
    complete(&[text("Done, with a log")])
}

fn with_capability(
    capabilities: Option<&ClientCapabilities>,
) -> Result<CallToolResponse, ErrorData> {
    let has = serde_json::to_value(capabilities).unwrap_or_default();
    if has.get("sampling").is_some() {
        return complete(&[text("The client has the capability")]);
    }
    let needed = from_json(json!({ "sampling": {} }))?;
    Err(ErrorData::missing_required_client_capability(needed))
}

/// Tools that ask the client back over the session of the older era.
async fn ask_client(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let value = arguments.and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    match request.name.as_ref() {
        "test_sampling" => {
            let prompt = argument("prompt");
            let message = json!({ "role": "user", "content": text(&prompt) });
            let params = json!({ "messages": [message], "maxTokens": 100 });
            let response = ask(context, "sampling/createMessage", params).await?;
            let said = response["content"]["text"].as_str().unwrap_or_default();
            complete(&[text(&format!("LLM response: {said}"))])
        }
        "test_elicitation" => {
            let properties = json!({
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" },
            });
            let schema = json!({ "type": "object", "properties": properties,
                                 "required": ["username", "email"] });
            let response = elicit(context, &argument("message"), schema).await?;
            complete(&[text(&format!("User response: {response}"))])
        }
        "test_elicitation_sep1034_defaults" => {
            let response = elicit(context, "Check the defaults", defaults()).await?;
            complete(&[text(&format!("Elicitation completed: {response}"))])
        }
        "test_elicitation_sep1330_enums" => {
            let response = elicit(context, "Choose", choices()).await?;
            complete(&[text(&format!("Elicitation completed: {response}"))])
        }
        "test_reconnection" => complete(&[text("Still here")]),
        WITH_SCHEMA => complete(&[text("The schema is what matters")]),
        other => {
            let fault = format!("there is no tool `{other}`");
            Err(ErrorData::invalid_params(fault, None))
        }
    }
}

async fn elicit(
    context: &RequestContext<RoleServer>,
    message: &str,
    schema: Value,
) -> Result<String, ErrorData> {
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    let response = ask(context, "elicitation/create", params).await?;
    let action = response["action"].as_str().unwrap_or_default();
    Ok(format!("action={action}, content={}", response["content"]))
}

async fn ask(
    context: &RequestContext<RoleServer>,
    method: &str,
    params: Value,
) -> Result<Value, ErrorData> {
    let request: ServerRequest = from_json(json!({ "method": method, "params": params }))?;
    let response = context.peer.send_request(request).await.map_err(|error| {
        ErrorData::internal_error(format!("the client did not answer: {error}"), None)
    })?;
    Ok(serde_json::to_value(response).unwrap_or_default())
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn choices() -> Value {
    let options = json!(["option1", "option2", "option3"]);
    let titled = |noun: &str| {
        let one = |value: &str, title: &str| json!({ "const": value, "title": format!("{title} {noun}") });
        json!([
            one("value1", "First"),
            one("value2", "Second"),
            one("value3", "Third")
        ])
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"],
                            "enumNames": ["Option One", "Option Two", "Option Three"] },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
    })
}
