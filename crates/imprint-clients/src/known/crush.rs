//! Crush. Not run. Instructions, skill folders and what it makes of `disable-model-invocation`: its
//! source. Its handshake name is not known: its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{Client, NOTHING_KNOWN, Presence, SkillFolders, UNKNOWN, shared_skills},
    machine::Machine,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "crush",
        title: "Crush",
        instructions_reach_model: Reach::Yes,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.xdg_config(&["crush"]),
        programs: &["crush"],
    }),
    skills: Some(skills),
    personas: None,
    ..UNKNOWN
};

/// `CRUSH_SKILLS_DIR` stands for all of the user's folders.
fn skills(machine: &Machine) -> SkillFolders {
    let reads = match machine.folder_variable("CRUSH_SKILLS_DIR") {
        Some(folder) => vec![folder],
        None => vec![
            machine.xdg_config(&["crush", "skills"]),
            machine.xdg_config(&["agents", "skills"]),
            shared_skills(machine),
            machine.home(&[".claude", "skills"]),
        ],
    };
    SkillFolders { reads, own: None }
}
