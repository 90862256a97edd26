//! FastMCP's client, a library. Run: 4.2.3 (November 2026). What a program on it shows its model is not
//! known.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "fastmcp",
    title: "FastMCP",
    names: &["fastmcp"],
    ..NOTHING_KNOWN
});
