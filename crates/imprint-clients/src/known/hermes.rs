//! Hermes agent. Not run. Its source (0.19.0) shows no use of the instructions, and gives no name
//! of its own: the Python SDK's `mcp`. So its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, UNKNOWN},
    config::Syntax,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "hermes",
        title: "Hermes",
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.moved("HERMES_HOME", ".hermes", &[])],
        programs: &["hermes"],
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Yaml,
        servers: &["mcp_servers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.moved("HERMES_HOME", ".hermes", &["config.yaml"])],
        project: None,
        local: None,
        own_command: None,
        afterwards: &["start Hermes anew: a session that runs keeps the servers it began with"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Source, "0.19.0"),
        Evidence::of(Cell::Skills, EvidenceKind::Source, "0.19.0").noting("`$HERMES_HOME/skills`, in folders by category, where what it ships with lies too: nothing is taken from there or written there"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Source, "0.19.0"),
        Evidence::of(Cell::Handshake, EvidenceKind::Source, "0.19.0").noting("it says `mcp`, as every host on the Python SDK does"),
        Evidence::of(Cell::Instructions, EvidenceKind::Source, "0.19.0").noting("no use of them was found"),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
