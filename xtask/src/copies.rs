//! The repository carries its own copy of the cases, so that its tests need nothing beside it.
//! Where the folder that the copy was made from lies beside the repository, both must be equal.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    task::{Done, TaskError},
    workspace,
};

const COPY: &str = "cases";
const ORIGINAL: &str = "../shared/cases";

/// Compares both, where both are there.
pub(crate) fn run() -> Done {
    let original = workspace::root().join(ORIGINAL);
    if !original.is_dir() {
        println!("  nothing to compare with: there is no {ORIGINAL}");
        return Ok(());
    }
    let copy = workspace::root().join(COPY);
    let differences = differences(&original, &copy).map_err(TaskError::io("compare the cases"))?;
    if differences.is_empty() {
        return Ok(());
    }
    Err(TaskError::Failed(format!(
        "`{COPY}` and `{ORIGINAL}` differ:\n{}",
        differences.join("\n")
    )))
}

/// Each file that is in one of two folders only, or has other bytes.
fn differences(original: &Path, copy: &Path) -> io::Result<Vec<String>> {
    let (original, copy) = (files(original)?, files(copy)?);
    let missing = original
        .iter()
        .filter(|(path, bytes)| copy.get(*path) != Some(*bytes))
        .map(|(path, _)| format!("  {} is missing or differs", path.display()));
    let extra = copy
        .keys()
        .filter(|path| !original.contains_key(*path))
        .map(|path| format!("  {} is only in the copy", path.display()));
    Ok(missing.chain(extra).collect())
}

fn files(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let bytes = fs::read(&path)?;
                let relative = path.strip_prefix(folder).unwrap_or(&path);
                files.insert(relative.to_owned(), bytes);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let (original, copy) = (folder.path().join("a"), folder.path().join("b"));
        for (root, files) in [
            (&original, ["same", "other", "gone"]),
            (&copy, ["same", "other", "new"]),
        ] {
            fs::create_dir_all(root.join("in")).unwrap();
            for file in files {
                fs::write(root.join("in").join(file), "1").unwrap();
            }
        }
        fs::write(copy.join("in/other"), "2").unwrap();
        let told = differences(&original, &copy).unwrap();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(differences(&original, &original).unwrap().is_empty());
    }
}
