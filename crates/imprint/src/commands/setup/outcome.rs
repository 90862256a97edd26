//! What setup shows at its end: each client before and after, and what is left to do.

use std::path::Path;

use imprint_clients::{
    Client,
    setup::{ClientView, ConnectionChange, KindView, SetupOutcome},
};

use super::plan::few;
use crate::{
    commands::reach::{self, title},
    home::shown,
    output::{Output, count},
};

pub(super) fn print(out: &Output, outcome: &SetupOutcome, installed: &[&Client]) {
    let rows = outcome.after.iter().map(|after| {
        let before = outcome
            .plan
            .before
            .iter()
            .find(|before| before.client == after.client);
        vec![
            title(&after.client).to_owned(),
            before.map(cell).unwrap_or_default(),
            cell(after),
            connection(outcome, &after.client),
        ]
    });
    out.table(&["CLIENT", "BEFORE", "AFTER", "CONNECTED"], rows);
    out.line("");
    unfinished(out, outcome);
    for failure in &outcome.failures {
        out.warning(&format!("{}: {}", failure.what, failure.why));
    }
    let report = &outcome.report;
    reach::print_left_alone(out, &report.unplaced, &report.notes, out.is_verbose());
    to_do(out, outcome, installed);
    if let Some(backup) = &outcome.backup {
        let moved = count(outcome.moved.len(), "thing");
        out.message(&format!(
            "The backup is {}: {moved} moved there, and copies of what stays",
            shown(Path::new(backup))
        ));
    }
    out.message("`imprint setup --undo` puts everything back");
}

/// `25 skills (3 twice, 20 missing), 2 personas`.
fn cell(view: &ClientView) -> String {
    let parts = [(&view.skills, "skill"), (&view.personas, "persona")];
    let parts: Vec<_> = parts
        .into_iter()
        .filter_map(|(kind, noun)| Some(of_kind(kind.as_ref()?, noun)))
        .collect();
    if parts.is_empty() {
        return "from no folder".to_owned();
    }
    parts.join(", ")
}

fn of_kind(view: &KindView, noun: &str) -> String {
    let faults = [(view.twice.len(), "twice"), (view.missing.len(), "missing")];
    let faults: Vec<_> = faults
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    let listed = count(view.listed, noun);
    if faults.is_empty() {
        return listed;
    }
    format!("{listed} ({})", faults.join(", "))
}

fn connection(outcome: &SetupOutcome, client: &str) -> String {
    if outcome.connected.iter().any(|one| one == client) {
        return "yes".to_owned();
    }
    let mut connections = outcome.plan.connections.iter();
    match connections.find(|one| one.client == client) {
        None => "left alone".to_owned(),
        Some(one) => match &one.change {
            ConnectionChange::Unchanged => "yes, as before".to_owned(),
            ConnectionChange::Refused { .. } => "no, see above".to_owned(),
            ConnectionChange::Add { .. } | ConnectionChange::Update { .. } => "no".to_owned(),
        },
    }
}

/// What a client still lists twice or not at all.
fn unfinished(out: &Output, outcome: &SetupOutcome) {
    for view in &outcome.after {
        for kind in [&view.skills, &view.personas].into_iter().flatten() {
            let client = title(&view.client);
            if !kind.twice.is_empty() {
                let names = few(out, &kind.twice);
                out.warning(&format!("{client} still lists more than once: {names}"));
            }
            if !kind.missing.is_empty() {
                let names = few(out, &kind.missing);
                out.warning(&format!("{client} does not list: {names}"));
            }
        }
    }
}

/// What the person must still do.
fn to_do(out: &Output, outcome: &SetupOutcome, installed: &[&Client]) {
    let connected = installed
        .iter()
        .filter(|client| outcome.connected.iter().any(|id| id == client.facts.id));
    let mut is_first = true;
    for client in connected {
        let config = client.config.iter();
        for sentence in config.flat_map(|config| config.still_to_do(false)) {
            if std::mem::take(&mut is_first) {
                out.line("");
                out.heading("What is left for you to do");
            }
            out.prose(&format!("  {}: {sentence}", client.facts.title));
        }
    }
}
