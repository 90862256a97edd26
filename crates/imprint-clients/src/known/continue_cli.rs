//! Continue CLI. Run: 1.5.47 (Linux, November 2026). It reads `~/.continue/skills` alone, which is not
//! written.

use imprint_core::{ClientFacts, Reach};

use crate::client::{Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN};

pub(super) static CLIENT: Client = Client::of_facts(ClientFacts {
    id: "continue",
    title: "Continue",
    names: &["continue-cli-client"],
    description_cuts: DESCRIPTION_ARRIVES,
    instructions_reach_model: Reach::No,
    ..NOTHING_KNOWN
});
