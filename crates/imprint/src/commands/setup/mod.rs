//! `imprint setup`: what all installed clients have, once, in each of them; and the way back.

mod differing;
mod outcome;
mod plan;
mod undo;

use imprint_clients::{
    connect::Program,
    setup::{ConnectAs, SetupChoices, SetupError, SetupOutcome, SetupPlan, SetupProgress},
};
use serde::Serialize;

use crate::{
    cli::SetupArgs,
    commands::connect,
    failure::{Failure, FailureKind},
    output::{Output, Status},
    wiring::App,
};

/// What the command prints with `--json`.
#[derive(Serialize)]
struct SetUp<'a> {
    plan: &'a SetupPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a SetupOutcome>,
}

pub(super) async fn run(app: &App, out: &Output, args: SetupArgs) -> Result<(), Failure> {
    if args.undo {
        return undo::run(app, out, &args).await;
    }
    let program = program(app, &args)?;
    let choices = choices(app, &args, program.as_ref())?;
    let plan = {
        let _status = out.status("Looking at your clients …");
        app.folders.plan_setup(choices.clone()).await?
    };
    if plan.clients.is_empty() && plan.items.is_empty() {
        return Err(Failure::new(
            FailureKind::NotFound,
            "no client was found on this computer",
        )
        .hint("install one, or take skills in with `imprint import PATH`"));
    }
    if !out.is_json() {
        let fleeting = program.as_ref().filter(|program| program.is_of_a_build);
        plan::print(out, &plan, fleeting.map(|program| program.path.as_str()));
    }
    let is_done = plan.is_empty() && app.folders.plan().await?.is_idle();
    if args.dry_run || is_done || !agreed(out, &args)? {
        let set_up = SetUp {
            plan: &plan,
            outcome: None,
        };
        out.data(&set_up, |out| out.message(not_done(&args, is_done)));
        return Ok(());
    }
    let outcome = carry_out(app, out, choices, plan.clone()).await?;
    let installed = app.folders.installed().await?;
    let set_up = SetUp {
        plan: &plan,
        outcome: Some(&outcome),
    };
    out.data(&set_up, |out| outcome::print(out, &outcome, &installed));
    if outcome.failures.is_empty() {
        return Ok(());
    }
    Err(
        Failure::failed("some of it could not be done; the rest was")
            .hint("mend what is named above, then run `imprint setup` again"),
    )
}

async fn carry_out(
    app: &App,
    out: &Output,
    choices: SetupChoices,
    agreed: SetupPlan,
) -> Result<SetupOutcome, SetupError> {
    let status = out.status("Setting up …");
    let tell = |progress| tell(&status, &progress);
    app.folders.set_up(choices, Some(agreed), tell).await
}

fn tell(status: &Status, progress: &SetupProgress) {
    match progress {
        SetupProgress::TakingIn(done, all) => {
            status.say(&format!("Taking in {} of {all} …", done + 1));
        }
        SetupProgress::Moving(done, all) => {
            status.say(&format!("Moving {} of {all} into the backup …", done + 1));
        }
        SetupProgress::Writing => status.say("Writing the folders of your clients …"),
    }
}

fn choices(
    app: &App,
    args: &SetupArgs,
    program: Option<&Program>,
) -> Result<SetupChoices, Failure> {
    let id = |names: &[String]| -> Result<Vec<String>, Failure> {
        let named = connect::named(names)?;
        Ok(named.iter().map(|one| one.facts.id.to_owned()).collect())
    };
    let connect = match program {
        None => None,
        Some(program) => Some(ConnectAs {
            program: program.path.clone(),
            home: connect::home_to_name(&app.home)?,
            system: connect::system(),
        }),
    };
    Ok(SetupChoices {
        prefer: id(args.prefer.as_slice())?.pop(),
        keep_both: args.keep_both,
        clients: id(&args.client)?,
        connect,
    })
}

/// The program that clients are to start; `None` where they are not connected.
fn program(app: &App, args: &SetupArgs) -> Result<Option<Program>, Failure> {
    if args.no_connect {
        return Ok(None);
    }
    let hint = "`--no-connect` sets the folders up and leaves configuration files alone";
    let program = connect::running(app.folders.machine());
    program.map(Some).map_err(|failure| failure.hint(hint))
}

/// Asks once, unless told not to. Without a terminal nothing is done unasked.
fn agreed(out: &Output, args: &SetupArgs) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    out.needs_someone("`--yes` does it, `--dry-run` only looks")?;
    Ok(out.ask("Do this? Nothing is deleted, and `imprint setup --undo` puts it back."))
}

fn not_done(args: &SetupArgs, is_done: bool) -> &'static str {
    if is_done {
        "There is nothing to do: everything is in its place"
    } else if args.dry_run {
        "Nothing was changed; run it again without `--dry-run` to do it"
    } else {
        "Nothing was changed"
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        let message = error.to_string();
        match error {
            SetupError::NotInstalled { .. } | SetupError::NothingToUndo => {
                Self::new(FailureKind::NotFound, message)
            }
            SetupError::Changed => Self::new(FailureKind::Conflict, message),
            _ => Self::failed(message).hint(
                "what was done so far is in the journal: `imprint setup` goes on from there, \
                 `imprint setup --undo` puts it back",
            ),
        }
    }
}
