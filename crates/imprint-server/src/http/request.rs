//! Every request has an id and leaves one line in the log, which says nothing that could be secret:
//! no query, body, header or path, only the route that matched.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use uuid::Uuid;

use super::metrics::{Held, Metrics, method_name};

/// Carries a request's id, in and out.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is kept from a request.
const ID_LENGTH: usize = 64;

/// What a request's line says where no route matched.
const NO_ROUTE: &str = "none";

/// The id of one request; in its extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// The id that the request brings, if it is a sane one: letters, digits, `-` and `.`. Without
    /// `_`, so that no key of ours is ever taken for an id and written down. Or else a new one.
    fn of(request: &Request) -> Self {
        let brought = request
            .headers()
            .get(X_REQUEST_ID)
            .and_then(|value| value.to_str().ok());
        let kept = brought.filter(|text| is_sane(text)).map(Arc::from);
        Self(kept.unwrap_or_else(|| Uuid::now_v7().to_string().into()))
    }

    /// The id as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }
}

fn is_sane(text: &str) -> bool {
    (1..=ID_LENGTH).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

/// What later layers know of a request and its line shall say; in its extensions. The first word
/// on each subject stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestNotes {
    notes: Arc<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    key: OnceLock<String>,
    method: OnceLock<String>,
    tool: OnceLock<String>,
}

impl RequestNotes {
    /// Notes the first characters of the key that asks (as `imprint keys list` shows them).
    pub(crate) fn key(&self, start: &str) {
        let shown = start.chars().take(8).collect();
        let _first_stays = self.notes.key.set(shown);
    }

    /// Notes the JSON-RPC method, and the tool where one is called: names that the server has
    /// found in its own tables, never text that it does not know.
    pub(crate) fn rpc(&self, method: &str, tool: Option<&str>) {
        let _first_stays = self.notes.method.set(method.to_owned());
        if let Some(tool) = tool {
            let _first_stays = self.notes.tool.set(tool.to_owned());
        }
    }
}

/// The outermost layer: gives the request its id, counts it, and writes its line when the head of
/// the response is there or the client has gone.
pub(crate) async fn observe(
    State(metrics): State<Metrics>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = RequestId::of(&request);
    let line = Line::begin(&request, id.clone(), metrics);
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(line.notes.clone());
    let mut response = next.run(request).await;
    if let Some(id) = id.header() {
        response.headers_mut().insert(X_REQUEST_ID, id);
    }
    line.end(response.status());
    response
}

/// A request's line in the making.
struct Line {
    id: RequestId,
    method: Method,
    route: Option<MatchedPath>,
    notes: RequestNotes,
    began: Instant,
    status: Option<StatusCode>,
    metrics: Metrics,
    _in_flight: Held,
}

impl Line {
    fn begin(request: &Request, id: RequestId, metrics: Metrics) -> Self {
        Self {
            id,
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            notes: RequestNotes::default(),
            began: Instant::now(),
            status: None,
            _in_flight: metrics.in_flight(),
            metrics,
        }
    }

    fn end(mut self, status: StatusCode) {
        self.status = Some(status);
    }

    fn route(&self) -> &str {
        self.route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str)
    }

    fn said(&self) -> Said<'_> {
        let Notes { key, method, tool } = &*self.notes.notes;
        Said {
            message: if self.status.is_some() {
                "answered"
            } else {
                "client left"
            },
            method: method_name(&self.method),
            route: self.route(),
            status: self.status.map(|status| status.as_u16()),
            request_id: self.id.as_str(),
            key: key.get().map(String::as_str),
            rpc: method.get().map(String::as_str),
            tool: tool.get().map(String::as_str),
        }
    }
}

/// All that a line says, beside how long the request took.
#[derive(Debug)]
struct Said<'l> {
    message: &'static str,
    method: &'static str,
    route: &'l str,
    status: Option<u16>,
    request_id: &'l str,
    key: Option<&'l str>,
    rpc: Option<&'l str>,
    tool: Option<&'l str>,
}

impl Said<'_> {
    fn write(&self, took: Duration) {
        let Self {
            message,
            method,
            route,
            status,
            request_id,
            key,
            rpc,
            tool,
        } = *self;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(
            target: "imprint::http",
            method, route, status, ms, request_id, key, rpc, tool, "{message}",
        );
    }
}

/// Also when the connection ends in mid-request, which drops the handler where it stands.
impl Drop for Line {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        match self.status {
            Some(status) => self
                .metrics
                .answered(self.route(), &self.method, status, took),
            None => self.metrics.abandoned(self.route(), &self.method),
        }
        self.said().write(took);
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn line(request: &Request) -> Line {
        Line::begin(request, RequestId::of(request), Metrics::new("1"))
    }

    #[test]
    fn a_line_holds_nothing_that_could_be_secret() {
        let secret = format!("{}{}", "sak_", "Z".repeat(36));
        let request = Request::builder()
            .method(secret.as_str())
            .uri(format!("/mcp/{secret}?key={secret}"))
            .header("authorization", format!("Bearer {secret}"))
            .header("cookie", &secret)
            .header("x-request-id", &secret)
            .body(Body::from(secret.clone()))
            .unwrap();
        let mut line = line(&request);
        line.notes.key(&secret);
        line.notes.key("later");
        line.status = Some(StatusCode::UNAUTHORIZED);
        let said = format!("{:?}", line.said());
        let said = said.replace(line.id.as_str(), "ID");
        insta::assert_snapshot!(said, @r#"Said { message: "answered", method: "OTHER", route: "none", status: Some(401), request_id: "ID", key: Some("sak_ZZZZ"), rpc: None, tool: None }"#);
    }

    #[test]
    fn a_line_says_what_later_layers_noted() {
        let request = Request::builder()
            .header("x-request-id", "r-7")
            .body(Body::empty());
        let line = line(&request.unwrap());
        line.notes.rpc("tools/call", Some("skills"));
        let said = format!("{:?}", line.said());
        insta::assert_snapshot!(said, @r#"Said { message: "client left", method: "GET", route: "none", status: None, request_id: "r-7", key: None, rpc: Some("tools/call"), tool: Some("skills") }"#);
    }
}
