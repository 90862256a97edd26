//! Kiro. Not run. Name of its command line: third parties' source.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "kiro",
    title: "Kiro",
    names: &["kiro-cli"],
    ..NOTHING_KNOWN
});
