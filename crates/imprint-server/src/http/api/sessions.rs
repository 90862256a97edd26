//! Which clients connected.

use imprint_core::{Scope, SessionRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    super::problem::{Problem, ProblemDetails},
    asker::Asker,
    page::{Json, MOST, Query},
};

/// One client's connection, or its requests with no more than half an hour between.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Session {
    /// Its identity.
    id: String,
    /// What the client calls itself.
    client_name: Option<String>,
    client_version: Option<String>,
    /// The client that its entry or key names.
    named_client: Option<String>,
    /// The id of the key that it came with.
    key: Option<String>,
    /// The id of the OAuth grant that it came with.
    grant: Option<String>,
    /// The protocol version that was agreed.
    protocol: String,
    /// `stdio` or `http`.
    transport: String,
    /// Milliseconds since 1970.
    started_at: i64,
    /// Milliseconds since 1970.
    seen_at: i64,
    /// Tool calls.
    calls: u64,
}

impl From<SessionRecord> for Session {
    fn from(session: SessionRecord) -> Self {
        Self {
            id: session.id.to_string(),
            client_name: session.client_name,
            client_version: session.client_version,
            named_client: session.named_client,
            key: session.key.map(|key| key.to_string()),
            grant: session.grant.map(|grant| grant.to_string()),
            protocol: session.protocol,
            transport: session.transport,
            started_at: session.started_at.0,
            seen_at: session.seen_at.0,
            calls: session.calls,
        }
    }
}

/// How many sessions.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SessionQuery {
    /// At most so many.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
}

/// The latest sessions, latest heard first.
#[utoipa::path(get, path = "/sessions", tag = "sessions", params(SessionQuery),
    responses((status = OK, body = Vec<Session>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    asker: Asker,
    Query(wanted): Query<SessionQuery>,
) -> Result<Json<Vec<Session>>, Problem> {
    asker.needs(Scope::Admin)?;
    let limit = wanted.limit.unwrap_or(50).clamp(1, MOST);
    let registry = asker.registry();
    let sessions = registry.store().sessions(registry.owner(), limit).await?;
    Ok(Json(sessions.into_iter().map(Session::from).collect()))
}
