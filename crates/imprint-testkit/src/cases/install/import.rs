//! Taking a folder in, as a user does it at the command line.

use std::path::Path;

use imprint_core::{ItemFilter, Registry};
use imprint_format::{Diagnostic, Severity};
use imprint_host::{Limits, Root, discover};
use serde_json::Value;

use super::Came;
use crate::cases::{Run, verdict::CaseError};

/// Runs `imprint import` on a folder.
pub(super) fn import(folder: &Path, run: &Run<'_>) -> Result<Came, CaseError> {
    let registry = run.sandbox.registry();
    let before = run.block_on(count(&registry))?;
    let output = run
        .command()
        .args(["import", "--yes", "--json"])
        .arg(folder)
        .output()
        .map_err(CaseError::at(run.product.binary()))?;
    let after = run.block_on(count(&registry))?;
    let mut came = Came {
        imported: after > before,
        output_bytes: output.stdout.len() + output.stderr.len(),
        ..Came::default()
    };
    let said: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| CaseError::Product(format!("`import --json` gave no JSON: {error}")))?;
    collect(&said, &mut came.said);
    came.said.extend(left_unsaid(folder, &came.said));
    Ok(came)
}

/// The warnings of the reading that an import tells in other words: as what it changed.
fn left_unsaid(folder: &Path, said: &[Diagnostic]) -> Vec<Diagnostic> {
    let reading = discover(&[Root::user(folder)], &Limits::default());
    let is_said = |warning: &Diagnostic| said.iter().any(|one| one.about == warning.about);
    reading
        .all_diagnostics()
        .filter(|one| one.severity == Severity::Warning && !is_said(one))
        .cloned()
        .collect()
}

async fn count(registry: &Registry) -> Result<usize, CaseError> {
    let all = ItemFilter::default();
    let items = registry.store().items(registry.owner(), &all).await?;
    Ok(items.len())
}

/// All diagnostics, wherever they stand in what was said.
fn collect(value: &Value, diagnostics: &mut Vec<Diagnostic>) {
    if let Ok(diagnostic) = serde_json::from_value::<Diagnostic>(value.clone()) {
        diagnostics.push(diagnostic);
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, diagnostics)),
        Value::Object(keys) => keys.values().for_each(|item| collect(item, diagnostics)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn diagnostics_are_found_at_any_depth() {
        let said = json!({"skipped": [{"why": [
            {"severity": "error", "about": "path", "message": "a link leads out"}
        ]}], "taken": []});
        let mut diagnostics = Vec::new();
        collect(&said, &mut diagnostics);
        assert_eq!(diagnostics.len(), 1);
    }
}
