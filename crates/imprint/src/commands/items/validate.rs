//! `validate`: the rules for what we keep, on items, files and folders.

use std::path::Path;

use imprint_clients::import::{ImportLimits, Stored, plan_import, read_source};
use imprint_core::{ItemFilter, ItemState, registry::RevisionRef};
use imprint_format::{Bundle, Diagnostic, ItemKind, validate_bundle};
use serde::Serialize;

use super::item_ref;
use crate::{
    cli::ValidateArgs,
    failure::{Failure, FailureKind},
    output::{Output, count},
    wiring::App,
};

#[derive(Serialize)]
struct Checked {
    name: String,
    ok: bool,
    /// Whether `imprint import` would mend it.
    mendable: bool,
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
            let item = item_ref(kind, name);
            let snapshot = app.registry.snapshot(&item, &RevisionRef::Head).await?;
            vec![check(snapshot.item.name.as_str(), &snapshot.bundle)]
        }
        None => check_all(app, kind).await?,
    };
    out.data(&checked, |out| print(out, kind, &checked));
    let bad = checked.iter().filter(|checked| !checked.ok).count();
    if bad == 0 {
        return Ok(());
    }
    let all = count(checked.len(), kind.as_str());
    let failure = Failure::failed(format!(
        "{bad} of {all} {} the rules",
        if bad == 1 { "breaks" } else { "break" }
    ));
    if checked.iter().any(|checked| checked.mendable) {
        let hint = "`imprint import` mends headers when it takes them in";
        return Err(failure.hint(hint));
    }
    Err(failure)
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
        mendable: false,
        remarks: faults.iter().flat_map(|fault| lines(fault, name)).collect(),
    }
}

/// Everything below a path: what could be kept, with what would be changed to do so, and what
/// could not.
fn check_path(kind: ItemKind, path: &Path) -> Result<Vec<Checked>, Failure> {
    let source = read_source(path, &ImportLimits::default())?;
    let plan = plan_import(&[source], &Stored::default());
    let collisions = plan.collisions.into_iter().map(|collision| collision.item);
    let planned = plan.new.into_iter().chain(collisions);
    let mut checked: Vec<_> = planned
        .filter(|item| item.kind == kind)
        .map(|item| Checked {
            name: item.places.join(", "),
            ok: item.notes.is_empty(),
            mendable: !item.notes.is_empty(),
            remarks: item.notes,
        })
        .collect();
    let skipped = plan
        .skipped
        .into_iter()
        .filter(|skipped| skipped.kind == kind);
    checked.extend(skipped.map(|skipped| {
        Checked {
            ok: false,
            mendable: false,
            remarks: skipped
                .reasons
                .iter()
                .flat_map(|reason| lines(reason, &skipped.place))
                .collect(),
            name: skipped.place,
        }
    }));
    if checked.is_empty() {
        let message = format!("there is no {kind} in `{}`", path.display());
        return Err(Failure::new(FailureKind::NotFound, message));
    }
    Ok(checked)
}

/// A fault and its hint; the place that stands above it is not repeated.
fn lines(fault: &Diagnostic, place: &str) -> Vec<String> {
    let path = fault.path.as_deref().unwrap_or_default();
    let file = path
        .strip_prefix(place)
        .unwrap_or(path)
        .trim_start_matches('/');
    let fault = Diagnostic {
        path: (!file.is_empty()).then(|| file.to_owned()),
        ..fault.clone()
    };
    let hint = fault.hint.as_ref().map(|hint| format!("  {hint}"));
    std::iter::once(fault.to_string()).chain(hint).collect()
}

async fn check_all(app: &App, kind: ItemKind) -> Result<Vec<Checked>, Failure> {
    let filter = ItemFilter {
        kind: Some(kind),
        states: vec![ItemState::Active, ItemState::Disabled],
        ..ItemFilter::default()
    };
    let (store, owner) = (app.registry.store(), app.registry.owner());
    let mut checked = Vec::new();
    for item in store.items(owner, &filter).await? {
        let bundle = app.registry.files_of(&item).await?;
        checked.push(check(item.name.as_str(), &bundle));
    }
    Ok(checked)
}

/// What breaks the rules by name; what keeps them is counted.
fn print(out: &Output, kind: ItemKind, checked: &[Checked]) {
    for one in checked.iter().filter(|one| !one.ok) {
        out.prose(&one.name);
        for remark in &one.remarks {
            out.prose(&format!("  {remark}"));
        }
    }
    match checked {
        [] => out.message(&format!("There are no {kind}s to check")),
        [one] if one.ok => out.message(&format!("`{}` keeps the rules", one.name)),
        all if all.iter().all(|one| one.ok) => {
            out.message(&format!(
                "All {} keep the rules",
                count(all.len(), kind.as_str())
            ));
        }
        _ => {}
    }
}
