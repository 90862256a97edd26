//! The `imprint` program: arguments → a call into the domain → output.

mod cli;
mod commands;
mod failure;
mod home;
mod logging;
mod output;
mod probe;
mod settings;
mod time;
mod wiring;

use std::{
    borrow::Cow,
    env,
    process::{self, ExitCode},
};

use clap::FromArgMatches as _;
use imprint_core::secret::masked_in;

use crate::{
    cli::{Cli, Command},
    failure::Failure,
    output::Output,
};

fn main() -> ExitCode {
    let matches = cli::command().try_get_matches();
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = parsed.unwrap_or_else(|refused| refuse(&refused));
    let mut out = Output::new(&cli.global);
    if matches!(cli.command, Command::Mcp(_)) {
        out = out.without_json();
    }
    logging::start(cli.global.verbose);
    match commands::run(cli, &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            out.failure(&failure);
            ExitCode::from(failure.kind.exit_code())
        }
    }
}

/// Ends the program with what clap has to say: help, the version, or what is wrong with the
/// arguments. Clap quotes those raw, so where they could steer a terminal or hold a credential,
/// and for scripts, it is said in our way.
fn refuse(refused: &clap::Error) -> ! {
    let any_argument =
        |holds: fn(&str) -> bool| env::args_os().any(|argument| holds(&argument.to_string_lossy()));
    let is_json = any_argument(|argument| argument == "--json");
    let is_odd = any_argument(|argument| argument.contains(char::is_control));
    let text = refused.to_string();
    let is_secret = matches!(masked_in(&text), Cow::Owned(_));
    if !refused.use_stderr() || !(is_json || is_odd || is_secret) {
        refused.exit();
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (message, details) = text.split_once('\n').unwrap_or((text, ""));
    let failure = details
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .fold(Failure::usage(message), Failure::detail);
    Output::unread(is_json).failure(&failure);
    process::exit(failure.kind.exit_code().into());
}
