//! Visual Studio Code with Copilot chat. Not run. Name and skill folders: its source (a commit of
//! before November 2026); configuration folder: its manual.

use imprint_core::ClientFacts;

use crate::{
    client::{Client, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills},
    known::copilot_cli,
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "vs-code",
        title: "Visual Studio Code",
        // The product's long name: `Visual Studio Code`, `Visual Studio Code - Insiders`.
        name_prefixes: &["Visual Studio Code"],
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config,
        programs: &["code"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".claude", "skills"]),
            copilot_cli::config(machine, &["skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};

fn config(machine: &Machine) -> std::path::PathBuf {
    match machine.os() {
        Os::Linux => machine.xdg_config(&["Code"]),
        Os::MacOs => machine.home(&["Library", "Application Support", "Code"]),
        Os::Windows => machine.app_data(&["Code"]),
    }
}
