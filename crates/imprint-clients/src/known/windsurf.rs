//! Windsurf. Not run. Name: third parties' tables.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "windsurf",
    title: "Windsurf",
    names: &["windsurf-client"],
    ..NOTHING_KNOWN
});
