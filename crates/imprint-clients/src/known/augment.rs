//! Augment. Not run. Name: the texts in its program.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "augment",
    title: "Augment",
    names: &["augment-mcp-client"],
    ..NOTHING_KNOWN
});
