//! ChatGPT. Not run. Name: a public report (basicmachines-co/basic-memory#1035), with and without a
//! version behind it. Whether instructions reach the model is not known.

use imprint_core::ClientFacts;

use crate::client::{Cell, Client, Evidence, EvidenceKind, NOTHING_KNOWN, UNKNOWN};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "chatgpt",
        title: "ChatGPT",
        names: &["openai-mcp"],
        name_prefixes: &["openai-mcp/"],
        ..NOTHING_KNOWN
    },
    evidence: &[
        Evidence::missing(Cell::Presence),
        Evidence::missing(Cell::Skills).noting("none was found"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::missing(Cell::Config)
            .noting("servers are added in its settings, by their address"),
        Evidence::of(Cell::Handshake, EvidenceKind::Report, "")
            .noting("basicmachines-co/basic-memory#1035"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
