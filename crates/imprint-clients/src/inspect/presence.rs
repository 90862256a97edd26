//! Whether a client is installed, and in which version, as far as files tell: no client is started.

use std::path::{Path, PathBuf};

use imprint_core::{SessionRecord, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::as_optional_text;
use crate::{client::Client, home::read_bounded, known::clients, machine::Machine, pattern};

/// More than any package's own description has.
const MAX_PACKAGE_BYTES: u64 = 1024 * 1024;

/// What shows that a client is installed: at least one of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Installed {
    /// Its configuration folder.
    #[serde(serialize_with = "as_optional_text")]
    pub folder: Option<PathBuf>,
    /// Its program, as it is found on `PATH`.
    #[serde(serialize_with = "as_optional_text")]
    pub program: Option<PathBuf>,
}

/// A client's version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// As the client writes it.
    pub text: String,
    /// How it is known.
    #[serde(flatten)]
    pub from: VersionFrom,
}

/// How a version is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum VersionFrom {
    /// The package that its program belongs to.
    Package,
    /// What it said when it connected last.
    Session {
        /// When.
        at: Timestamp,
    },
}

/// What shows that a client is installed; `None`: nothing does. `ours` tells whether there is
/// nothing in a folder but what we made, which shows nothing.
pub(super) fn installed(
    client: &Client,
    machine: &Machine,
    ours: impl Fn(&Path) -> bool,
) -> Option<Installed> {
    let presence = client.presence.as_ref()?;
    let folders = (presence.config)(machine);
    let mut folders = folders.iter().flat_map(|folder| pattern::found(folder));
    let programs = presence.programs.iter();
    let mut programs = programs.flat_map(|program| machine.program_files(program));
    let installed = Installed {
        folder: folders.find(|folder| !ours(folder)),
        program: programs.find(|program| program.is_file()),
    };
    (installed != Installed::default()).then_some(installed)
}

/// The version of a client: that of its program's package, else what it said when it connected
/// last. `sessions` come latest first.
pub(super) fn version(
    client: &Client,
    program: Option<&Path>,
    sessions: &[SessionRecord],
) -> Option<Version> {
    let package = program.and_then(package_version).map(|text| Version {
        text,
        from: VersionFrom::Package,
    });
    package.or_else(|| said_version(client, sessions))
}

/// The version in the description of the package behind a program's links.
fn package_version(program: &Path) -> Option<String> {
    let real = program.canonicalize().ok()?;
    let is_package_root = |folder: &&Path| {
        folder
            .file_name()
            .is_some_and(|name| name == "node_modules")
    };
    // A program that no package manager put there belongs to no package.
    real.ancestors().find(is_package_root)?;
    real.ancestors()
        .skip(1)
        .take_while(|folder| !is_package_root(folder))
        .find_map(|folder| version_in(&folder.join("package.json")))
}

fn version_in(description: &Path) -> Option<String> {
    let bytes = read_bounded(description, MAX_PACKAGE_BYTES).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    Some(value["version"].as_str()?.to_owned())
}

/// A client that calls itself by its library's name sends its library's version, so only a
/// recognised name counts.
fn said_version(client: &Client, sessions: &[SessionRecord]) -> Option<Version> {
    let is_its = |session: &&SessionRecord| {
        let name = session.client_name.as_deref();
        let said = name.and_then(|name| clients().recognise(name));
        said.is_some_and(|said| said.id == client.facts.id) && session.client_version.is_some()
    };
    let session = sessions.iter().find(is_its)?;
    Some(Version {
        text: session.client_version.clone()?,
        from: VersionFrom::Session {
            at: session.seen_at,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use imprint_core::SessionId;

    use super::*;
    use crate::{known::known_client, machine::Os};

    fn session(name: &str, version: &str) -> SessionRecord {
        SessionRecord {
            id: SessionId(uuid::Uuid::nil()),
            client_name: Some(name.to_owned()),
            client_version: Some(version.to_owned()),
            named_client: None,
            protocol: "2025-11-25".to_owned(),
            transport: "stdio".to_owned(),
            started_at: Timestamp(1),
            seen_at: Timestamp(2),
            calls: 0,
        }
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_package_behind_a_link_tells_the_version() {
        let disk = tempfile::tempdir().unwrap();
        let package = disk
            .path()
            .join("lib/node_modules/@anthropic-ai/claude-code");
        write(&package.join("package.json"), r#"{"version": "2.1.332"}"#);
        write(&package.join("bin/claude.js"), "");
        let bin = disk.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        let program = if cfg!(unix) {
            #[cfg(unix)]
            std::os::unix::fs::symlink(package.join("bin/claude.js"), bin.join("claude")).unwrap();
            bin.join("claude")
        } else {
            package.join("bin/claude.js")
        };
        let client = known_client("claude-code").unwrap();
        let sessions = [
            session("claude-code", "2.0.1"),
            session("claude-code", "1.0.0"),
        ];
        let seen = version(client, Some(&program), &sessions).unwrap();
        assert_eq!(
            (seen.text.as_str(), seen.from),
            ("2.1.332", VersionFrom::Package)
        );
        let seen = version(client, None, &sessions).unwrap();
        let at = Timestamp(2);
        assert_eq!(
            (seen.text.as_str(), seen.from),
            ("2.0.1", VersionFrom::Session { at })
        );
    }

    #[test]
    fn what_is_in_no_package_has_no_version() {
        let disk = tempfile::tempdir().unwrap();
        write(&disk.path().join("package.json"), r#"{"version": "9"}"#);
        write(&disk.path().join("bin/claude"), "");
        assert_eq!(package_version(&disk.path().join("bin/claude")), None);
        let client = known_client("claude-code").unwrap();
        assert_eq!(version(client, None, &[session("mcp", "1.2.3")]), None);
    }

    #[test]
    fn a_folder_or_a_program_shows_a_client() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path()).with_path([disk.path().join("bin")]);
        let client = known_client("claude-code").unwrap();
        assert_eq!(installed(client, &machine, |_| false), None);
        let folder = disk.path().join(".claude");
        fs::create_dir_all(&folder).unwrap();
        let seen = installed(client, &machine, |_| false).unwrap();
        assert_eq!(seen.folder.as_ref(), Some(&folder));
        assert_eq!(seen.program, None);
        assert_eq!(installed(client, &machine, |path| path == folder), None);
    }
}
