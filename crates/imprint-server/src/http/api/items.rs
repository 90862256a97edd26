//! Items: skills, personas and guidelines.

use std::collections::BTreeMap;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use imprint_core::{
    ItemFilter, ItemRef, ItemState, ItemSummary, Revision, RevisionId,
    registry::{FileEdit, ItemEdit, NewItem},
    search,
};
use imprint_format::{BundleFile, ItemKind, ItemName, ItemPath};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    super::{
        problem::{Problem, ProblemDetails},
        server::HttpState,
    },
    asker::Asker,
    error::{invalid, not_found, stale},
    page::{Json, Page, PageQuery, Path, Query, not_ours},
};

/// An item as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Item {
    /// Its identity, whatever it is called.
    id: String,
    /// `skill`, `persona` or `guideline`.
    kind: &'static str,
    /// Unique among the unremoved items of its kind.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// `active`, `disabled` or `removed`.
    state: &'static str,
    /// Listed before others.
    pinned: bool,
    /// Only the user starts it.
    hidden_from_model: bool,
    /// How often agents loaded it.
    loads: u64,
    /// The current revision; also its `ETag`.
    revision: String,
    /// Milliseconds since 1970.
    created_at: i64,
    /// Milliseconds since 1970.
    changed_at: i64,
}

impl From<&ItemSummary> for Item {
    fn from(item: &ItemSummary) -> Self {
        Self {
            id: item.id.to_string(),
            kind: item.kind.as_str(),
            name: item.name.to_string(),
            description: item.description.clone(),
            state: item.state.as_str(),
            pinned: item.pinned,
            hidden_from_model: item.hidden_from_model,
            loads: item.loads,
            revision: item.head.to_string(),
            created_at: item.created_at.0,
            changed_at: item.changed_at.0,
        }
    }
}

/// One file of a revision.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct File {
    /// Where it stands in the item.
    path: String,
    /// SHA-256 of its content, in hexadecimal.
    digest: String,
    /// Bytes.
    size: u64,
    /// Whether the owner may execute it.
    executable: bool,
}

impl File {
    pub(super) fn of(revision: &Revision) -> Vec<Self> {
        let files = revision.files.iter().map(|file| Self {
            path: file.path.to_string(),
            digest: file.digest.to_string(),
            size: file.size,
            executable: file.executable,
        });
        files.collect()
    }
}

/// An item with its text and the list of its files.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct WholeItem {
    #[serde(flatten)]
    item: Item,
    /// The entry file as it stands: front matter and instructions.
    text: String,
    /// All files, the entry file too.
    files: Vec<File>,
}

/// Which items.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ItemQuery {
    /// Only `skill`, `persona` or `guideline`.
    kind: Option<ItemKindName>,
    /// Only `active`, `disabled` or `removed`; without it, all that are not removed.
    state: Option<ItemStateName>,
    /// The best matches for this, best first, on one page.
    query: Option<String>,
}

/// What an item is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ItemKindName {
    /// A skill.
    Skill,
    /// A persona.
    Persona,
    /// A guideline.
    Guideline,
}

impl From<ItemKindName> for ItemKind {
    fn from(name: ItemKindName) -> Self {
        match name {
            ItemKindName::Skill => Self::Skill,
            ItemKindName::Persona => Self::Persona,
            ItemKindName::Guideline => Self::Guideline,
        }
    }
}

/// Whether an item is in use.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ItemStateName {
    /// Reaches clients.
    Active,
    /// Kept, reaches no client.
    Disabled,
    /// Out of sight, still restorable.
    Removed,
}

impl From<ItemStateName> for ItemState {
    fn from(name: ItemStateName) -> Self {
        match name {
            ItemStateName::Active => Self::Active,
            ItemStateName::Disabled => Self::Disabled,
            ItemStateName::Removed => Self::Removed,
        }
    }
}

/// A new item: `files` with the entry file (`SKILL.md`, `PERSONA.md`), or a name and texts.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewItemBody {
    kind: ItemKindName,
    /// Lower-case letters, digits and hyphens, at most 64.
    #[schema(max_length = 64)]
    name: String,
    /// What it does and when to use it; not for a guideline.
    #[schema(max_length = 1024)]
    description: Option<String>,
    /// Markdown: everything after the front matter; a guideline's whole text.
    instructions: Option<String>,
    /// Texts of more files by their path.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

/// What to change of an item; what is absent stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditBody {
    /// A new name.
    name: Option<String>,
    /// A new description.
    description: Option<String>,
    /// New instructions.
    instructions: Option<String>,
    /// Texts of files by their path; `null` takes one out.
    #[serde(default)]
    files: BTreeMap<String, Option<String>>,
    /// `active` or `disabled`.
    state: Option<ItemStateName>,
    /// Listed before others.
    pinned: Option<bool>,
}

impl EditBody {
    fn changes_content(&self) -> bool {
        self.name.is_some()
            || self.description.is_some()
            || self.instructions.is_some()
            || !self.files.is_empty()
    }
}

/// Items, in the order of kind and name.
#[utoipa::path(get, path = "/items", tag = "items", params(ItemQuery, PageQuery),
    responses((status = OK, body = Page<Item>), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn list(
    asker: Asker,
    Query(wanted): Query<ItemQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Page<Item>>, Problem> {
    let states = match wanted.state {
        Some(state) => vec![state.into()],
        None => vec![ItemState::Active, ItemState::Disabled],
    };
    let filter = ItemFilter {
        kind: wanted.kind.map(Into::into),
        name: None,
        states,
    };
    let registry = asker.registry();
    let items = registry.store().items(registry.owner(), &filter).await?;
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    if let Some(query) = &wanted.query {
        let found = search(&items, query).items;
        let entries = found.into_iter().take(limit).map(Item::from).collect();
        return Ok(Json(Page {
            entries,
            next: None,
        }));
    }
    let after = page.cursor.as_deref().map(place).transpose()?;
    let mut rest = items
        .iter()
        .filter(|item| {
            after
                .as_ref()
                .is_none_or(|after| *after < (item.kind, item.name.as_str()))
        })
        .peekable();
    let entries: Vec<_> = rest.by_ref().take(limit).collect();
    let next = entries.last().filter(|_| rest.peek().is_some());
    Ok(Json(Page {
        next: next.map(|last| format!("{}/{}", last.kind, last.name)),
        entries: entries.into_iter().map(Item::from).collect(),
    }))
}

/// The kind and name that a cursor stands behind.
fn place(cursor: &str) -> Result<(ItemKind, &str), Problem> {
    let (kind, name) = cursor.split_once('/').ok_or_else(not_ours)?;
    let kind = kind.parse().map_err(|_| not_ours())?;
    Ok((kind, name))
}

/// Makes an item.
#[utoipa::path(post, path = "/items", tag = "items", request_body = NewItemBody,
    responses((status = CREATED, body = Item), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn create(
    State(state): State<HttpState>,
    asker: Asker,
    Json(body): Json<NewItemBody>,
) -> Result<Response, Problem> {
    let kind = body.kind.into();
    asker.may_write(kind)?;
    let name = item_name(&body.name)?;
    if asker.access().fence().keeps_out(&name) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "outside",
            "Outside of this key",
            "This key is narrowed to some items, and this would be none of them",
        ));
    }
    let files = body
        .files
        .into_iter()
        .map(|(path, text)| Ok((item_path(&path)?, BundleFile::plain(text.into_bytes()))));
    let files: Vec<_> = files.collect::<Result<_, Problem>>()?;
    let new = if files
        .iter()
        .any(|(path, _)| *path == ItemPath::entry_of(kind))
    {
        if body.description.is_some() || body.instructions.is_some() {
            return Err(invalid(
                "give either the entry file in `files`, or `description` and `instructions`",
            ));
        }
        NewItem::Files {
            bundle: imprint_format::Bundle::new(kind, files)
                .map_err(|error| invalid(error.to_string()))?,
            name: Some(name),
        }
    } else {
        NewItem::Texts {
            kind,
            name,
            description: body.description.unwrap_or_default(),
            instructions: body.instructions.unwrap_or_default(),
            files,
        }
    };
    let item = asker.registry().create(&asker.author(), new).await?;
    state.write_folders().await;
    let mut response = tagged(&item, Json(Item::from(&item)));
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// An item with its text and the list of its files.
#[utoipa::path(get, path = "/items/{kind}/{name}", tag = "items",
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id")),
    responses((status = OK, body = WholeItem), (status = NOT_MODIFIED),
              (status = "4XX", body = ProblemDetails)))]
pub(super) async fn read(
    asker: Asker,
    headers: HeaderMap,
    Path((kind, name)): Path<(ItemKindName, String)>,
) -> Result<Response, Problem> {
    let item = resolved(&asker, kind, name).await?;
    if matches(&headers, header::IF_NONE_MATCH, item.head) == Some(true) {
        return Ok(tagged(&item, StatusCode::NOT_MODIFIED));
    }
    let registry = asker.registry();
    let revision = registry
        .store()
        .revision(registry.owner(), item.head)
        .await?;
    let revision = revision.ok_or_else(|| not_found("the item's revision is not there"))?;
    let bundle = registry.bundle_of(&revision).await?;
    let whole = WholeItem {
        item: Item::from(&item),
        text: String::from_utf8_lossy(&bundle.entry().bytes).into_owned(),
        files: File::of(&revision),
    };
    Ok(tagged(&item, Json(whole)))
}

/// Changes an item. With `If-Match`, only if its revision is that one.
#[utoipa::path(patch, path = "/items/{kind}/{name}", tag = "items", request_body = EditBody,
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id"),
           ("If-Match" = Option<String>, Header, description = "the revision that was read")),
    responses((status = OK, body = Item), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn edit(
    State(state): State<HttpState>,
    asker: Asker,
    headers: HeaderMap,
    Path((kind, name)): Path<(ItemKindName, String)>,
    Json(body): Json<EditBody>,
) -> Result<Response, Problem> {
    asker.may_write(kind.into())?;
    let mut item = resolved(&asker, kind, name).await?;
    if matches(&headers, header::IF_MATCH, item.head) == Some(false) {
        let detail = "the item has another revision than the one in `If-Match`";
        return Err(stale(detail, &item.head.to_string()));
    }
    if matches!(body.state, Some(ItemStateName::Removed)) {
        return Err(invalid("an item is removed with DELETE"));
    }
    let registry = asker.registry();
    if body.changes_content() {
        let edit = ItemEdit {
            expected: Some(item.head),
            ..content(&body)?
        };
        let edited = registry
            .edit(&asker.author(), &ItemRef::from(&item), edit)
            .await?;
        item = edited.item;
    }
    if let Some(to) = body.state {
        item = registry.set_state(&ItemRef::from(&item), to.into()).await?;
    }
    if let Some(pinned) = body.pinned {
        item = registry.set_pin(&ItemRef::from(&item), pinned).await?;
    }
    state.write_folders().await;
    Ok(tagged(&item, Json(Item::from(&item))))
}

fn content(body: &EditBody) -> Result<ItemEdit, Problem> {
    let files = body.files.iter().map(|(path, text)| {
        let path = item_path(path)?;
        Ok(match text {
            Some(text) => FileEdit::Put(path, BundleFile::plain(text.as_bytes())),
            None => FileEdit::Remove(path),
        })
    });
    Ok(ItemEdit {
        name: body.name.as_deref().map(item_name).transpose()?,
        description: body.description.clone(),
        instructions: body.instructions.clone(),
        files: files.collect::<Result<_, Problem>>()?,
        expected: None,
    })
}

/// Takes an item out of sight. Everything of it stays, and `restore` brings it back.
#[utoipa::path(delete, path = "/items/{kind}/{name}", tag = "items",
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id")),
    responses((status = OK, body = Item), (status = "4XX", body = ProblemDetails)))]
pub(super) async fn remove(
    State(state): State<HttpState>,
    asker: Asker,
    Path((kind, name)): Path<(ItemKindName, String)>,
) -> Result<Json<Item>, Problem> {
    // Agents may disable; only the user removes.
    asker.needs(imprint_core::Scope::Admin)?;
    let reference = ItemRef::of(kind.into(), name);
    let removed = asker
        .registry()
        .set_state(&reference, ItemState::Removed)
        .await?;
    state.write_folders().await;
    Ok(Json(Item::from(&removed)))
}

/// One file of an item, byte for byte.
#[utoipa::path(get, path = "/items/{kind}/{name}/files/{path}", tag = "items",
    params(("kind" = ItemKindName, Path), ("name" = String, Path, description = "its name or id"),
           ("path" = String, Path, description = "where it stands in the item, slashes encoded")),
    responses((status = OK, content_type = "application/octet-stream", body = String),
              (status = "4XX", body = ProblemDetails)))]
pub(super) async fn file(
    asker: Asker,
    Path((kind, name, path)): Path<(ItemKindName, String, String)>,
) -> Result<Response, Problem> {
    let path = item_path(&path)?;
    let item = resolved(&asker, kind, name).await?;
    let bundle = asker.registry().files_of(&item).await?;
    let file = bundle.get(&path);
    let file = file.ok_or_else(|| not_found(format!("the item has no file `{path}`")))?;
    // Whatever it is, no browser shall take it for a page of ours.
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, file.bytes.to_vec()).into_response())
}

/// The item that the path names, unless it is removed.
pub(super) async fn resolved(
    asker: &Asker,
    kind: ItemKindName,
    name: String,
) -> Result<ItemSummary, Problem> {
    let reference = ItemRef::of(kind.into(), name);
    let states = [ItemState::Active, ItemState::Disabled];
    Ok(asker.registry().resolve(&reference, &states).await?)
}

/// A response with the item's revision as its tag.
pub(super) fn tagged(item: &ItemSummary, response: impl axum::response::IntoResponse) -> Response {
    let mut response = response.into_response();
    // Hexadecimal digits between quotes.
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", item.head)) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Whether a header of tags names the revision; `None` without the header.
fn matches(headers: &HeaderMap, name: header::HeaderName, head: RevisionId) -> Option<bool> {
    let mut values = headers.get_all(name).iter().peekable();
    values.peek()?;
    let head = head.to_string();
    let tags = values.filter_map(|value| value.to_str().ok());
    let mut tags = tags.flat_map(|value| value.split(',')).map(str::trim);
    Some(tags.any(|tag| tag == "*" || tag.trim_start_matches("W/").trim_matches('"') == head))
}

pub(super) fn item_name(text: &str) -> Result<ItemName, Problem> {
    text.parse()
        .map_err(|fault| invalid(format!("`name` can't be that: {fault}")))
}

fn item_path(text: &str) -> Result<ItemPath, Problem> {
    text.parse()
        .map_err(|fault| invalid(format!("a path can't be that: {fault}")))
}
