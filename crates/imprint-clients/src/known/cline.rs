//! Cline CLI. Run: 3.0.65 (Linux, November 2026). `CLINE_DIR`: installers' tables.

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "cline",
        title: "Cline",
        names: &["@cline/core"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        // 8,000 in all, counted in its JSON form; what is beyond loses its middle.
        result_chars: Some(8_000),
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.moved("CLINE_DIR", ".cline", &[]),
        programs: &["cline"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.moved("CLINE_DIR", ".cline", &["skills"]),
        ],
        own: None,
    }),
    // Files in `~/.cline/agents` become tools of their own, not roles.
    personas: None,
    ..UNKNOWN
};
