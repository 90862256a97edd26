//! What one line of input is. Pure: bytes in, a judgement out, whatever the bytes are.
//!
//! It stands in front of rmcp, which drops lines and requests that it can't read; here they are
//! answered, so that no client waits for an answer that never comes.

use std::{borrow::Cow, fmt};

use rmcp::model::{ErrorCode, RequestId};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value, json};

/// The most values that one message may hold: a line of empty lists takes fifty times its length in
/// memory.
const VALUES: usize = 200_000;

/// One line, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    /// White space only.
    Blank,
    /// A request of the right shape.
    Request(Request),
    /// A message that gets no answer, of the right shape.
    Notification(Notification),
    /// Damaged: this goes back.
    Refused(Refusal),
    /// Damaged, or nothing that we asked for, and without an id to answer to. The text says which
    /// and holds nothing of the line.
    Ignored(&'static str),
}

/// A request: an id, a method and perhaps params.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) method: String,
    /// `null` counts as absent.
    pub(crate) params: Option<Map<String, Value>>,
}

/// A notification: a method and perhaps params.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notification {
    pub(crate) method: String,
    pub(crate) params: Option<Map<String, Value>>,
}

/// An error that answers a damaged line or request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    /// The id as it was sent; null where none can be read.
    id: Value,
    code: ErrorCode,
    message: Cow<'static, str>,
}

impl Refusal {
    /// The line can't be read at all.
    pub(crate) fn line(message: &'static str) -> Self {
        Self {
            id: Value::Null,
            code: ErrorCode::PARSE_ERROR,
            message: message.into(),
        }
    }

    /// What stands there is no request.
    pub(crate) fn request(id: Option<Value>, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            id: id.unwrap_or_default(),
            code: ErrorCode::INVALID_REQUEST,
            message: message.into(),
        }
    }

    /// The request's params are not what its method takes.
    pub(crate) fn params(id: &RequestId, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            id: id.clone().into_json_value(),
            code: ErrorCode::INVALID_PARAMS,
            message: message.into(),
        }
    }

    /// The answer as one JSON message, without a line end.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "jsonrpc": "2.0",
            "id": self.id,
            "error": { "code": self.code.0, "message": self.message },
        })
    }
}

/// Judges one line, without its line end. A carriage return, blanks around the message and a byte
/// order mark in front of it don't count.
pub(crate) fn classify(line: &[u8]) -> Frame {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Frame::Blank;
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Frame::Refused(Refusal::line("the message is not UTF-8"));
    };
    if has_too_many_values(text) {
        return unreadable(text);
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(message)) => of_object(message),
        Ok(Value::Array(_)) => batch(),
        Ok(_) => Frame::Refused(Refusal::request(None, "a message is a JSON object")),
        Err(_) => unreadable(text),
    }
}

fn of_object(mut message: Map<String, Value>) -> Frame {
    let method = message.remove("method");
    let answers = message.contains_key("result") || message.contains_key("error");
    if method.is_none() && answers {
        return Frame::Ignored("an answer, and nothing was asked");
    }
    let versioned = message.get("jsonrpc").is_some_and(|v| v == "2.0");
    let params = message.remove("params");
    let Some(id) = message.remove("id") else {
        return without_id(method, params);
    };
    let id = match readable_id(id) {
        Ok(id) => id,
        Err(echo) => return refused(echo, "`id` must be text or an integer of 64 bits"),
    };
    let echo = Some(id.clone().into_json_value());
    if !versioned {
        return refused(echo, "`jsonrpc` must be \"2.0\"");
    }
    if answers {
        return refused(echo, "a message is either a request or an answer");
    }
    let Some(Value::String(method)) = method else {
        return refused(echo, "`method` must be text");
    };
    let params = match params {
        None | Some(Value::Null) => None,
        Some(Value::Object(params)) => Some(params),
        Some(_) => return Frame::Refused(Refusal::params(&id, "`params` must be an object")),
    };
    Frame::Request(Request { id, method, params })
}

/// A message without id: never answered when it names a method, whatever else is wrong with it.
fn without_id(method: Option<Value>, params: Option<Value>) -> Frame {
    let Some(Value::String(method)) = method else {
        return refused(None, "a request needs `id` and `method`");
    };
    match params {
        None | Some(Value::Null) => Frame::Notification(Notification {
            method,
            params: None,
        }),
        Some(Value::Object(params)) => Frame::Notification(Notification {
            method,
            params: Some(params),
        }),
        Some(_) => Frame::Ignored("a notification whose params are no object"),
    }
}

/// The id, or what of it can be sent back. rmcp keeps integers of 64 bits with a sign.
fn readable_id(id: Value) -> Result<RequestId, Option<Value>> {
    match id {
        Value::String(text) => Ok(RequestId::String(text.into())),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Ok(RequestId::Number(number)),
            None => Err(number.is_u64().then_some(Value::Number(number))),
        },
        _ => Err(None),
    }
}

fn refused(id: Option<Value>, message: &'static str) -> Frame {
    Frame::Refused(Refusal::request(id, message))
}

fn batch() -> Frame {
    refused(None, "batches are not served; send one message a line")
}

/// Counts what opens or parts values outside of texts.
fn has_too_many_values(text: &str) -> bool {
    if text.len() <= VALUES {
        return false;
    }
    let (mut in_text, mut escaped, mut values) = (false, false, 0);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
    }
    values > VALUES
}

/// A line that is no value for us. When it is JSON all the same (too many values, nested too deep,
/// half of a surrogate pair in a text), the request is damaged and its id may be readable.
fn unreadable(text: &str) -> Frame {
    match serde_json::from_str(text) {
        Ok(Outline::Object { id: None, method }) if method => {
            Frame::Ignored("a notification that can't be read")
        }
        Ok(Outline::Object { id, .. }) => refused(
            id.and_then(|id| {
                readable_id(id).map_or_else(|echo| echo, |id| Some(id.into_json_value()))
            }),
            "the message holds too much, is nested too deep, or has half of a surrogate pair",
        ),
        Ok(Outline::Array) => batch(),
        Err(_) => Frame::Refused(Refusal::line("the message is not JSON")),
    }
}

/// The little that is read of a line that can't be read whole. Skipping a value takes no stack
/// and looks into no text.
enum Outline {
    Object { id: Option<Value>, method: bool },
    Array,
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OutlineVisitor)
    }
}

struct OutlineVisitor;

impl<'de> Visitor<'de> for OutlineVisitor {
    type Value = Outline;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Outline, A::Error> {
        let (mut id, mut method) = (None, false);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => id = Some(map.next_value()?),
                "method" => {
                    method = true;
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Outline::Object { id, method })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Outline, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Outline::Array)
    }
}

#[cfg(test)]
mod tests;
