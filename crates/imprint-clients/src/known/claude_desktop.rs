//! Claude Desktop. Not run. Its handshake name is that of claude.ai too, so the two can't be told
//! apart; its agent mode appends the server's name to another one. Instructions: reported as not
//! shown (anthropics/claude-ai-mcp#93).

use std::path::PathBuf;

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, UNKNOWN},
    config::Syntax,
    launch::command_args_env,
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "claude-desktop",
        title: "Claude Desktop",
        names: &["claude-ai"],
        name_prefixes: &["local-agent-mode-"],
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: folders,
        programs: &[],
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| {
            let file = |folder| machine.below(folder, &["claude_desktop_config.json"]);
            folders(machine).iter().map(|folder| file(folder)).collect()
        },
        project: None,
        local: None,
        own_command: None,
        afterwards: &[
            "quit Claude Desktop from its icon in the tray or the menu bar and start it again: closing its window does not end it",
        ],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, "").noting("the Windows store build: public reports"),
        Evidence::of(Cell::Skills, EvidenceKind::Report, "").noting("chats read no folder; its agents on this computer read Claude Code's, and skipped skills that are links (anthropics/claude-code#37435)"),
        Evidence::missing(Cell::Listing),
        Evidence::missing(Cell::Personas),
        Evidence::of(Cell::Config, EvidenceKind::Table, "").noting("the app writes the file anew when it starts, and has dropped entries (anthropics/claude-code#90101)"),
        Evidence::of(Cell::Handshake, EvidenceKind::Report, "").noting("claude.ai says the same name"),
        Evidence::of(Cell::Instructions, EvidenceKind::Report, "").noting("of claude.ai (anthropics/claude-ai-mcp#93)"),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

/// Its configuration folders. The store's build on Windows sees its own copy in place of the usual
/// one, so that comes first.
fn folders(machine: &Machine) -> Vec<PathBuf> {
    let usual = machine.app_settings(&["Claude"]);
    match machine.os() {
        Os::Windows => vec![
            machine.local_app_data(&["Packages", "Claude_*", "LocalCache", "Roaming", "Claude"]),
            usual,
        ],
        Os::Linux | Os::MacOs => vec![usual],
    }
}
