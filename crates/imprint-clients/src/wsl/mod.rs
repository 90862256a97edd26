//! The other side of a computer that has Windows and Linux at once: from Windows, the distributions
//! of its Linux subsystem; from inside one, Windows.
//!
//! Nothing here was seen on such a computer yet: paths, entries and the outputs of programs are
//! tested as their manuals have them.

mod command;
mod output;
pub(crate) mod paths;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use command::run;

use crate::{
    client::Client,
    known::known_clients,
    launch::System,
    machine::{Machine, Os, VARIABLES},
    pattern,
};

/// Runs a program with these arguments and gives what it printed; an error where it could not be
/// started or failed. [`run`] in earnest, made-up outputs in tests.
pub type Runner<'a> = &'a dyn Fn(&str, &[&str]) -> io::Result<Vec<u8>>;

const WSL: &str = "wsl.exe";

/// Where drives are mounted unless a distribution says otherwise, and so where Windows has its
/// command line.
const CMD: &str = "/mnt/c/Windows/System32/cmd.exe";

/// The other side, whose clients can be reached from here.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// Which system it is.
    pub system: System,
    /// What clients' folders depend on there. Its programs are not looked for: a client is found
    /// there by its folder.
    pub machine: Machine,
    /// Where we run.
    ours: System,
}

/// Why the other side could not be reached.
#[derive(Debug, thiserror::Error)]
pub enum WslError {
    /// The program that leads there could not be run.
    #[error("`{program}` could not be run: {source}")]
    Run {
        /// The program.
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It didn't tell the user's home folder.
    #[error("{system} doesn't tell the user's home folder")]
    NoHome {
        /// The system that was asked.
        system: System,
    },
}

/// The distributions that Windows has, the default one first, without starting any. None where
/// Windows has no WSL, or where this is not Windows.
pub fn distributions(ours: &System, run: Runner<'_>) -> Result<Vec<String>, WslError> {
    if *ours != System::Windows {
        return Ok(Vec::new());
    }
    match run(WSL, &["--list", "--quiet"]) {
        Ok(printed) => Ok(output::distributions(&printed)),
        // Without WSL, and with WSL but no distribution, it ends with a failure and a hint.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::Other) => {
            Ok(Vec::new())
        }
        Err(source) => Err(WslError::Run {
            program: WSL,
            source,
        }),
    }
}

impl Elsewhere {
    /// A distribution, seen from Windows. Asking for its home starts it.
    pub fn distribution(distro: &str, run: Runner<'_>) -> Result<Self, WslError> {
        let system = System::Wsl(distro.to_owned());
        let printed =
            run(WSL, &["-d", distro, "--exec", "/usr/bin/printenv", "HOME"]).map_err(|source| {
                WslError::Run {
                    program: WSL,
                    source,
                }
            })?;
        let Some(home) = output::linux_path(&printed) else {
            return Err(WslError::NoHome { system });
        };
        Ok(Self {
            system,
            machine: Machine::new(Os::Linux, home),
            ours: System::Windows,
        })
    }

    /// Windows, seen from inside a distribution.
    pub fn windows(distro: &str, run: Runner<'_>) -> Result<Self, WslError> {
        // `set` and not `echo`, which would run what stands behind a `&` in a folder's name. It
        // fails where a name is not set, but not for what came before. `/u` prints UTF-16.
        let asked = ["USERPROFILE"].iter().chain(VARIABLES);
        let asked: Vec<_> = asked.map(|name| format!("set {name}")).collect();
        let line = format!("{}&ver>nul", asked.join("&"));
        let printed = run(CMD, &["/u", "/d", "/c", &line]).map_err(|source| WslError::Run {
            program: CMD,
            source,
        })?;
        let variables = output::windows_variables(&printed);
        let home = variables
            .get("USERPROFILE")
            .filter(|home| paths::in_wsl(home).is_some());
        let Some(home) = home else {
            let system = System::Windows;
            return Err(WslError::NoHome { system });
        };
        let machine = Machine::new(Os::Windows, home);
        Ok(Self {
            system: System::Windows,
            machine: variables.iter().fold(machine, |machine, (name, value)| {
                machine.with_variable(name, value)
            }),
            ours: System::Wsl(distro.to_owned()),
        })
    }

    /// A path of that side as this side names it; `None` for what can't be reached from here.
    pub fn seen_from_here(&self, path: &Path) -> Option<PathBuf> {
        let path = path.to_str()?;
        let seen = match &self.system {
            System::Wsl(distro) => paths::as_share(distro, path),
            System::Windows => paths::in_wsl(path),
            System::Linux | System::MacOs => None,
        };
        seen.map(PathBuf::from)
    }

    /// The clients there, the best known first.
    pub fn installed(&self) -> Vec<&'static Client> {
        let exists = |path: &Path| {
            let seen = self.seen_from_here(path);
            seen.is_some_and(|path| !pattern::found(&path).is_empty())
        };
        let clients = known_clients().iter().copied();
        clients
            .filter(|client| client.is_installed(&self.machine, exists, |_| false))
            .collect()
    }

    /// The side that we are on.
    pub fn ours(&self) -> &System {
        &self.ours
    }
}

#[cfg(test)]
mod tests;
