//! Gemini CLI. Run: 0.61.0 (Linux, November 2026). What `GEMINI_CLI_HOME` moves, and its strict
//! schema for agent files: its source.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        PersonaFolder, Presence, Reject, SameName, SkillFolders,
    },
    config::Syntax,
    launch::command_args_env,
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "gemini-cli",
        title: "Gemini CLI",
        // `gemini mcp list`, a health check, calls itself `mcp-test-client`: not recognised.
        names: &["gemini-cli-mcp-client"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![home(machine, &[".gemini"])],
        programs: &["gemini"],
    }),
    skills: Some(|machine| {
        let own = home(machine, &[".gemini", "skills"]);
        SkillFolders {
            reads: vec![home(machine, &[".agents", "skills"]), own.clone()],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| home(machine, &[".gemini", "agents"]),
        dialect: Dialect::GeminiCli,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![home(machine, &[".gemini", "settings.json"])],
        project: Some(&[".gemini", "settings.json"]),
        local: None,
        own_command: Some("gemini mcp add"),
        afterwards: &[
            "start Gemini CLI anew: a session that runs keeps the servers it began with",
            "with `gemini -p`, allow the tools by name (`--allowed-tools`), or it offers none of them",
        ],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: false,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::NoName,
            Reject::NoDescription,
            Reject::NoHeader,
            Reject::ByteOrderMark,
        ],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "0.61.0"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "0.61.0"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "0.61.0"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "0.61.0"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "0.61.0"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.61.0")
            .noting("its health check says `mcp-test-client`"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "0.61.0")
            .noting("20,000 characters came whole"),
        Evidence::missing(Cell::ToolDescription),
        Evidence::of(Cell::Page, EvidenceKind::Run, "0.61.0")
            .noting("the first 8,000 and the last 32,000 characters"),
    ],
};

/// `GEMINI_CLI_HOME` stands for the whole home folder: `.gemini` and `.agents` are below it.
fn home(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    match machine.folder_variable("GEMINI_CLI_HOME") {
        Some(home) => machine.below(&home, parts),
        None => machine.home(parts),
    }
}
