//! What an import shows: what was found, and what became of it.

use std::path::Path;

use imprint_clients::Adopted;
use imprint_clients::import::{Done, ImportOutcome, ImportPlan, ItemResult};
use imprint_core::FolderReport;
use imprint_format::ItemKind;

use crate::{
    cli::CollisionChoice,
    commands::reach,
    home::shown,
    output::{Output, count, listed},
};

/// The whole plan, with what becomes of names that are taken.
pub(super) fn print_plan(out: &Output, plan: &ImportPlan, on_collision: CollisionChoice) {
    let text = plan.to_string();
    if !text.is_empty() {
        out.prose(text.trim_end());
    }
    if plan.collisions.is_empty() {
        return;
    }
    out.message(match on_collision {
        CollisionChoice::Skip => {
            "What has a name that is taken is left out; `--on-collision replace` or `keep-both` \
             takes it in"
        }
        CollisionChoice::Replace => {
            "What has a name that is taken becomes a new revision of what is kept under it"
        }
        CollisionChoice::KeepBoth => "What has a name that is taken is kept as NAME-2",
    });
}

/// What is not as the plan said, then the sum.
pub(super) fn print_outcome(
    out: &Output,
    plan: &ImportPlan,
    outcome: &ImportOutcome,
    adopted: &[Adopted],
    report: Option<&FolderReport>,
) {
    for result in outcome
        .results
        .iter()
        .filter(|result| is_worth_a_line(result))
    {
        out.prose(&result.to_string());
    }
    out.message(&sum(plan, outcome));
    if !adopted.is_empty() {
        out.message(&format!(
            "Imprint keeps {} in your clients' folders current from now on",
            count(adopted.len(), "copy")
        ));
    }
    for warning in report
        .into_iter()
        .flat_map(|report| seen_twice(outcome, report))
    {
        out.warning(&warning);
    }
    out.message("`imprint write` shows which client reads what from where");
}

fn is_worth_a_line(result: &ItemResult) -> bool {
    match &result.done {
        Done::Failed { .. } | Done::Replaced { .. } | Done::KeptBoth { .. } => true,
        Done::Unchanged { item } => item.name != result.name,
        Done::Created { .. } | Done::Skipped => false,
    }
}

/// `Took in 24 skills and 5 personas, left out 3`.
fn sum(plan: &ImportPlan, outcome: &ImportOutcome) -> String {
    let taken: Vec<_> = ItemKind::ALL
        .iter()
        .map(|kind| {
            (
                kind,
                outcome.changed().filter(|item| item.kind == *kind).count(),
            )
        })
        .filter(|(_, number)| *number > 0)
        .map(|(kind, number)| count(number, kind.as_str()))
        .collect();
    let taken = match taken.as_slice() {
        [] => "nothing new".to_owned(),
        taken => listed(taken),
    };
    let skipped = outcome
        .results
        .iter()
        .filter(|one| matches!(one.done, Done::Skipped));
    match skipped.count() + plan.skipped.len() {
        0 => format!("Took in {taken}"),
        number => format!("Took in {taken}, left out {number}"),
    }
}

/// Originals in folders that clients read, beside which the item now stands under another name.
fn seen_twice(outcome: &ImportOutcome, report: &FolderReport) -> Vec<String> {
    let mut warnings = Vec::new();
    for result in &outcome.results {
        let (Done::Created { item } | Done::KeptBoth { item }) = &result.done else {
            continue;
        };
        for place in result.places.iter().map(Path::new) {
            let folder = place
                .parent()
                .and_then(|folder| std::fs::canonicalize(folder).ok());
            let reader = report.readers.iter().find(|reader| {
                reader.kind == item.kind && std::fs::canonicalize(&reader.folder).ok() == folder
            });
            let other_name = !reach::stands_for(place, item.kind, item.name.as_str());
            if let Some(reader) = reader.filter(|_| folder.is_some() && other_name) {
                warnings.push(format!(
                    "{} reads {} and `{}` beside it; delete the first so that it lists one",
                    reach::title(&reader.client),
                    shown(place),
                    item.name
                ));
            }
        }
    }
    warnings
}
