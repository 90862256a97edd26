//! `edit`: one value or the body changes, every other byte stays.

use std::{collections::BTreeMap, fs, sync::Arc};

use imprint_core::registry::{EditError, ItemEdit, NewItem, RevisionRef};
use imprint_core::{Author, ItemRef, OwnerId, Registry};
use imprint_format::{Bundle, Document, EditFieldError, ItemKind};
use imprint_store::InMemoryStore;
use serde::Deserialize;

use super::{
    Run, diagnostics,
    schema::Case,
    verdict::{CaseError, Verdict},
};
use crate::clock::FixedClock;

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditSpec {
    edit: Change,
    result: EditResult,
    /// Whether there is a new entry in the history; follows from the result when not said.
    new_version: Option<bool>,
}

/// What changes; both at once are one edit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// Fields with their new values.
    #[serde(default)]
    set: BTreeMap<String, String>,
    set_body: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EditResult {
    Written,
    Unchanged,
    Refused,
}

pub(super) fn run(case: &Case, spec: &EditSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let file = run.sandbox.work().join("SKILL.md");
    let before = fs::read(&file).map_err(CaseError::at(&file))?;
    let expected = expected_bytes(case, &before)?;
    let is_kept = run.block_on(edit_item(&mut verdict, case, spec, &before, &expected))?;
    // The strict rules refuse values that a document would hold: there the registry's word is the
    // product's.
    if !(is_kept && spec.result == EditResult::Refused) {
        edit_document(&mut verdict, case, spec, &before, &expected);
    }
    Ok(verdict)
}

/// `expected/SKILL.md`, else nothing changes.
fn expected_bytes(case: &Case, before: &[u8]) -> Result<Vec<u8>, CaseError> {
    let file = case.folder.join("expected/SKILL.md");
    if !file.is_file() {
        return Ok(before.to_vec());
    }
    fs::read(&file).map_err(CaseError::at(&file))
}

/// The edit of a file, whether or not its header follows the strict rules.
fn edit_document(
    verdict: &mut Verdict,
    case: &Case,
    spec: &EditSpec,
    before: &[u8],
    expected: &[u8],
) {
    let reading = Document::read(before);
    let Some(document) = reading.value else {
        diagnostics::compare(verdict, &case.diagnostics, &reading.diagnostics);
        verdict.equal("result", &spec.result, &EditResult::Refused);
        return;
    };
    match spec.edit.make(document) {
        Ok(edited) => {
            let result = result_of(edited.text().as_bytes() != before);
            verdict.equal("result", &spec.result, &result);
            verdict.same_bytes("the file", expected, edited.text().as_bytes());
            let after = Document::read(edited.text().as_bytes()).diagnostics;
            diagnostics::compare(verdict, &case.diagnostics, &after);
        }
        Err(error) => verdict.holds(spec.result == EditResult::Refused, || {
            format!("the edit was refused: {error}")
        }),
    }
}

/// The same edit through the registry. Tells whether the file may be kept there, and the edit be
/// made there, at all.
async fn edit_item(
    verdict: &mut Verdict,
    case: &Case,
    spec: &EditSpec,
    before: &[u8],
    expected: &[u8],
) -> Result<bool, CaseError> {
    let Some(edit) = spec.edit.of_item() else {
        return Ok(false);
    };
    let store = Arc::new(InMemoryStore::default());
    let registry = Registry::new(store, Arc::new(FixedClock::default()), OwnerId::LOCAL);
    let Ok(text) = std::str::from_utf8(before) else {
        return Ok(false);
    };
    let bundle = Bundle::of_entry(ItemKind::Skill, text).map_err(CaseError::product)?;
    let new = NewItem::Files { bundle, name: None };
    let Ok(item) = registry.create(&Author::User, new).await else {
        return Ok(false);
    };
    let reference = ItemRef {
        kind: Some(ItemKind::Skill),
        name: item.name.to_string(),
    };
    let edited = registry.edit(&Author::User, &reference, edit).await;
    let result = match &edited {
        Ok(edited) => result_of(edited.changed),
        Err(_) => EditResult::Refused,
    };
    verdict.equal("result in the registry", &spec.result, &result);
    if let Err(EditError::Invalid { faults, .. }) = &edited {
        diagnostics::compare(verdict, &case.diagnostics, faults);
    }
    let snapshot = registry
        .snapshot(&reference, &RevisionRef::Head)
        .await
        .map_err(CaseError::product)?;
    // The registry drops a byte order mark; the file that clients get never has one.
    let expected = expected
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(expected);
    let kept = &snapshot.bundle.entry().bytes;
    verdict.same_bytes("the registry's file", expected, kept);
    let history = registry
        .history(&reference, 0, 10)
        .await
        .map_err(CaseError::product)?;
    let new_version = spec
        .new_version
        .unwrap_or(spec.result == EditResult::Written);
    verdict.equal("new version", &new_version, &(history.len() > 1));
    Ok(true)
}

impl Change {
    fn make(&self, document: Document) -> Result<Document, EditFieldError> {
        let edited = self
            .set
            .iter()
            .try_fold(document, |document, (key, value)| {
                document.with_field(key, value)
            })?;
        match &self.set_body {
            Some(body) => edited.with_body(body),
            None => Ok(edited),
        }
    }

    /// The edit as the registry takes it; other fields than the description can only be edited in
    /// the file.
    fn of_item(&self) -> Option<ItemEdit> {
        if self.set.keys().any(|key| key != "description") {
            return None;
        }
        Some(ItemEdit {
            description: self.set.get("description").cloned(),
            instructions: self.set_body.clone(),
            ..ItemEdit::default()
        })
    }
}

fn result_of(changed: bool) -> EditResult {
    if changed {
        EditResult::Written
    } else {
        EditResult::Unchanged
    }
}
