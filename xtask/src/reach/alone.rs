//! A process without the internet: started anew where the only network is this machine's own.

use std::{
    env,
    process::{Command, Stdio},
};

use crate::task::TaskError;

/// What starts a command in a network of its own, whose loopback is up, and ends all that is left of
/// it when it ends.
const UNSHARE: [&str; 10] = [
    "unshare",
    "--map-root-user",
    "--net",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "sh",
    "-c",
    "ip link set lo up && exec \"$@\"",
];

/// Variables that send every connection but those to this machine to a port where nobody listens.
/// A client may ignore them, so they only serve where [`is_possible`] is not.
pub(super) const AWAY: &[(&str, &str)] = &[
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("ALL_PROXY", "http://127.0.0.1:9"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("all_proxy", "http://127.0.0.1:9"),
    ("no_proxy", "127.0.0.1,localhost"),
];

/// Whether this system has such networks, for this user.
pub(super) fn is_possible() -> bool {
    let mut command = started_by(&["true"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs this program with these words in a network of its own, and gives what it prints.
pub(super) fn run_again(words: &[String]) -> Result<Vec<u8>, TaskError> {
    let what = "start again without the internet";
    let program = env::current_exe().map_err(TaskError::io(what))?;
    let output = started_by(&[])
        .arg(program)
        .args(words)
        .stderr(Stdio::inherit())
        .output()
        .map_err(TaskError::io(what))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(TaskError::Impossible(format!("{what}: {}", output.status)))
}

fn started_by(words: &[&str]) -> Command {
    let mut command = Command::new(UNSHARE[0]);
    // `sh -c` takes the first word after its text as its own name.
    command.args(&UNSHARE[1..]).arg("sh").args(words);
    command
}
