//! The OAuth 2.1 authorization server: for clients to which nobody can give a key.
//!
//! Discovery (RFC 8414, RFC 9728), the code flow with PKCE and the owner's consent, refreshing,
//! revoking (RFC 7009), registering (RFC 7591) and clients that describe themselves in a document.
//! What is allowed is decided in [`imprint_core::oauth`]; here it is spoken over HTTP.

mod access;
mod authorize;
mod browser;
mod client_document;
mod consent;
mod headers;
mod metadata;
mod page;
mod parameters;
mod refusal;
mod register;
mod revoke;
mod token;

#[cfg(test)]
mod tests;

use std::{fmt, net::IpAddr, sync::Arc};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use http::request::Parts;
use imprint_core::{Actor, KeyId, Registry, Via, oauth::PublicUrl};

pub(crate) use self::{
    access::access,
    client_document::{ClientDocuments, WebDocuments},
    metadata::resource_metadata_address,
};
use crate::http::{
    address::TrustedProxies,
    limits::{Exceeded, PerAddress, Rate},
};

/// The most bytes of a form or a registration.
const BODY_BYTES: usize = 16 * 1024;

/// What the endpoints work with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct OauthState(Arc<OauthParts>);

/// What [`OauthState`] shares.
pub(crate) struct OauthParts {
    registry: Registry,
    public: PublicUrl,
    documents: Arc<dyn ClientDocuments>,
    proxies: TrustedProxies,
    limits: OauthLimits,
}

/// How often an address may come to each endpoint that a stranger can make work for us. What is
/// guessed there has 128 bits and more; these keep the database small and the network quiet.
#[derive(Debug)]
struct OauthLimits {
    /// Requests for consent.
    requests: PerAddress,
    /// Registrations.
    registrations: PerAddress,
    /// Codes and tokens.
    tokens: PerAddress,
    /// Keys in the consent page, and whatever else is wrong there.
    keys: PerAddress,
}

impl Default for OauthLimits {
    fn default() -> Self {
        Self {
            requests: PerAddress::new(Rate::new(20, 20)),
            registrations: PerAddress::new(Rate::new(10, 10)),
            tokens: PerAddress::new(Rate::new(120, 60)),
            keys: PerAddress::new(Rate::new(10, 10)),
        }
    }
}

impl OauthState {
    /// The state for a server at this public address.
    pub(crate) fn new(
        registry: Registry,
        public: PublicUrl,
        documents: Arc<dyn ClientDocuments>,
        proxies: TrustedProxies,
    ) -> Self {
        Self(Arc::new(OauthParts {
            registry,
            public,
            documents,
            proxies,
            limits: OauthLimits::default(),
        }))
    }

    /// The registry, changed by someone at these endpoints: by the bearer of a key, where one was
    /// entered.
    fn registry_for(&self, client: Option<&str>, key: Option<KeyId>) -> Registry {
        self.0.registry.acting(Actor {
            via: Via::Oauth,
            key,
            client: client.map(str::to_owned),
            ..Actor::default()
        })
    }

    fn public(&self) -> &PublicUrl {
        &self.0.public
    }

    fn limits(&self) -> &OauthLimits {
        &self.0.limits
    }

    fn address(&self, parts: &Parts) -> IpAddr {
        let caller = self.0.proxies.caller_of(&parts.extensions, &parts.headers);
        caller.ip
    }

    /// Counts a request at an endpoint.
    fn count(&self, counter: &PerAddress, parts: &Parts) -> Result<(), Exceeded> {
        counter.count(self.address(parts))
    }
}

impl fmt::Debug for OauthState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OauthState")
            .field("public", &self.0.public)
            .finish_non_exhaustive()
    }
}

/// All endpoints. They ask for no key.
pub(crate) fn router(state: OauthState) -> Router {
    Router::new()
        .merge(metadata::routes())
        .route("/oauth/authorize", get(authorize::authorize))
        .route(
            "/oauth/consent/{id}",
            get(consent::look).post(consent::answer),
        )
        .route("/oauth/style.css", get(page::style))
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(revoke::revoke))
        .route("/oauth/register", post(register::register))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(state)
}
