//! Windsurf. Not run. Name, folders and file: third parties' tables.

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
        id: "windsurf",
        title: "Windsurf",
        names: &["windsurf-client"],
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".codeium", "windsurf"])],
        programs: &["windsurf"],
    }),
    skills: Some(|machine| {
        let own = machine.home(&[".codeium", "windsurf", "skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".codeium", "windsurf", "mcp_config.json"])],
        project: None,
        local: None,
        own_command: None,
        afterwards: &["start Windsurf anew, and see in its settings that the server is there"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
