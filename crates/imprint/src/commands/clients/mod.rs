//! `imprint clients`: what there is of each client on this machine, and how that is known.

mod detail;
mod overview;
mod room;

use std::env;

use imprint_clients::{
    Client,
    inspect::{Inspected, Survey, inspect},
    known_clients,
};
use imprint_core::{ClientFolders as _, FolderReport, SessionRecord};

use super::connect;
use crate::{cli::ClientsArgs, failure::Failure, output::Output, wiring::App};

/// How many sessions are searched for a client's version.
const SESSIONS: u64 = 500;

pub(super) async fn run(app: &App, out: &Output, args: ClientsArgs) -> Result<(), Failure> {
    let named = connect::named(&args.clients)?;
    if args.more_room {
        return room::run(app, out, &named, &args);
    }
    let sessions = recent_sessions(app).await?;
    let report = app.folders.last_report().await;
    let look_at = if named.is_empty() {
        known_clients()
    } else {
        &named
    };
    let mut seen = look(app, look_at, report.as_ref(), &sessions)?;
    if !named.is_empty() {
        out.data(&seen, |out| detail::print(out, &seen, report.as_ref()));
        return Ok(());
    }
    if !args.all {
        seen.retain(|one| one.installed.is_some());
    }
    out.data(&seen, |out| overview::print(out, &seen, args.all));
    Ok(())
}

/// Looks at these clients. Reads files alone.
pub(super) fn look(
    app: &App,
    clients: &[&'static Client],
    report: Option<&FolderReport>,
    sessions: &[SessionRecord],
) -> Result<Vec<Inspected>, Failure> {
    let current = env::current_dir().ok();
    let survey = Survey {
        machine: app.folders.machine(),
        home: app.home.root(),
        current: current.as_deref(),
        program: &env::current_exe().map_err(|error| {
            Failure::failed(format!("can't tell where this program is: {error}"))
        })?,
        report,
        sessions,
    };
    Ok(inspect(clients, &survey))
}

/// The sessions that clients had, latest first.
pub(super) async fn recent_sessions(app: &App) -> Result<Vec<SessionRecord>, Failure> {
    let store = app.registry.store();
    Ok(store.sessions(app.registry.owner(), SESSIONS).await?)
}

/// `1 a`, `2 b` where there is any.
fn counted(number: usize, what: &str) -> Option<String> {
    (number > 0).then(|| format!("{number} {what}"))
}
