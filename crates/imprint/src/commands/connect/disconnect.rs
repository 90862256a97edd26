//! `imprint disconnect`: our entry out of clients' configuration files.

use imprint_clients::{
    Client, Launch,
    connect::{Aim, ConnectError, Leaving, Removal, Removed, Scope, Wanted},
    known_clients,
};

use super::{
    Context, Report, clients,
    clients::Place,
    screen::{self, Told},
};
use crate::{
    cli::{DisconnectArgs, Global},
    commands::diff,
    failure::Failure,
    output::Output,
};

pub(crate) fn run(global: &Global, out: &Output, args: &DisconnectArgs) -> Result<(), Failure> {
    let context = Context::new(global)?;
    let meant = if args.clients.all {
        known_clients().to_vec()
    } else {
        clients::named(&args.clients.names)?
    };
    let mut told = Vec::new();
    let mut failures = Vec::new();
    for client in meant {
        let leaving = leaving(&context, client)?;
        if leaving.is_empty() && !args.clients.all {
            let title = client.facts.title.to_owned();
            told.push(Told::without_file(client, title, "gone"));
        }
        for leaving in leaving {
            match removed(&context, &leaving, args.clients.dry_run) {
                Ok(removal) => told.push(Told::of_removal(client, &leaving, &removal)),
                Err(error) => {
                    let failure = failure(client, &error);
                    failures.push((client.facts.title.to_owned(), failure));
                }
            }
        }
    }
    if told.is_empty() && failures.len() == 1 {
        return clients::alone(failures);
    }
    let report = Report {
        dry_run: args.clients.dry_run,
        program: None,
        clients: told,
    };
    out.data(&report, |out| {
        if report.clients.is_empty() && failures.is_empty() {
            out.message("No client is connected");
        }
        screen::print(out, &report);
    });
    clients::summed_up(failures, "disconnected")
}

/// Every place where a client has an entry of ours.
fn leaving(context: &Context, client: &Client) -> Result<Vec<Leaving>, Failure> {
    // What we would write does not matter here, only where.
    let (launch, machine) = (Launch::default(), &context.machine);
    let user = Wanted::of(client, machine, &launch, Scope::User, false).ok();
    context
        .connections()
        .leaving(client.facts.id, user.as_ref())
        .map_err(|error| Failure::failed(error.to_string()))
}

/// Takes one entry out, or says what that would change.
fn removed(context: &Context, leaving: &Leaving, dry_run: bool) -> Result<Removal, ConnectError> {
    if dry_run {
        return leaving.plan(Aim::NoEntry);
    }
    context.connections().disconnect(leaving, Aim::NoEntry)
}

fn failure(client: &Client, error: &ConnectError) -> Failure {
    let failure = Failure::failed(error.to_string());
    match error {
        ConnectError::Config { .. } => failure.hint(format!(
            "mend the file, then run `imprint disconnect {}` again",
            client.facts.id
        )),
        _ => failure,
    }
}

impl Told {
    /// What a disconnected client lost.
    fn of_removal(client: &Client, leaving: &Leaving, removal: &Removal) -> Self {
        let result = match &removal.removed {
            Removed::FirstBytes => "first-bytes",
            Removed::File => "file",
            Removed::Entry => "entry",
            Removed::Gone => "gone",
            Removed::Foreign(_) => "foreign",
        };
        let place = Place {
            file: leaving.file(),
            real: &removal.real,
            scope: leaving.scope(),
        };
        let mut told = Self::at(client, client.facts.title.to_owned(), result, &place);
        let (before, after) = (removal.before.as_deref(), removal.after.as_deref());
        told.diff = diff::of_config(leaving.file(), leaving.syntax(), before, after);
        told.backup = removal
            .backup
            .as_ref()
            .map(|path| path.display().to_string());
        told.note = match &removal.removed {
            Removed::FirstBytes => Some("back to the first bytes of the file".to_owned()),
            Removed::File => Some("the file was made for the entry and goes with it".to_owned()),
            Removed::Gone => Some(
                "the entry was gone already: the client or someone else took it out".to_owned(),
            ),
            Removed::Foreign(entry) => Some(format!(
                "what stands under our name now is not ours and stays: {entry}"
            )),
            Removed::Entry => None,
        };
        told
    }
}
