//! Keys, for administrators. No key makes one that may do more than itself.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use imprint_core::{
    ItemFence, KeyMaker, KeyRecord, KeyStanding, Scope, ScopeSet, Timestamp, Token,
    registry::NewKey,
};
use imprint_format::ItemName;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::problem::{Problem, ProblemDetails},
    asker::Asker,
    error::invalid,
    items::item_name,
    page::{Json, Path},
};

/// The longest overlap of a rotated key, in seconds: a week.
const LONGEST_OVERLAP: i64 = 7 * 24 * 3_600;

/// A key: everything but the key itself.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Key {
    /// Its identity.
    id: String,
    /// What the user calls it.
    name: String,
    /// Its first and last characters.
    shown: String,
    /// What it allows.
    #[schema(value_type = Vec<String>)]
    scopes: ScopeSet,
    /// The items that it is narrowed to, by name.
    items: Vec<String>,
    /// The tags that it is narrowed to.
    tags: Vec<String>,
    /// The projects whose records it may see; empty: all.
    projects: Vec<String>,
    /// The client that it is for.
    client: Option<String>,
    /// `live`, `expired` or `revoked`.
    #[schema(value_type = String)]
    standing: KeyStanding,
    /// Milliseconds since 1970, here and below.
    created_at: i64,
    expires_at: Option<i64>,
    last_used_at: Option<i64>,
    last_client: Option<String>,
    revoked_at: Option<i64>,
    /// The key that it took the place of.
    replaces: Option<String>,
}

impl Key {
    fn of(key: &KeyRecord, now: Timestamp) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name.clone(),
            shown: key.shown(),
            scopes: key.scopes.clone(),
            items: key.fence.names.iter().map(ToString::to_string).collect(),
            tags: key.fence.tags.clone(),
            projects: key.projects.iter().map(ToString::to_string).collect(),
            client: key.client.clone(),
            standing: key.standing(now),
            created_at: key.created_at.0,
            expires_at: key.expires_at.map(|at| at.0),
            last_used_at: key.last_used_at.map(|at| at.0),
            last_client: key.last_client.clone(),
            revoked_at: key.revoked_at.map(|at| at.0),
            replaces: key.replaces.map(|key| key.to_string()),
        }
    }
}

/// A key that was just made, with the key itself: given this once.
#[derive(Serialize, ToSchema)]
pub(super) struct MadeKey {
    /// What a client sends as `Authorization: Bearer …`.
    key: String,
    #[serde(flatten)]
    record: Key,
}

/// A key that is to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewKeyBody {
    /// One line of at most 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// What it allows, such as `skills:read`.
    scopes: Vec<String>,
    /// Only these skills and personas.
    #[serde(default)]
    items: Vec<String>,
    /// Only skills and personas with one of these tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Only records of these projects, and general ones.
    #[serde(default)]
    projects: Vec<String>,
    /// Milliseconds since 1970 at which it ends.
    expires_at: Option<i64>,
}

/// All keys that were ever made.
#[utoipa::path(get, path = "/keys", tag = "keys",
    responses((status = OK, body = Vec<Key>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(asker: Asker) -> Result<Json<Vec<Key>>, Problem> {
    asker.needs(Scope::Admin)?;
    let now = asker.registry().clock().now();
    let keys = asker.registry().keys().await?;
    Ok(Json(keys.iter().map(|key| Key::of(key, now)).collect()))
}

/// Makes a key. The answer is the only one that holds it.
#[utoipa::path(post, path = "/keys", tag = "keys", request_body = NewKeyBody,
    responses((status = CREATED, body = MadeKey), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn create(
    asker: Asker,
    Json(body): Json<NewKeyBody>,
) -> Result<Response, Problem> {
    asker.needs(Scope::Admin)?;
    let scopes = body.scopes.iter().map(|scope| scope.parse::<Scope>());
    let scopes: ScopeSet = scopes
        .collect::<Result<_, _>>()
        .map_err(|fault| invalid(fault.to_string()))?;
    let new = NewKey {
        name: body.name,
        scopes,
        fence: ItemFence {
            names: names(&body.items)?,
            tags: body.tags,
        },
        projects: names(&body.projects)?,
        client: None,
        made_by: KeyMaker::User,
        expires_at: body.expires_at.map(Timestamp),
    };
    let (record, token) = asker.registry().create_key(asker.access(), new).await?;
    Ok(made(&asker, &record, &token))
}

/// One key, by its name, first characters or id.
#[utoipa::path(get, path = "/keys/{key}", tag = "keys", params(("key" = String, Path)),
    responses((status = OK, body = Key), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn read(asker: Asker, Path(key): Path<String>) -> Result<Json<Key>, Problem> {
    asker.needs(Scope::Admin)?;
    let key = asker.registry().find_key(&key).await?;
    Ok(Json(Key::of(&key, asker.registry().clock().now())))
}

/// A new name.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RenameBody {
    /// One line of at most 100 characters.
    #[schema(max_length = 100)]
    name: String,
}

/// Gives a key another name.
#[utoipa::path(patch, path = "/keys/{key}", tag = "keys", params(("key" = String, Path)),
    request_body = RenameBody,
    responses((status = OK, body = Key), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn rename(
    asker: Asker,
    Path(key): Path<String>,
    Json(body): Json<RenameBody>,
) -> Result<Json<Key>, Problem> {
    asker.needs(Scope::Admin)?;
    let key = asker.registry().find_key(&key).await?;
    asker.registry().rename_key(&key, &body.name).await?;
    again(&asker, &key).await
}

/// Takes a key back: at once, also for streams that are open.
#[utoipa::path(delete, path = "/keys/{key}", tag = "keys", params(("key" = String, Path)),
    responses((status = OK, body = Key), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn revoke(asker: Asker, Path(key): Path<String>) -> Result<Json<Key>, Problem> {
    asker.needs(Scope::Admin)?;
    let key = asker.registry().find_key(&key).await?;
    asker.registry().revoke_key(&key).await?;
    again(&asker, &key).await
}

/// How long the old key goes on.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RotateBody {
    /// Seconds, at most a week; a day if left out.
    #[schema(minimum = 0, maximum = 604_800)]
    overlap_seconds: Option<i64>,
}

/// Makes a successor of a key, which goes on for a while.
#[utoipa::path(post, path = "/keys/{key}/rotate", tag = "keys", params(("key" = String, Path)),
    request_body = RotateBody,
    responses((status = CREATED, body = MadeKey), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn rotate(
    asker: Asker,
    Path(key): Path<String>,
    Json(body): Json<RotateBody>,
) -> Result<Response, Problem> {
    asker.needs(Scope::Admin)?;
    let overlap = body.overlap_seconds.unwrap_or(24 * 3_600);
    if !(0..=LONGEST_OVERLAP).contains(&overlap) {
        return Err(invalid("`overlap_seconds` is between 0 and 604800, a week"));
    }
    let key = asker.registry().find_key(&key).await?;
    if !asker.access().covers(&key.access()) {
        return Err(imprint_core::registry::KeyError::Beyond.into());
    }
    let (record, token) = asker.registry().rotate_key(&key, overlap * 1_000).await?;
    Ok(made(&asker, &record, &token))
}

fn names(texts: &[String]) -> Result<Vec<ItemName>, Problem> {
    texts.iter().map(|text| item_name(text)).collect()
}

fn made(asker: &Asker, record: &KeyRecord, token: &Token) -> Response {
    let made = MadeKey {
        key: token.reveal().to_owned(),
        record: Key::of(record, asker.registry().clock().now()),
    };
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::CREATED, no_store, Json(made)).into_response()
}

async fn again(asker: &Asker, key: &KeyRecord) -> Result<Json<Key>, Problem> {
    let key = asker.registry().find_key(&key.id.to_string()).await?;
    Ok(Json(Key::of(&key, asker.registry().clock().now())))
}
