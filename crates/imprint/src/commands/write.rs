//! `imprint write`: the writing pass, and who finds what where afterwards.

use std::path::Path;

use imprint_clients::Planned;
use imprint_core::{ClientFolders, ItemFilter, ItemState, ItemSummary, PassCounts};

use super::reach;
use crate::{
    cli::WriteArgs,
    failure::Failure,
    home::shown,
    output::{Output, count},
    wiring::App,
};

pub(super) async fn run(app: &App, out: &Output, args: WriteArgs) -> Result<(), Failure> {
    if args.dry_run {
        return dry_run(app, out).await;
    }
    let report = {
        let _status = out.status("Writing the folders of your clients …");
        app.folders.write().await?
    };
    let installed = app.folders.installed().await?;
    let items = present(app).await?;
    out.data(&report, |out| {
        if items.is_empty() && report.done == PassCounts::default() {
            out.message(NOTHING_KEPT);
            return;
        }
        reach::print_reach(out, &installed, &report, &items);
        out.line("");
        out.line(&reach::counts(&report));
        reach::print_left_alone(out, &report.unplaced, &report.notes, out.is_verbose());
    });
    Ok(())
}

/// How to begin.
pub(super) const NOTHING_KEPT: &str = "Nothing is kept yet; `imprint setup` takes in what your clients have, `imprint demo` shows the idea";

/// All items but the removed ones.
pub(super) async fn present(app: &App) -> Result<Vec<ItemSummary>, Failure> {
    let filter = ItemFilter {
        states: vec![ItemState::Active, ItemState::Disabled],
        ..ItemFilter::default()
    };
    let store = app.registry.store();
    Ok(store.items(app.registry.owner(), &filter).await?)
}

async fn dry_run(app: &App, out: &Output) -> Result<(), Failure> {
    let planned = app.folders.plan().await?;
    out.data(&planned, |out| print_plan(out, &planned));
    Ok(())
}

fn print_plan(out: &Output, planned: &Planned) {
    let mut would = 0;
    for folder in &planned.folders {
        for entry in &folder.entries {
            let place = Path::new(&folder.folder).join(&entry.name);
            if matches!(entry.action, "write" | "replace" | "remove") {
                would += 1;
                out.line(&format!("{:<8} {}", entry.action, shown(&place)));
            }
            if let Some(why) = &entry.why {
                out.prose(&format!("{:<8} {}: {why}", entry.action, shown(&place)));
            }
        }
    }
    reach::print_left_alone(out, &planned.unplaced, &planned.notes, out.is_verbose());
    out.message(&match would {
        0 => "Nothing would be written: the folders are as they should be".to_owned(),
        some => format!(
            "{} would change; `imprint write` does it",
            count(some, "copy")
        ),
    });
}
