//! Who may go on to a route: the key is looked at, and the request gets its caller.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, header, request::Parts};
use imprint_core::{
    Access, Act, Actor, AuditEntry, Registry, Subject, Token, TokenKind, Via, fit::Location,
    registry::TokenError,
};

use super::{
    identity::{self, Identity, NotIdentified, Principal},
    metrics::Limit,
    narrowing::Narrowing,
    problem::Problem,
    request::RequestNotes,
    server::HttpState,
};
use crate::{caller::Caller, mcp::SessionLog, oauth};

/// A request that came with a key that opens.
#[derive(Debug)]
pub(crate) struct Admitted {
    /// Whose request it is.
    pub(crate) identity: Arc<Identity>,
    /// What it may see and do.
    pub(crate) caller: Arc<Caller>,
}

/// Lets requests of the MCP endpoint with a good key pass.
pub(super) async fn admit_protocol(
    State(state): State<HttpState>,
    request: Request,
    next: Next,
) -> Response {
    admit(state, Via::Http, request, next).await
}

/// Lets requests of the REST API with a good key pass.
pub(super) async fn admit_api(
    State(state): State<HttpState>,
    request: Request,
    next: Next,
) -> Response {
    admit(state, Via::Api, request, next).await
}

async fn admit(state: HttpState, via: Via, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let identity = match identify(&state, &parts).await {
        Ok(identity) => Arc::new(identity),
        Err(fault) => return state.turned_away(&parts, &fault),
    };
    if let Some(notes) = parts.extensions.get::<RequestNotes>() {
        notes.key(identity.token.start());
    }
    if let Err(exceeded) = state.limits.request(&identity.principal) {
        state.metrics.rate_limited(Limit::Requests);
        return exceeded.into_response();
    }
    state.sessions.used(identity.principal);
    let narrowing = match Narrowing::of(parts.uri.path(), &parts.headers) {
        Ok(narrowing) => narrowing,
        Err(problem) => return problem.into_response(),
    };
    let caller = Arc::new(state.caller(&identity, via, narrowing, &parts));
    parts.extensions.insert(Arc::clone(&caller));
    parts
        .extensions
        .insert(Arc::new(Admitted { identity, caller }));
    next.run(Request::from_parts(parts, body)).await
}

async fn identify(state: &HttpState, parts: &Parts) -> Result<Identity, NotIdentified> {
    let leaked = identity::in_address(&parts.uri);
    if leaked.any {
        for token in &leaked.tokens {
            state.report_leak(token).await;
        }
        return Err(NotIdentified::InAddress);
    }
    let token = identity::bearer(&parts.headers)?;
    state.identity_of(token, parts.uri.path()).await
}

impl HttpState {
    /// The bearer of a token that is shown at a path, as things stand now.
    pub(crate) async fn identity_of(
        &self,
        token: Token,
        path: &str,
    ) -> Result<Identity, NotIdentified> {
        let registry = &self.context.registry;
        match (token.kind(), &self.public) {
            (TokenKind::Key, _) => identity::of_key(registry, token).await,
            (TokenKind::Access, Some(public)) => {
                match oauth::access(registry, public, &token, path).await {
                    Ok(grant) => Ok(Identity::of_grant(&grant, token)),
                    Err(TokenError::Store(error)) => Err(error.into()),
                    Err(TokenError::Refused(_)) => Err(NotIdentified::Token),
                }
            }
            (TokenKind::Access | TokenKind::Refresh | TokenKind::Code, _) => {
                Err(NotIdentified::Token)
            }
        }
    }

    /// Whether what let someone in still stands. An access token lets in for an hour; what was
    /// opened with it goes on as long as its grant.
    pub(super) async fn is_still_let_in(&self, identity: &Identity) -> bool {
        let registry = &self.context.registry;
        match identity.principal {
            Principal::Key(_) => identity::of_key(registry, identity.token.clone())
                .await
                .is_ok(),
            Principal::Grant(grant) => registry.is_live_grant(grant).await.unwrap_or(false),
        }
    }

    fn caller(&self, identity: &Identity, via: Via, narrowing: Narrowing, parts: &Parts) -> Caller {
        let read_only = self.config.read_only || narrowing.read_only;
        let access = identity.access.clone();
        let access = if read_only {
            access.read_only()
        } else {
            access
        };
        let notes = self
            .sessions
            .notes(identity.principal, identity.client.clone());
        Caller {
            registry: self.registry_of(&access).acting(Actor {
                via,
                key: identity.principal.key(),
                grant: identity.principal.grant(),
                ..Actor::default()
            }),
            toolsets: narrowing
                .toolsets
                .unwrap_or_else(|| self.config.toolsets.clone()),
            access,
            named_client: identity.client.clone(),
            location: self.location(identity, parts),
            sessions: SessionLog::to(Arc::new(notes)),
        }
    }

    fn registry_of(&self, access: &Access) -> Registry {
        if access.sees_everything() {
            return self.context.registry.clone();
        }
        self.fences.registry(&self.context.registry, access)
    }

    /// A client runs here for certain only when `imprint connect` gave it its key here and it comes
    /// straight from here.
    fn location(&self, identity: &Identity, parts: &Parts) -> Location {
        let address = self.proxies.caller_of(&parts.extensions, &parts.headers);
        if identity.made_by_connect && address.direct_loopback {
            Location::HereAsNamed
        } else {
            Location::Elsewhere
        }
    }

    /// Says that a key is known to others by now.
    async fn report_leak(&self, token: &Token) {
        let Ok(identity) = identity::of_key(&self.context.registry, token.clone()).await else {
            return;
        };
        tracing::warn!(
            key = token.start(),
            "a key stands in the address of a request and counts as leaked; revoke it"
        );
        let id = identity.principal.key().map(|key| key.to_string());
        let entry = AuditEntry::new(Act::KeyLeaked, Subject::new("key", id, None));
        let registry = self.context.registry.acting(Actor {
            via: Via::Http,
            ..Actor::default()
        });
        let entry = entry.detail("it was sent in the address of a request");
        if let Err(error) = registry.audit(entry).await {
            tracing::warn!(%error, "a leaked key is not in the audit");
        }
    }

    /// The answer to a request without a good key. Guessing is slowed down, from loopback too.
    fn turned_away(&self, parts: &Parts, fault: &NotIdentified) -> Response {
        let problem = match fault {
            NotIdentified::Store(error) => {
                tracing::error!(%error, "keys can't be read");
                let detail = "The keys can't be read at the moment";
                let status = StatusCode::SERVICE_UNAVAILABLE;
                return Problem::new(status, "unavailable", "Unavailable", detail).into_response();
            }
            fault => Problem::new(
                StatusCode::UNAUTHORIZED,
                "unauthorized",
                "A key is needed",
                fault.to_string(),
            )
            .hint("`imprint keys create` makes a key"),
        };
        self.metrics.failed_authentication();
        if !matches!(fault, NotIdentified::Missing) {
            let address = self.proxies.caller_of(&parts.extensions, &parts.headers);
            if let Err(exceeded) = self.limits.failure(address.ip) {
                self.metrics.rate_limited(Limit::Failures);
                return exceeded.into_response();
            }
        }
        let error = match fault {
            NotIdentified::Missing => None,
            _ => Some(("invalid_token", "")),
        };
        let mut response = problem.into_response();
        let challenge = self.challenge(parts.uri.path(), error);
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
        response
    }
}
