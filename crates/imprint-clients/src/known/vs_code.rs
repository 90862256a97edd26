//! Visual Studio Code with Copilot chat. Not run. Name and skill folders: its source (a commit of
//! before November 2026); configuration folder: its manual.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, SkillFolders,
        UNKNOWN,
    },
    config::Syntax,
    known::{copilot_cli, shared::shared_skills},
    launch::command_args_env,
    machine::Machine,
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
        config: |machine| vec![settings(machine, &[])],
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
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["servers"],
        form: |launch| command_args_env(launch, &[("type", "stdio")]),
        user: |machine| vec![settings(machine, &["User", "mcp.json"])],
        project: Some(&[".vscode", "mcp.json"]),
        local: None,
        own_command: Some("code --add-mcp"),
        afterwards: &[
            "start the server in VS Code (`MCP: List Servers`), and trust it when VS Code asks",
        ],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Manual, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Source, "").noting("an older commit"),
        Evidence::missing(Cell::Listing).noting("it takes each name once; the rest was not read"),
        Evidence::missing(Cell::Personas).noting(
            "it reads `.github/agents` of a project; where it reads the user's is not established",
        ),
        Evidence::of(Cell::Config, EvidenceKind::Manual, "").noting("of its default profile"),
        Evidence::of(Cell::Handshake, EvidenceKind::Source, "").noting("an older commit"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

/// A path below the folder where the editor keeps its settings.
pub(super) fn settings(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.app_settings(&[&["Code"], parts].concat())
}
