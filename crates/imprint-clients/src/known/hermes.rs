//! Hermes agent. Not run. Its source (0.19.0) shows no use of the instructions, and gives no name of its
//! own: the Python SDK's `mcp`. So its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::client::{Client, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "hermes",
    title: "Hermes",
    instructions_reach_model: Reach::No,
    ..NOTHING_KNOWN
});
