//! One item as the extension lists it: front matter, and every file with its digest and size.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use imprint_core::{
    FileRef, ItemSummary, Registry, RevisionId, StoreError,
    served::{SKILL_FILE, ServedSkill, as_skill},
};
use imprint_format::{Digest, ItemKind, ItemPath, yaml::Typed};
use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};

use super::uri::Place;

/// Entries of so many revisions are remembered; then it begins anew.
const MOST_REMEMBERED: usize = 2_000;

/// An item that is served, at one revision.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) kind: ItemKind,
    pub(crate) skill: Skill,
    /// In path order, as they are served.
    pub(crate) files: Vec<ServedFile>,
}

/// A file of an item as it is served.
#[derive(Debug)]
pub(crate) struct ServedFile {
    pub(crate) path: ItemPath,
    pub(crate) size: u64,
    /// The content that is kept. A persona's `SKILL.md` is made of it.
    pub(crate) kept: Digest,
    pub(crate) rendered: bool,
}

impl Entry {
    /// The item's description.
    pub(crate) fn description(&self) -> &str {
        &self.skill.frontmatter.description
    }

    /// The address of something inside the item.
    pub(crate) fn address(&self, path: &ItemPath) -> Option<String> {
        let name = self.skill.name().parse().ok()?;
        Some(Place::Inside(self.kind, name, path.clone()).to_string())
    }
}

/// The entries of revisions, which never change.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// `None`: the revision can't be served.
    known: Mutex<HashMap<RevisionId, Option<Arc<Entry>>>>,
}

impl Entries {
    /// The entry of an item as it stands, or none if the extension's rules don't allow it.
    pub(crate) async fn of(
        &self,
        registry: &Registry,
        item: &ItemSummary,
    ) -> Result<Option<Arc<Entry>>, StoreError> {
        if let Some(known) = self.known().get(&item.head) {
            return Ok(known.clone());
        }
        let (store, owner) = (registry.store(), registry.owner());
        let Some(revision) = store.revision(owner, item.head).await? else {
            return Ok(None);
        };
        let entry_path = item.kind.entry_file();
        let file = revision.files.iter();
        let Some(file) = file.clone().find(|file| file.path.as_str() == entry_path) else {
            return Ok(None);
        };
        let Some(bytes) = store.content(owner, file.digest).await? else {
            return Ok(None);
        };
        let entry = match as_skill(item.kind, &item.name, &revision.files, &bytes) {
            Ok(served) => entry(item, &revision.files, served),
            Err(fault) => {
                tracing::debug!(kind = %item.kind, name = %item.name, %fault, "an item is not served");
                None
            }
        };
        let entry = entry.map(Arc::new);
        let mut known = self.known();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(item.head, entry.clone());
        Ok(entry)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<RevisionId, Option<Arc<Entry>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The entry, if the SDK's own rules find nothing: one bad entry would spoil its whole list.
fn entry(item: &ItemSummary, files: &[FileRef], served: ServedSkill) -> Option<Entry> {
    let address =
        |path: &ItemPath| Place::Inside(item.kind, item.name.clone(), path.clone()).to_string();
    let mut resources = Vec::with_capacity(files.len());
    let mut listed = Vec::with_capacity(files.len());
    for file in files {
        let rendered = served.rendered.as_deref().filter(|_| is_entry(item, file));
        let (path, digest, size) = match rendered {
            Some(text) => {
                let path = ItemPath::entry_of(ItemKind::Skill);
                (path, Digest::of(text.as_bytes()), text.len() as u64)
            }
            None => (file.path.clone(), file.digest, file.size),
        };
        resources.push(SkillResource::new(
            address(&path),
            format!("sha256:{digest}"),
            size,
        ));
        listed.push(ServedFile {
            path,
            size,
            kept: file.digest,
            rendered: rendered.is_some(),
        });
    }
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let uri = address(&ItemPath::entry_of(ItemKind::Skill));
    let skill = Skill::new(
        uri,
        front_matter(served.front_matter)?,
        SkillResources::Files(resources),
    );
    match skill.validate() {
        Ok(()) => Some(Entry {
            kind: item.kind,
            skill,
            files: listed,
        }),
        Err(error) => {
            tracing::warn!(kind = %item.kind, name = %item.name, %error, "an item is not served");
            None
        }
    }
}

fn is_entry(item: &ItemSummary, file: &FileRef) -> bool {
    file.path.as_str() == item.kind.entry_file()
}

fn front_matter(fields: Vec<(String, Typed)>) -> Option<SkillFrontmatter> {
    let json = serde_json::to_value(Typed::Map(fields)).ok()?;
    serde_json::from_value(json).ok()
}

/// Whether a served path is the file that makes a folder a skill.
pub(crate) fn is_skill_file(path: &ItemPath) -> bool {
    path.as_str() == SKILL_FILE
}
