//! Where an entry's command leads on this machine.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::as_text;
use crate::machine::{Machine, Os};

/// What a client would start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "leads", rename_all = "kebab-case")]
pub enum Leads {
    /// This very program.
    Here,
    /// Another file: an older copy, or one of another installation.
    Elsewhere {
        /// The file behind all links.
        #[serde(serialize_with = "as_text")]
        path: PathBuf,
    },
    /// Nowhere: there is no such file.
    Nowhere,
    /// It is a name and no path, so it depends on the `PATH` that the client has.
    ByName {
        /// Whether our own `PATH` leads to this very program.
        leads_here: bool,
    },
    /// Over the border of WSL, where nothing is looked at from here.
    OverBridge,
    /// It is a path of another system's form, such as `C:\…` in a file that Linux reads.
    OtherSystem,
}

/// Where `command` leads; `this` is this program's file, links resolved.
pub(super) fn leads(command: &str, machine: &Machine, this: &Path) -> Leads {
    if is_of_other_system(command, machine.os()) {
        return Leads::OtherSystem;
    }
    if crosses_wsl(command, machine.os()) {
        return Leads::OverBridge;
    }
    let path = Path::new(command);
    if !path.is_absolute() {
        let files = machine.program_files(command.strip_suffix(".exe").unwrap_or(command));
        let first = files.into_iter().find(|file| file.is_file());
        let real = first.and_then(|file| file.canonicalize().ok());
        return Leads::ByName {
            leads_here: real.is_some_and(|real| real == this),
        };
    }
    match path.canonicalize() {
        Ok(real) if real == this => Leads::Here,
        Ok(real) if real.is_file() => Leads::Elsewhere { path: real },
        _ => Leads::Nowhere,
    }
}

/// Whether a command is a path in a form that this system doesn't know.
fn is_of_other_system(command: &str, os: Os) -> bool {
    let has_drive = matches!(command.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    match os {
        Os::Windows => command.starts_with('/'),
        Os::Linux | Os::MacOs => has_drive || command.starts_with(r"\\"),
    }
}

/// Whether a command starts a program of Linux from Windows, or one of Windows from inside WSL.
fn crosses_wsl(command: &str, os: Os) -> bool {
    let file = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, "exe"));
    let is_exe = ending.eq_ignore_ascii_case("exe");
    match os {
        Os::Windows => is_exe && stem.eq_ignore_ascii_case("wsl"),
        Os::Linux => is_exe && file.contains('.') && command.starts_with("/mnt/"),
        Os::MacOs => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn forms_of_other_systems_are_seen_on_each() {
        let windows = r"C:\Programs\imprint.exe";
        assert!(is_of_other_system(windows, Os::Linux));
        assert!(is_of_other_system(windows, Os::MacOs));
        assert!(!is_of_other_system(windows, Os::Windows));
        assert!(is_of_other_system("/usr/bin/imprint", Os::Windows));
        assert!(!is_of_other_system(
            "/mnt/c/Programs/imprint.exe",
            Os::Linux
        ));
        assert!(!is_of_other_system("imprint", Os::Linux));
    }

    #[test]
    fn the_border_of_wsl_is_seen_from_both_sides() {
        assert!(crosses_wsl("wsl.exe", Os::Windows));
        assert!(crosses_wsl(r"C:\Windows\System32\wsl.exe", Os::Windows));
        assert!(!crosses_wsl(r"C:\imprint.exe", Os::Windows));
        assert!(crosses_wsl("/mnt/c/Programs/Imprint.exe", Os::Linux));
        assert!(!crosses_wsl("/mnt/data/imprint", Os::Linux));
    }

    #[test]
    fn a_command_leads_here_elsewhere_or_nowhere() {
        let disk = tempfile::tempdir().unwrap();
        let disk = disk.path().canonicalize().unwrap();
        let name = if cfg!(windows) {
            "imprint.exe"
        } else {
            "imprint"
        };
        let (this, old) = (disk.join("new").join(name), disk.join("old").join(name));
        for file in [&this, &old] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let machine =
            |folder: &str| Machine::new(Os::current(), &disk).with_path([disk.join(folder)]);
        let at = |command: &Path| leads(command.to_str().unwrap(), &machine("new"), &this);
        assert_eq!(at(&this), Leads::Here);
        assert_eq!(at(&old), Leads::Elsewhere { path: old.clone() });
        assert_eq!(at(&disk.join("gone")), Leads::Nowhere);
        assert_eq!(at(&disk), Leads::Nowhere);
        for (folder, leads_here) in [("new", true), ("old", false), ("none", false)] {
            assert_eq!(
                leads("imprint", &machine(folder), &this),
                Leads::ByName { leads_here }
            );
        }
    }
}
