//! Where Imprint keeps what it keeps.

use std::{
    env,
    path::{Path, PathBuf, is_separator},
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

    /// Whether a process without any variable set would find this one.
    pub(crate) fn is_found_by_itself(&self) -> bool {
        Self::usual().is_some_and(|usual| usual == self.root)
    }

    /// The folder that a process without any variable set would find.
    pub(crate) fn usual() -> Option<PathBuf> {
        let data = if cfg!(windows) {
            choose_base_strategy().map(|strategy| strategy.data_dir())
        } else {
            home_dir().map(|home| home.join(".local").join("share"))
        };
        Some(data.ok()?.join("imprint"))
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
    tilde(&path.display().to_string())
}

/// A text for people: `~` instead of the user's home folder where paths in it begin so. Inside
/// single quotes it stays, because a shell takes `~` literally there.
pub(crate) fn tilde(text: &str) -> String {
    match home_dir().ok().as_deref().and_then(Path::to_str) {
        Some(home) if home.len() > 1 => with_tilde(text, home.trim_end_matches(is_separator)),
        _ => text.to_owned(),
    }
}

fn with_tilde(text: &str, home: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, after) = (&rest[..at], &rest[at + home.len()..]);
        shown.push_str(before);
        let begins = !before.ends_with(|c: char| is_separator(c) || is_of_a_name(c) || c == '\'');
        let ends = !after.starts_with(is_of_a_name);
        shown.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    shown + rest
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_')
}

/// A variable that is set to something.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::with_tilde;

    #[test]
    fn only_paths_that_begin_in_the_home_are_shortened() {
        let shown = |text| with_tilde(text, "/home/ada");
        assert_eq!(shown("/home/ada/.claude"), "~/.claude");
        assert_eq!(shown("`/home/ada`: /home/ada/x"), "`~`: ~/x");
        assert_eq!(
            shown("/home/adam/x /srv/home/ada/x"),
            "/home/adam/x /srv/home/ada/x"
        );
        assert_eq!(shown("'/home/ada/my skill'"), "'/home/ada/my skill'");
    }
}
