//! Copilot CLI. Run: 1.0.102 (Linux, November 2026). `COPILOT_HOME` and persona keys: its manual.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Client, DESCRIPTION_ARRIVES, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN,
        shared_skills,
    },
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "copilot-cli",
        title: "Copilot CLI",
        names: &["copilot-cli"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        // 20,000 came whole, of 30,000 only a preview of 500.
        result_chars: Some(20_000),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| config(machine, &[]),
        programs: &["copilot"],
    }),
    skills: Some(|machine| {
        let own = config(machine, &["skills"]);
        SkillFolders {
            reads: vec![own.clone(), shared_skills(machine)],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| config(machine, &["agents"]),
        dialect: Dialect::CopilotCli,
    }),
    ..UNKNOWN
};

/// A path below its configuration folder.
pub(super) fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("COPILOT_HOME", ".copilot", parts)
}
