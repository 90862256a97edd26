//! The user's editor on a text.

use std::{fs, path::Path, process::Command};

use crate::{failure::Failure, home::variable, settings::Settings};

/// Opens `text` in the user's editor under a file name that tells what it is, and gives back what
/// the user left there. The temporary file is gone afterwards.
pub(super) fn edit(settings: &Settings, file_name: &str, text: &str) -> Result<String, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("imprint-edit-")
        .tempdir()
        .map_err(|error| Failure::failed(format!("can't make a temporary folder: {error}")))?;
    let path = folder.path().join(file_name);
    fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
    open(settings, &path)?;
    fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))
}

fn open(settings: &Settings, path: &Path) -> Result<(), Failure> {
    let editor = settings
        .editor()
        .map(str::to_owned)
        .or_else(|| variable("VISUAL"))
        .or_else(|| variable("EDITOR"))
        .unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    // `code --wait` and the like: words, no shell.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = Command::new(program).args(words).arg(path).status().map_err(|error| {
        Failure::failed(format!("can't start the editor `{editor}`: {error}"))
            .hint("set another with `imprint config set editor …`, or give `--description` and `--instructions`")
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "the editor `{editor}` ended with {status}; nothing was changed"
    )))
}
