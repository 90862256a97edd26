//! `path`: files that are added to a skill one after the other; refused ones leave no trace.

use imprint_core::registry::{EditError, FileEdit, ItemEdit, NewItem, RevisionRef};
use imprint_core::{Author, ItemRef, Registry};
use imprint_format::{Bundle, BundleError, BundleFile, ItemKind, ItemPath, is_archive_junk};
use serde::Deserialize;

use super::{
    Run,
    schema::ExpectedAbout,
    verdict::{CaseError, Verdict},
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathSpec {
    base_files: Vec<String>,
    add: Vec<Addition>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Addition {
    path: String,
    accepted: Option<bool>,
    about: Option<ExpectedAbout>,
    /// Whether an accepted file is kept; junk that systems leave in archives is dropped.
    stored: Option<bool>,
}

const NAME: &str = "case-skill";

/// What became of an addition.
enum Outcome {
    Kept,
    Dropped,
    Refused(ExpectedAbout, String),
}

pub(super) fn run(spec: &PathSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    run.block_on(add_all(spec, &run.sandbox.registry()))
}

async fn add_all(spec: &PathSpec, registry: &Registry) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let item = create(spec, registry).await?;
    for addition in &spec.add {
        let before = state(registry, &item).await?;
        let outcome = add(registry, &item, &addition.path).await?;
        let after = state(registry, &item).await?;
        let path = &addition.path;
        match outcome {
            Outcome::Kept | Outcome::Dropped => {
                let refused = addition.accepted == Some(false);
                verdict.holds(!refused, || format!("`{path}` was accepted"));
                let stored = after.0.contains_key(&as_stored(path));
                if let Some(expected) = addition.stored.or(addition.accepted) {
                    verdict.equal(&format!("`{path}` stored"), &expected, &stored);
                }
            }
            Outcome::Refused(about, message) => {
                verdict.holds(addition.accepted != Some(true), || {
                    format!("`{path}` was refused: {message}")
                });
                if let Some(expected) = addition.about {
                    verdict.equal(&format!("about of `{path}`"), &expected, &about);
                }
                verdict.holds(before == after, || {
                    format!("the refused `{path}` left a trace")
                });
            }
        }
    }
    Ok(verdict)
}

async fn create(spec: &PathSpec, registry: &Registry) -> Result<ItemRef, CaseError> {
    let files: Result<Vec<_>, CaseError> = spec
        .base_files
        .iter()
        .map(|path| {
            let text = if path == ItemKind::Skill.entry_file() {
                format!("---\nname: {NAME}\ndescription: Does one thing.\n---\nText.\n")
            } else {
                format!("The file {path}.\n")
            };
            let path: ItemPath = path.parse().map_err(CaseError::product)?;
            Ok((path, BundleFile::plain(text.into_bytes())))
        })
        .collect();
    let bundle = Bundle::new(ItemKind::Skill, files?).map_err(CaseError::product)?;
    let new = NewItem::Files { bundle, name: None };
    let item = registry
        .create(&Author::User, new)
        .await
        .map_err(CaseError::product)?;
    Ok(ItemRef {
        kind: Some(item.kind),
        name: item.name.to_string(),
    })
}

/// Adds a file as an import does: junk is dropped, a path that the item has already is refused,
/// everything else goes through the registry.
async fn add(registry: &Registry, item: &ItemRef, path: &str) -> Result<Outcome, CaseError> {
    if is_archive_junk(path) {
        return Ok(Outcome::Dropped);
    }
    let path: ItemPath = match path.parse() {
        Ok(path) => path,
        Err(fault) => return Ok(Outcome::Refused(ExpectedAbout::Path, fault.to_string())),
    };
    let file = BundleFile::plain(*b"An added file.\n");
    let held = registry.snapshot(item, &RevisionRef::Head).await;
    let held = held.map_err(CaseError::product)?.bundle;
    let both = held
        .files()
        .map(|(path, file)| (path.clone(), file.clone()));
    let both = both.chain([(path.clone(), file.clone())]);
    if let Err(error) = Bundle::new(ItemKind::Skill, both) {
        return Ok(Outcome::Refused(about(&error), error.to_string()));
    }
    let edit = ItemEdit {
        files: vec![FileEdit::Put(path, file)],
        ..ItemEdit::default()
    };
    match registry.edit(&Author::Import, item, edit).await {
        Ok(_) => Ok(Outcome::Kept),
        Err(EditError::Bundle(error)) => Ok(Outcome::Refused(about(&error), error.to_string())),
        Err(other) => Err(CaseError::product(other)),
    }
}

fn about(error: &BundleError) -> ExpectedAbout {
    match error {
        BundleError::Path { .. }
        | BundleError::Collision { .. }
        | BundleError::FileIsFolder { .. } => ExpectedAbout::Path,
        _ => ExpectedAbout::File,
    }
}

/// The files and the number of versions.
async fn state(registry: &Registry, item: &ItemRef) -> Result<(FilesByPath, usize), CaseError> {
    let snapshot = registry
        .snapshot(item, &RevisionRef::Head)
        .await
        .map_err(CaseError::product)?;
    let history = registry
        .history(item, 0, 1_000)
        .await
        .map_err(CaseError::product)?;
    let files = snapshot
        .bundle
        .files()
        .map(|(path, file)| (path.to_string(), file.bytes.to_vec()))
        .collect();
    Ok((files, history.len()))
}

type FilesByPath = std::collections::BTreeMap<String, Vec<u8>>;

/// The path as it is kept: in the composed form of Unicode.
fn as_stored(path: &str) -> String {
    path.parse::<ItemPath>()
        .map_or_else(|_| path.to_owned(), String::from)
}
