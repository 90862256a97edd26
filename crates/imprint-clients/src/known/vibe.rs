//! Mistral Vibe. Run: 3.0.2 (Linux, November 2026). It calls itself `mcp` as every host on the
//! Python SDK does, so its name can't be recognised: its id is for `--client`. `VIBE_HOME`:
//! installers' tables.

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "vibe",
        title: "Mistral Vibe",
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.moved("VIBE_HOME", ".vibe", &[]),
        programs: &["vibe"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.moved("VIBE_HOME", ".vibe", &["skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
