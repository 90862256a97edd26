//! OpenClaw. Not run. Skill folders: its manual. Its handshake name is not known: its id is for
//! `--client`.

use imprint_core::ClientFacts;

use crate::{
    client::{Client, NOTHING_KNOWN, SkillFolders, UNKNOWN, shared_skills},
    machine::Machine,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "openclaw",
        title: "OpenClaw",
        ..NOTHING_KNOWN
    },
    presence: None,
    skills: Some(skills),
    personas: None,
    ..UNKNOWN
};

/// The shared folder is read with the default state folder only.
fn skills(machine: &Machine) -> SkillFolders {
    let reads = match machine.folder_variable("OPENCLAW_STATE_DIR") {
        Some(state) => vec![machine.below(&state, &["skills"])],
        None => vec![
            shared_skills(machine),
            machine.home(&[".openclaw", "skills"]),
        ],
    };
    SkillFolders { reads, own: None }
}
