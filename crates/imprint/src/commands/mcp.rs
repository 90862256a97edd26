//! `imprint mcp`: one client over standard input and output.

use imprint_server::{ServerContext, serve_stdio};

use crate::{
    cli::{Global, McpArgs},
    failure::{Failure, FailureKind},
    home::variable,
    output::Output,
    wiring::App,
};

/// Set by `imprint doctor` for the server that it starts to look at its answers.
pub(super) const PROBE: &str = "IMPRINT_PROBE";

pub(super) async fn run(global: &Global, out: &Output, args: McpArgs) -> Result<(), Failure> {
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
    let (app, folders) = App::for_client(global, out)?;
    let context = ServerContext {
        registry: app.registry,
        folders,
        clients,
        named_client: args.client,
        bridged: variable("IMPRINT_WSL_DISTRO").is_some(),
        recorded: variable(PROBE).is_none(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    serve_stdio(context, tokio::io::stdin(), tokio::io::stdout())
        .await
        .map_err(|error| Failure::failed(format!("the connection ended: {error}")))
}
