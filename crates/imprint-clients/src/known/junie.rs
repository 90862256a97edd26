//! Junie. Not run. Nothing is known of its handshake: its id is for `--client`.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, SkillFolders,
        UNKNOWN,
    },
    config::Syntax,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "junie",
        title: "Junie",
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".junie"])],
        programs: &["junie"],
    }),
    skills: Some(|machine| {
        let own = machine.home(&[".junie", "skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".junie", "mcp", "mcp.json"])],
        project: Some(&[".junie", "mcp", "mcp.json"]),
        local: None,
        own_command: None,
        afterwards: &["start Junie anew: a session that runs keeps the servers it began with"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Handshake),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
