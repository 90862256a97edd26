//! `/oauth/consent/ID`: where the owner says yes or no, and where the browser waits for it.
//!
//! A page proves nothing about who looks at it. A yes comes from the command line of the computer
//! at home, or with a key that may administer.

use axum::{
    extract::{Path, State},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{StatusCode, header, request::Parts};
use imprint_core::{
    KeyId, Scope, ScopeSet, Token,
    oauth::{AuthorizationRequest, Decision, RequestOver, RequestStatus},
    registry::RequestError,
};

use super::{
    OauthState,
    authorize::Answer,
    browser::Browser,
    page::{self, Trouble},
    parameters::Parameters,
};
use crate::http::identity;

/// Looks whether the owner has decided.
pub(super) async fn look(
    State(state): State<OauthState>,
    Path(id): Path<String>,
    parts: Parts,
) -> Response {
    match begun_here(&state, &id, &parts).await {
        Ok((request, browser)) => go_on(&state, &request, &browser).await,
        Err(response) => response,
    }
}

/// Takes what was chosen or entered in the page.
pub(super) async fn answer(
    State(state): State<OauthState>,
    Path(id): Path<String>,
    parts: Parts,
    body: Bytes,
) -> Response {
    let (request, browser) = match begun_here(&state, &id, &parts).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    let form = match Parameters::of_form(&parts.headers, &body) {
        Ok(form) => form,
        Err(refusal) => return refusal.into_response(),
    };
    let field = |name| form.one(name).ok().flatten();
    if !browser.wrote(field("form").unwrap_or_default()) {
        return Trouble::foreign().into_response();
    }
    let after = match (field("do"), field("key")) {
        (Some("deny"), _) => deny(&state, &request).await,
        // A line end in the field for the key presses the first button of the page.
        (_, Some(key)) => {
            return allow_with_key(&state, &request, &browser, &chosen(&form), key, &parts).await;
        }
        (Some("allow"), None) => {
            let notice = "Enter a key that may administer";
            return page::consent(&request, &browser, Some(notice));
        }
        (_, None) => choose(&state, &request, &chosen(&form)).await,
    };
    match after {
        Ok(()) => look_again(&request),
        Err(error) => failed(&state, &request, error),
    }
}

/// The request, if it began in the browser that asks.
async fn begun_here(
    state: &OauthState,
    id: &str,
    parts: &Parts,
) -> Result<(AuthorizationRequest, Browser), Response> {
    let stranger = || {
        // An id that can't be guessed, in a browser that is not the one: slow it down.
        match state.count(&state.limits().keys, parts) {
            Ok(()) => Trouble::stranger().into_response(),
            Err(exceeded) => exceeded.into_response(),
        }
    };
    let id = id.parse().map_err(|_| stranger())?;
    let request = match state.0.registry.oauth_request(id).await {
        Ok(request) => request,
        Err(RequestError::Store(error)) => return Err(Trouble::store(&error).into_response()),
        Err(_) => return Err(stranger()),
    };
    let browser = Browser::of(&parts.headers, state.public(), &request);
    browser
        .map(|browser| (request, browser))
        .ok_or_else(stranger)
}

/// What the request's browser is shown or given as things stand.
async fn go_on(state: &OauthState, request: &AuthorizationRequest, browser: &Browser) -> Response {
    match request.status {
        RequestStatus::Pending => page::waiting(request, browser),
        RequestStatus::Approved { .. } => {
            let registry = state.registry_for(Some(&request.client_name), None);
            match registry.finish_request(request).await {
                Ok(code) => to_client(state, request).code(code.reveal()),
                Err(error) => failed(state, request, error),
            }
        }
        RequestStatus::Denied => denied(state, request),
        RequestStatus::Done => Trouble::over(RequestOver::Done).into_response(),
    }
}

fn to_client<'a>(state: &'a OauthState, request: &'a AuthorizationRequest) -> Answer<'a> {
    Answer {
        state,
        redirect: &request.redirect,
        echo: request.state.as_deref(),
    }
}

fn denied(state: &OauthState, request: &AuthorizationRequest) -> Response {
    to_client(state, request).error("access_denied", "the owner did not allow it")
}

fn failed(state: &OauthState, request: &AuthorizationRequest, error: RequestError) -> Response {
    match error {
        // The other one may have been the command line, or another tab of this browser.
        RequestError::Overtaken | RequestError::Over(RequestOver::Approved) => look_again(request),
        RequestError::Over(RequestOver::Denied) => denied(state, request),
        RequestError::Over(over) => Trouble::over(over).into_response(),
        RequestError::Store(error) => Trouble::store(&error).into_response(),
        other @ (RequestError::Unknown(_) | RequestError::TooMany) => {
            Trouble::request(other.to_string()).into_response()
        }
    }
}

fn look_again(request: &AuthorizationRequest) -> Response {
    let to = format!("/oauth/consent/{}", request.id);
    let headers = [
        (header::LOCATION, to.as_str()),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The scopes that are ticked.
fn chosen(form: &Parameters) -> ScopeSet {
    form.all("scope")
        .filter_map(|scope| scope.parse().ok())
        .collect()
}

async fn deny(state: &OauthState, request: &AuthorizationRequest) -> Result<(), RequestError> {
    let registry = state.registry_for(Some(&request.client_name), None);
    registry.decide_request(request, &Decision::Deny).await?;
    Ok(())
}

async fn choose(
    state: &OauthState,
    request: &AuthorizationRequest,
    chosen: &ScopeSet,
) -> Result<(), RequestError> {
    let registry = state.registry_for(Some(&request.client_name), None);
    registry.choose_scopes(request, chosen).await?;
    Ok(())
}

/// Lets the client in if the key may administer. A try is counted before the key is looked at.
async fn allow_with_key(
    state: &OauthState,
    request: &AuthorizationRequest,
    browser: &Browser,
    chosen: &ScopeSet,
    key: &str,
    parts: &Parts,
) -> Response {
    if let Err(exceeded) = state.count(&state.limits().keys, parts) {
        return exceeded.into_response();
    }
    let registry = state.registry_for(Some(&request.client_name), None);
    let request = match registry.take_try(request).await {
        Ok(request) => request,
        Err(error) => return failed(state, request, error),
    };
    let decided = match administrator(state, key).await {
        Ok(Some(key)) => {
            let registry = state.registry_for(Some(&request.client_name), Some(key));
            let decision = Decision::Allow(chosen.clone());
            registry.decide_request(&request, &decision).await
        }
        Ok(None) if request.tries_left > 0 => {
            let notice = match request.tries_left {
                1 => "This key may not administer. One more try is left".to_owned(),
                left => format!("This key may not administer. {left} more tries are left"),
            };
            return page::consent(&request, browser, Some(&notice));
        }
        Ok(None) => registry.decide_request(&request, &Decision::Deny).await,
        Err(response) => return response,
    };
    match decided {
        Ok(_) => look_again(&request),
        Err(error) => failed(state, &request, error),
    }
}

/// The key, if it opens everything.
async fn administrator(state: &OauthState, key: &str) -> Result<Option<KeyId>, Response> {
    let Ok(token) = key.trim().parse::<Token>() else {
        return Ok(None);
    };
    match identity::of_key(&state.0.registry, token).await {
        Ok(identity) if identity.access.allows(Scope::Admin) => Ok(identity.principal.key()),
        Err(identity::NotIdentified::Store(error)) => Err(Trouble::store(&error).into_response()),
        Ok(_) | Err(_) => Ok(None),
    }
}
