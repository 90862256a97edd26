//! Amp. Run: `amp mcp doctor` of 0.0.1790142911 alone (November 2026), which tells its name. Its skill
//! folders: installers' tables, which disagree.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "amp",
    title: "Amp",
    names: &["amp-mcp-client"],
    ..NOTHING_KNOWN
});
