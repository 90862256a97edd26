//! Where an item stands, before anything of it is read.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::PathBuf,
};

use imprint_format::ItemKind;

use crate::ItemFolder;

/// Where an item stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is.
    pub kind: ItemKind,
    /// Its folder, as reached from the root as that was given.
    pub folder: PathBuf,
    /// Its folder, links resolved.
    pub real_folder: PathBuf,
    /// The name of its entry file, as spelled there.
    pub entry: OsString,
    /// Whether the folder is the item, or the entry file alone, as with an agent file.
    pub owns_folder: bool,
}

impl Place {
    /// The entry file, as reached from the root as that was given.
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.entry)
    }

    /// The folder to read from, and the name of the entry file in it. An agent file may be a link
    /// to anywhere; a file in an item's folder may not.
    pub fn open(&self) -> io::Result<(ItemFolder, String)> {
        let text = |name: &OsStr| name.to_string_lossy().into_owned();
        if self.owns_folder {
            return Ok((ItemFolder::open(&self.real_folder)?, text(&self.entry)));
        }
        let real = self.real_path();
        let folder = ItemFolder::open(real.parent().unwrap_or(&self.real_folder))?;
        let name = real.file_name().unwrap_or(&self.entry);
        Ok((folder, text(name)))
    }

    /// The name that stands for the item outside its file: that of its folder, or the stem of an
    /// agent file.
    pub fn home(&self) -> Option<String> {
        if self.owns_folder {
            let name = self
                .folder
                .file_name()
                .or_else(|| self.real_folder.file_name());
            return name.map(|name| name.to_string_lossy().into_owned());
        }
        Some(agent_name(&self.entry.to_string_lossy()).to_owned())
    }

    /// What tells two places apart: where the item really is.
    pub(super) fn real_path(&self) -> PathBuf {
        if self.owns_folder {
            return self.real_folder.clone();
        }
        let path = self.real_folder.join(&self.entry);
        fs::canonicalize(&path).unwrap_or(path)
    }
}

/// The name that an agent file's own name gives: without `.md`, and without the `.agent` that
/// Copilot's files have before it.
pub fn agent_name(file: &str) -> &str {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.strip_suffix(".agent").unwrap_or(stem)
}

/// Whether a file directly in a folder of agents is one, by its name.
pub fn is_agent_file(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    !name.starts_with('.') && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agent_files_are_named_by_their_stem() {
        assert_eq!(agent_name("critic.md"), "critic");
        assert_eq!(agent_name("v1.2.agent.md"), "v1.2");
        assert!(is_agent_file("critic.MD"));
        assert!(!is_agent_file(".critic.md"));
        assert!(!is_agent_file("critic.txt"));
    }
}
