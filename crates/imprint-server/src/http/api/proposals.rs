//! What agents suggest, for the user to decide on.

use axum::{extract::State, response::Response};
use imprint_core::{Proposal, ProposalState, Scope};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    super::{
        problem::{Problem, ProblemDetails},
        server::HttpState,
    },
    asker::Asker,
    history::author,
    items::{Item, tagged},
    page::{Json, MOST, Path, Query},
};

/// A suggested change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ProposalEntry {
    /// Its identity.
    id: String,
    /// `skill`, `persona` or `guideline`.
    kind: &'static str,
    /// The item's name from then on.
    name: String,
    /// The revision that it starts from; absent for a new item.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    /// The item's description from then on.
    description: String,
    /// Who suggests it.
    author: String,
    /// Milliseconds since 1970.
    at: i64,
    /// `pending`, `accepted` or `rejected`.
    #[schema(value_type = String)]
    state: ProposalState,
}

impl From<&Proposal> for ProposalEntry {
    fn from(proposal: &Proposal) -> Self {
        Self {
            id: proposal.id.to_string(),
            kind: proposal.kind.as_str(),
            name: proposal.name.to_string(),
            base: proposal.base.map(|base| base.to_string()),
            description: proposal.description.clone(),
            author: author(&proposal.author),
            at: proposal.at.0,
            state: proposal.state,
        }
    }
}

/// A suggested change with its text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct WholeProposal {
    #[serde(flatten)]
    proposal: ProposalEntry,
    /// The entry file as it would stand.
    text: String,
}

/// Which suggestions.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ProposalQuery {
    /// Those that are decided, too.
    #[serde(default)]
    all: bool,
}

/// The newest suggestions, at most 200.
#[utoipa::path(get, path = "/proposals", tag = "proposals", params(ProposalQuery),
    responses((status = OK, body = Vec<ProposalEntry>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    asker: Asker,
    Query(wanted): Query<ProposalQuery>,
) -> Result<Json<Vec<ProposalEntry>>, Problem> {
    let state = (!wanted.all).then_some(ProposalState::Pending);
    let registry = asker.registry();
    let found = registry
        .store()
        .proposals(registry.owner(), state, MOST)
        .await?;
    Ok(Json(found.iter().map(ProposalEntry::from).collect()))
}

/// One suggestion with its text.
#[utoipa::path(get, path = "/proposals/{id}", tag = "proposals", params(("id" = String, Path)),
    responses((status = OK, body = WholeProposal), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn read(
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<WholeProposal>, Problem> {
    let proposal = asker.registry().find_proposal(&id).await?;
    let files = asker.registry().proposed_files(&proposal).await?;
    Ok(Json(WholeProposal {
        proposal: ProposalEntry::from(&proposal),
        text: String::from_utf8_lossy(&files.entry().bytes).into_owned(),
    }))
}

/// Makes a suggestion what the item is from now on.
#[utoipa::path(post, path = "/proposals/{id}/accept", tag = "proposals",
    params(("id" = String, Path)),
    responses((status = OK, body = Item), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn accept(
    State(state): State<HttpState>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    asker.needs(Scope::Admin)?;
    let proposal = asker.registry().find_proposal(&id).await?;
    let item = asker.registry().accept_proposal(proposal.id).await?;
    state.write_folders().await;
    Ok(tagged(&item, Json(Item::from(&item))))
}

/// Lays a suggestion aside.
#[utoipa::path(post, path = "/proposals/{id}/reject", tag = "proposals",
    params(("id" = String, Path)),
    responses((status = OK, body = ProposalEntry), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn reject(
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<ProposalEntry>, Problem> {
    asker.needs(Scope::Admin)?;
    let proposal = asker.registry().find_proposal(&id).await?;
    let rejected = asker.registry().reject_proposal(proposal.id).await?;
    Ok(Json(ProposalEntry::from(&rejected)))
}
