//! Pages: a limit, and a cursor that holds while things change.

use axum::{
    extract::{self, FromRequest, FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use http::request::Parts;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::{IntoParams, ToSchema};

use super::super::problem::Problem;

/// Entries of a page unless fewer or more are asked for.
const USUAL: u64 = 50;
/// The most entries of a page.
pub(super) const MOST: u64 = 200;

/// Which part of a list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PageQuery {
    /// Entries of the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub(super) limit: Option<u64>,
    /// `next` of the page before.
    pub(super) cursor: Option<String>,
}

impl PageQuery {
    /// How many entries.
    pub(super) fn limit(&self) -> u64 {
        self.limit.unwrap_or(USUAL).clamp(1, MOST)
    }

    /// The cursor as a number; of none, 0.
    pub(super) fn number(&self) -> Result<u64, Problem> {
        let Some(cursor) = &self.cursor else {
            return Ok(0);
        };
        cursor.parse().map_err(|_| not_ours())
    }
}

/// A cursor that no page gave.
pub(super) fn not_ours() -> Problem {
    super::error::invalid("`cursor` is none that a page gave as `next`")
}

/// One page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Page<T> {
    /// The entries.
    pub(super) entries: Vec<T>,
    /// The `cursor` of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
}

/// What the query says, or a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = extract::Query::from_request_parts(parts, state).await?;
        Ok(Self(query.0))
    }
}

/// What the path names, or a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = extract::Path::from_request_parts(parts, state).await?;
        Ok(Self(path.0))
    }
}

/// A body of JSON, or a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = axum::Json::from_request(request, state).await?;
        Ok(Self(body.0))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
