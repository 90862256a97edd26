//! OpenClaw. Not run. Skill folders: its manual. Its handshake name is not known: its id is for
//! `--client`.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, SkillFolders,
        UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
    machine::Machine,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "openclaw",
        title: "OpenClaw",
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![state(machine, &[])],
        programs: &["openclaw"],
    }),
    skills: Some(skills),
    config: Some(ConfigFile {
        // It takes JSON5; what is more than comments and commas in it is refused.
        syntax: Syntax::Jsonc,
        servers: &["mcp", "servers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![state(machine, &["openclaw.json"])],
        project: None,
        local: None,
        own_command: Some("openclaw mcp add"),
        afterwards: &["run `openclaw mcp reload`, or start OpenClaw anew"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Manual, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Manual, ""),
        Evidence::missing(Cell::Listing)
            .noting("a setting bounds the characters of the list; the rest was not read"),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Manual, ""),
        Evidence::missing(Cell::Handshake),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

/// The shared folder is read with the default state folder only.
fn skills(machine: &Machine) -> SkillFolders {
    let mut reads = vec![state(machine, &["skills"])];
    if machine.folder_variable("OPENCLAW_STATE_DIR").is_none() {
        reads.insert(0, shared_skills(machine));
    }
    SkillFolders { reads, own: None }
}

/// A path below its state folder.
fn state(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("OPENCLAW_STATE_DIR", ".openclaw", parts)
}
