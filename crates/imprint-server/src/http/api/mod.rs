//! The REST API: what the command line does, for programs and for the dashboard.
//!
//! One file per resource. Each handler is a call into the registry of the asker, who sees what the
//! key lets see; the OpenAPI document is made of the same definitions.

mod asker;
mod audit;
mod bundle;
mod clients;
mod document;
mod error;
mod events;
mod history;
mod items;
mod keys;
mod page;
mod proposals;
mod sessions;

use axum::{Router, middleware::from_fn_with_state, routing::get};
use utoipa::openapi::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{authority::admit_api, server::HttpState};

/// What all paths begin with.
const BASE: &str = "/api/v1";

/// The routes behind the key.
pub(super) fn router(state: &HttpState) -> Router {
    let (routes, document) = resources().split_for_parts();
    let document = document::complete(document);
    routes
        .route(
            &format!("{BASE}/openapi.json"),
            get(async || axum::Json(document)),
        )
        .route_layer(from_fn_with_state(state.clone(), admit_api))
        .with_state(state.clone())
}

/// The document that describes the API, as `GET /api/v1/openapi.json` gives it.
pub fn openapi() -> OpenApi {
    document::complete(resources().into_openapi())
}

fn resources() -> OpenApiRouter<HttpState> {
    let resources = OpenApiRouter::new()
        .routes(routes!(items::list, items::create))
        .routes(routes!(items::read, items::edit, items::remove))
        .routes(routes!(items::file))
        .routes(routes!(bundle::download))
        .routes(routes!(history::list))
        .routes(routes!(history::read))
        .routes(routes!(history::restore))
        .routes(routes!(proposals::list))
        .routes(routes!(proposals::read))
        .routes(routes!(proposals::accept))
        .routes(routes!(proposals::reject))
        .routes(routes!(keys::list, keys::create))
        .routes(routes!(keys::read, keys::rename, keys::revoke))
        .routes(routes!(keys::rotate))
        .routes(routes!(clients::list))
        .routes(routes!(sessions::list))
        .routes(routes!(audit::list))
        .routes(routes!(events::listen));
    OpenApiRouter::new().nest(BASE, resources)
}
