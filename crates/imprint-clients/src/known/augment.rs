//! Augment. Not run. Name: the texts in its program.

use imprint_core::ClientFacts;

use crate::client::{Cell, Client, Evidence, EvidenceKind, NOTHING_KNOWN, UNKNOWN};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "augment",
        title: "Augment",
        names: &["augment-mcp-client"],
        ..NOTHING_KNOWN
    },
    evidence: &[
        Evidence::missing(Cell::Presence),
        Evidence::missing(Cell::Skills),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::missing(Cell::Config),
        Evidence::of(Cell::Handshake, EvidenceKind::Source, ""),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
