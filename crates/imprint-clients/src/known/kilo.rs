//! Kilo CLI. Run: 7.7.9 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::client::{Client, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "kilo",
        title: "Kilo",
        names: &["kilo"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.xdg_config(&["kilo"]),
        programs: &["kilo"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".claude", "skills"]),
            machine.xdg_config(&["kilo", "skills"]),
            machine.home(&[".kilo", "skills"]),
            machine.home(&[".kilocode", "skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
