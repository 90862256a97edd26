//! The authorization server as clients, owners and strangers see it, without a socket.

mod clients;
mod endpoints;
mod flow;
mod strangers;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use async_trait::async_trait;
use axum::{Router, body::Body};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use imprint_core::{
    Access, Clock, ItemFence, KeyMaker, OwnerId, Preset, Registry, Timestamp, Token,
    oauth::{AuthorizationRequest, ClientId, Decision, OauthClient, PublicUrl},
    registry::NewKey,
};
use imprint_store::InMemoryStore;
use serde_json::Value;
use tower::ServiceExt as _;
use url::Url;
use uuid::Uuid;

use super::{ClientDocuments, OauthState, client_document::DocumentError, router};
use crate::http::address::TrustedProxies;

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const ISSUER: &str = "https://imprint.example.com";
const REDIRECT: &str = "https://claude.ai/api/mcp/auth_callback";
const DOCUMENT: &str = "https://client.example/oauth/client.json";

/// A clock that stands still until it is told to go on.
#[derive(Debug)]
struct StillClock(AtomicI64);

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

/// A document at one address.
#[derive(Debug)]
struct OneDocument;

#[async_trait]
impl ClientDocuments for OneDocument {
    async fn client(&self, id: &ClientId) -> Result<OauthClient, DocumentError> {
        if id.to_string() != DOCUMENT {
            return Err(DocumentError::Unreachable);
        }
        Ok(OauthClient {
            id: id.clone(),
            name: "A <script>client</script>".to_owned(),
            redirects: vec!["http://127.0.0.1/callback".parse().unwrap()],
            created_at: Timestamp(0),
            used_at: None,
        })
    }
}

struct Scene {
    clock: Arc<StillClock>,
    registry: Registry,
    routes: Router,
}

/// An answer, with what a browser keeps of it.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

/// A browser that has been shown a consent page.
#[derive(Clone, Debug)]
struct Page {
    /// Where its form goes.
    path: String,
    cookie: String,
    /// The form's hidden field.
    form: String,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    fn header(&self, name: header::HeaderName) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    /// A parameter of the address that it leads to.
    fn sent(&self, name: &str) -> Option<String> {
        let to = Url::parse(self.header(header::LOCATION)).ok()?;
        let found = to.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned())
    }

    fn error(&self) -> String {
        let error = self.json()["error"].as_str().unwrap().to_owned();
        format!("{} {error}", self.status.as_u16())
    }
}

impl Scene {
    fn new() -> Self {
        let clock = Arc::new(StillClock(AtomicI64::new(1_767_225_600_000)));
        let store = Arc::new(InMemoryStore::new());
        let registry = Registry::new(store, Arc::clone(&clock) as _, OwnerId::LOCAL);
        let public: PublicUrl = ISSUER.parse().unwrap();
        let state = OauthState::new(
            registry.clone(),
            public,
            Arc::new(OneDocument),
            TrustedProxies::default(),
        );
        Self {
            clock,
            registry,
            routes: router(state),
        }
    }

    fn pass(&self, ms: i64) {
        self.clock.0.fetch_add(ms, Ordering::Relaxed);
    }

    async fn key(&self, preset: Preset) -> Token {
        let owner = Access::new(Preset::Admin.scopes(), ItemFence::default());
        let new = NewKey {
            name: format!("{preset:?}"),
            scopes: preset.scopes(),
            fence: ItemFence::default(),
            projects: Vec::new(),
            client: None,
            made_by: KeyMaker::User,
            expires_at: None,
        };
        self.registry.create_key(&owner, new).await.unwrap().1
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    async fn get(&self, path: &str, cookie: &str) -> Answer {
        let request = Request::get(path).header(header::COOKIE, cookie);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post(&self, path: &str, cookie: &str, pairs: &[(&str, &str)]) -> Answer {
        let request = Request::post(path)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(encoded(pairs))).unwrap())
            .await
    }

    async fn register(&self, metadata: Value) -> Answer {
        let request = Request::post("/oauth/register")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(metadata.to_string()));
        self.send(request.unwrap()).await
    }

    /// A registered client's id.
    async fn client(&self) -> String {
        let metadata = serde_json::json!({ "client_name": "Claude", "redirect_uris": [REDIRECT] });
        let answer = self.register(metadata).await;
        answer.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// What a client asks for at first, with some of it replaced, or left out where it is empty.
    async fn authorize(&self, client: &str, others: &[(&str, &str)]) -> Answer {
        let usual = [
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", REDIRECT),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "a state"),
            ("resource", "https://imprint.example.com/mcp"),
            ("scope", "skills:write memory:read"),
        ];
        let pairs = usual.into_iter().map(|(name, value)| {
            let other = others.iter().find(|(other, _)| *other == name);
            (name, other.map_or(value, |(_, value)| *value))
        });
        let pairs: Vec<_> = pairs.filter(|(_, value)| !value.is_empty()).collect();
        self.get(&format!("/oauth/authorize?{}", encoded(&pairs)), "")
            .await
    }

    async fn page(&self, client: &str) -> Page {
        Page::of(&self.authorize(client, &[]).await)
    }

    /// What the owner does at home.
    async fn at_home(&self, page: &Page, decision: &Decision) {
        let request = self.request(page).await;
        self.registry
            .decide_request(&request, decision)
            .await
            .unwrap();
    }

    async fn approve(&self, page: &Page) {
        let chosen = self.request(page).await.chosen;
        self.at_home(page, &Decision::Allow(chosen)).await;
    }

    async fn request(&self, page: &Page) -> AuthorizationRequest {
        let id = page.path.rsplit('/').next().unwrap().parse().unwrap();
        self.registry.oauth_request(id).await.unwrap()
    }

    /// The code that a client gets whose owner says yes.
    async fn code(&self, client: &str) -> String {
        let page = self.page(client).await;
        self.approve(&page).await;
        let answer = self.get(&page.path, &page.cookie).await;
        answer.sent("code").unwrap()
    }

    async fn exchange(&self, client: &str, code: &str, others: &[(&str, &str)]) -> Answer {
        let usual = [
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", REDIRECT),
            ("resource", "https://imprint.example.com/mcp"),
        ];
        let pairs = usual.into_iter().map(|(name, value)| {
            let other = others.iter().find(|(other, _)| *other == name);
            (name, other.map_or(value, |(_, value)| *value))
        });
        let pairs: Vec<_> = pairs.filter(|(_, value)| !value.is_empty()).collect();
        self.post("/oauth/token", "", &pairs).await
    }

    async fn refresh(&self, client: &str, token: &str) -> Answer {
        let pairs = [
            ("grant_type", "refresh_token"),
            ("client_id", client),
            ("refresh_token", token),
        ];
        self.post("/oauth/token", "", &pairs).await
    }

    /// Whether an access token opens a path.
    async fn opens(&self, token: &str, path: &str) -> bool {
        let public: PublicUrl = ISSUER.parse().unwrap();
        let token = token.parse().unwrap();
        super::access(&self.registry, &public, &token, path)
            .await
            .is_ok()
    }
}

impl Page {
    fn of(answer: &Answer) -> Self {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        let between = |from: &str, to: &str| {
            let start = answer.text.find(from).unwrap() + from.len();
            let length = answer.text[start..].find(to).unwrap();
            answer.text[start..start + length].to_owned()
        };
        let cookie = answer.header(header::SET_COOKIE);
        Self {
            path: between("action=\"", "\""),
            cookie: cookie.split(';').next().unwrap().to_owned(),
            form: between("name=\"form\" value=\"", "\""),
            text: answer.text.clone(),
        }
    }

    /// What its form sends with these fields.
    fn fields<'a>(&'a self, others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let mut fields = vec![("form", self.form.as_str())];
        fields.extend_from_slice(others);
        fields
    }
}

fn encoded(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}
