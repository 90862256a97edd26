//! The server: its parts, its routes, and its life from the first connection to the last answer.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use async_trait::async_trait;
use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    middleware::from_fn_with_state,
    response::{IntoResponse as _, Response},
    routing::{any, get},
};
use http::{HeaderValue, header};
use imprint_core::{
    Access, ItemFence, Scope, ScopeSet,
    fit::Location,
    oauth::{NotAPublicUrl, PublicUrl},
};
use ipnet::IpNet;
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    address::TrustedProxies,
    api,
    authority::{Admitted, admit_api, admit_protocol},
    endpoint,
    fences::Fences,
    guard::AllowList,
    identity::Principal,
    limits::{Limits, LimitsConfig},
    listen,
    metrics::{METRICS_TEXT, Metrics},
    narrowing::BASES,
    outer::Outer,
    problem::Problem,
    revocation::OpenStreams,
    sessions::HttpSessions,
    shield::BodyDeadline,
};
use crate::{
    ServerContext, Toolsets,
    caller::Caller,
    mcp::{Handler, SessionLog, Shared},
    oauth::{self, OauthState, WebDocuments},
};

/// How a server listens and whom it lets in.
#[derive(Clone, Debug, Default)]
pub struct HttpConfig {
    /// The address under which others reach it, through a proxy or tunnel that speaks TLS.
    pub public_url: Option<Url>,
    /// Names under which it may be reached beside those of loopback and the public address.
    pub allowed_hosts: Vec<String>,
    /// Web origins whose pages may use it beside its own.
    pub allowed_origins: Vec<String>,
    /// Networks of proxies whose word about the caller's address counts.
    pub trusted_proxies: Vec<IpNet>,
    /// The tools that are offered, as far as scopes allow them.
    pub toolsets: Toolsets,
    /// Whether nothing may be changed, whatever scopes allow.
    pub read_only: bool,
    /// Requests that a key may make in a minute; `None`: the usual ones.
    pub requests_per_minute: Option<u32>,
    /// Whether clients of the older era get sessions of rmcp's, which the conformance suite's
    /// scenarios from server to client need. The product never gives any.
    pub legacy_sessions: bool,
}

/// Why a server can't start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// A name or origin that is to be allowed can't be read.
    #[error("{0}")]
    Allowed(String),
    /// The socket fails.
    #[error("the address can't be served: {0}")]
    Socket(#[from] io::Error),
}

/// What answers the protocol: rmcp's service over our handler, or over a decorated one.
#[async_trait]
pub(super) trait Protocol: Send + Sync {
    async fn answer(&self, request: Request) -> Response;
}

#[async_trait]
impl<H: ServerHandler> Protocol for StreamableHttpService<H, LocalSessionManager> {
    async fn answer(&self, request: Request) -> Response {
        self.handle(request).await.map(Body::new)
    }
}

/// The parts of a server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct HttpState(Arc<HttpParts>);

/// What [`HttpState`] shares.
pub(crate) struct HttpParts {
    pub(super) context: Arc<ServerContext>,
    pub(super) config: HttpConfig,
    pub(super) protocol: Box<dyn Protocol>,
    pub(super) sessions: Arc<HttpSessions>,
    pub(super) streams: Arc<OpenStreams>,
    pub(super) limits: Limits<Principal>,
    pub(super) proxies: TrustedProxies,
    pub(super) fences: Fences,
    pub(super) metrics: Metrics,
    /// The public address, where there is one.
    pub(super) public: Option<PublicUrl>,
}

impl std::ops::Deref for HttpState {
    type Target = HttpParts;

    fn deref(&self) -> &HttpParts {
        &self.0
    }
}

impl HttpState {
    /// What a 401 or 403 asks for: `error` is OAuth's word and the scope, if one would help.
    pub(super) fn challenge(&self, path: &str, error: Option<(&str, &str)>) -> HeaderValue {
        let (error, scope) = error.unwrap_or_default();
        let public = self.public.as_ref();
        let metadata = public.map(|public| oauth::resource_metadata_address(public, path));
        let parameters = [
            ("realm", "imprint"),
            ("error", error),
            ("scope", scope),
            ("resource_metadata", metadata.as_deref().unwrap_or_default()),
        ];
        let parameters = parameters.iter().filter(|(_, value)| !value.is_empty());
        let parameters: Vec<_> = parameters
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .collect();
        let challenge = format!("Bearer {}", parameters.join(", "));
        // Made of our own words, scopes and a parsed URL.
        HeaderValue::from_str(&challenge).unwrap_or(HeaderValue::from_static("Bearer"))
    }
}

impl HttpState {
    /// Brings a change into the folders of clients on this machine. A failure is no failure of the
    /// change: the next pass writes it.
    pub(super) async fn write_folders(&self) {
        if let Err(error) = self.context.folders.write().await {
            tracing::warn!(%error, "a change is not in the folders yet");
        }
    }
}

/// A server that has its socket and not begun to answer.
pub struct HttpServer {
    listener: tokio::net::TcpListener,
    address: SocketAddr,
    state: HttpState,
    allowed: AllowList,
    ending: CancellationToken,
}

impl HttpServer {
    /// A server of these items on this socket. Call it on a runtime.
    pub fn new(
        context: ServerContext,
        config: HttpConfig,
        listener: TcpListener,
    ) -> Result<Self, HttpError> {
        Self::decorated(context, config, listener, |handler| handler)
    }

    /// The same with something around the handler, which only tests have a use for.
    pub fn decorated<H: ServerHandler>(
        context: ServerContext,
        config: HttpConfig,
        listener: TcpListener,
        decorate: impl Fn(Handler) -> H + Send + Sync + 'static,
    ) -> Result<Self, HttpError> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let address = listener.local_addr()?;
        let allowed = AllowList::new(
            address,
            config.public_url.as_ref(),
            &config.allowed_hosts,
            &config.allowed_origins,
        )
        .map_err(|fault| HttpError::Allowed(fault.to_string()))?;
        let public = public_url(&config)?;
        let ending = CancellationToken::new();
        let context = Arc::new(context);
        let protocol = protocol(&context, &config, decorate, &ending);
        let limits = config
            .requests_per_minute
            .map_or_else(LimitsConfig::default, LimitsConfig::of_requests);
        let metrics = Metrics::new(&context.version);
        let state = HttpState(Arc::new(HttpParts {
            sessions: HttpSessions::new(context.registry.clone(), metrics.clone()),
            streams: Arc::default(),
            limits: Limits::new(limits),
            proxies: TrustedProxies::new(config.trusted_proxies.clone()),
            fences: Fences::default(),
            metrics,
            public,
            protocol,
            config,
            context,
        }));
        Ok(Self {
            listener,
            address,
            state,
            allowed,
            ending,
        })
    }

    /// The routes without a socket.
    #[cfg(test)]
    pub(super) fn routes(&self) -> Router {
        routes(&self.state, self.allowed.clone())
    }

    /// Writes what was counted so far.
    #[cfg(test)]
    pub(super) async fn flush(&self) {
        self.state.sessions.flush(true).await;
    }

    /// The address that is served.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop`, then finishes what runs.
    pub async fn serve(self, stop: CancellationToken) -> Result<(), HttpError> {
        let flushed = CancellationToken::new();
        let writing = tokio::spawn(Arc::clone(&self.state.sessions).keep_writing(flushed.clone()));
        let state = self.state.clone();
        let watching = tokio::spawn(Arc::clone(&self.state.streams).watch(
            async move |identity| state.is_still_let_in(identity).await,
            flushed.clone(),
        ));
        let routes = routes(&self.state, self.allowed);
        let streams = Arc::clone(&self.state.streams);
        let ended = listen::serve(self.listener, routes, streams, stop).await;
        self.ending.cancel();
        flushed.cancel();
        let _ = writing.await;
        let _ = watching.await;
        Ok(ended?)
    }
}

fn public_url(config: &HttpConfig) -> Result<Option<PublicUrl>, HttpError> {
    let parsed = config.public_url.as_ref().map(|url| url.as_str().parse());
    let parsed: Result<_, NotAPublicUrl> = parsed.transpose();
    parsed.map_err(|fault| HttpError::Allowed(fault.to_string()))
}

/// The endpoints of OAuth, where there is a public address to send browsers to.
fn authorization(state: &HttpState) -> Router {
    let Some(public) = state.public.clone() else {
        return Router::new();
    };
    let registry = state.context.registry.clone();
    let documents = Arc::new(WebDocuments::new(registry.shared_clock()));
    oauth::router(OauthState::new(
        registry,
        public,
        documents,
        state.proxies.clone(),
    ))
}

/// rmcp's service, told to leave to the layers in front what they do better.
fn protocol<H: ServerHandler>(
    context: &Arc<ServerContext>,
    config: &HttpConfig,
    decorate: impl Fn(Handler) -> H + Send + Sync + 'static,
    ending: &CancellationToken,
) -> Box<dyn Protocol> {
    let nobody = Arc::new(Caller {
        registry: context.registry.clone(),
        access: Access::new(ScopeSet::default(), ItemFence::default()),
        toolsets: Toolsets::default(),
        named_client: None,
        location: Location::Elsewhere,
        sessions: SessionLog::default(),
    });
    let shared = Shared::new(Arc::clone(context));
    let handler = move || Ok(decorate(Handler::of(&shared, Arc::clone(&nobody))));
    let service = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_legacy_session_mode(config.legacy_sessions)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::MAX)
        .with_cancellation_token(ending.clone());
    Box::new(StreamableHttpService::new(
        handler,
        Arc::new(LocalSessionManager::default()),
        service,
    ))
}

fn routes(state: &HttpState, allowed: AllowList) -> Router {
    let mut protocol = Router::new();
    for base in BASES {
        for suffix in [
            "",
            "/",
            "/readonly",
            "/x/{toolsets}",
            "/x/{toolsets}/readonly",
        ] {
            protocol = protocol.route(&format!("{base}{suffix}"), any(endpoint::handle));
        }
    }
    let protocol = protocol
        .route_layer(from_fn_with_state(state.clone(), admit_protocol))
        .with_state(state.clone());
    let numbers = Router::new()
        .route("/metrics", get(measured))
        .route_layer(from_fn_with_state(state.clone(), admit_api))
        .with_state(state.clone());
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .merge(numbers)
        .merge(api::router(state))
        .merge(authorization(state))
        .merge(protocol);
    let outer = Outer {
        allowed,
        metrics: state.metrics.clone(),
        body_deadline: BodyDeadline::default(),
    };
    outer.around(routes)
}

/// What was measured, for Prometheus and for administrators.
async fn measured(
    State(state): State<HttpState>,
    Extension(admitted): Extension<Arc<Admitted>>,
) -> Response {
    if !admitted.caller.access.allows(Scope::Admin) {
        return Problem::forbidden(Scope::Admin).into_response();
    }
    let kind = HeaderValue::from_static(METRICS_TEXT);
    ([(header::CONTENT_TYPE, kind)], state.metrics.text()).into_response()
}
