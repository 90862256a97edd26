//! The server: one port, every path.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::{self, Body},
    extract::{Request, State},
    http::{StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, runtime::Runtime};

use super::{
    answer::Answer,
    prompt::{Prompt, Reply},
    script::Script,
    wire::{Asked, models},
};

/// More than any client sends.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// One request, and what was answered.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// The method and the path, without query.
    pub(crate) asked: String,
    /// The body; null where it is no JSON.
    pub(crate) body: Value,
    /// What the model read and answered, if the model was asked.
    pub(crate) turn: Option<(Prompt, Reply)>,
}

/// The running server. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct ModelServer {
    address: SocketAddr,
    kept: Arc<Kept>,
    _runtime: Runtime,
}

#[derive(Debug)]
struct Kept {
    script: Script,
    exchanges: Mutex<Vec<Exchange>>,
}

impl ModelServer {
    /// Starts it on a free port of 127.0.0.1.
    pub(crate) fn start(script: Script) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let kept = Arc::new(Kept {
            script,
            exchanges: Mutex::default(),
        });
        let routes = Router::new().fallback(answer).with_state(Arc::clone(&kept));
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Ok(Self {
            address,
            kept,
            _runtime: runtime,
        })
    }

    /// Its address: `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far.
    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        let exchanges = self.kept.exchanges.lock();
        exchanges.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn answer(State(kept): State<Arc<Kept>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let bytes = body::to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let path = head.uri.path();
    let answer = kept.take(format!("{} {path}", head.method), path, body);
    let mut response = Response::new(Body::from(answer.body));
    let kind = axum::http::HeaderValue::from_static(answer.content_type);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    *response.status_mut() = StatusCode::OK;
    response
}

impl Kept {
    /// Keeps a request and gives the answer to it.
    fn take(&self, asked: String, path: &str, body: Value) -> Answer {
        let mut exchanges = self
            .exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut turn = None;
        let answer = match Asked::of(path, &body) {
            Asked::Model { wire, streams } => {
                let prompt = wire.read(&body);
                let reply = self.script.reply(&prompt);
                let answer = wire.write(&reply, exchanges.len(), streams);
                turn = Some((prompt, reply));
                answer
            }
            Asked::Count(wire) => wire.count(&body),
            Asked::Models => models(),
            Asked::Other => Answer::json(&json!({})),
        };
        exchanges.push(Exchange { asked, body, turn });
        answer
    }
}
