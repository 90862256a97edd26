//! Folders as cases compare them.

use std::{collections::BTreeMap, fs, path::Path};

use super::verdict::CaseError;
use crate::tree::{Snapshot, snapshot};

/// What is below a folder now; nothing, where there is no folder.
pub(super) fn tree_of(folder: &Path) -> Result<Snapshot, CaseError> {
    snapshot(folder, &[]).map_err(|error| CaseError::at(&error.path)(error.source))
}

/// The files below a folder with their sizes, none of them opened: a process that opens and closes
/// a database's file loses the locks that it holds on it, so one that may be in use is never read.
pub(super) fn sizes(folder: &Path) -> Result<BTreeMap<String, u64>, CaseError> {
    let mut sizes = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&next).map_err(CaseError::at(&next))? {
            let path = entry.map_err(CaseError::at(&next))?.path();
            // A file that a running program takes away meanwhile is not there.
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                sizes.insert(name, metadata.len());
            }
        }
    }
    Ok(sizes)
}
