//! An answer of the model server, as bytes with a type.

use serde_json::Value;

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

impl Answer {
    /// One JSON value.
    pub(super) fn json(value: &Value) -> Self {
        Self {
            content_type: "application/json",
            body: value.to_string(),
        }
    }

    /// A stream of server-sent events, all at once.
    pub(super) fn events(events: impl IntoIterator<Item = String>) -> Self {
        Self {
            content_type: "text/event-stream",
            body: events.into_iter().collect(),
        }
    }
}

/// An event with a name.
pub(super) fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// An event without one.
pub(super) fn data(data: &Value) -> String {
    format!("data: {data}\n\n")
}
