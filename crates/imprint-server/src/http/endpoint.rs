//! The MCP endpoint: what comes in is judged as over pipes, rmcp answers it, and the answer takes
//! the form that the client accepts.
//!
//! rmcp drops a damaged body with a text of its own, wants both types in `Accept`, and tells
//! errors of HTTP in plain text; all of that is made good here.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::{HeaderValue, Method, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use imprint_core::{Act, AuditEntry, Subject};
use serde_json::{Value, json};

use super::{
    answer::{self, Accepted, EVENTS, JSON},
    authority::Admitted,
    metrics::{Limit, ToolOutcome},
    request::RequestNotes,
    server::HttpState,
};
use crate::{
    caller::needed_scope,
    mcp::{
        Frame, Refusal, Request as Message, Tool, classify, complete_handshake, own_method,
        stands_alone,
    },
};

/// The largest body, in bytes: a skill of the largest size in one edit fits.
const MOST_BYTES: usize = 4 * 1024 * 1024 + 64 * 1024;

/// Answers any request to the endpoint.
pub(super) async fn handle(State(state): State<HttpState>, request: Request) -> Response {
    if request.method() != Method::POST {
        if state.config.legacy_sessions {
            return pass(&state, request).await;
        }
        return not_allowed();
    }
    let (parts, body) = request.into_parts();
    let accepted = Accepted::of(&parts.headers);
    if accepted.nothing() {
        let fault = "`Accept` leaves neither application/json nor text/event-stream";
        return refuse(
            StatusCode::NOT_ACCEPTABLE,
            &Refusal::request(None, fault),
            accepted,
        );
    }
    if !is_json(&parts) {
        let fault = "`Content-Type` must be application/json";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return refuse(status, &Refusal::request(None, fault), accepted);
    }
    let bytes = match Limited::new(body, MOST_BYTES).collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            let fault = "the body is larger than 4 MiB";
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return refuse(status, &Refusal::request(None, fault), accepted);
        }
        // Nobody waits for the answer any more.
        Err(_) => return StatusCode::BAD_REQUEST.into_response(),
    };
    judged(&state, parts, &bytes, accepted).await
}

async fn judged(state: &HttpState, parts: Parts, bytes: &Bytes, accepted: Accepted) -> Response {
    match classify(bytes) {
        Frame::Request(message) => answered(state, parts, message, accepted).await,
        Frame::Notification(notification) => {
            let body = json!({
                "jsonrpc": "2.0",
                "method": notification.method,
                "params": notification.params.unwrap_or_default(),
            });
            forward(state, parts, body.to_string().into()).await
        }
        // rmcp's own sessions ask clients back.
        Frame::Ignored(_) if state.config.legacy_sessions => {
            forward(state, parts, bytes.clone()).await
        }
        Frame::Ignored(why) => refuse(
            StatusCode::BAD_REQUEST,
            &Refusal::request(None, why),
            accepted,
        ),
        Frame::Blank => {
            let refusal = Refusal::line("the body is empty");
            refuse(StatusCode::BAD_REQUEST, &refusal, accepted)
        }
        Frame::Refused(refusal) => refuse(StatusCode::BAD_REQUEST, &refusal, accepted),
    }
}

async fn answered(
    state: &HttpState,
    parts: Parts,
    message: Message,
    accepted: Accepted,
) -> Response {
    let Message {
        id,
        method,
        mut params,
    } = message;
    // In the newer era there is no such method, and rmcp says so.
    if method == "initialize" && !stands_alone(params.as_ref()) {
        match complete_handshake(params.take().unwrap_or_default()) {
            Ok(complete) => params = Some(complete),
            Err(fault) => {
                let refusal = Refusal::params(&id, fault);
                return refuse(StatusCode::OK, &refusal, accepted);
            }
        }
    }
    if method == "subscriptions/listen" && !accepted.events {
        let refusal = Refusal::params(&id, "a subscription is a text/event-stream");
        return refuse(StatusCode::NOT_ACCEPTABLE, &refusal, accepted);
    }
    let tool = params.as_ref().and_then(|params| params.get("name"));
    let tool = tool
        .and_then(Value::as_str)
        .filter(|_| method == "tools/call");
    if let Some(tool) = tool.and_then(Tool::named)
        && let Some(refused) = beyond(state, &parts, tool, &id, accepted).await
    {
        return refused;
    }
    let admitted = parts.extensions.get::<Arc<Admitted>>().cloned();
    if let Some(notes) = parts.extensions.get::<RequestNotes>()
        && let Some(known) = own_method(&method)
    {
        notes.rpc(known, tool.and_then(Tool::named).map(Tool::name));
    }
    let mut body = json!({ "jsonrpc": "2.0", "id": id, "method": method });
    if let Some(params) = params {
        body["params"] = Value::Object(params);
    }
    let response = forward(state, parts, body.to_string().into()).await;
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let refusal = Refusal::params(&id, format!("`params` are not what `{method}` takes"));
        return refuse(StatusCode::BAD_REQUEST, &refusal, accepted);
    }
    formed(state, response, &id, accepted, admitted).await
}

/// A tool that the scopes don't allow, or one too many writes.
async fn beyond(
    state: &HttpState,
    parts: &Parts,
    tool: Tool,
    id: &rmcp::model::RequestId,
    accepted: Accepted,
) -> Option<Response> {
    let admitted = parts.extensions.get::<Arc<Admitted>>()?;
    if !admitted.caller.allows(tool) {
        let scope = needed_scope(tool);
        let name = tool.name();
        state.metrics.tool_call(name, ToolOutcome::Refused);
        let entry = AuditEntry::new(Act::Refused, Subject::new("tool", None, Some(name)));
        let entry = entry.detail(&format!("without the scope {scope}"));
        if let Err(error) = admitted.caller.registry.audit(entry).await {
            tracing::warn!(%error, "a refusal is not in the audit");
        }
        let fault = format!("the tool `{name}` needs the scope {scope}, which this key has not");
        let refusal = Refusal::params(id, fault);
        let mut response = refuse(StatusCode::FORBIDDEN, &refusal, accepted);
        let needs = Some(("insufficient_scope", scope.as_str()));
        let challenge = state.challenge(parts.uri.path(), needs);
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
        return Some(response);
    }
    if tool == Tool::SkillEdit
        && let Err(exceeded) = state.limits.write(&admitted.identity.principal)
    {
        state.metrics.rate_limited(Limit::Writes);
        return Some(exceeded.into_response());
    }
    None
}

/// Gives a request to rmcp, which insists on both types.
async fn forward(state: &HttpState, mut parts: Parts, body: Bytes) -> Response {
    let both = HeaderValue::from_static("application/json, text/event-stream");
    parts.headers.insert(header::ACCEPT, both);
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::TRANSFER_ENCODING);
    // What the handler has no business with.
    parts.headers.remove(header::AUTHORIZATION);
    let request = http::Request::from_parts(parts, Body::from(body));
    state.protocol.answer(request).await
}

async fn pass(state: &HttpState, request: Request) -> Response {
    let admitted = request.extensions().get::<Arc<Admitted>>().cloned();
    let response = state.protocol.answer(request).await;
    guarded(state, response, admitted)
}

/// rmcp's answer in a form that the client accepts.
async fn formed(
    state: &HttpState,
    mut response: Response,
    id: &rmcp::model::RequestId,
    accepted: Accepted,
    admitted: Option<Arc<Admitted>>,
) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with(EVENTS) {
        return guarded(state, response, admitted);
    }
    let status = response.status();
    if !kind.starts_with(JSON) {
        if !status.is_client_error() && !status.is_server_error() {
            return response;
        }
        let text = text_of(response).await;
        let refusal = Refusal::request(Some(id.clone().into_json_value()), text);
        return refuse(status, &refusal, accepted);
    }
    if !accepted.json {
        let Ok(body) = response.into_body().collect().await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        return answer::body(status, EVENTS, answer::as_event(&body.to_bytes()));
    }
    let no_store = HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, no_store);
    response
}

/// A stream that ends when its key is taken back.
pub(super) fn guarded(
    state: &HttpState,
    response: Response,
    admitted: Option<Arc<Admitted>>,
) -> Response {
    let Some(admitted) = admitted else {
        return response;
    };
    let open = state.streams.open(&admitted.identity);
    let (mut parts, body) = response.into_parts();
    let unbuffered = HeaderValue::from_static("no");
    parts.headers.insert("x-accel-buffering", unbuffered);
    let ended = open.ended.clone().cancelled_owned();
    let held = (open, state.metrics.open_stream());
    let stream = body.into_data_stream().take_until(ended).map(move |frame| {
        let _as_long_as_the_stream = &held;
        frame
    });
    Response::from_parts(parts, Body::from_stream(stream))
}

async fn text_of(response: Response) -> String {
    let body = response.into_body().collect().await;
    let bytes = body
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let text = imprint_format::text::one_line(&String::from_utf8_lossy(&bytes));
    imprint_format::text::clip(&text, 200)
}

fn refuse(status: StatusCode, refusal: &Refusal, accepted: Accepted) -> Response {
    answer::message(status, &refusal.to_json(), accepted)
}

fn not_allowed() -> Response {
    let fault = Refusal::request(None, "this endpoint takes POST alone");
    let taken = Accepted {
        json: true,
        events: false,
    };
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, &fault, taken);
    let post = HeaderValue::from_static("POST");
    response.headers_mut().insert(header::ALLOW, post);
    response
}

fn is_json(parts: &Parts) -> bool {
    let kind = parts.headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case(JSON)
}
