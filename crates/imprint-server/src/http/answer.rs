//! The forms in which an answer of the protocol can go over HTTP.

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";

/// What a client takes. The specification tells clients to list both types; half of them don't.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepted {
    /// From all `Accept` headers; none means everything. A type with `q=0` is not taken.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header::ACCEPT).iter().peekable();
        if values.peek().is_none() {
            return Self {
                json: true,
                events: true,
            };
        }
        let ranges: Vec<_> = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(range)
            .collect();
        let takes = |kind: &str, any: &str| {
            let named = ranges.iter().rfind(|(range, _)| range == kind);
            let wide = ranges
                .iter()
                .find(|(range, _)| range == any || range == "*/*");
            named.or(wide).is_some_and(|(_, wanted)| *wanted)
        };
        Self {
            json: takes(JSON, "application/*"),
            events: takes(EVENTS, "text/*"),
        }
    }

    pub(super) const fn nothing(self) -> bool {
        !self.json && !self.events
    }
}

/// A media range in lower case without its parameters, and whether its weight is above zero.
fn range(text: &str) -> (String, bool) {
    let mut parts = text.split(';');
    let kind = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let weight = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("q")
            .then(|| value.trim().parse::<f32>().ok())?
    });
    (kind, weight.is_none_or(|weight| weight > 0.0))
}

/// A message of the protocol as the client takes it.
pub(super) fn message(status: StatusCode, message: &Value, accepted: Accepted) -> Response {
    let text = message.to_string();
    if accepted.json || !accepted.events {
        return body(status, JSON, text);
    }
    body(status, EVENTS, as_event(text.as_bytes()))
}

/// A body of a type.
pub(super) fn body(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = (status, body.into()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// One message as the only event of a stream. JSON has no line ends of its own.
pub(super) fn as_event(message: &[u8]) -> Bytes {
    [b"event: message\ndata: ", message, b"\n\n"]
        .concat()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(values: &[&'static str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT, HeaderValue::from_static(value));
        }
        let accepted = Accepted::of(&headers);
        (accepted.json, accepted.events)
    }

    #[test]
    fn what_a_client_takes_is_read_from_all_it_says() {
        for (values, json, events) in [
            (vec![], true, true),
            (vec!["*/*"], true, true),
            (vec!["application/json"], true, false),
            (vec!["text/event-stream"], false, true),
            (vec!["Application/JSON; charset=utf-8"], true, false),
            (
                vec!["text/event-stream;q=0.5, application/json"],
                true,
                true,
            ),
            (vec!["application/json", "text/event-stream"], true, true),
            (vec!["application/*"], true, false),
            (vec!["text/*;q=0.1"], false, true),
            (vec!["*/*, text/event-stream;q=0"], true, false),
            (vec!["application/json;q=0.000"], false, false),
            (vec!["text/html"], false, false),
            (vec![""], false, false),
        ] {
            assert_eq!(accepted(&values), (json, events), "{values:?}");
        }
    }

    #[test]
    fn an_event_holds_the_message_on_one_line() {
        let event = as_event(br#"{"id":1}"#);
        assert_eq!(&event[..], b"event: message\ndata: {\"id\":1}\n\n");
    }
}
