//! The `imprint` program: arguments → a call into the domain → output.

mod cli;
mod commands;
mod failure;
mod home;
mod logging;
mod output;
mod settings;
mod time;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use crate::{cli::Cli, output::Output};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let out = Output::new(&cli.global);
    logging::start(cli.global.verbose);
    match commands::run(cli, &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            out.failure(&failure);
            ExitCode::from(failure.kind.exit_code())
        }
    }
}
