//! OpenHands. Run: 1.16.0 (Linux, November 2026). It calls itself `mcp` as every host on the Python
//! SDK does, so its name can't be recognised: its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "openhands",
        title: "OpenHands",
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.home(&[".openhands"]),
        programs: &["openhands"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".openhands", "skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
