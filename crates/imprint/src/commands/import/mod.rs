//! `imprint import`: taking in what others wrote.

use imprint_clients::import::{
    ImportLimits, ImportOutcome, ImportPlan, OnCollision, apply, plan_for, read_source,
};
use imprint_core::FolderReport;
use serde::Serialize;

use crate::{
    cli::{CollisionChoice, ImportArgs},
    failure::Failure,
    output::{Output, count},
    wiring::App,
};

/// What the command prints with `--json`.
#[derive(Serialize)]
struct Imported<'a> {
    plan: &'a ImportPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<ImportOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folders: Option<FolderReport>,
}

pub(super) async fn run(app: &App, out: &Output, args: ImportArgs) -> Result<(), Failure> {
    let mut sources = Vec::new();
    for path in &args.paths {
        sources.push(read_source(path, &ImportLimits::default())?);
    }
    let plan = plan_for(&app.registry, &sources).await?;
    if !out.is_json() {
        out.text(&plan.to_string());
    }
    if args.dry_run || plan.is_empty() || !agreed(out, &args, &plan)? {
        let imported = Imported {
            plan: &plan,
            outcome: None,
            folders: None,
        };
        out.data(&imported, |out| out.message(not_done(&args, &plan)));
        return Ok(());
    }
    let outcome = apply(&app.registry, &plan, on_collision(args.on_collision)).await;
    let folders = app.write_folders(out).await;
    let complete = outcome.is_complete();
    let imported = Imported {
        plan: &plan,
        outcome: Some(outcome),
        folders,
    };
    out.data(&imported, |out| tell(out, imported.outcome.as_ref()));
    if complete {
        Ok(())
    } else {
        Err(Failure::failed("some items could not be kept"))
    }
}

fn not_done(args: &ImportArgs, plan: &ImportPlan) -> &'static str {
    if plan.is_empty() {
        "There is nothing new to take in"
    } else if args.dry_run {
        "Nothing was taken in; run it again without `--dry-run`"
    } else {
        "Nothing was taken in"
    }
}

/// Asks once, unless told not to. Without a terminal nothing is taken in unasked.
fn agreed(out: &Output, args: &ImportArgs, plan: &ImportPlan) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    if !out.can_ask() {
        return Err(
            Failure::usage("this needs a yes, and there is nobody to ask")
                .hint("add `--yes` to take them in, or `--dry-run` to look only"),
        );
    }
    let mut question = format!("Take in {}", count(plan.new.len(), "new item"));
    if !plan.collisions.is_empty() {
        let what = match args.on_collision {
            CollisionChoice::Skip => "leave out",
            CollisionChoice::Replace => "replace",
            CollisionChoice::KeepBoth => "keep beside",
        };
        question = format!(
            "{question}, {what} {} of a taken name",
            plan.collisions.len()
        );
    }
    question.push('?');
    Ok(inquire::Confirm::new(&question)
        .with_default(true)
        .prompt()
        .unwrap_or(false))
}

fn on_collision(choice: CollisionChoice) -> OnCollision {
    match choice {
        CollisionChoice::Skip => OnCollision::Skip,
        CollisionChoice::Replace => OnCollision::Replace,
        CollisionChoice::KeepBoth => OnCollision::KeepBoth,
    }
}

fn tell(out: &Output, outcome: Option<&ImportOutcome>) {
    let Some(outcome) = outcome else { return };
    out.text(&outcome.to_string());
    out.message(&format!(
        "Took in {}",
        count(outcome.changed().count(), "item")
    ));
}
