//! `imprint import`: taking in what others wrote.

mod screen;

use std::path::PathBuf;

use imprint_clients::{
    Adopted, TakenIn,
    import::{
        ImportLimits, ImportOutcome, ImportPlan, Source, apply_telling, plan_for, read_source,
    },
};
use imprint_core::FolderReport;
use serde::Serialize;

use crate::{
    cli::{CollisionChoice, ImportArgs},
    commands::accept::accept,
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
    /// Copies in clients' folders that are looked after from now on.
    adopted: Vec<Adopted>,
}

pub(super) async fn run(app: &App, out: &Output, args: ImportArgs) -> Result<(), Failure> {
    let mut sources = Vec::new();
    for path in &args.paths {
        sources.push(read_source(path, &ImportLimits::default())?);
    }
    let plan = plan(app, &args, &sources).await?;
    let copies = copies_of_stored(app, &args, &plan).await?;
    if !out.is_json() {
        screen::print_plan(out, &plan, args.on_collision);
    }
    if args.dry_run
        || (plan.is_empty() && copies.is_empty())
        || !agreed(out, &args, &plan, &copies)?
    {
        let imported = Imported {
            plan: &plan,
            outcome: None,
            adopted: Vec::new(),
        };
        out.data(&imported, |out| out.message(not_done(&args, &plan)));
        return Ok(());
    }
    let (outcome, adopted, report) = carry_out(app, out, &args, &plan).await?;
    let complete = outcome.is_complete();
    let imported = Imported {
        plan: &plan,
        outcome: Some(outcome),
        adopted,
    };
    out.data(&imported, |out| {
        if let Some(outcome) = &imported.outcome {
            screen::print_outcome(out, &plan, outcome, &imported.adopted, report.as_ref());
        }
    });
    if complete {
        return Ok(());
    }
    Err(Failure::failed("some items could not be kept"))
}

/// The plan; once more when the user accepts what was found in the files.
async fn plan(app: &App, args: &ImportArgs, sources: &[Source]) -> Result<ImportPlan, Failure> {
    let plan = plan_for(&app.registry, sources).await?;
    let mut accepted = false;
    for skipped in &plan.skipped {
        if !args.dry_run && !skipped.findings.is_empty() {
            accepted |= accept(app, &args.accept, &skipped.findings).await?;
        }
    }
    if accepted {
        return Ok(plan_for(&app.registry, sources).await?);
    }
    Ok(plan)
}

/// Takes everything in, looks after the copies that it came from, and writes the folders.
async fn carry_out(
    app: &App,
    out: &Output,
    args: &ImportArgs,
    plan: &ImportPlan,
) -> Result<(ImportOutcome, Vec<Adopted>, Option<FolderReport>), Failure> {
    let all = plan.new.len() + plan.collisions.len();
    let status = out.status("Taking in …");
    let mut done = 0;
    let choice = args.on_collision.into();
    let outcome = apply_telling(&app.registry, plan, choice, |_| {
        done += 1;
        status.say(&format!("Taking in {done} of {all} …"));
    })
    .await;
    status.say("Writing the folders of your clients …");
    let adopted = if args.leave_originals {
        Vec::new()
    } else {
        app.folders.adopt(outcome.taken_in()).await?
    };
    let report = app.write_folders(out).await;
    Ok((outcome, adopted, report))
}

/// Copies of stored items in clients' folders that are not looked after yet.
async fn copies_of_stored(
    app: &App,
    args: &ImportArgs,
    plan: &ImportPlan,
) -> Result<Vec<Adopted>, Failure> {
    if args.leave_originals {
        return Ok(Vec::new());
    }
    let places = plan.same.iter().flat_map(|same| {
        same.places.iter().map(|place| TakenIn {
            item: same.item.id,
            place: PathBuf::from(place),
        })
    });
    Ok(app.folders.adoptable(places.collect()).await?)
}

fn not_done(args: &ImportArgs, plan: &ImportPlan) -> &'static str {
    if plan.is_empty() {
        "There is nothing new to take in"
    } else if args.dry_run {
        "Nothing was taken in; run it again without `--dry-run` to do it"
    } else {
        "Nothing was taken in"
    }
}

/// Asks once, unless told not to. Without a terminal nothing is taken in unasked.
fn agreed(
    out: &Output,
    args: &ImportArgs,
    plan: &ImportPlan,
    copies: &[Adopted],
) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    out.needs_someone("`--yes` takes them in, `--dry-run` only looks")?;
    let taken = match args.on_collision {
        CollisionChoice::Skip => plan.new.len(),
        CollisionChoice::Replace | CollisionChoice::KeepBoth => {
            plan.new.len() + plan.collisions.len()
        }
    };
    let question = match (taken, copies.len()) {
        (0, 0) => return Ok(false),
        (0, copies) => format!("Keep {} current from now on?", count(copies, "copy")),
        (items, _) if args.leave_originals => format!("Take in {}?", count(items, "item")),
        (items, _) => format!(
            "Take in {}, and keep {} copies in clients' folders current?",
            count(items, "item"),
            if items == 1 { "its" } else { "their" }
        ),
    };
    Ok(out.ask(&question))
}
