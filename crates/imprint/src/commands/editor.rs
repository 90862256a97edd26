//! A text in the user's editor.

use std::{
    fs,
    io::{self, IsTerminal as _, Read as _},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use imprint_format::limits::ITEM_BYTES;
use tempfile::TempDir;
use tokio::{signal, task};

use crate::{failure::Failure, home::variable, settings::Settings};

/// A text that the user is editing, in a temporary file of theirs alone that goes with this value.
#[derive(Debug)]
pub(super) struct Draft {
    /// Holds the file, and whatever the editor leaves beside it.
    folder: TempDir,
    path: PathBuf,
}

impl Draft {
    /// Writes the text under a file name that tells what it is.
    pub(super) fn new(file_name: &str, text: &str) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new()
            .prefix("imprint-edit-")
            .tempdir()
            .map_err(|error| Failure::failed(format!("can't make a temporary folder: {error}")))?;
        let path = folder.path().join(file_name);
        fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
        Ok(Self { folder, path })
    }

    /// Opens the user's editor and waits until it is closed.
    pub(super) async fn open(&self, settings: &Settings) -> Result<(), Failure> {
        let editor = editor(settings)?;
        let status = wait(&editor, &self.path).await.map_err(|error| {
            Failure::failed(format!("can't start the editor `{editor}`: {error}")).hint(
                "set another with `imprint config set editor …`, or give the text as an option",
            )
        })?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::failed(format!(
            "the editor `{editor}` ended with {status}; nothing was changed"
        )))
    }

    /// What the editor left. What is larger than a whole item stays where it is.
    pub(super) fn read(&mut self) -> Result<Vec<u8>, Failure> {
        let read = || -> io::Result<Vec<u8>> {
            // Opening a pipe would wait for its other end.
            if !fs::metadata(&self.path)?.is_file() {
                return Err(io::Error::other("it is no file"));
            }
            let mut bytes = Vec::new();
            fs::File::open(&self.path)?
                .take(ITEM_BYTES as u64 + 1)
                .read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                Failure::failed("the editor left no file behind; nothing was changed")
            }
            _ => Failure::io("read what the editor left at", &self.path, &error),
        })?;
        if bytes.len() > ITEM_BYTES {
            self.folder.disable_cleanup(true);
            return Err(Failure::failed(
                "the text is larger than 10 MiB, the most that an item may have",
            )
            .hint(format!("it stays at `{}`", self.path.display())));
        }
        Ok(bytes)
    }
}

fn editor(settings: &Settings) -> Result<String, Failure> {
    let named = settings
        .editor()
        .map(str::to_owned)
        .or_else(|| variable("VISUAL"))
        .or_else(|| variable("EDITOR"));
    match named {
        Some(editor) => Ok(editor),
        None if !io::stdin().is_terminal() => Err(Failure::usage(
            "there is no terminal for an editor, and none is named that needs no terminal",
        )
        .hint("give the text as an option, or set `EDITOR`")),
        None => Ok(if cfg!(windows) { "notepad" } else { "vi" }.to_owned()),
    }
}

/// Waits for the editor. Ctrl-C belongs to it meanwhile: a terminal sends it to this program too,
/// which must not end and leave the editor behind.
async fn wait(editor: &str, path: &Path) -> io::Result<ExitStatus> {
    // `code --wait` and the like: words, no shell.
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("vi"));
    command.args(words).arg(path);
    let mut ended = task::spawn_blocking(move || command.status());
    loop {
        tokio::select! {
            status = &mut ended => return status.map_err(io::Error::other)?,
            _ = signal::ctrl_c() => {}
        }
    }
}
