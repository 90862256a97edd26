//! Qwen Code. Run: 0.15.10 and 0.24.4 (Linux, November 2026). What makes it refuse an agent file,
//! and its colours: its source.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN, shared_skills,
    },
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "qwen-code",
        title: "Qwen Code",
        // Followed by the name that the user gave the server. `qwen mcp list`, a health check,
        // calls itself `mcp-test-client`: not recognised.
        name_prefixes: &["qwen-cli-mcp-client-"],
        // 0.24.4; 0.15.10 did not. Both give 0.0.1 as their version.
        instructions_reach_model: Reach::Yes,
        // 20,000 came whole, of 30,000 only a preview of 2,000.
        result_chars: Some(20_000),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.home(&[".qwen"]),
        programs: &["qwen"],
    }),
    skills: Some(|machine| {
        let own = machine.home(&[".qwen", "skills"]);
        SkillFolders {
            reads: vec![own.clone(), shared_skills(machine)],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.home(&[".qwen", "agents"]),
        dialect: Dialect::QwenCode,
    }),
    ..UNKNOWN
};
