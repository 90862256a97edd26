//! The product's handler and HTTP code with the fixtures of the protocol's official suite around
//! the handler. For tests; it is in no package.

use std::{error::Error, net::TcpListener, path::PathBuf, sync::Arc};

use imprint_clients::{EnvironmentOf, Folders, Machine};
use imprint_core::{OwnerId, Registry};
use imprint_server::{HttpConfig, HttpServer, ServerContext, Toolsets};
use imprint_store::SqliteStore;
use imprint_testkit::{
    SystemClock,
    conformance::{Changes, Fixtures},
};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(home), Some(listen)) = (arguments.next(), arguments.next()) else {
        return Err("usage: conformance-server HOME ADDRESS [--sessions]".into());
    };
    let sessions = arguments.next().is_some_and(|flag| flag == "--sessions");
    serve(PathBuf::from(home), &listen, sessions).await
}

async fn serve(home: PathBuf, listen: &str, sessions: bool) -> Result<(), Box<dyn Error>> {
    let store = Arc::new(SqliteStore::new(home.join("imprint.db")));
    let registry = Registry::new(store, Arc::new(SystemClock), OwnerId::LOCAL);
    let machine = Machine::current(EnvironmentOf::Client)?;
    let context = ServerContext {
        folders: Arc::new(Folders::new(&home, machine, registry.clone())),
        registry,
        clients: imprint_clients::clients(),
        named_client: None,
        bridged: false,
        toolsets: Toolsets::default(),
        read_only: false,
        recorded: false,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let config = HttpConfig {
        requests_per_minute: Some(60_000),
        legacy_sessions: sessions,
        ..HttpConfig::default()
    };
    let changes = Changes::default();
    let decorate = move |handler| Fixtures::new(handler, changes.clone());
    let listener = TcpListener::bind(listen)?;
    let server = HttpServer::decorated(context, config, listener, decorate)?;
    server.serve(CancellationToken::new()).await?;
    Ok(())
}
