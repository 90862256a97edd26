//! `imprint setup --undo`.

use std::path::Path;

use imprint_clients::setup::{UndoPlan, UndoReport};

use serde::Serialize;

use super::plan::few;
use crate::{
    cli::SetupArgs,
    commands::reach::title,
    failure::Failure,
    home::shown,
    output::{Output, count, listed},
    wiring::App,
};

/// What the command prints with `--json`.
#[derive(Serialize)]
struct Undone<'a> {
    plan: &'a UndoPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a UndoReport>,
}

pub(super) async fn run(app: &App, out: &Output, args: &SetupArgs) -> Result<(), Failure> {
    let plan = app.folders.plan_undo().await?;
    if !out.is_json() {
        print_plan(out, &plan);
    }
    if args.dry_run || !agreed(out, args)? {
        let undone = Undone {
            plan: &plan,
            report: None,
        };
        out.data(&undone, |out| out.message("Nothing was changed"));
        return Ok(());
    }
    let report = {
        let _status = out.status("Putting everything back …");
        app.folders.undo_setup().await?
    };
    let undone = Undone {
        plan: &plan,
        report: Some(&report),
    };
    out.data(&undone, |out| print_report(out, &report));
    if report.failures.is_empty() {
        return Ok(());
    }
    Err(
        Failure::failed("some of it could not be put back; the rest was")
            .hint("mend what is named above, then run `imprint setup --undo` again"),
    )
}

fn print_plan(out: &Output, plan: &UndoPlan) {
    if !plan.disconnect.is_empty() {
        let titles: Vec<_> = plan.disconnect.iter().map(|id| title(id)).collect();
        out.prose(&format!(
            "The entries in the files of {} are taken out",
            listed(&titles)
        ));
    }
    if !plan.move_back.is_empty() {
        let names: Vec<_> = plan
            .move_back
            .iter()
            .map(|path| shown(Path::new(path)))
            .collect();
        let number = count(names.len(), "thing");
        out.prose(&format!("{number} move back: {}", few(out, &names)));
    }
    if plan.release > 0 {
        let number = count(plan.release, "copy");
        out.prose(&format!(
            "{number} are as they were, and no more kept current"
        ));
    }
    if plan.remove > 0 {
        let number = count(plan.remove, "item");
        out.prose(&format!(
            "{number} that setup took in are removed from Imprint; `restore` brings them back"
        ));
    }
    if plan.restore > 0 {
        let number = count(plan.restore, "item");
        out.prose(&format!("{number} get the revision back that they had"));
    }
}

fn agreed(out: &Output, args: &SetupArgs) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    out.needs_someone("`--yes` does it, `--dry-run` only looks")?;
    Ok(out.ask("Put everything back as it was before the setup?"))
}

fn print_report(out: &Output, report: &UndoReport) {
    for kept in &report.kept {
        let original = match &kept.original {
            Some(original) => format!("; the original is {}", shown(Path::new(original))),
            None => String::new(),
        };
        out.warning(&format!("{}: {}{original}", kept.what, kept.why));
    }
    for failure in &report.failures {
        out.warning(&format!("{}: {}", failure.what, failure.why));
    }
    let what = if report.kept.is_empty() && report.failures.is_empty() {
        "Everything is as it was before the setup"
    } else {
        "The rest is as it was before the setup"
    };
    out.message(&format!(
        "{what}: {} moved back, {} taken out, {} removed",
        count(report.moved_back.len(), "thing"),
        count(report.disconnected.len(), "entry"),
        count(report.removed, "item"),
    ));
}
