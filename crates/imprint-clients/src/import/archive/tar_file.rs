//! Unpacking tar archives.

use std::io::Read;

use super::{ArchiveFault, Counted, Unpacking};
use crate::import::source::shown;

/// Room for what a tar holds beside its files: a header and padding for each, and long names.
const OVERHEAD_PER_ENTRY: u64 = 4 * 1024;

pub(super) fn unpack(archive: impl Read, unpacking: &mut Unpacking) -> Result<(), ArchiveFault> {
    let overhead = OVERHEAD_PER_ENTRY * unpacking.limits.archive_entries as u64;
    let mut archive = tar::Archive::new(Counted {
        inner: archive,
        left: unpacking.limits.archive_bytes + overhead,
    });
    let entries = archive
        .entries()
        .map_err(|error| unpacking.fault_of(&error))?;
    for entry in entries {
        let entry = entry.map_err(|error| unpacking.fault_of(&error))?;
        take(entry, unpacking)?;
    }
    Ok(())
}

fn take(entry: tar::Entry<'_, impl Read>, unpacking: &mut Unpacking) -> Result<(), ArchiveFault> {
    let name = entry.path_bytes().into_owned();
    let header = entry.header();
    let kind = header.entry_type();
    if kind.is_pax_global_extensions() {
        return Ok(());
    }
    let Ok(name) = String::from_utf8(name) else {
        let entry = shown(&String::from_utf8_lossy(&entry.path_bytes()));
        return Err(ArchiveFault::NotUnicode { entry });
    };
    let Some(path) = unpacking.next(&name)? else {
        return Ok(());
    };
    let refused = shown(&name);
    if kind.is_symlink() || kind.is_hard_link() {
        return Err(ArchiveFault::Link { entry: refused });
    }
    if kind.is_dir() {
        return Ok(());
    }
    // Sparse files among them: they unpack to more than was read.
    if !kind.is_file() && !kind.is_contiguous() {
        return Err(ArchiveFault::Special { entry: refused });
    }
    let executable = header.mode().is_ok_and(|mode| mode & 0o100 != 0);
    unpacking.take(path, executable, entry)
}
