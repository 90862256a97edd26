//! Factory droid. Run: 0.225.2 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "droid",
        title: "Factory droid",
        names: &["factory-cli"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.home(&[".factory"]),
        programs: &["droid"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".factory", "skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
