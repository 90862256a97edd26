//! Tools that answer with a question: the multi round-trip requests of 2026-07-28.

use imprint_format::Digest;
use rmcp::{
    ErrorData,
    model::{CallToolRequestParams, ClientCapabilities, InputRequiredResult, InputResponses},
};
use serde_json::{Value, json};

use super::from_json;

/// What the state is sealed with: a secret of this fixture alone.
const SEAL: &str = "a seal for tests";

/// What a tool of this kind comes to.
pub(super) enum Asked {
    /// The text of its answer.
    Answer(String),
    /// It must know more first.
    Question(InputRequiredResult),
}

/// Calls a tool of this kind; `None` for any other.
pub(super) fn call(
    request: &CallToolRequestParams,
    capabilities: Option<&ClientCapabilities>,
) -> Result<Option<Asked>, ErrorData> {
    let Some(name) = request.name.strip_prefix("test_input_required_result_") else {
        return Ok(None);
    };
    let given = |key: &str| {
        let responses: Option<&InputResponses> = request.input_responses.as_ref();
        responses.and_then(|responses| responses.get(key)).cloned()
    };
    let asked = match name {
        "elicitation" => match given("user_name").as_ref().and_then(name_in) {
            Some(name) => answer(format!("Hello, {name}!")),
            None => question(
                json!({ "user_name": elicit("What is your name?", "name", "string") }),
                None,
            )?,
        },
        "sampling" => match given("capital_question") {
            Some(response) => answer(format!("The model says: {}", response["content"]["text"])),
            None => question(
                json!({ "capital_question": sample("What is the capital of France?", 100) }),
                None,
            )?,
        },
        "list_roots" => match given("client_roots") {
            Some(response) => answer(format!("The roots are {}", response["roots"])),
            None => question(json!({ "client_roots": roots() }), None)?,
        },
        "request_state" => match given("confirm") {
            Some(_) => {
                opened(request)?;
                answer("state-ok".to_owned())
            }
            None => question(
                json!({ "confirm": elicit("Please confirm", "ok", "boolean") }),
                Some("confirm"),
            )?,
        },
        "multiple_inputs" => {
            let all = ["user_name", "greeting", "client_roots"].map(given);
            if all.iter().all(Option::is_some) {
                opened(request)?;
                answer("all three were given".to_owned())
            } else {
                let questions = json!({
                    "user_name": elicit("What is your name?", "name", "string"),
                    "greeting": sample("Generate a greeting", 50),
                    "client_roots": roots(),
                });
                question(questions, Some("all"))?
            }
        }
        "multi_round" => multi_round(request, &given)?,
        "tampered_state" => match &request.request_state {
            Some(_) => {
                opened(request)?;
                answer("the state is whole".to_owned())
            }
            None => question(
                json!({ "confirm": elicit("Please confirm", "ok", "boolean") }),
                Some("whole"),
            )?,
        },
        "capabilities" => question(allowed(capabilities), None)?,
        _ => return Ok(None),
    };
    Ok(Some(asked))
}

/// What the suite's prompt of this kind asks.
pub(super) fn prompt_context() -> Result<InputRequiredResult, ErrorData> {
    let ask = elicit("What context should the prompt use?", "context", "string");
    required(json!({ "user_context": ask }), None)
}

/// What the tool asks that the stream of a request must not carry as a request of its own.
pub(super) fn streaming() -> Result<InputRequiredResult, ErrorData> {
    required(
        json!({ "user_name": elicit("What is your name?", "name", "string") }),
        None,
    )
}

fn multi_round(
    request: &CallToolRequestParams,
    given: &dyn Fn(&str) -> Option<Value>,
) -> Result<Asked, ErrorData> {
    let Some(_) = &request.request_state else {
        let ask = elicit("Step 1: What is your name?", "name", "string");
        return question(json!({ "step1": ask }), Some("round-1"));
    };
    match (opened(request)?.as_str(), given("step1"), given("step2")) {
        ("round-1", Some(_), _) => {
            let ask = elicit("Step 2: What is your favorite color?", "color", "string");
            question(json!({ "step2": ask }), Some("round-2"))
        }
        ("round-2", _, Some(_)) => Ok(answer("both steps are done".to_owned())),
        _ => Err(ErrorData::invalid_params("this step is not due", None)),
    }
}

/// Questions of those kinds that the client can answer.
fn allowed(capabilities: Option<&ClientCapabilities>) -> Value {
    let has = serde_json::to_value(capabilities).unwrap_or_default();
    let mut questions = json!({});
    if has.get("elicitation").is_some() {
        questions["name"] = elicit("What is your name?", "name", "string");
    }
    if has.get("sampling").is_some() {
        questions["greeting"] = sample("Generate a greeting", 50);
    }
    if has.get("roots").is_some() {
        questions["roots"] = roots();
    }
    questions
}

/// The name in an elicitation's response, if it has the right form.
fn name_in(response: &Value) -> Option<String> {
    response["content"]["name"].as_str().map(str::to_owned)
}

fn answer(text: String) -> Asked {
    Asked::Answer(text)
}

fn question(questions: Value, state: Option<&str>) -> Result<Asked, ErrorData> {
    required(questions, state).map(Asked::Question)
}

fn required(questions: Value, state: Option<&str>) -> Result<InputRequiredResult, ErrorData> {
    let questions = from_json(questions)?;
    Ok(match state {
        Some(state) => InputRequiredResult::new(Some(questions), Some(sealed(state))),
        None => InputRequiredResult::new(Some(questions), None),
    })
}

fn elicit(message: &str, property: &str, kind: &str) -> Value {
    let schema = json!({
        "type": "object",
        "properties": { property: { "type": kind } },
        "required": [property],
    });
    json!({ "method": "elicitation/create",
            "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}

fn sample(prompt: &str, tokens: u32) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    json!({ "method": "sampling/createMessage",
            "params": { "messages": [message], "maxTokens": tokens } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

fn sealed(state: &str) -> String {
    format!(
        "{state}.{}",
        Digest::of(format!("{SEAL} {state}").as_bytes())
    )
}

/// The state that a client brings back, if it is as it was given.
fn opened(request: &CallToolRequestParams) -> Result<String, ErrorData> {
    let given = request.request_state.as_deref().unwrap_or_default();
    let state = given.rsplit_once('.').map(|(state, _)| state);
    match state.filter(|state| sealed(state) == given) {
        Some(state) => Ok(state.to_owned()),
        None => Err(ErrorData::invalid_params("the state was changed", None)),
    }
}
