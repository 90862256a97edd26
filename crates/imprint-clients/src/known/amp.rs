//! Amp. Run: `amp mcp doctor` of 0.0.1790142911 alone (November 2026), which tells its name.

use imprint_core::ClientFacts;

use crate::{
    client::{Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, UNKNOWN},
    config::Syntax,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "amp",
        title: "Amp",
        names: &["amp-mcp-client"],
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.xdg_config(&["amp"])],
        programs: &["amp"],
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        // One key with a dot in it.
        servers: &["amp.mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.xdg_config(&["amp", "settings.json"])],
        project: Some(&[".amp", "settings.json"]),
        own_command: Some("amp mcp add"),
        local: None,
        afterwards: &["start Amp anew: a session that runs keeps the servers it began with"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Skills).noting("tables disagree: `~/.config/agents/skills` in one, `~/.config/amp/skills` in another"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Table, "").noting("one table has `mcpServers`; the others, and the guides of many servers, `amp.mcpServers`"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.0.1790142911"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
