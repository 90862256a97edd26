//! Antigravity. Not run. Name: third parties' source.

use imprint_core::ClientFacts;

use crate::{
    client::{Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, UNKNOWN},
    config::Syntax,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "antigravity",
        title: "Antigravity",
        names: &["antigravity-client"],
        ..NOTHING_KNOWN
    },
    // Not `~/.gemini` alone, which is Gemini CLI's.
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".gemini", "antigravity"])],
        programs: &["antigravity"],
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| {
            vec![
                machine.home(&[".gemini", "config", "mcp_config.json"]),
                machine.home(&[".gemini", "antigravity", "mcp_config.json"]),
            ]
        },
        project: None,
        local: None,
        own_command: None,
        afterwards: &["start Antigravity anew, and see in its settings that the server is there"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Skills).noting("`~/.gemini/antigravity/skills` in a table; whether it reads the shared folder too is not known"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Table, "").noting("the second file is that of older versions"),
        Evidence::of(Cell::Handshake, EvidenceKind::Source, ""),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
