//! `imprint completions`: a script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

pub(super) fn run(shell: Shell) {
    clap_complete::generate(
        shell,
        &mut Cli::command(),
        "imprint",
        &mut std::io::stdout(),
    );
}
