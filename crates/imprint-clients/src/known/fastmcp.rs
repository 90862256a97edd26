//! FastMCP's client, a library. Run: 4.2.3 (November 2026). What a program on it shows its model is
//! not known.

use imprint_core::ClientFacts;

use crate::client::{Cell, Client, Evidence, EvidenceKind, NOTHING_KNOWN, UNKNOWN};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "fastmcp",
        title: "FastMCP",
        names: &["fastmcp"],
        ..NOTHING_KNOWN
    },
    evidence: &[
        Evidence::missing(Cell::Presence),
        Evidence::missing(Cell::Skills),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::missing(Cell::Config),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "4.2.3"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
