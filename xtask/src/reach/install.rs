//! The real clients, from npm into `target/`, in the versions of the lock file, once.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    setup::{is_current, remember},
    task::{Done, TaskError},
    workspace::{self, run},
};

/// What npm reads.
const FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];
/// The packages whose program is put in its place by a script. No other script is run.
const WITH_SCRIPT: [&str; 2] = ["@anthropic-ai/claude-code", "opencode-ai"];

/// Installs the clients unless they are there, and tells the folder `node_modules`.
pub(super) fn install() -> Result<PathBuf, TaskError> {
    let from = workspace::root().join("tests/reach");
    let folder = workspace::root().join("target/reach/clients");
    let modules = folder.join("node_modules");
    let lock = from.join("package-lock.json");
    let stamp = modules.join(".from-lock");
    if is_current(&stamp, &lock) {
        return Ok(modules);
    }
    eprintln!("reach: installing the clients into target/reach (about 2 GB, some minutes)");
    fs::create_dir_all(&folder).map_err(TaskError::io(folder.display().to_string()))?;
    for file in FILES {
        fs::copy(from.join(file), folder.join(file)).map_err(TaskError::io(file))?;
    }
    // Not `npm ci`: it wants packages for every system in the lock file, and those of the systems
    // that this file was not made on are not in it. What is in it is installed as it says.
    npm(
        &folder,
        &["install", "--no-save", "--ignore-scripts"],
        "install the clients",
    )?;
    let mut rebuild = vec!["rebuild"];
    rebuild.extend(WITH_SCRIPT);
    npm(
        &folder,
        &rebuild,
        "put the clients' programs in their place",
    )?;
    remember(&stamp, &lock)?;
    Ok(modules)
}

fn npm(folder: &Path, words: &[&str], what: &str) -> Done {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command
        .current_dir(folder)
        .args(words)
        .arg("--loglevel=error")
        .stdout(Stdio::null());
    run(&mut command, what)
}

/// The version of an installed package.
pub(super) fn version(modules: &Path, package: &str) -> Result<String, TaskError> {
    let file = modules.join(package).join("package.json");
    let what = file.display().to_string();
    let text = fs::read(&file).map_err(TaskError::io(what.clone()))?;
    let package: serde_json::Value = serde_json::from_slice(&text)
        .map_err(|error| TaskError::Impossible(format!("{what}: {error}")))?;
    Ok(package["version"].as_str().unwrap_or_default().to_owned())
}
