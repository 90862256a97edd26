//! A client's configuration files, looked at and never written.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    as_text,
    command::{Leads, leads},
    entry::{self, OurEntry, Servers},
};
use crate::{
    client::{Client, ConfigFile},
    config::{self, MAX_BYTES, Slot, Value},
    connect::{Record, Scope, Wanted, project_folder},
    home::read_bounded,
    launch::{DISTRO_VARIABLE, Launch},
    machine::Machine,
};

/// One of a client's configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigSeen {
    /// For whom its entries count.
    pub scope: ConfigScope,
    /// The file as the client names it.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// What it holds.
    #[serde(flatten)]
    pub state: ConfigState,
}

/// For whom the entries of a file count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConfigScope {
    /// For the user, wherever they work.
    User,
    /// For everyone who works in this project.
    Project,
    /// For the user in this project alone; they stand in the user's file.
    Local,
}

/// What a configuration file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ConfigState {
    /// There is none.
    Missing,
    /// It can't be read as a file.
    Unreadable {
        /// Why.
        why: String,
    },
    /// It can't be read as what it should be.
    Damaged {
        /// Where and why.
        why: String,
    },
    /// Its servers.
    Read {
        /// The entries that concern Imprint.
        entries: Vec<EntrySeen>,
        /// How many other servers there are.
        others: usize,
        /// The names of servers with control characters in their command or an argument.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        mangled: Vec<String>,
    },
}

/// An entry of a file, and where its command leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntrySeen {
    /// The entry.
    #[serde(flatten)]
    pub ours: OurEntry,
    /// Where its command leads, if it starts Imprint.
    #[serde(flatten)]
    pub leads: Option<Leads>,
}

impl EntrySeen {
    /// Whether it tells the server that its client is on the other side of WSL.
    pub fn marks_bridge(&self) -> bool {
        let in_args = |arg: &String| {
            let value = arg.strip_prefix(DISTRO_VARIABLE);
            value.is_some_and(|value| value.starts_with('='))
        };
        self.ours.variables.contains_key(DISTRO_VARIABLE)
            || self.ours.entry.args.iter().any(in_args)
    }

    /// Whether it starts this very program with the arguments that connecting this client writes.
    /// Nothing else is ever started to see what it answers.
    pub fn may_be_started(&self, client: &str) -> bool {
        self.leads == Some(Leads::Here) && self.ours.entry.args == ["mcp", "--client", client]
    }
}

/// Where configuration files are looked for, and what this program is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The folder in which the user works, whose project's files count too.
    pub current: Option<&'a Path>,
    /// This program's file, links resolved.
    pub this: &'a Path,
    /// What connecting wrote; `None` where nobody can tell.
    pub record: Option<&'a Record>,
}

impl ConfigSeen {
    /// The entries that it holds.
    pub fn entries(&self) -> &[EntrySeen] {
        match &self.state {
            ConfigState::Read { entries, .. } => entries,
            _ => &[],
        }
    }
}

/// The configuration files of a client: the user's, with what it holds for this project alone, and
/// the project's, if there is one.
pub(super) fn config_files(client: &Client, around: &Around<'_>) -> Vec<ConfigSeen> {
    let Some(config) = &client.config else {
        return Vec::new();
    };
    let named = |scope| {
        Some(
            Wanted::of(client, around.machine, &Launch::default(), scope, false)
                .ok()?
                .file,
        )
    };
    let look = |file: PathBuf, scope, servers: &[&str]| ConfigSeen {
        state: look(config, &file, servers, around),
        scope,
        file,
    };
    let user = named(Scope::User);
    let mut files = Vec::new();
    if let Some(file) = &user {
        files.push(look(file.clone(), ConfigScope::User, config.servers));
    }
    let Some(project) = around.project(config) else {
        return files;
    };
    if let (Some(file), Some(local)) = (&user, config.local) {
        let servers = local(&project.to_string_lossy());
        let servers: Vec<_> = servers.iter().map(String::as_str).collect();
        let local = look(file.clone(), ConfigScope::Local, &servers);
        files.extend(Some(local).filter(|local| !local.entries().is_empty()));
    }
    // A home folder is no project, though some files would be the same there.
    if let Some(file) = named(Scope::Project(project)).filter(|file| Some(file) != user.as_ref()) {
        let project = look(file, ConfigScope::Project, config.servers);
        files.extend(Some(project).filter(|seen| seen.state != ConfigState::Missing));
    }
    files
}

impl Around<'_> {
    /// The project that the user is in, as this client sees it.
    fn project(&self, config: &ConfigFile) -> Option<PathBuf> {
        let file = config.project.unwrap_or_default();
        Some(project_folder(self.current?, file, &self.machine.home(&[])))
    }
}

fn look(config: &ConfigFile, file: &Path, servers: &[&str], around: &Around<'_>) -> ConfigState {
    let bytes = match read_bounded(file, MAX_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return ConfigState::Missing,
        Err(error) => {
            return ConfigState::Unreadable {
                why: error.to_string(),
            };
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return ConfigState::Damaged {
            why: "it is not UTF-8 text".to_owned(),
        };
    };
    let slot = Slot {
        syntax: config.syntax,
        path: servers,
    };
    let is_recorded = |name: &str, present: &Value| {
        let record = around.record;
        record.is_some_and(|record| record.wrote(file, servers, name, present))
    };
    match config::get(&text, &slot) {
        Ok(value) => {
            let Servers {
                entries,
                others,
                mangled,
            } = value
                .as_ref()
                .map(|value| entry::servers(value, is_recorded))
                .unwrap_or_default();
            ConfigState::Read {
                entries: entries
                    .into_iter()
                    .map(|entry| seen(entry, around))
                    .collect(),
                others,
                mangled,
            }
        }
        Err(error) => ConfigState::Damaged {
            why: error.to_string(),
        },
    }
}

fn seen(ours: OurEntry, around: &Around<'_>) -> EntrySeen {
    let command = ours.entry.command.as_deref().filter(|_| ours.entry.ours);
    EntrySeen {
        leads: command.map(|command| leads(command, around.machine, around.this)),
        ours,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use imprint_core::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::{connect::Connections, known::known_client, machine::Os};

    fn seen_with(text: &str, project: Option<&str>) -> Vec<ConfigSeen> {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        fs::write(disk.path().join(".claude.json"), text).unwrap();
        let folder = disk.path().join("work");
        fs::create_dir_all(&folder).unwrap();
        if let Some(project) = project {
            fs::write(folder.join(".mcp.json"), project).unwrap();
        }
        let around = Around {
            machine: &machine,
            current: Some(&folder),
            this: &disk.path().join("imprint"),
            record: None,
        };
        config_files(known_client("claude-code").unwrap(), &around)
    }

    #[test]
    fn entries_of_user_and_project_are_found() {
        let entry = r#"{"mcpServers": {"imprint": {"command": "/gone/imprint", "args": ["mcp"]}, "x": {}}}"#;
        let files = seen_with(entry, Some(entry));
        assert_eq!(files.len(), 2);
        assert_eq!(files[0].scope, ConfigScope::User);
        assert_eq!(files[1].scope, ConfigScope::Project);
        for file in &files {
            let [entry] = file.entries() else {
                panic!("{file:?}");
            };
            assert_eq!(entry.leads, Some(Leads::Nowhere));
            assert!(matches!(file.state, ConfigState::Read { others: 1, .. }));
        }
    }

    #[test]
    fn entries_for_one_project_alone_are_found_in_the_users_file() {
        let disk = tempfile::tempdir().unwrap();
        let machine = Machine::new(Os::current(), disk.path());
        let folder = disk.path().join("work");
        fs::create_dir_all(folder.join(".git")).unwrap();
        let entry = json!({"command": "/gone/imprint", "args": ["mcp"]});
        let projects = json!({folder.to_str().unwrap(): {"mcpServers": {"imprint": entry}}});
        let text = json!({"projects": projects}).to_string();
        fs::write(disk.path().join(".claude.json"), text).unwrap();
        let around = Around {
            machine: &machine,
            current: Some(&folder.join("src")),
            this: &disk.path().join("imprint"),
            record: None,
        };
        let files = config_files(known_client("claude-code").unwrap(), &around);
        let scopes: Vec<_> = files
            .iter()
            .map(|file| (file.scope, file.entries().len()))
            .collect();
        assert_eq!(scopes, [(ConfigScope::User, 0), (ConfigScope::Local, 1)]);
    }

    #[test]
    fn what_connecting_wrote_is_ours_whatever_the_program_is_called() {
        let disk = tempfile::tempdir().unwrap();
        let home = disk.path().join("imprint");
        let machine = Machine::new(Os::current(), disk.path());
        let client = known_client("claude-code").unwrap();
        let launch = Launch {
            command: "/gone/imprint-nightly".to_owned(),
            args: ["mcp", "--client", "claude-code"]
                .map(str::to_owned)
                .to_vec(),
            env: Vec::new(),
        };
        let wanted = Wanted::of(client, &machine, &launch, Scope::User, true).unwrap();
        let connections = Connections {
            home: &home,
            at: Timestamp(0),
        };
        connections.connect(&wanted).unwrap();
        let is_ours = |record: Option<&Record>| {
            let files = config_files(
                client,
                &Around {
                    machine: &machine,
                    current: None,
                    this: &disk.path().join("imprint"),
                    record,
                },
            );
            files[0].entries()[0].ours.entry.ours
        };
        assert!(!is_ours(None));
        let record = Record::read(&home).unwrap();
        assert!(is_ours(Some(&record)));
        let text = fs::read_to_string(&wanted.file).unwrap();
        fs::write(&wanted.file, text.replace("\"mcp\"", "\"other\"")).unwrap();
        assert!(!is_ours(Some(&record)), "someone made it another server");
    }

    #[test]
    fn a_file_without_servers_has_none_and_a_damaged_one_says_where() {
        let [user] = &seen_with("{}", None)[..] else {
            panic!("no project file is there");
        };
        assert_eq!(user.entries(), []);
        let [user] = &seen_with("{\n  \"mcpServers\": {,}\n}", None)[..] else {
            panic!("no project file is there");
        };
        let ConfigState::Damaged { why } = &user.state else {
            panic!("{user:?}");
        };
        assert!(why.contains("line 2"), "{why}");
    }
}
