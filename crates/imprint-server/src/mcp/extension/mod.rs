//! The skills extension `io.modelcontextprotocol/skills` (SEP-2640): active skills and personas as
//! skills with manifests, and their files as resources.

mod cursor;
mod directory;
mod entry;
mod media;
mod reading;
mod uri;

use std::{fmt::Write as _, sync::Arc};

use imprint_core::{ItemFilter, ItemState, ItemSummary, StoreError};
use imprint_format::{Digest, ItemKind, ItemName};
use rmcp::{ErrorData, model::Resource};

use self::{
    cursor::{NotACursor, Page, behind, key_of},
    entry::{Entries, Entry},
    uri::Place,
};
use crate::caller::Caller;

/// The most entries of one page.
const PAGE_ENTRIES: usize = 50;
/// A page ends behind the entry with which it names this many files: a manifest's line has some
/// 170 characters.
const PAGE_FILES: usize = 1_000;
/// The kinds that are served, in the order in which they are listed.
const KINDS: [ItemKind; 2] = [ItemKind::Skill, ItemKind::Persona];

/// Serves items as skills. Holds nothing but what revisions, which never change, look like.
#[derive(Debug, Default)]
pub(crate) struct Extension {
    entries: Entries,
}

/// Why a request of the extension can't be answered.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Nothing that the asker may see has this address.
    Unknown,
    /// The address is a file's.
    NoDirectory,
    Cursor,
    Store(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<NotACursor> for Trouble {
    fn from(_: NotACursor) -> Self {
        Self::Cursor
    }
}

impl From<Trouble> for ErrorData {
    fn from(trouble: Trouble) -> Self {
        let message = match trouble {
            Trouble::Unknown => "nothing has this `uri`; `skills/list` gives what there is",
            Trouble::NoDirectory => "this `uri` is a file's, not a directory's",
            Trouble::Cursor => "`cursor` is none of ours; start again without one",
            Trouble::Store(error) => {
                tracing::warn!(%error, "the registry can't be read");
                return Self::internal_error(error.to_string(), None);
            }
        };
        Self::invalid_params(message, None)
    }
}

impl Extension {
    /// A page of the list, skills before personas, each in the order of names.
    pub(crate) async fn list(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page<Arc<Entry>>, Trouble> {
        let after = key_of(cursor)?;
        let mut items = listed_items(caller).await?;
        if let Some(after) = after {
            items.retain(|item| sort_key(item) > after);
        }
        let mut items = items.into_iter().peekable();
        let mut page = Page {
            entries: Vec::new(),
            next: None,
        };
        let mut files = 0;
        while let Some(item) = items.next() {
            if let Some(entry) = self.entries.of(&caller.registry, &item).await? {
                files += entry.files.len();
                page.entries.push(entry);
            }
            let full = page.entries.len() >= PAGE_ENTRIES || files >= PAGE_FILES;
            if full && items.peek().is_some() {
                page.next = Some(behind(&sort_key(&item)));
                break;
            }
        }
        Ok(page)
    }

    /// The entry of an item whose `SKILL.md` has exactly this address, listed or not.
    pub(crate) async fn entry(&self, caller: &Caller, uri: &str) -> Result<Arc<Entry>, Trouble> {
        let Some(Place::Inside(kind, name, path)) = Place::parse(uri) else {
            return Err(Trouble::Unknown);
        };
        if !entry::is_skill_file(&path) {
            return Err(Trouble::Unknown);
        }
        let entry = self.find(caller, kind, &name).await?;
        // Another spelling is another address for those who compare texts, as the SDK does.
        if entry.skill.uri != uri {
            return Err(Trouble::Unknown);
        }
        Ok(entry)
    }

    /// What stands in the list of resources for the items of a page.
    pub(crate) async fn resources(
        &self,
        caller: &Caller,
        cursor: Option<&str>,
    ) -> Result<Page<Resource>, Trouble> {
        let page = self.list(caller, cursor).await?;
        let resources = page.entries.iter().filter_map(|entry| {
            let files = entry.files.iter();
            let file = files.clone().find(|file| entry::is_skill_file(&file.path));
            file.and_then(|file| directory::file_resource(entry, file))
        });
        Ok(Page {
            entries: resources.collect(),
            next: page.next,
        })
    }

    /// A digest of what the asker's lists hold: it differs when one of them does.
    pub(crate) async fn digest(&self, caller: &Caller) -> Result<Digest, StoreError> {
        let mut listed = String::new();
        for item in listed_items(caller).await? {
            let _ = writeln!(listed, "{}\n{}", sort_key(&item), item.head);
        }
        Ok(Digest::of(listed.as_bytes()))
    }

    async fn find(
        &self,
        caller: &Caller,
        kind: ItemKind,
        name: &ItemName,
    ) -> Result<Arc<Entry>, Trouble> {
        let filter = ItemFilter {
            kind: Some(kind),
            name: Some(name.as_str().to_owned()),
            states: vec![ItemState::Active],
        };
        let found = active(caller, &filter).await?;
        let item = found.first().ok_or(Trouble::Unknown)?;
        let entry = self.entries.of(&caller.registry, item).await?;
        entry.ok_or(Trouble::Unknown)
    }
}

/// The items that the lists name: those that are hidden from models are only served by name.
async fn listed_items(caller: &Caller) -> Result<Vec<ItemSummary>, StoreError> {
    let filter = ItemFilter {
        states: vec![ItemState::Active],
        ..ItemFilter::default()
    };
    let mut items = active(caller, &filter).await?;
    items.retain(|item| !item.hidden_from_model);
    items.sort_by_cached_key(sort_key);
    Ok(items)
}

async fn active(caller: &Caller, filter: &ItemFilter) -> Result<Vec<ItemSummary>, StoreError> {
    let registry = &caller.registry;
    let mut items = registry.store().items(registry.owner(), filter).await?;
    items.retain(|item| KINDS.contains(&item.kind) && caller.access.may_read(item.kind));
    Ok(items)
}

/// What lists are sorted by, and what cursors hold.
fn sort_key(item: &ItemSummary) -> String {
    let kind = KINDS.iter().position(|kind| *kind == item.kind);
    format!("{}/{}", kind.unwrap_or(KINDS.len()), item.name)
}
