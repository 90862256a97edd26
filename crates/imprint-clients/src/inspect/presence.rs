//! Whether a client is installed, and in which version, as far as files tell: no client is started.

use std::path::{Path, PathBuf};

use imprint_core::{SessionRecord, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::as_optional_text;
use crate::{client::Client, home::read_bounded, known::clients, machine::Machine, pattern};

/// Where package managers keep packages.
const PACKAGES: &str = "node_modules";
/// More than any script has that only starts a program.
const MAX_SCRIPT_BYTES: u64 = 16 * 1024;
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

/// The version in the description of the package to which a program belongs: the one behind its
/// links, or the one that the script in its place starts.
fn package_version(program: &Path) -> Option<String> {
    let real = program.canonicalize().ok()?;
    in_package(&real).or_else(|| {
        let script = read_bounded(&real, MAX_SCRIPT_BYTES).ok()?;
        let below = started_by(std::str::from_utf8(&script).ok()?)?;
        let started = below
            .split('/')
            .fold(real.parent()?.to_owned(), |path, part| path.join(part));
        in_package(&started)
    })
}

/// A program that no package manager put where it is belongs to no package.
fn in_package(program: &Path) -> Option<String> {
    let is_package_root = |folder: &&Path| folder.file_name().is_some_and(|name| name == PACKAGES);
    program.ancestors().find(is_package_root)?;
    program
        .ancestors()
        .skip(1)
        .take_while(|folder| !is_package_root(folder))
        .find_map(|folder| version_in(&folder.join("package.json")))
}

/// What the script starts that package managers put where links can't be, as on Windows: a path
/// below its own folder, with `/` between components.
fn started_by(script: &str) -> Option<String> {
    let starts = ["$basedir/", r"%dp0%\", r"%~dp0\"];
    let paths = starts.iter().flat_map(|start| script.split(start).skip(1));
    paths
        .map(|rest| {
            rest.split(['"', '\'', '\n', ' '])
                .next()
                .unwrap_or_default()
                .replace('\\', "/")
        })
        .find(|path| path.split('/').any(|part| part == PACKAGES))
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
            key: None,
            grant: None,
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
    fn a_script_in_a_links_place_tells_the_version() {
        let disk = tempfile::tempdir().unwrap();
        let package = disk.path().join("node_modules/@anthropic-ai/claude-code");
        write(&package.join("package.json"), r#"{"version": "2.1.332"}"#);
        let script = r#"@ECHO off
"%_prog%"  "%dp0%\node_modules\@anthropic-ai\claude-code\cli.js" %*
"#;
        let program = disk.path().join("claude.cmd");
        write(&program, script);
        assert_eq!(package_version(&program).as_deref(), Some("2.1.332"));
        let shell =
            "exec node  \"$basedir/node_modules/@anthropic-ai/claude-code/cli.js\" \"$@\"\n";
        write(&program, shell);
        assert_eq!(package_version(&program).as_deref(), Some("2.1.332"));
        write(&program, "exec node \"$basedir/claude.js\"\n");
        assert_eq!(package_version(&program), None);
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
