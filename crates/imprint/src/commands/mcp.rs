//! `imprint mcp`: one client over standard input and output.

use imprint_clients::known_client;
use imprint_server::{ServerContext, serve_stdio};

use crate::{
    cli::{Global, McpArgs},
    failure::{Failure, FailureKind},
    home::variable,
    output::Output,
    wiring::App,
};

/// Set by `imprint doctor` for the server that it starts to look at its answers.
pub(crate) const PROBE: &str = "IMPRINT_PROBE";

pub(super) async fn run(global: &Global, out: &Output, args: McpArgs) -> Result<(), Failure> {
    let clients = imprint_clients::clients();
    let named_client = match &args.client {
        Some(id) => {
            let client = known_client(id).ok_or_else(|| {
                let known: Vec<_> = clients.clients().iter().map(|client| client.id).collect();
                Failure::new(FailureKind::Usage, format!("there is no client `{id}`"))
                    .hint(format!("the clients are {}", known.join(", ")))
            })?;
            Some(client.facts.id.to_owned())
        }
        None => None,
    };
    let (app, folders) = App::for_client(global, out)?;
    let context = ServerContext {
        registry: app.registry,
        folders,
        clients,
        named_client,
        bridged: variable(imprint_clients::DISTRO_VARIABLE).is_some(),
        toolsets: args.tools.toolsets,
        read_only: args.tools.read_only,
        recorded: variable(PROBE).is_none(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    serve_stdio(context, tokio::io::stdin(), tokio::io::stdout())
        .await
        .map_err(|error| Failure::failed(format!("the connection ended: {error}")))
}
