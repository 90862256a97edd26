//! The workspace that this program belongs to.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::task::{Done, TaskError};

/// The binary of the product, to be used instead of one that is built here.
pub(crate) const PRODUCT_VARIABLE: &str = "IMPRINT_BIN";

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// A profile to build in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// A cargo call in the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Builds a binary and tells where it is.
pub(crate) fn build(package: &str, binary: &str, profile: Profile) -> Result<PathBuf, TaskError> {
    build_with(cargo(), package, binary, profile)
}

/// Builds a binary for release that doesn't say in which folders it was built: whoever builds it
/// elsewhere gets the same bytes, and nobody learns the builder's name from a path.
pub(crate) fn build_without_paths(package: &str, binary: &str) -> Result<PathBuf, TaskError> {
    let mut flags: Vec<_> = env::var("RUSTFLAGS")
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    for (folder, name) in [(Some(root().to_owned()), "imprint"), (home, "cargo")] {
        flags.extend(folder.map(|from| format!("--remap-path-prefix={}={name}", from.display())));
    }
    let mut command = cargo();
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    build_with(command, package, binary, Profile::Release)
}

fn build_with(
    mut command: Command,
    package: &str,
    binary: &str,
    profile: Profile,
) -> Result<PathBuf, TaskError> {
    command.args(["build", "--quiet", "--package", package, "--bin", binary]);
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            command.arg("--release");
            "release"
        }
    };
    run(&mut command, &format!("build `{binary}`"))?;
    let metadata = cargo_metadata::MetadataCommand::new()
        .current_dir(root())
        .no_deps()
        .exec()?;
    let file = format!("{binary}{}", env::consts::EXE_SUFFIX);
    let target = metadata.target_directory.into_std_path_buf();
    Ok(target.join(folder).join(file))
}

/// The product: what [`PRODUCT_VARIABLE`] names, else built here.
pub(crate) fn product(profile: Profile) -> Result<PathBuf, TaskError> {
    match env::var_os(PRODUCT_VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => std::path::absolute(path).map_err(TaskError::io(PRODUCT_VARIABLE)),
        None => build("imprint", "imprint", profile),
    }
}

/// Runs a program to its end.
pub(crate) fn run(command: &mut Command, what: &str) -> Done {
    let status = command.status().map_err(TaskError::io(what))?;
    if status.success() {
        return Ok(());
    }
    Err(TaskError::Failed(format!("{what}: {status}")))
}
