//! MCP Inspector, a tool for people who write servers. Run: 2.12.0 (November 2026). There is no model
//! behind it.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "inspector",
    title: "MCP Inspector",
    names: &["inspector-cli"],
    ..NOTHING_KNOWN
});
