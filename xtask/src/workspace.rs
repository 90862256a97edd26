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
    let mut command = cargo();
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
