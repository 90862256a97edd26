//! The Inspector over HTTP: it reads every file of every skill that is listed and compares.

use std::process::Command;

use imprint_testkit::Serving;

use super::{Place, failed};
use crate::{
    setup::{inspector_node, interop_folder},
    task::TaskError,
};

/// The Inspector's program, below the folder of the JavaScript packages.
const PROGRAM: &str =
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
/// What is checked. The Inspector takes `--strict` for lists of tools alone.
const CHECKS: [&[&str]; 2] = [
    &["--method", "skills/list", "--verify", "--require-digests"],
    &["--method", "tools/list", "--strict"],
];

/// Both checks in both eras; gives how many failed.
pub(super) fn run(place: &Place) -> Result<usize, TaskError> {
    let mut command = place.product.command(&place.sandbox);
    command.args(["serve", "--rate-limit", "60000", "--listen"]);
    command.arg(format!("127.0.0.1:{}", place.port));
    let server = Serving::start(command, place.port).map_err(failed)?;
    let url = format!("http://127.0.0.1:{}/mcp", place.port);
    let key = format!("Authorization: Bearer {}", place.key);
    let mut bad = 0;
    for era in ["legacy", "modern"] {
        for check in CHECKS {
            let mut inspector = Command::new(inspector_node()?);
            inspector
                .arg(interop_folder().join(PROGRAM))
                .args(["--cli", "--server-url", &url, "--transport", "http"])
                .args([
                    "--header",
                    &key,
                    "--protocol-era",
                    era,
                    "--format",
                    "json",
                    "-q",
                ])
                .args(check)
                .env("HOME", place.sandbox.home());
            let output = inspector.output().map_err(TaskError::io("the Inspector"))?;
            let what = format!("{} ({era})", check.join(" "));
            if output.status.success() {
                println!("  ok: {what}");
            } else {
                let said = String::from_utf8_lossy(&output.stderr);
                println!("  FAILED: {what}: {}: {said}", output.status);
                bad += 1;
            }
        }
    }
    server.stop().map_err(failed)?;
    Ok(bad)
}
