//! The machine as far as clients' folders depend on it: a value, so that every system's forms can
//! be tested on any of them.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The variables that move clients' folders or change which of them a client reads. No other
/// variable of the environment is ever kept: it often holds keys.
pub(crate) const VARIABLES: &[&str] = &[
    "APPDATA",
    "CLAUDE_CONFIG_DIR",
    "CLINE_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CRUSH_SKILLS_DIR",
    "GEMINI_CLI_HOME",
    "HERMES_HOME",
    "LOCALAPPDATA",
    "OPENCLAW_STATE_DIR",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS",
    "VIBE_HOME",
    "XDG_CONFIG_HOME",
];

/// An operating system, as far as folders differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the system's name")]
pub enum Os {
    Linux,
    MacOs,
    Windows,
}

impl Os {
    /// The system that this program was built for; everything that is neither macOS nor Windows
    /// has Linux' folders.
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }

    const fn separator(self) -> &'static str {
        match self {
            Self::Windows => "\\",
            Self::Linux | Self::MacOs => "/",
        }
    }

    /// Whether a path is absolute there, whatever system this program runs on.
    fn is_absolute(self, path: &OsStr) -> bool {
        let bytes = path.as_encoded_bytes();
        match self {
            Self::Linux | Self::MacOs => bytes.starts_with(b"/"),
            Self::Windows => match bytes {
                [b'\\', b'\\', ..] => true,
                [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
                _ => false,
            },
        }
    }
}

/// Whose settings the environment of this process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironmentOf {
    /// The user's own shell: a variable that isn't set is not set.
    User,
    /// A client that started this process. Some pass a short list on, so a variable that is
    /// missing says nothing, and the one that the last pass knew still counts.
    Client,
}

/// What a client's folders depend on.
#[derive(Clone, Debug)]
pub struct Machine {
    os: Os,
    home: PathBuf,
    environment: EnvironmentOf,
    variables: BTreeMap<&'static str, OsString>,
    path: Vec<PathBuf>,
}

/// The user has no home folder, so no client has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no home folder; set `HOME` (on Windows `USERPROFILE`)")]
pub struct NoHome;

impl Machine {
    /// A machine with nothing set.
    pub fn new(os: Os, home: impl Into<PathBuf>) -> Self {
        Self {
            os,
            home: home.into(),
            environment: EnvironmentOf::User,
            variables: BTreeMap::new(),
            path: Vec::new(),
        }
    }

    /// This machine, as the environment of this process tells.
    pub fn current(environment: EnvironmentOf) -> Result<Self, NoHome> {
        let home = std::env::home_dir()
            .filter(|home| home.is_absolute())
            .ok_or(NoHome)?;
        let mut machine = Self::new(Os::current(), home);
        machine.environment = environment;
        for name in VARIABLES {
            if let Some(value) = std::env::var_os(name) {
                machine = machine.with_variable(name, value);
            }
        }
        machine.path = std::env::var_os("PATH")
            .map(|path| std::env::split_paths(&path).collect())
            .unwrap_or_default();
        Ok(machine)
    }

    /// The same machine with a variable set. Variables that move no folder are ignored, and so is
    /// an empty value.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        let value = value.into();
        if let Some(name) = VARIABLES.iter().find(|known| **known == name)
            && !value.is_empty()
        {
            self.variables.insert(name, value);
        }
        self
    }

    /// The same machine with these folders on `PATH`.
    #[must_use]
    pub fn with_path(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.path = folders.into_iter().collect();
        self
    }

    /// The same machine, seen from a process whose environment is this one's.
    #[must_use]
    pub fn with_environment_of(mut self, environment: EnvironmentOf) -> Self {
        self.environment = environment;
        self
    }

    /// The same machine with the variables that the last pass knew, where this process can't know
    /// that they are gone.
    #[must_use]
    pub(crate) fn with_remembered(mut self, remembered: &BTreeMap<String, String>) -> Self {
        if self.environment == EnvironmentOf::Client {
            for (name, value) in remembered {
                if self.variable(name).is_none() {
                    self = self.with_variable(name, value);
                }
            }
        }
        self
    }

    /// The variables to remember for a process that can't see them. Values that are no Unicode are
    /// not remembered.
    pub(crate) fn to_remember(&self) -> BTreeMap<String, String> {
        self.variables
            .iter()
            .filter_map(|(name, value)| Some(((*name).to_owned(), value.to_str()?.to_owned())))
            .collect()
    }

    /// The folders on `PATH`.
    pub fn search_path(&self) -> &[PathBuf] {
        &self.path
    }

    /// The system.
    pub fn os(&self) -> Os {
        self.os
    }

    /// A path below the home folder.
    pub fn home(&self, parts: &[&str]) -> PathBuf {
        self.below(&self.home, parts)
    }

    /// A path below `$XDG_CONFIG_HOME`, else `~/.config`, on every system: what the clients that
    /// use it do.
    pub fn xdg_config(&self, parts: &[&str]) -> PathBuf {
        let base = self
            .folder_variable("XDG_CONFIG_HOME")
            .unwrap_or_else(|| self.home(&[".config"]));
        self.below(&base, parts)
    }

    /// A path below `%APPDATA%`, where applications on Windows keep their settings.
    pub fn app_data(&self, parts: &[&str]) -> PathBuf {
        let base = self
            .folder_variable("APPDATA")
            .unwrap_or_else(|| self.home(&["AppData", "Roaming"]));
        self.below(&base, parts)
    }

    /// A path below `%LOCALAPPDATA%`, where applications on Windows keep what stays on one
    /// computer.
    pub fn local_app_data(&self, parts: &[&str]) -> PathBuf {
        let base = self
            .folder_variable("LOCALAPPDATA")
            .unwrap_or_else(|| self.home(&["AppData", "Local"]));
        self.below(&base, parts)
    }

    /// A path below the folder where applications with windows keep their settings: `%APPDATA%` on
    /// Windows, `~/Library/Application Support` on macOS, `$XDG_CONFIG_HOME` on Linux.
    pub fn app_settings(&self, parts: &[&str]) -> PathBuf {
        match self.os {
            Os::Windows => self.app_data(parts),
            Os::MacOs => self.home(&[&["Library", "Application Support"], parts].concat()),
            Os::Linux => self.xdg_config(parts),
        }
    }

    /// A path below the folder that a variable names, else below a folder in the home folder.
    pub fn moved(&self, variable: &str, default: &str, parts: &[&str]) -> PathBuf {
        let base = self
            .folder_variable(variable)
            .unwrap_or_else(|| self.home(&[default]));
        self.below(&base, parts)
    }

    /// The folder that a variable names: an absolute path, else nothing.
    pub fn folder_variable(&self, name: &str) -> Option<PathBuf> {
        self.variable(name)
            .filter(|value| self.os.is_absolute(value))
            .map(PathBuf::from)
    }

    /// Whether a variable is set to `1` or `true`, as clients' switches are.
    pub fn switch(&self, name: &str) -> bool {
        self.variable(name)
            .and_then(OsStr::to_str)
            .is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
    }

    /// Where a program would be found.
    pub fn program_files(&self, program: &str) -> Vec<PathBuf> {
        let endings: &[&str] = match self.os {
            Os::Windows => &[".exe", ".cmd", ".ps1"],
            Os::Linux | Os::MacOs => &[""],
        };
        self.path
            .iter()
            .filter(|folder| !self.is_windows_folder_in_wsl(folder))
            .flat_map(|folder| {
                endings
                    .iter()
                    .map(|ending| self.below(folder, &[&format!("{program}{ending}")]))
            })
            .collect()
    }

    /// WSL appends Windows' own `PATH` by default; programs there keep their folders in another
    /// home.
    fn is_windows_folder_in_wsl(&self, folder: &Path) -> bool {
        self.os == Os::Linux
            && folder
                .to_str()
                .and_then(|folder| folder.strip_prefix("/mnt/"))
                .and_then(|rest| rest.split('/').next())
                .is_some_and(|drive| drive.len() == 1)
    }

    fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(name).map(OsString::as_os_str)
    }

    /// A path below a folder, in this system's form.
    pub fn below(&self, base: &Path, parts: &[&str]) -> PathBuf {
        let mut path = base.as_os_str().to_owned();
        for part in parts {
            let bytes = path.as_encoded_bytes();
            if !bytes.ends_with(self.os.separator().as_bytes()) {
                path.push(self.os.separator());
            }
            path.push(part);
        }
        path.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> &str {
        path.to_str().unwrap()
    }

    #[test]
    fn paths_have_the_form_of_their_system() {
        let linux = Machine::new(Os::Linux, "/home/ada");
        assert_eq!(
            text(&linux.home(&[".agents", "skills"])),
            "/home/ada/.agents/skills"
        );
        let windows = Machine::new(Os::Windows, r"C:\Users\Ada");
        assert_eq!(
            text(&windows.home(&[".agents", "skills"])),
            r"C:\Users\Ada\.agents\skills"
        );
        assert_eq!(
            text(&windows.xdg_config(&["opencode"])),
            r"C:\Users\Ada\.config\opencode"
        );
    }

    #[test]
    fn a_variable_moves_a_folder_only_when_it_names_an_absolute_one() {
        let machine = Machine::new(Os::MacOs, "/Users/ada");
        let moved = machine.clone().with_variable("CODEX_HOME", "/opt/codex/");
        assert_eq!(
            text(&moved.moved("CODEX_HOME", ".codex", &["agents"])),
            "/opt/codex/agents"
        );
        for odd in ["", "codex", "~/codex"] {
            let machine = machine.clone().with_variable("CODEX_HOME", odd);
            assert_eq!(
                text(&machine.moved("CODEX_HOME", ".codex", &[])),
                "/Users/ada/.codex"
            );
        }
        let windows =
            Machine::new(Os::Windows, r"C:\Users\Ada").with_variable("CODEX_HOME", r"D:\codex");
        assert_eq!(
            text(&windows.moved("CODEX_HOME", ".codex", &["agents"])),
            r"D:\codex\agents"
        );
    }

    #[test]
    fn a_process_of_a_client_remembers_what_it_cannot_see() {
        let user = Machine::new(Os::Linux, "/home/ada").with_variable("CODEX_HOME", "/opt/codex");
        let remembered = user.to_remember();
        let client =
            Machine::new(Os::Linux, "/home/ada").with_environment_of(EnvironmentOf::Client);
        assert_eq!(
            client
                .with_remembered(&remembered)
                .folder_variable("CODEX_HOME"),
            Some("/opt/codex".into())
        );
        let shell = Machine::new(Os::Linux, "/home/ada");
        assert_eq!(
            shell
                .with_remembered(&remembered)
                .folder_variable("CODEX_HOME"),
            None
        );
    }

    #[test]
    fn other_variables_are_not_kept() {
        let machine = Machine::new(Os::Linux, "/home/ada").with_variable("SOME_API_KEY", "x");
        assert!(machine.variables.is_empty());
    }

    #[test]
    fn programs_of_windows_are_not_programs_of_wsl() {
        let machine = Machine::new(Os::Linux, "/home/ada").with_path([
            "/usr/bin".into(),
            "/mnt/c/tools".into(),
            "/mnt/data".into(),
        ]);
        let files = machine.program_files("claude");
        assert_eq!(
            files,
            [PathBuf::from("/usr/bin/claude"), "/mnt/data/claude".into()]
        );
        let windows = Machine::new(Os::Windows, r"C:\Users\Ada").with_path([r"C:\bin".into()]);
        assert_eq!(
            text(&windows.program_files("claude")[1]),
            r"C:\bin\claude.cmd"
        );
    }
}
