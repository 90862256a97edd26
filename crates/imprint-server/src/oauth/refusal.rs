//! Errors as OAuth's standards have programs read them.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use imprint_core::{StoreError, oauth::TokenRefusal, registry::TokenError};
use serde::Serialize;

/// What an endpoint for programs says instead of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    error: &'static str,
    error_description: String,
}

impl Refusal {
    pub(super) fn new(
        status: StatusCode,
        error: &'static str,
        description: impl Into<String>,
    ) -> Self {
        Self {
            status,
            error,
            error_description: description.into(),
        }
    }

    pub(super) fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    pub(super) fn invalid_target(description: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_target", description)
    }

    /// The client is not known (any more): it must register again.
    pub(super) fn invalid_client(description: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "temporarily_unavailable",
            "the server can't answer now; try again later",
        )
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Refused(refusal @ TokenRefusal::Resource) => {
                Self::invalid_target(refusal.to_string())
            }
            TokenError::Refused(refusal) => Self::new(
                StatusCode::BAD_REQUEST,
                "invalid_grant",
                refusal.to_string(),
            ),
            TokenError::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(&self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Basic realm=\"imprint\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
