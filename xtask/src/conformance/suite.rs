//! The official suite, one scenario or a whole set of requirements at a time, and what it found.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
    process::Command,
};

use serde::Deserialize;

use crate::{
    setup::{inspector_node, installed_node, interop_folder},
    task::TaskError,
};

/// The suite's program, below the folder of the JavaScript packages.
const PROGRAM: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// How long the time is that stands behind a scenario's name, such as
/// `-2026-11-30T10-11-12-131Z`.
const STAMP: usize = 25;

/// What a scenario came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) passed: usize,
    /// What was found wrong, a line each.
    pub(super) failed: Vec<String>,
    /// Only warned of.
    pub(super) warned: usize,
}

/// One check as the suite writes it down.
#[derive(Debug, Deserialize)]
struct Check {
    id: String,
    status: String,
    #[serde(default)]
    description: String,
    #[serde(default, rename = "errorMessage")]
    error: Option<String>,
}

/// Runs the suite with these arguments and reads what it wrote, by scenario.
pub(super) fn run(arguments: &[&str]) -> Result<BTreeMap<String, Outcome>, TaskError> {
    // It fails when a check has failed, which the checks themselves say better.
    with(arguments, |mut command| command.output().map(drop))
}

/// The same with whatever must happen while it runs.
pub(super) fn with(
    arguments: &[&str],
    run: impl FnOnce(Command) -> io::Result<()>,
) -> Result<BTreeMap<String, Outcome>, TaskError> {
    installed_node()?;
    let folder = tempfile::tempdir().map_err(TaskError::io("a temporary folder"))?;
    let mut command = Command::new(inspector_node()?);
    command
        .arg(interop_folder().join(PROGRAM))
        .args(arguments)
        .arg("--output-dir")
        .arg(folder.path())
        .env("HOME", folder.path());
    run(command).map_err(TaskError::io("the conformance suite"))?;
    let outcomes = outcomes(folder.path())?;
    if outcomes.is_empty() {
        let fault = format!("the suite ran no scenario with {}", arguments.join(" "));
        return Err(TaskError::Failed(fault));
    }
    Ok(outcomes)
}

/// The scenarios of a server that a revision requires, from the suite's own list.
pub(super) fn scored(revision: &str) -> Result<BTreeSet<String>, TaskError> {
    let list =
        format!("node_modules/@modelcontextprotocol/conformance/requirements/{revision}.yaml");
    let path = interop_folder().join(list);
    let text = fs::read_to_string(&path).map_err(TaskError::io(path.display().to_string()))?;
    let server = text.lines().skip_while(|line| *line != "server:").skip(1);
    let entries = server.take_while(|line| !line.ends_with(':') || line.starts_with(' '));
    let names = entries.filter_map(|line| line.trim().strip_prefix("- "));
    let names: BTreeSet<_> = names.map(str::to_owned).collect();
    if names.is_empty() {
        let fault = format!("{} names no scenario of a server", path.display());
        return Err(TaskError::Failed(fault));
    }
    Ok(names)
}

/// Reads the folder of each scenario: its name, with the time behind it, and its checks.
fn outcomes(folder: &Path) -> Result<BTreeMap<String, Outcome>, TaskError> {
    let at = |path: &Path| TaskError::io(path.display().to_string());
    let mut outcomes = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at(&folder))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("checks.json") {
                let text = fs::read(&path).map_err(at(&path))?;
                let checks: Vec<Check> = serde_json::from_slice(&text)
                    .map_err(|error| TaskError::Failed(format!("{}: {error}", path.display())))?;
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                outcomes.insert(scenario(&name), outcome(&checks));
            }
        }
    }
    Ok(outcomes)
}

/// `server-ping-2026-11-30T10-11-12-131Z` is `ping`.
fn scenario(folder: &str) -> String {
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    let stamp = name.len().checked_sub(STAMP).filter(|at| {
        let (before, stamp) = (&name[..*at], &name[*at..]);
        !before.is_empty() && stamp.starts_with("-20") && stamp.ends_with('Z')
    });
    name[..stamp.unwrap_or(name.len())].to_owned()
}

fn outcome(checks: &[Check]) -> Outcome {
    let mut outcome = Outcome::default();
    for check in checks {
        match check.status.as_str() {
            "SUCCESS" => outcome.passed += 1,
            "FAILURE" => {
                let why = check.error.as_deref().unwrap_or(&check.description);
                outcome.failed.push(format!("{}: {why}", check.id));
            }
            "WARNING" => outcome.warned += 1,
            _ => {}
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenarios_name_is_read_from_its_folder() {
        assert_eq!(scenario("server-ping-2026-11-30T10-11-12-131Z"), "ping");
        assert_eq!(scenario("tools-list"), "tools-list");
        let dated = "server-json-schema-2020-12-2026-11-30T10-11-12-131Z";
        assert_eq!(scenario(dated), "json-schema-2020-12");
    }
}
