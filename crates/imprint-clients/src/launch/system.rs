//! The system that a client runs on, told from where its files lie.

use std::{fmt, path::Path};

use crate::{machine::Os, wsl::paths};

/// A system that a client or we run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum System {
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
    /// Linux on its own.
    Linux,
    /// A Linux distribution inside Windows, by its name.
    Wsl(String),
}

impl System {
    /// The system that this program runs on. `distro` is the value of `WSL_DISTRO_NAME`, which WSL
    /// sets for every program of a distribution.
    pub fn current(distro: Option<&str>) -> Self {
        match (Os::current(), distro) {
            (Os::Windows, _) => Self::Windows,
            (Os::MacOs, _) => Self::MacOs,
            (Os::Linux, Some(distro)) if !distro.is_empty() => Self::Wsl(distro.to_owned()),
            (Os::Linux, _) => Self::Linux,
        }
    }

    /// The system of a client whose files lie in this folder, as this system names it.
    #[must_use]
    pub fn of_client(&self, profile: &Path) -> Self {
        let profile = profile.to_string_lossy();
        match self {
            Self::Windows => match paths::split_share(&profile) {
                Some((distro, _)) => Self::Wsl(distro.to_owned()),
                None => Self::Windows,
            },
            Self::Wsl(_) if paths::on_windows(&profile).is_some() => Self::Windows,
            Self::MacOs | Self::Linux | Self::Wsl(_) => self.clone(),
        }
    }

    /// What clients' folders look like there.
    pub fn os(&self) -> Os {
        match self {
            Self::Windows => Os::Windows,
            Self::MacOs => Os::MacOs,
            Self::Linux | Self::Wsl(_) => Os::Linux,
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Windows => f.write_str("Windows"),
            Self::MacOs => f.write_str("macOS"),
            Self::Linux => f.write_str("Linux"),
            Self::Wsl(distro) => write!(f, "WSL ({distro})"),
        }
    }
}
