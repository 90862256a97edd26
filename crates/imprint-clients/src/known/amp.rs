//! Amp. Run: `amp mcp doctor` of 0.0.1790142911 alone (November 2026), which tells its name.

use imprint_core::ClientFacts;

use crate::client::{Cell, Client, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, UNKNOWN};

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
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Skills).noting("tables disagree: `~/.config/agents/skills` in one, `~/.config/amp/skills` in another"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::missing(Cell::Config).noting("`settings.json` in `~/.config/amp`; its key is `mcpServers` in one table and `amp.mcpServers` elsewhere"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.0.1790142911"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
