//! A registry with one client and a clock that stands still until it is told to go on.

use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicU64, Ordering},
};

use imprint_core::{
    Clock, OwnerId, Registry, Timestamp, Token,
    oauth::{
        AuthorizationRequest, Challenge, ClientId, Decision, NewRequest, OauthClient, PublicUrl,
        RedirectUri, Resource, TokenRefusal, offered,
    },
    registry::{Exchange, Handed, NewClient, TokenError},
};
use imprint_store::InMemoryStore;
use uuid::Uuid;

/// RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const OTHER_VERIFIER: &str = "aBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const REDIRECT: &str = "https://claude.ai/api/mcp/auth_callback";

#[derive(Debug, Default)]
pub(crate) struct StillClock {
    now: AtomicI64,
    count: AtomicU64,
}

impl StillClock {
    pub(crate) fn pass(&self, ms: i64) {
        self.now.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.now.load(Ordering::Relaxed))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::from_u128(self.count.fetch_add(1, Ordering::Relaxed).into())
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) clock: Arc<StillClock>,
    pub(crate) registry: Registry,
    pub(crate) client: OauthClient,
}

impl World {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(StillClock::default());
        clock.pass(1_767_225_600_000);
        let store = Arc::new(InMemoryStore::new());
        let registry = Registry::new(store, Arc::clone(&clock) as _, OwnerId::LOCAL);
        let new = NewClient {
            name: "Claude".to_owned(),
            redirects: vec![redirect()],
        };
        let client = registry.register_oauth_client(new).await.unwrap();
        Self {
            clock,
            registry,
            client,
        }
    }

    pub(crate) fn new_request(&self) -> NewRequest<'_> {
        NewRequest {
            client: &self.client,
            redirect: redirect(),
            state: Some("a state".to_owned()),
            challenge: Challenge::new(Some(CHALLENGE), Some("S256")).unwrap(),
            resource: resource(),
            offered: offered(Some("skills:write")).unwrap(),
        }
    }

    /// A request, and its browser's secret.
    pub(crate) async fn begin(&self) -> (AuthorizationRequest, String) {
        let started = self
            .registry
            .begin_request(self.new_request())
            .await
            .unwrap();
        (started.request, started.browser)
    }

    /// The code of a request that was allowed what is chosen at first.
    pub(crate) async fn let_in(&self) -> Token {
        let (request, _) = self.begin().await;
        let allow = Decision::Allow(request.chosen.clone());
        let approved = self
            .registry
            .decide_request(&request, &allow)
            .await
            .unwrap();
        self.registry.finish_request(&approved).await.unwrap()
    }

    pub(crate) async fn exchange(
        &self,
        code: &Token,
        verifier: &str,
    ) -> Result<Handed, TokenError> {
        self.exchange_as(code, verifier, &self.client.id).await
    }

    pub(crate) async fn exchange_as(
        &self,
        code: &Token,
        verifier: &str,
        client: &ClientId,
    ) -> Result<Handed, TokenError> {
        let given = Exchange::Code {
            code,
            verifier,
            redirect: Some(REDIRECT),
        };
        self.registry
            .exchange(given, client, Some(&resource()))
            .await
    }

    pub(crate) async fn refresh(&self, token: &Token) -> Result<Handed, TokenError> {
        let given = Exchange::Refresh(token);
        self.registry.exchange(given, &self.client.id, None).await
    }

    pub(crate) async fn refused_code(&self, code: &Token, verifier: &str) -> TokenRefusal {
        refusal(self.exchange(code, verifier).await)
    }

    pub(crate) async fn refused_refresh(&self, token: &Token) -> TokenRefusal {
        refusal(self.refresh(token).await)
    }
}

/// What tokens are asked for.
pub(crate) fn resource() -> Resource {
    public().resource(None).unwrap()
}

fn refusal(handed: Result<Handed, TokenError>) -> TokenRefusal {
    match handed {
        Err(TokenError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn redirect() -> RedirectUri {
    REDIRECT.parse().unwrap()
}

fn public() -> PublicUrl {
    "https://imprint.example.com".parse().unwrap()
}
