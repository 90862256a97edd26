//! `imprint mcp`: one client over standard input and output.

use std::sync::Arc;

use imprint_server::{ServerContext, serve_stdio};

use crate::{
    cli::McpArgs,
    failure::{Failure, FailureKind},
    home::variable,
    wiring::App,
};

pub(super) async fn run(app: &App, args: McpArgs) -> Result<(), Failure> {
    let clients = imprint_clients::clients();
    if let Some(id) = &args.client
        && clients.by_id(id).is_none()
    {
        let known: Vec<_> = clients.clients().iter().map(|client| client.id).collect();
        return Err(
            Failure::new(FailureKind::Usage, format!("there is no client `{id}`"))
                .hint(format!("the clients are {}", known.join(", "))),
        );
    }
    let context = ServerContext {
        registry: app.registry.clone(),
        folders: Arc::clone(&app.folders) as _,
        clients,
        named_client: args.client,
        bridged: variable("IMPRINT_WSL_DISTRO").is_some(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    serve_stdio(context, tokio::io::stdin(), tokio::io::stdout())
        .await
        .map_err(|error| Failure::failed(format!("the connection ended: {error}")))
}
