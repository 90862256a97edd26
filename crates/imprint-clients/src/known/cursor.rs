//! Cursor. Not run. Folders: its manual and installers' tables. Handshake name: third parties'
//! tables (its command line has another, unknown one). Persona keys: its manual.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, PersonaFolder, Presence,
        SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::{claude_code, shared::shared_skills},
    launch::command_args_env,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "cursor",
        title: "Cursor",
        names: &["cursor-vscode"],
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".cursor"])],
        programs: &["cursor", "cursor-agent"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".cursor", "skills"]),
            claude_code::config(machine, &["skills"]),
            machine.moved("CODEX_HOME", ".codex", &["skills"]),
        ],
        own: None,
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.home(&[".cursor", "agents"]),
        dialect: Dialect::Cursor,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".cursor", "mcp.json"])],
        project: Some(&[".cursor", "mcp.json"]),
        local: None,
        own_command: None,
        afterwards: &["start Cursor anew, and see in its settings that the server is switched on"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Manual, "").noting("seen in excerpts"),
        Evidence::missing(Cell::Listing),
        Evidence::of(Cell::Personas, EvidenceKind::Manual, "").noting("seen in excerpts"),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Table, "")
            .noting("the editor's; its command line says another, unknown one"),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
