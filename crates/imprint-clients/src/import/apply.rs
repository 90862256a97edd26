//! Carrying a plan out, item by item.

use std::collections::HashMap;

use imprint_core::{
    Author, ItemFilter, ItemRef, ItemState, ItemSummary, Registry, StoreError,
    registry::{CreateError, EditError, FileEdit, ItemEdit, NewItem},
};
use imprint_format::{Bundle, ItemKind, ItemName, ItemPath, limits::NAME_CHARS};
use serde::{Serialize, Serializer};

use super::{
    CollidesWith, Collision, ImportPlan, Planned,
    normalise::{RenameError, renamed},
};

/// The highest number that is put behind a name that is taken.
const HIGHEST_SUFFIX: usize = 99;

/// What to do about an item whose name is taken by different content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnCollision {
    /// Leave it out.
    #[default]
    Skip,
    /// Make its files a new revision of the item that has the name; the old one stays in history.
    Replace,
    /// Keep it under its name with `-2`, or the next number that is free.
    KeepBoth,
}

/// What an import came to: one result for each item of the plan that could be taken in, in the
/// order of the plan.
#[derive(Debug, Default, Serialize)]
pub struct ImportOutcome {
    /// The results.
    pub results: Vec<ItemResult>,
}

/// What became of one item.
#[derive(Debug, Serialize)]
pub struct ItemResult {
    /// What it is.
    pub kind: ItemKind,
    /// The name that it was planned under.
    pub name: ItemName,
    /// Where it was found.
    pub places: Vec<String>,
    /// What was done.
    #[serde(flatten)]
    pub done: Done,
}

/// What was done with an item.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "done")]
pub enum Done {
    /// It is a new item.
    Created {
        /// As stored.
        item: ItemSummary,
    },
    /// It is the newest revision of an item that was there.
    Replaced {
        /// As stored.
        item: ItemSummary,
    },
    /// It is a new item under another name.
    KeptBoth {
        /// As stored.
        item: ItemSummary,
    },
    /// The same content is stored already.
    Unchanged {
        /// As stored.
        item: ItemSummary,
    },
    /// Its name is taken, and it was to be left out then.
    Skipped,
    /// It could not be kept.
    Failed {
        /// Why.
        #[serde(serialize_with = "as_text")]
        error: ApplyError,
    },
}

/// Why an item was not kept.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The registry refuses it as a new item.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The registry refuses it as a new revision.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It can't have another name.
    #[error(transparent)]
    Rename(#[from] RenameError),
    /// All the names that it could have are taken.
    #[error("`{name}` and all names up to `{name}-{HIGHEST_SUFFIX}` are taken")]
    NoNameLeft {
        /// The name.
        name: ItemName,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Done {
    /// The item that holds what was found; `None` where none does.
    pub fn item(&self) -> Option<&ItemSummary> {
        match self {
            Self::Created { item }
            | Self::Replaced { item }
            | Self::KeptBoth { item }
            | Self::Unchanged { item } => Some(item),
            Self::Skipped | Self::Failed { .. } => None,
        }
    }
}

impl ImportOutcome {
    /// Whether every item was kept or left out as was wished.
    pub fn is_complete(&self) -> bool {
        let failed = |result: &ItemResult| matches!(result.done, Done::Failed { .. });
        !self.results.iter().any(failed)
    }

    /// The items that are new or have a new revision.
    pub fn changed(&self) -> impl Iterator<Item = &ItemSummary> {
        self.results.iter().filter_map(|result| match &result.done {
            Done::Created { item } | Done::Replaced { item } | Done::KeptBoth { item } => {
                Some(item)
            }
            Done::Unchanged { .. } | Done::Skipped | Done::Failed { .. } => None,
        })
    }
}

/// Carries a plan out. Each item is a transaction of its own, so that one that fails stops no
/// other; a stored item that changed since it was planned is not replaced.
pub async fn apply(
    registry: &Registry,
    plan: &ImportPlan,
    on_collision: OnCollision,
) -> ImportOutcome {
    apply_telling(registry, plan, on_collision, |_| {}).await
}

/// [`apply`], telling of each item once it is done.
pub async fn apply_telling(
    registry: &Registry,
    plan: &ImportPlan,
    on_collision: OnCollision,
    mut tell: impl FnMut(&ItemResult),
) -> ImportOutcome {
    let mut applier = Applier {
        registry,
        made: HashMap::new(),
    };
    let mut outcome = ImportOutcome::default();
    for same in &plan.same {
        outcome.results.push(ItemResult {
            kind: same.item.kind,
            name: same.item.name.clone(),
            places: same.places.clone(),
            done: Done::Unchanged {
                item: same.item.clone(),
            },
        });
    }
    for item in &plan.new {
        let done = result(item, applier.create(item).await);
        tell(&done);
        outcome.results.push(done);
    }
    for collision in &plan.collisions {
        let done = match on_collision {
            OnCollision::Skip => Ok(Done::Skipped),
            OnCollision::Replace => applier.replace(collision).await,
            OnCollision::KeepBoth => applier.keep_both(&collision.item).await,
        };
        let done = result(&collision.item, done);
        tell(&done);
        outcome.results.push(done);
    }
    outcome
}

fn result(item: &Planned, done: Result<Done, ApplyError>) -> ItemResult {
    ItemResult {
        kind: item.kind,
        name: item.name.clone(),
        places: item.places.clone(),
        done: done.unwrap_or_else(|error| Done::Failed { error }),
    }
}

struct Applier<'r> {
    registry: &'r Registry,
    /// What this import made or replaced, as it stands now.
    made: HashMap<(ItemKind, ItemName), ItemSummary>,
}

impl Applier<'_> {
    async fn create(&mut self, item: &Planned) -> Result<Done, ApplyError> {
        let item = self.create_as(&item.bundle, &item.name).await?;
        Ok(Done::Created { item })
    }

    async fn create_as(
        &mut self,
        bundle: &Bundle,
        name: &ItemName,
    ) -> Result<ItemSummary, CreateError> {
        let new = NewItem::Files {
            bundle: bundle.clone(),
            name: Some(name.clone()),
        };
        let item = self.registry.create(&Author::Import, new).await?;
        Ok(self.note(item))
    }

    fn note(&mut self, item: ItemSummary) -> ItemSummary {
        let key = (item.kind, item.name.clone());
        self.made.insert(key, item.clone());
        item
    }

    async fn replace(&mut self, collision: &Collision) -> Result<Done, ApplyError> {
        let item = &collision.item;
        let made = self.made.get(&(item.kind, item.name.clone()));
        let target = match (made, &collision.with) {
            (Some(made), _) => made.clone(),
            (None, CollidesWith::Stored(stored)) => stored.clone(),
            // The item that was to have the name could not be kept.
            (None, CollidesWith::Imported(_)) => return self.create(item).await,
        };
        let stored = self
            .registry
            .files_of(&target)
            .await
            .map_err(EditError::from)?;
        let edit = ItemEdit {
            files: replacing(&stored, &item.bundle),
            expected: Some(target.head),
            ..ItemEdit::default()
        };
        let reference = ItemRef {
            kind: Some(target.kind),
            name: target.id.to_string(),
        };
        let edited = self
            .registry
            .edit(&Author::Import, &reference, edit)
            .await?;
        let item = self.note(edited.item);
        Ok(if edited.changed {
            Done::Replaced { item }
        } else {
            Done::Unchanged { item }
        })
    }

    async fn keep_both(&mut self, item: &Planned) -> Result<Done, ApplyError> {
        for suffix in 2..=HIGHEST_SUFFIX {
            let Some(name) = with_suffix(&item.name, suffix) else {
                break;
            };
            let bundle = renamed(&item.bundle, &name)?;
            match self.holder(item.kind, &name).await? {
                Some(holder) if holder.tree == bundle.tree_digest() => {
                    return Ok(Done::Unchanged { item: holder });
                }
                Some(_) => continue,
                None => {}
            }
            match self.create_as(&bundle, &name).await {
                Ok(item) => return Ok(Done::KeptBoth { item }),
                // Taken since it was looked up.
                Err(CreateError::NameTaken { .. }) => {}
                Err(other) => return Err(other.into()),
            }
        }
        let name = item.name.clone();
        Err(ApplyError::NoNameLeft { name })
    }

    /// The unremoved item of this name.
    async fn holder(
        &self,
        kind: ItemKind,
        name: &ItemName,
    ) -> Result<Option<ItemSummary>, StoreError> {
        let filter = ItemFilter {
            kind: Some(kind),
            name: Some(name.to_string()),
            states: vec![ItemState::Active, ItemState::Disabled],
        };
        let store = self.registry.store();
        let mut items = store.items(self.registry.owner(), &filter).await?;
        Ok(items.pop())
    }
}

/// The edit that turns one item's files into another's. Files go first, so that none that stays
/// under a differently spelled name is in the way, and none keeps an executable bit.
pub(crate) fn replacing(stored: &Bundle, new: &Bundle) -> Vec<FileEdit> {
    let entry = ItemPath::entry_of(stored.kind());
    let removed = stored
        .files()
        .map(|(path, _)| path)
        .filter(|path| **path != entry && stored.get(path) != new.get(path));
    let put = new
        .files()
        .filter(|(path, file)| stored.get(path) != Some(*file));
    let removed = removed.map(|path| FileEdit::Remove(path.clone()));
    let put = put.map(|(path, file)| FileEdit::Put(path.clone(), file.clone()));
    removed.chain(put).collect()
}

/// The name with a number behind it, its end cut off where it would be too long.
pub(crate) fn with_suffix(name: &ItemName, suffix: usize) -> Option<ItemName> {
    let suffix = format!("-{suffix}");
    let room = NAME_CHARS - suffix.len();
    let base = &name.as_str()[..name.as_str().len().min(room)];
    format!("{}{suffix}", base.trim_end_matches('-'))
        .parse()
        .ok()
}

fn as_text<S: Serializer>(error: &ApplyError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_fits_into_the_name() {
        let name = |text: &str| text.parse::<ItemName>().unwrap();
        let tea = with_suffix(&name("tea"), 2);
        assert_eq!(tea, Some(name("tea-2")));
        let long = name(&format!("{}-b", "a".repeat(61)));
        let expected = format!("{}-99", "a".repeat(61));
        assert_eq!(with_suffix(&long, 99), Some(name(&expected)));
    }
}
