//! OpenCode. Run: 1.18.33 (Linux, November 2026). `OPENCODE_DISABLE_EXTERNAL_SKILLS` and what its
//! agent files may hold: its source.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders, UNKNOWN, shared_skills,
    },
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "opencode",
        title: "OpenCode",
        names: &["opencode"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| machine.xdg_config(&["opencode"]),
        programs: &["opencode"],
    }),
    skills: Some(skills),
    personas: Some(PersonaFolder {
        folder: |machine| machine.xdg_config(&["opencode", "agents"]),
        dialect: Dialect::OpenCode,
    }),
    ..UNKNOWN
};

fn skills(machine: &Machine) -> SkillFolders {
    let own = machine.xdg_config(&["opencode", "skills"]);
    let mut reads = vec![
        own.clone(),
        machine.xdg_config(&["opencode", "skill"]),
        machine.home(&[".opencode", "skills"]),
    ];
    if !machine.switch("OPENCODE_DISABLE_EXTERNAL_SKILLS") {
        reads.push(shared_skills(machine));
        // `~/.claude` itself: nothing says that it follows CLAUDE_CONFIG_DIR.
        reads.push(machine.home(&[".claude", "skills"]));
    }
    SkillFolders {
        reads,
        own: Some(own),
    }
}
