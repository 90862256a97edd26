//! A client in good order, for tests that break one thing of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{Examination, HomeSeen};
use crate::{
    connect::Entry,
    inspect::{
        Channel, ConfigScope, ConfigSeen, ConfigState, EntrySeen, Inspected, Installed, Leads,
        OurEntry, OverMcp,
    },
    known::known_client,
    machine::Os,
    write::Planned,
};

pub(super) const HOME: &str = "/home/ada/.local/share/imprint";

pub(super) struct Sample {
    pub(super) inspected: Inspected,
    pub(super) home: HomeSeen,
    pub(super) planned: Result<Planned, String>,
}

impl Sample {
    /// Claude Code, with one entry of ours that leads here.
    pub(super) fn connected() -> Self {
        Self::of("claude-code")
    }

    pub(super) fn of(id: &str) -> Self {
        let client = known_client(id).unwrap();
        let mut ours = entry("imprint");
        ours.ours.entry.args[2] = id.to_owned();
        let inspected = Inspected {
            client,
            id: client.facts.id,
            title: client.facts.title,
            installed: Some(Installed {
                folder: Some(PathBuf::from("/home/ada/.client")),
                program: None,
            }),
            version: None,
            configs: vec![config(ConfigScope::User, vec![ours])],
            was_connected: false,
            places: Vec::new(),
            channel: Channel {
                from_folders: Vec::new(),
                over_mcp: OverMcp::Instructions,
                instruction_units: None,
                first_line_alone: false,
                description_units: None,
                result_chars: None,
            },
            skills: None,
            personas: None,
            copies: BTreeSet::new(),
            has_more_room: false,
            evidence: Vec::new(),
        };
        Self {
            inspected,
            home: HomeSeen::sound(Path::new(HOME)),
            planned: Ok(Planned {
                folders: Vec::new(),
                unplaced: Vec::new(),
                notes: Vec::new(),
            }),
        }
    }

    pub(super) fn entry(&mut self) -> &mut EntrySeen {
        match &mut self.inspected.configs[0].state {
            ConfigState::Read { entries, .. } => &mut entries[0],
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn examination(&self) -> Examination<'_> {
        Examination {
            inspected: std::slice::from_ref(&self.inspected),
            os: Os::Linux,
            home: &self.home,
            usual_home: Path::new(HOME),
            sessions: &[],
            report: None,
            planned: &self.planned,
            items: &[],
            handshakes: &[],
        }
    }
}

pub(super) fn config(scope: ConfigScope, entries: Vec<EntrySeen>) -> ConfigSeen {
    ConfigSeen {
        scope,
        file: "/home/ada/client.json".into(),
        state: ConfigState::Read {
            entries,
            others: 0,
            mangled: Vec::new(),
        },
    }
}

/// An entry of ours for Claude Code.
pub(super) fn entry(name: &str) -> EntrySeen {
    EntrySeen {
        ours: OurEntry {
            entry: Entry {
                name: name.to_owned(),
                command: Some("/usr/bin/imprint".to_owned()),
                args: ["mcp", "--client", "claude-code"]
                    .map(str::to_owned)
                    .to_vec(),
                env: Vec::new(),
                url: None,
                ours: true,
            },
            variables: BTreeMap::new(),
            is_disabled: false,
        },
        leads: Some(Leads::Here),
    }
}
