//! `validate`: the rules for what we keep, on items, files and folders.

use std::path::Path;

use imprint_clients::import::{ImportLimits, Stored, plan_import, read_source};
use imprint_core::ItemFilter;
use imprint_format::{Bundle, Diagnostic, ItemKind, validate_bundle};
use serde::Serialize;

use super::item_ref;
use crate::{
    cli::ValidateArgs,
    failure::Failure,
    output::{Output, count},
    wiring::App,
};

#[derive(Serialize)]
struct Checked {
    name: String,
    ok: bool,
    remarks: Vec<String>,
}

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: ValidateArgs,
) -> Result<(), Failure> {
    let checked = match &args.what {
        Some(what) if looks_like_path(what) => check_path(kind, Path::new(what))?,
        Some(name) => {
            let snapshot = app
                .registry
                .snapshot(
                    &item_ref(kind, name),
                    &imprint_core::registry::RevisionRef::Head,
                )
                .await?;
            vec![check(snapshot.item.name.as_str(), &snapshot.bundle)]
        }
        None => check_all(app, kind).await?,
    };
    print(out, &checked);
    match checked.iter().filter(|checked| !checked.ok).count() {
        0 => Ok(()),
        bad => Err(Failure::failed(format!(
            "{} of {} can't be kept as written",
            bad,
            count(checked.len(), kind.as_str())
        ))),
    }
}

/// A name has neither a separator nor a dot.
fn looks_like_path(what: &str) -> bool {
    what.contains(['/', '\\', '.'])
}

fn check(name: &str, bundle: &Bundle) -> Checked {
    let faults = validate_bundle(Some(name), bundle)
        .err()
        .unwrap_or_default();
    Checked {
        name: name.to_owned(),
        ok: faults.is_empty(),
        remarks: faults.iter().flat_map(lines).collect(),
    }
}

/// Everything below a path: what could be kept, with what would be changed to do so, and what
/// could not.
fn check_path(kind: ItemKind, path: &Path) -> Result<Vec<Checked>, Failure> {
    let source = read_source(path, &ImportLimits::default())?;
    let plan = plan_import(&[source], &Stored::default());
    let planned = plan
        .new
        .into_iter()
        .chain(plan.collisions.into_iter().map(|c| c.item));
    let mut checked: Vec<_> = planned
        .filter(|item| item.kind == kind)
        .map(|item| Checked {
            name: item.places.join(", "),
            ok: item.notes.is_empty(),
            remarks: item.notes,
        })
        .collect();
    let skipped = plan
        .skipped
        .into_iter()
        .filter(|skipped| skipped.kind == kind);
    checked.extend(skipped.map(|skipped| Checked {
        name: skipped.place,
        ok: false,
        remarks: skipped.reasons.iter().flat_map(lines).collect(),
    }));
    Ok(checked)
}

fn lines(diagnostic: &Diagnostic) -> Vec<String> {
    let hint = diagnostic.hint.as_ref().map(|hint| format!("  {hint}"));
    std::iter::once(diagnostic.to_string())
        .chain(hint)
        .collect()
}

async fn check_all(app: &App, kind: ItemKind) -> Result<Vec<Checked>, Failure> {
    let filter = ItemFilter {
        kind: Some(kind),
        ..ItemFilter::default()
    };
    let mut checked = Vec::new();
    for item in app
        .registry
        .store()
        .items(app.registry.owner(), &filter)
        .await?
    {
        let bundle = app.registry.files_of(&item).await?;
        checked.push(check(item.name.as_str(), &bundle));
    }
    Ok(checked)
}

fn print(out: &Output, checked: &[Checked]) {
    out.data(&checked, |out| {
        for one in checked {
            out.line(&format!(
                "{}: {}",
                one.name,
                if one.ok {
                    "fine"
                } else {
                    "not as it should be"
                }
            ));
            for remark in &one.remarks {
                out.line(&format!("  {remark}"));
            }
        }
    });
}
