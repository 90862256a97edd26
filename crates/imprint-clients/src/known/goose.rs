//! Goose. Not run: no registry carries it. Instructions and skill folders: its source. Its
//! handshake name is not known: its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{Client, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills},
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "goose",
        title: "Goose",
        instructions_reach_model: Reach::Yes,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| config(machine, &[]),
        programs: &["goose"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            config(machine, &["skills"]),
            machine.home(&[".claude", "skills"]),
            machine.home(&[".config", "agents", "skills"]),
        ],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};

fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    let mut below = match machine.os() {
        Os::Windows => vec!["Block", "goose", "config"],
        Os::Linux | Os::MacOs => vec!["goose"],
    };
    below.extend(parts);
    match machine.os() {
        Os::Windows => machine.app_data(&below),
        Os::Linux | Os::MacOs => machine.xdg_config(&below),
    }
}
