//! The server as its clients see it, without a socket.

mod api;
mod protocol;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use async_trait::async_trait;
use axum::{Router, body::Body};
use http::{Request, StatusCode, header, request::Builder};
use http_body_util::BodyExt as _;
use imprint_core::{
    Access, Author, ClientFolders, ClientTable, Clock, FolderReport, FoldersError, ItemFence,
    ItemId, ItemSummary, KeyMaker, KeyRecord, OwnerId, Preset, Registry, ScopeSet, Timestamp,
    Token,
    registry::{NewItem, NewKey},
};
use imprint_format::{Bundle, ItemKind};
use imprint_store::InMemoryStore;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use uuid::Uuid;

use super::{HttpConfig, HttpServer};
use crate::{ServerContext, Toolsets};

#[derive(Debug, Default)]
struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        Timestamp(1_000_000 + self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

#[derive(Debug)]
struct NoFolders;

#[async_trait]
impl ClientFolders for NoFolders {
    async fn write(&self) -> Result<FolderReport, FoldersError> {
        Ok(FolderReport::default())
    }

    async fn last_report(&self) -> Option<FolderReport> {
        None
    }

    async fn folder_of(&self, _: ItemId) -> Option<String> {
        Some("/a/folder/of/this/machine".to_owned())
    }
}

/// A server over an empty registry in memory.
struct Scene {
    registry: Registry,
    server: HttpServer,
    port: u16,
}

/// An answer, its body read as JSON where it is that.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: http::HeaderMap,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

impl Scene {
    fn new() -> Self {
        Self::with(HttpConfig {
            requests_per_minute: Some(60_000),
            ..HttpConfig::default()
        })
    }

    fn with(config: HttpConfig) -> Self {
        let store = Arc::new(InMemoryStore::new());
        let registry = Registry::new(store, Arc::new(Ticks::default()), OwnerId::LOCAL);
        let context = ServerContext {
            registry: registry.clone(),
            folders: Arc::new(NoFolders),
            clients: ClientTable::new(&[]),
            named_client: None,
            bridged: false,
            toolsets: Toolsets::default(),
            read_only: false,
            recorded: true,
            version: "1.2.3".to_owned(),
        };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let server = HttpServer::new(context, config, listener).unwrap();
        Self {
            registry,
            port: server.address().port(),
            server,
        }
    }

    async fn key(&self, name: &str, scopes: ScopeSet) -> (KeyRecord, Token) {
        self.fenced_key(name, scopes, ItemFence::default()).await
    }

    async fn fenced_key(
        &self,
        name: &str,
        scopes: ScopeSet,
        fence: ItemFence,
    ) -> (KeyRecord, Token) {
        let owner = Access::new(Preset::Admin.scopes(), ItemFence::default());
        let new = NewKey {
            name: name.to_owned(),
            scopes,
            fence,
            projects: Vec::new(),
            client: None,
            made_by: KeyMaker::User,
            expires_at: None,
        };
        self.registry.create_key(&owner, new).await.unwrap()
    }

    async fn admin(&self) -> Token {
        self.key("admin", Preset::Admin.scopes()).await.1
    }

    async fn skill(&self, name: &str, body: &str) -> ItemSummary {
        let entry = format!("---\nname: {name}\ndescription: What {name} is for.\n---\n{body}\n");
        let bundle = Bundle::of_entry(ItemKind::Skill, &entry).unwrap();
        let new = NewItem::Files { bundle, name: None };
        self.registry.create(&Author::User, new).await.unwrap()
    }

    fn request(&self, method: &str, path: &str, token: Option<&Token>) -> Builder {
        let host = format!("127.0.0.1:{}", self.port);
        let builder = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, host);
        match token {
            Some(token) => {
                builder.header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()))
            }
            None => builder,
        }
    }

    async fn send(&self, request: Builder, body: impl Into<Body>) -> Answer {
        let request = request.body(body.into()).unwrap();
        let routes: Router = self.server.routes();
        let response = routes.oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    /// A call of the REST API; without a body when it is null.
    async fn call(&self, token: &Token, method: &str, path: &str, body: Value) -> Answer {
        let request = self.request(method, &format!("/api/v1{path}"), Some(token));
        if body.is_null() {
            return self.send(request, Body::empty()).await;
        }
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.send(request, body.to_string()).await
    }

    /// A message to the MCP endpoint as clients of the older era send it.
    async fn tell(&self, token: &Token, path: &str, message: Value) -> Answer {
        let request = self.request("POST", path, Some(token));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.send(request, message.to_string()).await
    }

    async fn tool(&self, token: &Token, name: &str, arguments: Value) -> Answer {
        let params = json!({ "name": name, "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.tell(token, "/mcp", message).await
    }

    async fn tools(&self, token: &Token, path: &str) -> Vec<String> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let answer = self.tell(token, path, message).await.json();
        let tools = answer["result"]["tools"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        tools
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect()
    }
}
