//! pi. Run: 1.6.0 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "pi",
        title: "pi",
        names: &["pi"],
        description_cuts: DESCRIPTION_ARRIVES,
        // Its manual says that the first line serves as the server's description where the user
        // gave none; in no run did the model see it.
        instructions_reach_model: Reach::No,
        // About 10,250 from the start and 10,200 from the end.
        result_chars: Some(20_400),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.home(&[".pi"]),
        programs: &["pi"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".pi", "agent", "skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
