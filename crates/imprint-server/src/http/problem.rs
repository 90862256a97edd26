//! How a refusal or failure is told over HTTP: problem details (RFC 9457), one shape for all routes.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The media type of a [`Problem`].
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// What went wrong with a request. The error of whatever answers one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    // Boxed, because it travels as an error through functions that seldom fail.
    details: Box<ProblemDetails>,
}

/// A [`Problem`] as a program and a person read it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ProblemDetails {
    /// Names the kind of problem: `urn:imprint:problem:` and a word that stays the same.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of problem in a few words, the same each time.
    title: &'static str,
    /// The HTTP status of the response.
    status: u16,
    /// What happened this time.
    detail: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// What else a program can use, by name.
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl Problem {
    /// A problem of the kind that `slug` names (lower-case words with hyphens). `detail` says
    /// nothing of a credential, and repeats no header.
    pub(crate) fn new(
        status: StatusCode,
        slug: &str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        let details = ProblemDetails {
            kind: format!("urn:imprint:problem:{slug}"),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            hint: None,
            more: Map::new(),
        };
        Self {
            details: Box::new(details),
        }
    }

    /// The same problem, with what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.details.hint = Some(hint.into());
        self
    }

    /// The same problem, with one more member. The names that [`ProblemDetails`] has are taken.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        debug_assert!(!["type", "title", "status", "detail", "hint"].contains(&name));
        self.details.more.insert(name.to_owned(), value.into());
        self
    }

    /// A scope is missing.
    pub(crate) fn forbidden(scope: imprint_core::Scope) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "insufficient-scope",
            "Not allowed",
            format!("This needs the scope {scope}, which this key has not"),
        )
        .hint("`imprint keys create --scopes …` makes one that has it")
        .with("scope", scope.as_str())
    }

    /// A failure of ours. What failed is in the log, by the request's id.
    pub(crate) fn internal(request_id: &str) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Internal error",
            "The request failed inside the server",
        )
        .hint("Look for the request id in the server's log")
        .with("request_id", request_id)
    }

    /// What is told.
    #[cfg(test)]
    pub(crate) fn details(&self) -> &ProblemDetails {
        &self.details
    }

    /// The HTTP status of the response.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.details.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        // Text and JSON values only: there is nothing that could fail to be written.
        let body = serde_json::to_vec(&self.details).unwrap_or_default();
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (self.status(), headers, body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_problem_is_its_own_media_type() {
        let response = Problem::new(
            StatusCode::CONFLICT,
            "stale",
            "Stale revision",
            "It changed",
        )
        .hint("Read it again")
        .with("current_revision", "abc")
        .into_response();
        assert_eq!(response.status(), StatusCode::CONFLICT);
        assert_eq!(response.headers()[header::CONTENT_TYPE], PROBLEM_JSON);
        let body = response.into_body().collect().await.unwrap().to_bytes();
        insta::assert_snapshot!(String::from_utf8_lossy(&body), @r#"{"type":"urn:imprint:problem:stale","title":"Stale revision","status":409,"detail":"It changed","hint":"Read it again","current_revision":"abc"}"#);
    }
}
