//! The documents by which clients find their way: RFC 8414 and RFC 9728.

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{HeaderValue, StatusCode, header};
use imprint_core::oauth::{PublicUrl, Resource, grantable};
use serde_json::{Value, json};

use super::OauthState;

/// Each document stands at its own address, and once more with the path of what it is about
/// behind: clients try one or the other.
pub(super) fn routes() -> Router<OauthState> {
    let mut routes = Router::new()
        .route("/.well-known/oauth-protected-resource", get(whole_resource))
        .route(
            "/.well-known/oauth-protected-resource/{*path}",
            get(resource),
        );
    for name in ["oauth-authorization-server", "openid-configuration"] {
        routes = routes
            .route(&format!("/.well-known/{name}"), get(server))
            .route(&format!("/.well-known/{name}/{{*path}}"), get(server_at));
    }
    routes
}

/// What is protected when nobody says which part: MCP at its usual address.
async fn whole_resource(State(state): State<OauthState>) -> Response {
    match state.public().resource(None) {
        Ok(resource) => document(resource_metadata(state.public(), &resource)),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn resource(State(state): State<OauthState>, Path(path): Path<String>) -> Response {
    match state.public().resource_at(&format!("/{path}")) {
        Some(resource) => document(resource_metadata(state.public(), &resource)),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn server(State(state): State<OauthState>) -> Response {
    document(server_metadata(state.public()))
}

async fn server_at(State(state): State<OauthState>, Path(path): Path<String>) -> Response {
    match state.public().resource_at(&format!("/{path}")) {
        Some(_) => document(server_metadata(state.public())),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Where the document about what stands at a path is found.
pub(crate) fn resource_metadata_address(public: &PublicUrl, path: &str) -> String {
    let known = public.resource_at(path);
    let path = known.as_ref().map_or("", |resource| {
        resource
            .as_str()
            .strip_prefix(public.as_str())
            .unwrap_or_default()
    });
    public.at(&format!("/.well-known/oauth-protected-resource{path}"))
}

fn document(document: Value) -> Response {
    let mut response = Json(document).into_response();
    let fresh = HeaderValue::from_static("max-age=300");
    response.headers_mut().insert(header::CACHE_CONTROL, fresh);
    response
}

fn resource_metadata(public: &PublicUrl, resource: &Resource) -> Value {
    json!({
        "resource": resource.as_str(),
        "authorization_servers": [public.as_str()],
        "scopes_supported": scopes(),
        "bearer_methods_supported": ["header"],
        "resource_name": "Imprint",
    })
}

fn server_metadata(public: &PublicUrl) -> Value {
    json!({
        "issuer": public.as_str(),
        "authorization_endpoint": public.at("/oauth/authorize"),
        "token_endpoint": public.at("/oauth/token"),
        "revocation_endpoint": public.at("/oauth/revoke"),
        "registration_endpoint": public.at("/oauth/register"),
        "scopes_supported": scopes(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    })
}

/// Every scope that the owner can give, one by one.
fn scopes() -> Vec<String> {
    let all = grantable();
    let every = all.narrowed_to(&all);
    every.iter().map(|scope| scope.to_string()).collect()
}
