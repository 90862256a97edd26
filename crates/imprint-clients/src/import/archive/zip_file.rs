//! Unpacking zip archives.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{ArchiveFault, Unpacking, damaged};
use crate::import::source::shown;

/// The bits of a Unix mode that tell what a file is.
const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const SYMLINK: u32 = 0o120_000;

pub(super) fn unpack(file: File, unpacking: &mut Unpacking) -> Result<(), ArchiveFault> {
    let mut reader = BufReader::new(file);
    let limit = unpacking.limits.archive_entries;
    let told = told_entries(&mut reader).map_err(|error| damaged(&error))?;
    if told.is_some_and(|told| usize::from(told) > limit) {
        return Err(ArchiveFault::TooManyEntries { limit });
    }
    let mut archive = ZipArchive::new(reader).map_err(|error| fault_of(error, "", unpacking))?;
    if archive.has_duplicate_names() {
        // The reader keeps one of them and doesn't say which.
        let entry = "(not told which)".to_owned();
        return Err(ArchiveFault::Duplicate { entry });
    }
    for index in 0..archive.len() {
        take(&mut archive, index, unpacking)?;
    }
    Ok(())
}

fn take(
    archive: &mut ZipArchive<BufReader<File>>,
    index: usize,
    unpacking: &mut Unpacking,
) -> Result<(), ArchiveFault> {
    let unnamed = |error| fault_of(error, "", unpacking);
    let entry = archive.by_index_data(index).map_err(unnamed)?;
    // Many programs write UTF-8 without the flag that says so.
    let name = match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => name.to_owned(),
        Err(_) => entry.name().map_err(unnamed)?.into_owned(),
    };
    let (encrypted, mode) = (entry.encrypted(), entry.unix_mode().unwrap_or(0));
    let is_supported = matches!(
        entry.compression(),
        CompressionMethod::Stored | CompressionMethod::Deflated
    );
    // Some programs on Windows write its own separator.
    let Some(path) = unpacking.next(&name)?.map(|path| path.replace('\\', "/")) else {
        return Ok(());
    };
    let refused = shown(&name);
    match mode & FILE_TYPE {
        0 | REGULAR | DIRECTORY => {}
        SYMLINK => return Err(ArchiveFault::Link { entry: refused }),
        _ => return Err(ArchiveFault::Special { entry: refused }),
    }
    if encrypted {
        return Err(ArchiveFault::Encrypted { entry: refused });
    }
    if name.ends_with(['/', '\\']) || mode & FILE_TYPE == DIRECTORY {
        return Ok(());
    }
    if !is_supported {
        return Err(ArchiveFault::Packing { entry: refused });
    }
    let content = archive
        .by_index(index)
        .map_err(|error| fault_of(error, &name, unpacking))?;
    unpacking.take(path, mode & 0o100 != 0, content)
}

fn fault_of(error: ZipError, entry: &str, unpacking: &Unpacking) -> ArchiveFault {
    let entry = shown(entry);
    match error {
        ZipError::Io(error) => unpacking.fault_of(&error),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            ArchiveFault::Encrypted { entry }
        }
        other => ArchiveFault::Damaged {
            message: shown(&other.to_string()),
        },
    }
}

/// How many entries the archive's end says that there are, so that a directory of millions is not
/// read to find out. A larger number than fits there stands as the largest one that does.
fn told_entries(file: &mut (impl Read + Seek)) -> io::Result<Option<u16>> {
    const END: &[u8] = b"PK\x05\x06";
    /// The end record with the longest comment.
    const MOST: u64 = 22 + 65_535;
    let size = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(size.saturating_sub(MOST)))?;
    let mut tail = Vec::new();
    file.take(MOST).read_to_end(&mut tail)?;
    file.rewind()?;
    let end = tail.windows(END.len()).rposition(|bytes| bytes == END);
    let count = end.and_then(|end| tail.get(end + 10..end + 12));
    Ok(count.map(|count| u16::from_le_bytes([count[0], count[1]])))
}
