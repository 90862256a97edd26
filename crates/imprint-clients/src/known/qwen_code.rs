//! Qwen Code. Run: 0.15.10 and 0.24.4 (Linux, November 2026). What makes it refuse an agent file,
//! and its colours: its source.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        PersonaFolder, Presence, Reject, SameName, SkillFolders,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "qwen-code",
        title: "Qwen Code",
        // Followed by the name that the user gave the server. `qwen mcp list`, a health check,
        // calls itself `mcp-test-client`: not recognised.
        name_prefixes: &["qwen-cli-mcp-client-"],
        // 0.24.4; 0.15.10 did not. Both give 0.0.1 as their version.
        instructions_reach_model: Reach::Yes,
        // 20,000 came whole, of 30,000 only a preview of 2,000.
        result_chars: Some(20_000),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".qwen"])],
        programs: &["qwen"],
    }),
    skills: Some(|machine| {
        let own = machine.home(&[".qwen", "skills"]);
        SkillFolders {
            reads: vec![own.clone(), shared_skills(machine)],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.home(&[".qwen", "agents"]),
        dialect: Dialect::QwenCode,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".qwen", "settings.json"])],
        project: Some(&[".qwen", "settings.json"]),
        local: None,
        own_command: Some("qwen mcp add"),
        afterwards: &["start Qwen Code anew: a session that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: false,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[Reject::NoName, Reject::NoDescription, Reject::NoHeader],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "0.24.4"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "0.24.4"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "0.24.4").noting("it left out a name with capitals and blanks, and listed one with capitals or `_` alone; which of two user folders wins was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "0.24.4"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "0.24.4"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.24.4").noting("its health check says `mcp-test-client`"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "0.24.4").noting("20,000 characters came whole; none in 0.15.10"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "0.24.4").noting("all tools are behind a search, which shows about 160 characters"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "0.24.4"),
    ],
};
