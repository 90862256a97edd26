//! Gemini CLI. Run: 0.61.0 (Linux, November 2026). What `GEMINI_CLI_HOME` moves, and its strict
//! schema for agent files: its source.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN},
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "gemini-cli",
        title: "Gemini CLI",
        // `gemini mcp list`, a health check, calls itself `mcp-test-client`: not recognised.
        names: &["gemini-cli-mcp-client"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| home(machine, &[".gemini"]),
        programs: &["gemini"],
    }),
    skills: Some(|machine| {
        let own = home(machine, &[".gemini", "skills"]);
        SkillFolders {
            reads: vec![own.clone(), home(machine, &[".agents", "skills"])],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| home(machine, &[".gemini", "agents"]),
        dialect: Dialect::GeminiCli,
    }),
    ..UNKNOWN
};

/// `GEMINI_CLI_HOME` stands for the whole home folder: `.gemini` and `.agents` are below it.
fn home(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    match machine.folder_variable("GEMINI_CLI_HOME") {
        Some(home) => machine.below(&home, parts),
        None => machine.home(parts),
    }
}
