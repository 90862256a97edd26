//! Files of the home, where our own records are: read within bounds, replaced at once or not at
//! all, the user's alone.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::{
    ambient_authority,
    fs::{File, OpenOptions},
};

use imprint_core::Timestamp;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::steps::{Step, Steps};

/// The folder in the home for what was replaced in clients' files or moved out of their folders.
pub(crate) const BACKUPS: &str = "backups";
/// Of temporary files in the home.
const TEMPORARY_PREFIX: &str = ".imprint-written-";

/// Makes the home, or a folder in it, where it is missing: the user's alone.
pub(crate) fn make_home(home: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(home)
}

/// Replaces a file in the home: beside it, synced, renamed. 0600.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], steps: &Steps) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    steps.take(Step::Home)?;
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(".tmp")
        .tempfile_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    steps.sync(file.as_file())?;
    steps.take(Step::Home)?;
    file.persist(path).map_err(|error| error.error)?;
    steps.sync_folder(|| fs::File::open(folder));
    Ok(())
}

/// Whether a file of this name in the home is a temporary one of a process that was killed, or that
/// is writing now.
pub fn is_leftover(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX) && name.strip_suffix(".tmp").is_some()
}

/// Removes what killed passes left in the home. The caller holds the lock.
pub(crate) fn sweep_home(home: &Path) -> io::Result<()> {
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(is_leftover);
        if ours && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A regular file's bytes, refused when there are more than `max`.
pub(crate) fn read_bounded(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    // Without blocking, because opening a pipe would wait for its other end.
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    let file = File::open_ambient_with(path, &options, ambient_authority())?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(not_regular());
    }
    let too_large = || {
        let message = format!("it has more than {max} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    // What the metadata says is only a hint: the file may grow, so reading counts too.
    if metadata.len() > max {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Why a record in the home can't be used.
#[derive(Debug)]
pub(crate) enum RecordFault {
    /// What the system says.
    Unreadable(io::Error),
    /// What the parser says.
    Damaged(String),
    /// The layout of the newer program that wrote it.
    Newer(u64),
}

/// Reads a record of ours: JSON that says which `version` of its layout it has. `None` where there
/// is no such file.
pub(crate) fn read_record<T: DeserializeOwned>(
    path: &Path,
    max: u64,
    version: u32,
) -> Result<Option<T>, RecordFault> {
    let bytes = match read_bounded(path, max) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RecordFault::Unreadable(error)),
    };
    let damaged = |error: serde_json::Error| RecordFault::Damaged(error.to_string());
    let value: Value = serde_json::from_slice(&bytes).map_err(damaged)?;
    match value.get("version").and_then(Value::as_u64) {
        Some(found) if found > u64::from(version) => Err(RecordFault::Newer(found)),
        _ => serde_json::from_value(value).map(Some).map_err(damaged),
    }
}

/// Writes a record of ours, at once or not at all.
pub(crate) fn write_record(path: &Path, record: &impl Serialize, steps: &Steps) -> io::Result<()> {
    let text = serde_json::to_vec_pretty(record).map_err(io::Error::other)?;
    replace_file(path, &text, steps)
}

/// A moment in UTC in a form of `strftime`'s, for names in the home.
pub(crate) fn dated(at: Timestamp, form: &str) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map_or_else(|_| "undated".to_owned(), |at| at.strftime(form).to_string())
}

/// Why something that is there is not read or written as a file.
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}
