//! Earlier revisions of an item.

use axum::{extract::State, response::Response};
use imprint_core::{Author, ItemRef, Revision, registry::RevisionRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::{
        problem::{Problem, ProblemDetails},
        server::HttpState,
    },
    asker::Asker,
    items::{File, Item, ItemKindName, tagged},
    page::{Json, Page, PageQuery, Path, Query},
};

/// One version of an item.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct RevisionEntry {
    /// SHA-256 of its place in history.
    id: String,
    /// The revisions that it replaced.
    parents: Vec<String>,
    /// The item's name from there on.
    name: String,
    /// The item's description from there on.
    description: String,
    /// `user`, `import`, or the client of the agent that made it.
    author: String,
    /// Milliseconds since 1970.
    at: i64,
    /// Its files.
    files: Vec<File>,
}

impl From<&Revision> for RevisionEntry {
    fn from(revision: &Revision) -> Self {
        Self {
            id: revision.id.to_string(),
            parents: revision.parents.iter().map(ToString::to_string).collect(),
            name: revision.name.to_string(),
            description: revision.description.clone(),
            author: author(&revision.author),
            at: revision.at.0,
            files: File::of(revision),
        }
    }
}

/// Who made a change, in a word.
pub(super) fn author(author: &Author) -> String {
    match author {
        Author::User => "user".to_owned(),
        Author::Import => "import".to_owned(),
        Author::Agent { client } => client.clone(),
    }
}

/// A version with the text of its entry file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct WholeRevision {
    #[serde(flatten)]
    revision: RevisionEntry,
    /// The entry file as it stood.
    text: String,
}

/// An item's revisions, newest first.
#[utoipa::path(get, path = "/items/{kind}/{name}/history", tag = "history",
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id"),
           PageQuery),
    responses((status = OK, body = Page<RevisionEntry>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    asker: Asker,
    Path((kind, name)): Path<(ItemKindName, String)>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Page<RevisionEntry>>, Problem> {
    let (skip, limit) = (page.number()?, page.limit());
    let reference = ItemRef::of(kind.into(), name);
    let revisions = asker
        .registry()
        .history(&reference, skip, limit + 1)
        .await?;
    let more = revisions.len() as u64 > limit;
    let shown = revisions
        .iter()
        .take(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Json(Page {
        entries: shown.map(RevisionEntry::from).collect(),
        next: more.then(|| skip.saturating_add(limit).to_string()),
    }))
}

/// One revision: `head`, `~1` for the one before, or the first digits of its id.
#[utoipa::path(get, path = "/items/{kind}/{name}/history/{revision}", tag = "history",
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id"),
           ("revision" = String, Path)),
    responses((status = OK, body = WholeRevision), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn read(
    asker: Asker,
    Path((kind, name, revision)): Path<(ItemKindName, String, String)>,
) -> Result<Json<WholeRevision>, Problem> {
    let wanted: RevisionRef = revision.parse()?;
    let reference = ItemRef::of(kind.into(), name);
    let snapshot = asker.registry().snapshot(&reference, &wanted).await?;
    Ok(Json(WholeRevision {
        revision: RevisionEntry::from(&snapshot.revision),
        text: String::from_utf8_lossy(&snapshot.bundle.entry().bytes).into_owned(),
    }))
}

/// What to go back to.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RestoreBody {
    /// `head`, `~1`, or the first digits of a revision's id.
    revision: String,
}

/// Makes an earlier revision's files the current ones, and brings a removed item back.
#[utoipa::path(post, path = "/items/{kind}/{name}/restore", tag = "history",
    request_body = RestoreBody,
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id")),
    responses((status = OK, body = Item), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn restore(
    State(state): State<HttpState>,
    asker: Asker,
    Path((kind, name)): Path<(ItemKindName, String)>,
    Json(body): Json<RestoreBody>,
) -> Result<Response, Problem> {
    asker.may_write(kind.into())?;
    let wanted: RevisionRef = body.revision.parse()?;
    let reference = ItemRef::of(kind.into(), name);
    let restored = asker
        .registry()
        .restore(&asker.author(), &reference, &wanted)
        .await?;
    state.write_folders().await;
    Ok(tagged(&restored.item, Json(Item::from(&restored.item))))
}
