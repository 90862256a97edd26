//! Cursor. Not run. Folders: its manual and installers' tables. Handshake name: third parties'
//! tables (its command line has another, unknown one). Persona keys: its manual.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN, shared_skills,
    },
    known::claude_code,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "cursor",
        title: "Cursor",
        names: &["cursor-vscode"],
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.home(&[".cursor"]),
        programs: &["cursor", "cursor-agent"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".cursor", "skills"]),
            claude_code::config(machine, &["skills"]),
            machine.moved("CODEX_HOME", ".codex", &["skills"]),
        ],
        own: None,
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.home(&[".cursor", "agents"]),
        dialect: Dialect::Cursor,
    }),
    ..UNKNOWN
};
