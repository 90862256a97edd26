//! The AI clients that Imprint knows.

use imprint_core::Scope;
use serde::Serialize;
use utoipa::ToSchema;

use axum::extract::State;

use super::{
    super::{
        problem::{Problem, ProblemDetails},
        server::HttpState,
    },
    asker::Asker,
    page::Json,
};

/// A client of the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Client {
    /// Its id, as `--client` takes it.
    id: &'static str,
    /// Its name for people.
    title: &'static str,
    /// What it calls itself in the handshake.
    names: &'static [&'static str],
    /// Whether it reads folders that Imprint writes.
    reads_folders: bool,
}

/// The clients that Imprint knows. What is installed on the machine, `imprint clients` tells.
#[utoipa::path(get, path = "/clients", tag = "clients",
    responses((status = OK, body = Vec<Client>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    State(state): State<HttpState>,
    asker: Asker,
) -> Result<Json<Vec<Client>>, Problem> {
    asker.needs(Scope::Admin)?;
    let clients = state.context.clients.clients().iter().map(|client| Client {
        id: client.id,
        title: client.title,
        names: client.names,
        reads_folders: client.reads_our_folders,
    });
    Ok(Json(clients.collect()))
}
