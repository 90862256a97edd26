//! A client's configuration files, looked at and never written.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer};

use super::{
    as_text,
    command::{Leads, leads},
    entry::{OurEntry, Servers, servers},
};
use crate::{
    client::{Client, ConfigFile},
    config::{self, MAX_BYTES, Slot},
    connect::{Scope, Wanted, project_folder},
    home::read_bounded,
    launch::Launch,
    machine::Machine,
};

/// One of a client's configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigSeen {
    /// For whom its entries count.
    #[serde(serialize_with = "scope_name")]
    pub scope: Scope,
    /// The file as the client names it.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// What it holds.
    #[serde(flatten)]
    pub state: ConfigState,
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
}

fn scope_name<S: Serializer>(scope: &Scope, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match scope {
        Scope::User => "user",
        Scope::Project(_) => "project",
    })
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

/// The configuration files of a client: the user's, and the project's if there is one.
pub(super) fn config_files(client: &Client, around: &Around<'_>) -> Vec<ConfigSeen> {
    let Some(config) = &client.config else {
        return Vec::new();
    };
    let project = config.project.zip(around.current).map(|(parts, current)| {
        Scope::Project(project_folder(current, parts, &around.machine.home(&[])))
    });
    let file = |scope: Scope| {
        let wanted = Wanted::of(
            client,
            around.machine,
            &Launch::default(),
            scope.clone(),
            false,
        );
        Some((scope, wanted.ok()?.file))
    };
    let user = file(Scope::User);
    let project = project
        .and_then(file)
        // A home folder is no project, though some files would be the same there.
        .filter(|(_, file)| user.as_ref().is_none_or(|(_, user)| user != file));
    let seen = |(scope, file): (Scope, PathBuf)| ConfigSeen {
        state: look(config, &file, around),
        scope,
        file,
    };
    let project = project
        .map(seen)
        .filter(|seen| seen.state != ConfigState::Missing);
    user.map(seen).into_iter().chain(project).collect()
}

fn look(config: &ConfigFile, file: &Path, around: &Around<'_>) -> ConfigState {
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
        path: config.servers,
    };
    match config::get(&text, &slot) {
        Ok(value) => {
            let servers = value.as_ref().map(servers).unwrap_or_default();
            let Servers {
                entries,
                others,
                mangled,
            } = servers;
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

    use super::*;
    use crate::{known::known_client, machine::Os};

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
        };
        config_files(known_client("claude-code").unwrap(), &around)
    }

    #[test]
    fn entries_of_user_and_project_are_found() {
        let entry = r#"{"mcpServers": {"imprint": {"command": "/gone/imprint", "args": ["mcp"]}, "x": {}}}"#;
        let files = seen_with(entry, Some(entry));
        assert_eq!(files.len(), 2);
        assert_eq!(files[0].scope, Scope::User);
        assert!(matches!(files[1].scope, Scope::Project(_)));
        for file in &files {
            let [entry] = file.entries() else {
                panic!("{file:?}");
            };
            assert_eq!(entry.leads, Some(Leads::Nowhere));
            assert!(matches!(file.state, ConfigState::Read { others: 1, .. }));
        }
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
