//! `POST /oauth/revoke` (RFC 7009): a client gives its tokens back.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{StatusCode, header, request::Parts};
use imprint_core::Token;

use super::{OauthState, parameters::Parameters, refusal::Refusal, token::client_of};

/// Takes a token back. Whether there was such a token is not told.
pub(super) async fn revoke(State(state): State<OauthState>, parts: Parts, body: Bytes) -> Response {
    if let Err(exceeded) = state.count(&state.limits().tokens, &parts) {
        return exceeded.into_response();
    }
    match take_back(&state, &parts, &body).await {
        Ok(()) => (StatusCode::OK, [(header::CACHE_CONTROL, "no-store")]).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

async fn take_back(state: &OauthState, parts: &Parts, body: &[u8]) -> Result<(), Refusal> {
    let form = Parameters::of_form(&parts.headers, body)?;
    let client = client_of(state, parts, &form).await?;
    if let Ok(token) = form.needed("token")?.parse::<Token>() {
        let registry = state.registry_for(None, None);
        registry.revoke_token(&token, &client).await?;
    }
    Ok(())
}
