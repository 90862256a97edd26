//! `imprint completions`: a script for a shell.

use clap_complete::Shell;

use crate::{cli, output::Output};

pub(super) fn run(out: &Output, shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "imprint", &mut script);
    let script = String::from_utf8_lossy(&script);
    out.data(&script, |out| out.bytes(script.as_bytes()));
}
