//! `skill`: one skill folder, as other tools keep them.

use std::path::Path;

use imprint_core::registry::NewItem;
use imprint_core::{Author, OwnerId, Registry};
use imprint_format::{
    Bundle, BundleFile, Diagnostic, Document, Header, ItemKind,
    limits::{ITEM_BYTES, TEXT_FILE_BYTES},
    read_header, validate_bundle,
};
use imprint_host::{Discovery, ItemFolder, Limits, Root, discover};
use imprint_store::InMemoryStore;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;

use super::{
    Run, diagnostics,
    item::{ItemFacts, ItemReading},
    schema::Case,
    setup::below,
    verdict::{CaseError, Verdict},
};
use crate::clock::FixedClock;

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(super) struct SkillSpec {
    folder: String,
    facts: ItemFacts,
}

impl TryFrom<Map<String, Value>> for SkillSpec {
    type Error = serde_json::Error;

    fn try_from(mut keys: Map<String, Value>) -> Result<Self, Self::Error> {
        let folder = keys.remove("folder").unwrap_or_default();
        Ok(Self {
            folder: serde_json::from_value(folder)?,
            facts: serde_json::from_value(Value::Object(keys))?,
        })
    }
}

pub(super) fn run(case: &Case, spec: &SkillSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let folder = below(&run.sandbox.work(), &spec.folder)?;
    let reading = read(&folder, run)?;
    diagnostics::compare(&mut verdict, &case.diagnostics, &reading.diagnostics);
    spec.facts.compare(&mut verdict, &reading)?;
    if spec.facts.output_is_valid_utf8 {
        check_output(&mut verdict, &folder, run)?;
    }
    Ok(verdict)
}

/// Reads the folder as one that stands among the user's skills.
fn read(folder: &Path, run: &Run<'_>) -> Result<ItemReading, CaseError> {
    let discovery = discover(&[Root::user(folder)], &Limits::default());
    let diagnostics: Vec<Diagnostic> = discovery.all_diagnostics().cloned().collect();
    Ok(ItemReading {
        kind: ItemKind::Skill,
        value: value_of(&discovery, folder)?,
        diagnostics,
        accepted: is_accepted(folder, run)?,
    })
}

/// The item that was found, with its document.
fn value_of(discovery: &Discovery, folder: &Path) -> Result<Option<(Header, Document)>, CaseError> {
    let Some(found) = discovery.found.first() else {
        return Ok(None);
    };
    let bytes = std::fs::read(&found.path).map_err(CaseError::at(&found.path))?;
    let name = folder.file_name().and_then(|name| name.to_str());
    let value = read_header(ItemKind::Skill, name, &bytes).value;
    Ok(value.map(|(_, document)| (found.header.clone(), document)))
}

/// Whether the product would keep the folder as it stands: its files make an item, that follows
/// the strict rules, and the registry takes it.
fn is_accepted(folder: &Path, run: &Run<'_>) -> Result<bool, CaseError> {
    let opened = ItemFolder::open(folder).map_err(CaseError::at(folder))?;
    let mut files = Vec::new();
    for path in opened.list().files {
        let is_entry = path == ItemKind::Skill.entry_file();
        let limit = if is_entry {
            TEXT_FILE_BYTES
        } else {
            ITEM_BYTES
        };
        let Ok(content) = opened.read(&path, limit) else {
            return Ok(false);
        };
        let Ok(path) = path.parse() else {
            return Ok(false);
        };
        files.push((
            path,
            BundleFile {
                bytes: content.bytes.into(),
                executable: content.executable,
            },
        ));
    }
    let Ok(bundle) = Bundle::new(ItemKind::Skill, files) else {
        return Ok(false);
    };
    let name = folder.file_name().and_then(|name| name.to_str());
    if validate_bundle(name, &bundle).is_err() {
        return Ok(false);
    }
    let store = Arc::new(InMemoryStore::default());
    let registry = Registry::new(store, Arc::new(FixedClock::default()), OwnerId::LOCAL);
    let new = NewItem::Files { bundle, name: None };
    Ok(run.block_on(registry.create(&Author::Import, new)).is_ok())
}

/// What the command line says about the folder is UTF-8, whatever the file holds.
fn check_output(verdict: &mut Verdict, folder: &Path, run: &Run<'_>) -> Result<(), CaseError> {
    for arguments in [&["skills", "validate"][..], &["import", "--dry-run"]] {
        for json in [false, true] {
            let mut command = run.command();
            command.args(arguments).arg(folder);
            if json {
                command.arg("--json");
            }
            let output = command
                .output()
                .map_err(CaseError::at(run.product.binary()))?;
            let all = [output.stdout, output.stderr].concat();
            verdict.holds(std::str::from_utf8(&all).is_ok(), || {
                format!("what `{}` says is not UTF-8", arguments.join(" "))
            });
            verdict.holds(!all.is_empty(), || {
                format!("`{}` says nothing", arguments.join(" "))
            });
        }
    }
    Ok(())
}
