//! `GET /oauth/authorize`: a client sends the owner's browser here.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, header, request::Parts};
use imprint_core::{
    oauth::{Challenge, ClientId, NewRequest, OauthClient, RedirectUri, Started, offered},
    registry::RequestError,
};

use super::{
    OauthState,
    browser::Browser,
    page::{self, Trouble},
    parameters::Parameters,
};

/// The most bytes of a client's `state`.
const STATE_BYTES: usize = 4_096;

/// Begins a request and shows the page in which the owner decides.
pub(super) async fn authorize(State(state): State<OauthState>, parts: Parts) -> Response {
    if let Err(exceeded) = state.count(&state.limits().requests, &parts) {
        return exceeded.into_response();
    }
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let (client, redirect) = match who(&state, &parameters).await {
        Ok(found) => found,
        Err(trouble) => return trouble.into_response(),
    };
    let answer = Answer {
        state: &state,
        redirect: &redirect,
        echo: parameters.one("state").ok().flatten(),
    };
    match begin(&state, &parameters, &client, &redirect).await {
        Ok(started) => show(&state, &started),
        Err(fault) => answer.error(fault.error, &fault.description),
    }
}

/// The client, and where its answer goes. Nobody is sent anywhere until both are certain.
async fn who(
    state: &OauthState,
    parameters: &Parameters,
) -> Result<(OauthClient, RedirectUri), Trouble> {
    let one = |name| {
        let value = parameters.one(name);
        let value = value.map_err(|repeated| Trouble::request(repeated.description()))?;
        value.ok_or_else(|| Trouble::request(format!("`{name}` is missing")))
    };
    let id: ClientId = one("client_id")?
        .parse()
        .map_err(|error| Trouble::request(format!("{error}")))?;
    let redirect: RedirectUri = one("redirect_uri")?
        .parse()
        .map_err(|error| Trouble::request(format!("`redirect_uri`: {error}")))?;
    let client = match &id {
        ClientId::Registered(_) => {
            let found = state.0.registry.oauth_client(&id).await;
            let found = found.map_err(|error| Trouble::store(&error))?;
            found.ok_or_else(|| {
                Trouble::request(
                    "the client is not registered here, or no longer: take its connection away \
                     in the client and add it again",
                )
            })?
        }
        ClientId::Document(_) => {
            let fetched = state.0.documents.client(&id).await;
            fetched.map_err(|error| Trouble::request(error.to_string()))?
        }
    };
    if !client.admits(&redirect) {
        return Err(Trouble::request(
            "`redirect_uri` is none that the client has registered",
        ));
    }
    Ok((client, redirect))
}

/// Why a client is sent away again, in OAuth's words.
struct Fault {
    error: &'static str,
    description: String,
}

impl Fault {
    fn new(error: &'static str, description: impl Into<String>) -> Self {
        Self {
            error,
            description: description.into(),
        }
    }

    fn request(description: impl Into<String>) -> Self {
        Self::new("invalid_request", description)
    }
}

async fn begin(
    state: &OauthState,
    parameters: &Parameters,
    client: &OauthClient,
    redirect: &RedirectUri,
) -> Result<Started, Fault> {
    let one = |name| {
        let value = parameters.one(name);
        value.map_err(|repeated| Fault::request(repeated.description()))
    };
    match one("response_type")? {
        Some("code") => {}
        None => return Err(Fault::request("`response_type` is missing")),
        Some(_) => {
            let description = "`response_type` must be `code`";
            return Err(Fault::new("unsupported_response_type", description));
        }
    }
    let challenge = Challenge::new(one("code_challenge")?, one("code_challenge_method")?);
    let challenge = challenge.map_err(|error| Fault::request(error.to_string()))?;
    let resource = state.public().resource(one("resource")?);
    let resource = resource.map_err(|error| Fault::new("invalid_target", error.to_string()))?;
    let offered = offered(one("scope")?).ok_or_else(|| {
        let description = "none of the scopes can be given to a client";
        Fault::new("invalid_scope", description)
    })?;
    let echo = one("state")?.map(str::to_owned);
    if echo.as_ref().is_some_and(|echo| echo.len() > STATE_BYTES) {
        return Err(Fault::request("`state` is too long"));
    }
    let new = NewRequest {
        client,
        redirect: redirect.clone(),
        state: echo,
        challenge,
        resource,
        offered,
    };
    let registry = state.registry_for(Some(&client.name), None);
    registry
        .begin_request(new)
        .await
        .map_err(|error| match error {
            RequestError::TooMany => Fault::new("temporarily_unavailable", error.to_string()),
            error => {
                tracing::error!(%error, "a request for consent can't be kept");
                Fault::new("server_error", "the request can't be kept")
            }
        })
}

fn show(state: &OauthState, started: &Started) -> Response {
    let browser = Browser::new(started.browser.clone());
    let mut response = page::consent(&started.request, &browser, None);
    if let Some(cookie) = browser.cookie(state.public(), &started.request) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// An answer to a client, by way of the browser.
pub(super) struct Answer<'a> {
    pub(super) state: &'a OauthState,
    /// Where it goes.
    pub(super) redirect: &'a RedirectUri,
    /// What the client wants back.
    pub(super) echo: Option<&'a str>,
}

impl Answer<'_> {
    /// Sends a code.
    pub(super) fn code(&self, code: &str) -> Response {
        self.send(vec![("code", code)])
    }

    /// Sends an error.
    pub(super) fn error(&self, error: &str, description: &str) -> Response {
        self.send(vec![("error", error), ("error_description", description)])
    }

    fn send<'s>(&'s self, mut pairs: Vec<(&'s str, &'s str)>) -> Response {
        pairs.extend(self.echo.map(|echo| ("state", echo)));
        // RFC 9207: so that a client with several servers knows whose answer it is.
        pairs.push(("iss", self.state.public().as_str()));
        let to = self.redirect.with(&pairs);
        let headers = [
            (header::LOCATION, to.as_str()),
            (header::CACHE_CONTROL, "no-store"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (StatusCode::SEE_OTHER, headers).into_response()
    }
}
