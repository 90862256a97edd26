//! Filling the registry, and the report of the last pass.

use std::collections::BTreeMap;

use imprint_clients::{Machine, clients, known_client};
use imprint_core::{
    Author, Batch, Change, ClientFolders as _, Draft, FolderReport, ItemFilter, ItemId, ItemState,
    ItemSummary, LocalChange, Registry,
};
use imprint_format::{Bundle, ItemKind, ItemName, quote_scalar};
use serde::Deserialize;

use super::{Kept, Session};
use crate::cases::{
    Run,
    setup::{make_folder, write},
    verdict::CaseError,
};

/// Where the product keeps the last pass' report, in its home.
const REPORT_FILE: &str = "folders.json";

/// One item of a case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseItem {
    kind: ItemKind,
    name: ItemName,
    description: String,
    #[serde(default = "active")]
    state: ItemState,
    #[serde(default)]
    pinned: bool,
    /// How often it was loaded.
    #[serde(default)]
    loads: usize,
}

fn active() -> ItemState {
    ItemState::Active
}

/// Many items; `{i:03d}` stands for the count from 0 on in three digits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Generate {
    count: usize,
    name: String,
    description: String,
}

impl Kept {
    /// Puts everything into the registry as it stands, whether or not an agent or user could have
    /// typed it: items also come from other devices and older versions.
    pub(super) async fn seed(&self, registry: &Registry) -> Result<(), CaseError> {
        let mut items = self.items.clone();
        if let Some(generate) = &self.generate {
            items.extend(generate.items()?);
        }
        // The commit rules know no item before it is written, so its state comes in a second batch.
        let (mut first, mut second) = (Batch::default(), Batch::default());
        for item in items {
            let id = ItemId(registry.clock().new_uuid());
            first.changes.push(Change::Revise(item.draft(id)?));
            item.settle(id, &mut second);
        }
        if let Some(chars) = self.guidelines_chars {
            let id = ItemId(registry.clock().new_uuid());
            first.changes.push(Change::Revise(guideline(id, chars)?));
        }
        for mut batch in [first, second] {
            if batch.changes.is_empty() && batch.local.is_empty() {
                continue;
            }
            batch.at = registry.clock().now();
            let committed = registry
                .store()
                .commit(registry.owner(), batch, BTreeMap::new());
            committed.await.map_err(CaseError::product)?;
        }
        Ok(())
    }
}

impl CaseItem {
    fn draft(&self, id: ItemId) -> Result<Draft, CaseError> {
        let text = format!(
            "---\nname: {}\ndescription: {}\n---\n\nInstructions of {}.\n",
            self.name,
            quote_scalar(&self.description),
            self.name
        );
        draft(id, self.kind, self.name.clone(), &self.description, &text)
    }

    /// What happened to the item after it was made.
    fn settle(&self, item: ItemId, batch: &mut Batch) {
        let state = self.state;
        if state != ItemState::Active {
            batch.changes.push(Change::SetState { item, state });
        }
        if self.pinned {
            let pinned = true;
            batch.changes.push(Change::SetPin { item, pinned });
        }
        let loads = std::iter::repeat_with(|| LocalChange::Loaded(item));
        batch.local.extend(loads.take(self.loads));
    }
}

fn draft(
    item: ItemId,
    kind: ItemKind,
    name: ItemName,
    description: &str,
    text: &str,
) -> Result<Draft, CaseError> {
    Ok(Draft {
        item,
        name,
        description: description.to_owned(),
        hidden_from_model: false,
        parents: Vec::new(),
        bundle: Bundle::of_entry(kind, text).map_err(CaseError::product)?,
        author: Author::User,
    })
}

/// One guideline of so many characters.
fn guideline(id: ItemId, chars: usize) -> Result<Draft, CaseError> {
    let sentence = "Answer in short sentences and name the source of each figure. ";
    let text: String = sentence.chars().cycle().take(chars).collect();
    let name = "house-rules".parse().map_err(CaseError::product)?;
    draft(id, ItemKind::Guideline, name, sentence.trim(), &text)
}

impl Generate {
    fn items(&self) -> Result<Vec<CaseItem>, CaseError> {
        (0..self.count)
            .map(|i| {
                Ok(CaseItem {
                    kind: ItemKind::Skill,
                    name: counted(&self.name, i)?
                        .parse()
                        .map_err(CaseError::product)?,
                    description: counted(&self.description, i)?,
                    state: ItemState::Active,
                    pinned: false,
                    loads: 0,
                })
            })
            .collect()
    }
}

/// `{i}` and `{i:03d}` replaced by a number.
fn counted(pattern: &str, i: usize) -> Result<String, CaseError> {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find("{i") {
        text.push_str(&rest[..at]);
        let end = rest[at..].find('}').map(|end| at + end);
        let end = end.ok_or_else(|| CaseError::Schema(format!("`{pattern}` is not closed")))?;
        let width = match rest[at + 2..end].strip_prefix(":0") {
            Some(width) => width.strip_suffix('d').and_then(|width| width.parse().ok()),
            None => rest[at + 2..end].is_empty().then_some(0),
        };
        let width = width
            .ok_or_else(|| CaseError::Schema(format!("`{pattern}` counts in an unknown way")))?;
        let number = i.to_string();
        let zeros = "0".repeat(usize::saturating_sub(width, number.len()));
        text.push_str(&zeros);
        text.push_str(&number);
        rest = &rest[end + 1..];
    }
    text.push_str(rest);
    Ok(text)
}

/// All items of the registry.
pub(super) async fn items(registry: &Registry) -> Result<Vec<ItemSummary>, CaseError> {
    let filter = ItemFilter::default();
    Ok(registry.store().items(registry.owner(), &filter).await?)
}

/// Leaves the report that the last pass is said to have made: a real pass with the client's
/// folder there, of whose report the other kinds are then struck. Without kinds there was none.
pub(super) fn report(session: &Session, run: &Run<'_>) -> Result<(), CaseError> {
    let file = run.sandbox.data().join(REPORT_FILE);
    let kinds = session.reported.as_ref().map(super::Reported::kinds);
    let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) else {
        return match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(CaseError::at(&file)(error))
            }
            _ => Ok(()),
        };
    };
    let machine = run.sandbox.machine();
    let name = session.client.as_ref().map(super::CaseClient::name);
    if let Some(client) = name.and_then(|name| clients().recognise(name)) {
        install(client.id, &machine)?;
    }
    let folders = run.sandbox.folders(machine);
    let mut report: FolderReport = run.block_on(folders.write()).map_err(CaseError::product)?;
    if !file.is_file() {
        return Err(CaseError::Product(format!("no {REPORT_FILE} after a pass")));
    }
    report.readers.retain(|reader| kinds.contains(&reader.kind));
    let text = serde_json::to_vec(&report).map_err(CaseError::product)?;
    write(&file, &text)
}

/// Makes the client's configuration folder, which shows that it is installed.
fn install(client: &str, machine: &Machine) -> Result<(), CaseError> {
    let presence = known_client(client).and_then(|client| client.presence.as_ref());
    let folders = presence.map_or_else(Vec::new, |presence| (presence.config)(machine));
    folders.first().map_or(Ok(()), |folder| make_folder(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_filled_in() {
        assert_eq!(counted("item-{i:03d}-{i}", 7).unwrap(), "item-007-7");
        assert!(counted("{i:x}", 1).is_err() && counted("{i:03d", 1).is_err());
    }

    #[test]
    fn a_guideline_has_its_length() {
        let draft = guideline(ItemId(uuid::Uuid::nil()), 1_900).unwrap();
        assert_eq!(draft.bundle.entry().bytes.len(), 1_900);
    }
}
