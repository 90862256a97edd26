//! Junie. Not run. Nothing is known of its handshake: its id is for `--client`.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "junie",
    title: "Junie",
    ..NOTHING_KNOWN
});
