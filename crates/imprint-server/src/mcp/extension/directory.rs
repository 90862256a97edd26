//! The folders of what is served, one level at a time.

use std::collections::BTreeMap;

use imprint_format::{ItemKind, ItemPath};
use rmcp::model::{DIRECTORY_MIME_TYPE, Resource};

use super::{
    Extension, KINDS, Trouble,
    cursor::{Page, page_of},
    entry::{Entry, ServedFile, is_skill_file},
    listed_items, media,
    uri::Place,
};
use crate::caller::Caller;

/// The most children of one page.
const PAGE_CHILDREN: usize = 200;

impl Extension {
    /// A page of a folder's direct children, in the order of their names.
    pub(crate) async fn children(
        &self,
        caller: &Caller,
        uri: &str,
        cursor: Option<&str>,
    ) -> Result<Page<Resource>, Trouble> {
        let children = match Place::parse(uri).ok_or(Trouble::Unknown)? {
            Place::Kind(kind) => self.items_of(caller, kind).await?,
            Place::Item(kind, name) => {
                let entry = self.find(caller, kind, &name).await?;
                inside(&entry, None)?
            }
            Place::Inside(kind, name, folder) => {
                let entry = self.find(caller, kind, &name).await?;
                inside(&entry, Some(&folder))?
            }
        };
        // By address, since a file's name may be another than its resource's.
        let page = page_of(children, cursor, PAGE_CHILDREN, |child| child.uri.clone())?;
        Ok(page)
    }

    async fn items_of(&self, caller: &Caller, kind: ItemKind) -> Result<Vec<Resource>, Trouble> {
        if !KINDS.contains(&kind) || !caller.access.may_read(kind) {
            return Err(Trouble::Unknown);
        }
        let mut folders = Vec::new();
        for item in listed_items(caller).await? {
            if item.kind == kind
                && let Some(entry) = self.entries.of(&caller.registry, &item).await?
            {
                let uri = Place::Item(kind, item.name.clone()).to_string();
                let folder = folder(uri, item.name.as_str());
                folders.push(folder.with_description(entry.description()));
            }
        }
        folders.sort_by(|a, b| a.uri.cmp(&b.uri));
        Ok(folders)
    }
}

/// What stands in a folder of an item, itself (`None`) or one inside.
fn inside(entry: &Entry, parent: Option<&ItemPath>) -> Result<Vec<Resource>, Trouble> {
    let mut children = BTreeMap::new();
    let prefix = parent.map_or_else(String::new, |parent| format!("{parent}/"));
    for file in &entry.files {
        if parent == Some(&file.path) {
            return Err(Trouble::NoDirectory);
        }
        let Some(rest) = file.path.as_str().strip_prefix(&prefix) else {
            continue;
        };
        let child = match rest.split_once('/') {
            None => file_resource(entry, file),
            Some((name, _)) => subfolder(entry, &format!("{prefix}{name}"), name),
        };
        children.extend(child.map(|child| (child.uri.clone(), child)));
    }
    if children.is_empty() {
        return Err(Trouble::Unknown);
    }
    Ok(children.into_values().collect())
}

fn subfolder(entry: &Entry, path: &str, name: &str) -> Option<Resource> {
    let uri = entry.address(&path.parse().ok()?)?;
    Some(folder(uri, name))
}

fn folder(uri: String, name: &str) -> Resource {
    Resource::new(uri, name).with_mime_type(DIRECTORY_MIME_TYPE)
}

/// A file as a resource. `SKILL.md` has the skill's own name and description.
pub(super) fn file_resource(entry: &Entry, file: &ServedFile) -> Option<Resource> {
    let uri = entry.address(&file.path)?;
    let name = file.path.components().last().unwrap_or_default();
    let resource = if is_skill_file(&file.path) {
        Resource::new(uri, entry.skill.name()).with_description(entry.description())
    } else {
        Resource::new(uri, name)
    };
    let resource = resource.with_size(file.size);
    Some(match media::by_name(name) {
        Some(media_type) => resource.with_mime_type(media_type),
        None => resource,
    })
}
