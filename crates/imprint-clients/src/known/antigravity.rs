//! Antigravity. Not run. Name: third parties' source.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "antigravity",
    title: "Antigravity",
    names: &["antigravity-client"],
    ..NOTHING_KNOWN
});
