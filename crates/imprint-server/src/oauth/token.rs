//! `POST /oauth/token`: codes and refresh tokens for access tokens.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header, request::Parts};
use imprint_core::{
    Token, TokenKind,
    oauth::{ClientId, Resource, TokenRefusal},
    registry::{Exchange, Handed, TokenError},
};
use serde_json::json;

use super::{OauthState, parameters::Parameters, refusal::Refusal};

/// Hands out tokens.
pub(super) async fn token(State(state): State<OauthState>, parts: Parts, body: Bytes) -> Response {
    if let Err(exceeded) = state.count(&state.limits().tokens, &parts) {
        return exceeded.into_response();
    }
    match exchange(&state, &parts, &body).await {
        Ok(handed) => answer(&handed),
        Err(refusal) => refusal.into_response(),
    }
}

async fn exchange(state: &OauthState, parts: &Parts, body: &[u8]) -> Result<Handed, Refusal> {
    let form = Parameters::of_form(&parts.headers, body)?;
    let client = client_of(state, parts, &form).await?;
    let resource = resource_of(state, &form)?;
    let registry = state.registry_for(None, None);
    match form.needed("grant_type")? {
        "authorization_code" => {
            let code = token_of(form.needed("code")?, TokenKind::Code)?;
            let given = Exchange::Code {
                code: &code,
                verifier: form.needed("code_verifier")?,
                redirect: form.one("redirect_uri")?,
            };
            Ok(registry.exchange(given, &client, resource.as_ref()).await?)
        }
        "refresh_token" => {
            let token = token_of(form.needed("refresh_token")?, TokenKind::Refresh)?;
            let given = Exchange::Refresh(&token);
            Ok(registry.exchange(given, &client, resource.as_ref()).await?)
        }
        _ => Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "unsupported_grant_type",
            "`grant_type` must be `authorization_code` or `refresh_token`",
        )),
    }
}

/// The client that asks. It proves nothing by that: the code's verifier and the tokens do.
pub(super) async fn client_of(
    state: &OauthState,
    parts: &Parts,
    form: &Parameters,
) -> Result<ClientId, Refusal> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        return Err(Refusal::invalid_client(
            "clients have no secret here: send `client_id` with the other parameters",
        ));
    }
    let client: ClientId = form
        .needed("client_id")?
        .parse()
        .map_err(|error| Refusal::invalid_client(format!("{error}")))?;
    if let ClientId::Registered(_) = client
        && state.0.registry.oauth_client(&client).await?.is_none()
    {
        return Err(Refusal::invalid_client(
            "the client is not registered here, or no longer",
        ));
    }
    Ok(client)
}

fn resource_of(state: &OauthState, form: &Parameters) -> Result<Option<Resource>, Refusal> {
    let Some(asked) = form.one("resource")? else {
        return Ok(None);
    };
    let resource = state.public().resource(Some(asked));
    resource
        .map(Some)
        .map_err(|error| Refusal::invalid_target(error.to_string()))
}

/// What is no token of the kind is answered as one that is worth nothing, without a database.
fn token_of(text: &str, kind: TokenKind) -> Result<Token, Refusal> {
    let token = text.parse::<Token>().ok();
    token
        .filter(|token| token.kind() == kind)
        .ok_or_else(|| TokenError::Refused(TokenRefusal::Invalid).into())
}

fn answer(handed: &Handed) -> Response {
    let body = json!({
        "access_token": handed.access.reveal(),
        "token_type": "Bearer",
        "expires_in": handed.lasts / 1_000,
        "refresh_token": handed.refresh.reveal(),
        "scope": handed.scopes.to_string(),
    });
    let mut response = Json(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}
