//! Where Imprint keeps what it keeps.

use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::{BaseStrategy, choose_base_strategy, home_dir};

use crate::failure::Failure;

/// The folder with the database, the manifest and the settings: `--home`, `$IMPRINT_HOME`, else
/// `imprint` in the platform's data folder. It need not exist.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    root: PathBuf,
}

impl Home {
    /// Finds the folder without creating it.
    pub(crate) fn find(given: Option<&Path>) -> Result<Self, Failure> {
        if let Some(given) = given.filter(|path| !path.as_os_str().is_empty()) {
            let root = std::path::absolute(given)
                .map_err(|error| Failure::io("use the home", given, &error))?;
            return Self { root }.checked();
        }
        let strategy = choose_base_strategy().map_err(|_| {
            Failure::failed("can't tell where your home folder is")
                .hint("set `HOME`, or name a folder with `IMPRINT_HOME`")
        })?;
        Self {
            root: strategy.data_dir().join("imprint"),
        }
        .checked()
    }

    /// The folder, unless something else is in its place.
    fn checked(self) -> Result<Self, Failure> {
        if self.root.metadata().is_ok_and(|found| !found.is_dir()) {
            return Err(Failure::failed(format!(
                "`{}` is no folder, so Imprint can't keep anything in it",
                self.root.display()
            ))
            .hint("move it away, or name a folder with `--home` or `IMPRINT_HOME`"));
        }
        Ok(self)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join("imprint.db")
    }

    pub(crate) fn settings_file(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// Where refused texts are kept, so that no one's work is lost.
    pub(crate) fn refused(&self) -> PathBuf {
        self.root.join("refused")
    }
}

/// A path for people: `~` instead of the user's home folder.
pub(crate) fn shown(path: &Path) -> String {
    match home_dir()
        .ok()
        .and_then(|home| path.strip_prefix(&home).ok().map(Path::to_path_buf))
    {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~{}{}", std::path::MAIN_SEPARATOR, rest.display()),
        None => path.display().to_string(),
    }
}

/// A variable that is set to something.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}
