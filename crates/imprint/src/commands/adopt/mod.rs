//! `imprint adopt`: what was edited or added by hand in clients' folders becomes part of the
//! registry, each with a yes.

mod choice;
mod screen;

use imprint_clients::{
    TakenIn,
    adopt::{EditedCopy, Offers, TakeError, offers, take_added, take_edited},
    import::{ImportOutcome, ImportPlan, OnCollision},
};
use imprint_core::ItemSummary;
use serde::Serialize;

use crate::{cli::AdoptArgs, failure::Failure, output::Output, wiring::App};

/// What the command prints with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    offers: &'a Offers,
    taken: Taken,
}

/// What became of the offers that got a yes.
#[derive(Default, Serialize)]
struct Taken {
    edited: Vec<EditTaken>,
    added: ImportOutcome,
}

/// What became of one edited copy.
#[derive(Serialize)]
struct EditTaken {
    /// As it is kept now.
    item: ItemSummary,
    place: std::path::PathBuf,
    /// Why it was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(super) async fn run(app: &App, out: &Output, args: AdoptArgs) -> Result<(), Failure> {
    let mut offered = offers(&app.folders, &app.registry).await?;
    choice::narrow(&mut offered, &args.what)?;
    if !out.is_json() {
        screen::print_offers(out, &offered);
    }
    let wanted = choice::wanted(out, &args, &offered)?;
    let taken = take(app, &wanted, args.on_collision.into()).await?;
    if taken.is_any() {
        app.write_folders(out).await;
    }
    let failed = taken.failed();
    let report = Report {
        offers: &offered,
        taken,
    };
    out.data(&report, |out| {
        screen::print_taken(out, &args, &report.taken);
    });
    match failed {
        0 => Ok(()),
        some => Err(Failure::failed(format!(
            "{} could not be taken back",
            crate::output::count(some, "copy")
        ))),
    }
}

/// The offers that got a yes.
#[derive(Default)]
struct Wanted<'o> {
    edited: Vec<&'o EditedCopy>,
    added: ImportPlan,
}

async fn take(app: &App, wanted: &Wanted<'_>, choice: OnCollision) -> Result<Taken, Failure> {
    let mut taken = Taken::default();
    let mut copies = Vec::new();
    for copy in &wanted.edited {
        let (item, error) = match take_edited(&app.registry, copy).await {
            Ok(edited) => {
                copies.push(TakenIn {
                    item: edited.item.id,
                    place: copy.place.clone(),
                });
                (edited.item, None)
            }
            Err(error) => (copy.item.clone(), Some(reason(&error))),
        };
        taken.edited.push(EditTaken {
            item,
            place: copy.place.clone(),
            error,
        });
    }
    app.folders.adopt(copies).await?;
    taken.added = take_added(&app.folders, &app.registry, &wanted.added, choice).await?;
    Ok(taken)
}

/// Why a copy was not taken, with everything that is wrong with it.
fn reason(error: &TakeError) -> String {
    let faults = match error {
        TakeError::Faulty { faults } => faults.iter().map(ToString::to_string).collect(),
        TakeError::Edit(imprint_core::registry::EditError::Invalid { faults, .. }) => {
            faults.iter().map(ToString::to_string).collect()
        }
        TakeError::Edit(_) => Vec::new(),
    };
    if faults.is_empty() {
        return error.to_string();
    }
    format!("{error}: {}", faults.join("; "))
}

impl Taken {
    fn is_any(&self) -> bool {
        let edited = self.edited.iter().any(|copy| copy.error.is_none());
        edited
            || self
                .added
                .results
                .iter()
                .any(|result| result.done.item().is_some())
    }

    fn failed(&self) -> usize {
        let edited = self.edited.iter().filter(|copy| copy.error.is_some());
        edited.count() + usize::from(!self.added.is_complete())
    }
}
