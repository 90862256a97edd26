//! Kiro. Not run. Name of its command line: third parties' source.

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
        id: "kiro",
        title: "Kiro",
        names: &["kiro-cli"],
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".kiro"])],
        programs: &["kiro", "kiro-cli"],
    }),
    skills: Some(|machine| {
        let own = machine.home(&[".kiro", "skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".kiro", "settings", "mcp.json"])],
        project: Some(&[".kiro", "settings", "mcp.json"]),
        local: None,
        own_command: None,
        afterwards: &["start Kiro anew: a session that runs keeps the servers it began with"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Table, "")
            .noting("a custom agent of Kiro's must name the folder among its resources"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas)
            .noting("files of JSON in `~/.kiro/agents`, which are not written"),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Source, "").noting("of its command line"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
