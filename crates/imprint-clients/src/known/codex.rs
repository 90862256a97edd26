//! Codex CLI. Run: 0.171.0 (Linux, November 2026), with several models.

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};

use crate::{
    client::{
        Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN, shared_skills,
    },
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "codex",
        title: "Codex",
        names: &["codex-mcp-client"],
        // With its current models the model sees the first line, at most 247 characters of it.
        // With older or unknown ones it sees all; the handshake doesn't tell which.
        instruction_cuts: &[InstructionCut {
            from: "",
            cut: Cut::FirstLine(247),
        }],
        // 5,000 came whole; longer ones were not tried.
        description_cuts: &[InstructionCut {
            from: "",
            cut: Cut::Utf16(5_000),
        }],
        instructions_reach_model: Reach::No,
        // 40,000 with its current models, 12,000 (head and tail) with one that it doesn't know.
        result_chars: Some(12_000),
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.moved("CODEX_HOME", ".codex", &[]),
        programs: &["codex"],
    }),
    // It lists a skill once for each folder that holds it, so its own folder is never written.
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.moved("CODEX_HOME", ".codex", &["skills"]),
        ],
        own: None,
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.moved("CODEX_HOME", ".codex", &["agents"]),
        dialect: Dialect::Codex,
    }),
    ..UNKNOWN
};
