//! MCP Inspector, a tool for people who write servers. Run: 2.12.0 (November 2026). There is no
//! model behind it.

use imprint_core::ClientFacts;

use crate::client::{Cell, Client, Evidence, EvidenceKind, NOTHING_KNOWN, UNKNOWN};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "inspector",
        title: "MCP Inspector",
        names: &["inspector-cli"],
        ..NOTHING_KNOWN
    },
    evidence: &[
        Evidence::missing(Cell::Presence),
        Evidence::missing(Cell::Skills),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::missing(Cell::Config),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "2.12.0"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
