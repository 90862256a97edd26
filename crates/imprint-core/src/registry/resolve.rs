//! Which item a person or model means.

use imprint_format::{ItemKind, text};

use crate::{ItemFilter, ItemId, ItemState, ItemSummary, Registry, StoreError};

/// How much of an unknown name is repeated, in characters.
const SHOWN_NAME_CHARS: usize = 100;
/// Damerau–Levenshtein similarity above which a name is offered instead.
const NEAR: f64 = 0.6;

/// An item as people and models name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRef {
    /// Only this kind; `None`: any, and ambiguous when two kinds have the name.
    pub kind: Option<ItemKind>,
    /// The name, `kind/name`, or the item's id.
    pub name: String,
}

/// Why a reference names no single item.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing has this name; the nearest that exist.
    #[error("there is no {} called `{name}`", .kind.map_or("item", ItemKind::as_str))]
    Unknown {
        /// The kind that was asked for.
        kind: Option<ItemKind>,
        /// The name that was asked for, made visible and cut.
        name: String,
        /// At most three names that are near.
        nearest: Vec<String>,
    },
    /// More than one item has this name.
    #[error("`{name}` names more than one item")]
    Ambiguous {
        /// The name.
        name: String,
        /// The items that have it.
        candidates: Vec<ItemSummary>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// The one item that is meant, in one of `states` (empty: any). Removed items of a name are
    /// only found when asked for; of several removed ones the latest removed.
    pub async fn resolve(
        &self,
        item: &ItemRef,
        states: &[ItemState],
    ) -> Result<ItemSummary, ResolveError> {
        if let Ok(id) = item.name.parse::<ItemId>() {
            let found = self.store.item(self.owner, id).await?;
            let fits = |found: &ItemSummary| fits(found, item.kind, states);
            return found.filter(fits).ok_or_else(|| unknown(item, Vec::new()));
        }
        let (kind, name) = split_kind(item);
        let filter = ItemFilter {
            kind,
            name: Some(name.to_owned()),
            states: states.to_vec(),
        };
        let found = self.store.items(self.owner, &filter).await?;
        match pick(found) {
            Pick::One(found) => Ok(*found),
            Pick::Several(candidates) => Err(ResolveError::Ambiguous {
                name: name.to_owned(),
                candidates,
            }),
            Pick::None => {
                let filter = ItemFilter {
                    kind,
                    name: None,
                    states: states.to_vec(),
                };
                let all = self.store.items(self.owner, &filter).await?;
                Err(unknown(item, nearest(name, &all)))
            }
        }
    }
}

impl ItemRef {
    /// The item of this kind and name.
    pub fn of(kind: ItemKind, name: impl Into<String>) -> Self {
        Self {
            kind: Some(kind),
            name: name.into(),
        }
    }
}

impl From<&ItemSummary> for ItemRef {
    /// By id, so that it stays right when names change.
    fn from(item: &ItemSummary) -> Self {
        Self {
            kind: Some(item.kind),
            name: item.id.to_string(),
        }
    }
}

/// `kind/name` where no kind is given apart.
fn split_kind(item: &ItemRef) -> (Option<ItemKind>, &str) {
    if item.kind.is_none()
        && let Some((kind, name)) = item.name.split_once('/')
        && let Ok(kind) = kind.parse()
    {
        return (Some(kind), name);
    }
    (item.kind, &item.name)
}

fn fits(item: &ItemSummary, kind: Option<ItemKind>, states: &[ItemState]) -> bool {
    kind.is_none_or(|kind| item.kind == kind) && (states.is_empty() || states.contains(&item.state))
}

enum Pick {
    None,
    One(Box<ItemSummary>),
    Several(Vec<ItemSummary>),
}

/// Unremoved items go before removed ones of the same name; of those, the latest removed.
fn pick(found: Vec<ItemSummary>) -> Pick {
    let (mut removed, mut present): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|item| item.state == ItemState::Removed);
    if present.is_empty() {
        removed.sort_by_key(|item| (item.kind, std::cmp::Reverse(item.changed_in)));
        removed.dedup_by_key(|item| item.kind);
        present = removed;
    }
    match present.len() {
        0 => Pick::None,
        1 => present
            .pop()
            .map_or(Pick::None, |item| Pick::One(Box::new(item))),
        _ => Pick::Several(present),
    }
}

fn unknown(item: &ItemRef, nearest: Vec<String>) -> ResolveError {
    let name = text::clip(&text::one_line(&item.name), SHOWN_NAME_CHARS);
    ResolveError::Unknown {
        kind: item.kind,
        name,
        nearest,
    }
}

fn nearest(name: &str, items: &[ItemSummary]) -> Vec<String> {
    let mut scored: Vec<_> = items
        .iter()
        .map(|item| {
            (
                strsim::normalized_damerau_levenshtein(name, item.name.as_str()),
                item.name.as_str(),
            )
        })
        .filter(|(score, _)| *score > NEAR)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, name)| *name);
    scored
        .into_iter()
        .take(3)
        .map(|(_, name)| name.to_owned())
        .collect()
}
