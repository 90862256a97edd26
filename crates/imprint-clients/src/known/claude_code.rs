//! Claude Code. Run: 2.1.197 and 2.1.332 (Linux, November 2026). `CLAUDE_CONFIG_DIR`: from
//! installers' tables. Eight colours: its manual, and the schema that Qwen Code mirrors.

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};

use crate::{
    client::{Client, NOTHING_KNOWN, PersonaFolder, Presence, SkillFolders},
    machine::Machine,
    persona::Dialect,
};

/// 2.1.197 passed 2,048 UTF-16 units of a server's instructions and of a tool's description,
/// 2.1.332 passes 4,096. What stands between is not known, so the smaller one counts.
const CUTS: &[InstructionCut] = &[
    InstructionCut {
        from: "2.1.332",
        cut: Cut::Utf16(4_096),
    },
    InstructionCut {
        from: "",
        cut: Cut::Utf16(2_048),
    },
];

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "claude-code",
        title: "Claude Code",
        names: &["claude-code"],
        instruction_cuts: CUTS,
        description_cuts: CUTS,
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| config(machine, &[]),
        programs: &["claude"],
    }),
    skills: Some(|machine| {
        let own = config(machine, &["skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| config(machine, &["agents"]),
        dialect: Dialect::ClaudeCode,
    }),
};

/// A path below its configuration folder.
pub(super) fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("CLAUDE_CONFIG_DIR", ".claude", parts)
}
