//! `POST /oauth/register` (RFC 7591): clients that have no document register themselves.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header, request::Parts};
use imprint_core::{
    oauth::{MOST_REDIRECTS, OauthClient, RedirectUri},
    registry::{NewClient, RegisterError},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{OauthState, refusal::Refusal};

/// What a client says of itself. What else it says is not kept.
#[derive(Debug, Deserialize)]
struct Registration {
    #[serde(default)]
    redirect_uris: Vec<String>,
    client_name: Option<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    application_type: Option<String>,
}

/// Registers a client. It gets no secret: a program on someone's computer could keep none.
pub(super) async fn register(
    State(state): State<OauthState>,
    parts: Parts,
    body: Bytes,
) -> Response {
    if let Err(exceeded) = state.count(&state.limits().registrations, &parts) {
        return exceeded.into_response();
    }
    match registered(&state, &body).await {
        Ok(answer) => {
            let mut response = (StatusCode::CREATED, Json(answer)).into_response();
            let no_store = HeaderValue::from_static("no-store");
            response
                .headers_mut()
                .insert(header::CACHE_CONTROL, no_store);
            response
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn registered(state: &OauthState, body: &[u8]) -> Result<Value, Refusal> {
    let asked: Registration = serde_json::from_slice(body)
        .map_err(|_| invalid("the body is no JSON object of a client's metadata"))?;
    let new = new_client(&asked)?;
    let registry = state.registry_for(Some(&new.name), None);
    let client = registry
        .register_oauth_client(new)
        .await
        .map_err(|error| match error {
            RegisterError::TooMany => Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "temporarily_unavailable",
                error.to_string(),
            ),
            RegisterError::Store(error) => error.into(),
        })?;
    Ok(answer(&client, asked.application_type.as_deref()))
}

fn new_client(asked: &Registration) -> Result<NewClient, Refusal> {
    let includes = |list: &Option<Vec<String>>, one: &str| {
        list.as_ref()
            .is_none_or(|list| list.iter().any(|other| other == one))
    };
    if !includes(&asked.grant_types, "authorization_code")
        || !includes(&asked.response_types, "code")
    {
        return Err(invalid(
            "`grant_types` must include `authorization_code`, `response_types` must include `code`",
        ));
    }
    if !matches!(
        asked.application_type.as_deref(),
        None | Some("web" | "native")
    ) {
        return Err(invalid("`application_type` must be `web` or `native`"));
    }
    if !(1..=MOST_REDIRECTS).contains(&asked.redirect_uris.len()) {
        let description = format!("1 to {MOST_REDIRECTS} `redirect_uris` are needed");
        return Err(invalid_redirect(description));
    }
    let redirects = asked.redirect_uris.iter().map(|text| text.parse());
    let redirects: Vec<RedirectUri> = redirects
        .collect::<Result<_, _>>()
        .map_err(|error| invalid_redirect(format!("{error}")))?;
    let name = OauthClient::shown_name(asked.client_name.as_deref(), &redirects);
    Ok(NewClient {
        name: name.map_err(|error| invalid(error.to_string()))?,
        redirects,
    })
}

fn invalid(description: impl Into<String>) -> Refusal {
    Refusal::new(
        StatusCode::BAD_REQUEST,
        "invalid_client_metadata",
        description,
    )
}

fn invalid_redirect(description: impl Into<String>) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, "invalid_redirect_uri", description)
}

fn answer(client: &OauthClient, application_type: Option<&str>) -> Value {
    json!({
        "client_id": client.id.to_string(),
        "client_id_issued_at": client.created_at.0 / 1_000,
        "client_name": client.name,
        "redirect_uris": client.redirects,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": application_type.unwrap_or("web"),
    })
}
