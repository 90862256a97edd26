//! The layers around every route, in their order: the request's id and line, what keeps web pages
//! out, what keeps a handler's failures in.

use axum::{Router, middleware};

use super::{
    guard::{AllowList, guard},
    metrics::Metrics,
    request::observe,
    shield::{BodyDeadline, shield},
};

/// What the outer layers work with.
#[derive(Clone, Debug)]
pub(crate) struct Outer {
    /// What may reach the server.
    pub(crate) allowed: AllowList,
    /// Where requests are counted.
    pub(crate) metrics: Metrics,
    /// How long a body may take.
    pub(crate) body_deadline: BodyDeadline,
}

impl Outer {
    /// The routes of `router`, and its fallback, behind the layers. To be called last: a route that
    /// is added afterwards has none of them.
    pub(crate) fn around(self, router: Router) -> Router {
        router
            .layer(middleware::from_fn_with_state(self.body_deadline, shield))
            .layer(middleware::from_fn_with_state(self.allowed, guard))
            .layer(middleware::from_fn_with_state(self.metrics, observe))
    }
}

#[cfg(test)]
mod tests;
