//! What pages of listed origins may send and read (CORS), on answers of every kind.

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

/// What clients of the MCP endpoint and of the REST API send beyond what needs no leave.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "accept, authorization, cache-control, content-type, if-match, if-none-match, last-event-id, \
     mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-mcp-readonly, x-mcp-toolsets, \
     x-request-id",
);
const ALLOWED_METHODS: HeaderValue =
    HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
/// What a page may read of an answer beyond what needs no leave.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "etag, link, location, mcp-protocol-version, mcp-session-id, retry-after, www-authenticate, \
     x-request-id",
);
/// Ten minutes: long enough to halve the requests, short enough to forget an origin taken off the
/// list.
const PREFLIGHT_SECONDS: HeaderValue = HeaderValue::from_static("600");

/// A browser in front of a public page asks this before it reaches into a private network.
const ASKS_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

/// Whether a browser asks if it may send a request, rather than sending one.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a listed origin's preflight. It carries no key, so it is given before the key.
pub(crate) fn preflight_answer(asked: &HeaderMap) -> Response {
    let mut response = (StatusCode::NO_CONTENT, Body::empty()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    if asked.contains_key(ASKS_PRIVATE_NETWORK) {
        headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    response
}

/// Lets the listed `origin` read the answer, and nobody when there is none; whatever handlers have
/// said about that is replaced. Caches keep the answers to different origins apart.
pub(crate) fn mark(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    let Some(origin) = origin else {
        headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        return;
    };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
}
