//! Kilo CLI. Run: 7.7.9 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::{opencode, shared::shared_skills},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "kilo",
        title: "Kilo",
        names: &["kilo"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.xdg_config(&["kilo"])],
        programs: &["kilo"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            machine.xdg_config(&["kilo", "skills"]),
            machine.home(&[".kilo", "skills"]),
            machine.home(&[".kilocode", "skills"]),
            shared_skills(machine),
            machine.home(&[".claude", "skills"]),
        ],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["mcp"],
        form: opencode::local,
        user: |machine| {
            vec![
                machine.xdg_config(&["kilo", "kilo.jsonc"]),
                machine.xdg_config(&["kilo", "kilo.json"]),
            ]
        },
        project: Some(&["kilo.json"]),
        local: None,
        own_command: None,
        afterwards: &["start Kilo anew: it reads its configuration when it starts"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[Reject::NoName, Reject::NoDescription, Reject::NoHeader],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "7.7.9"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "7.7.9"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "7.7.9").noting("its own folders win over the shared ones; it doesn't follow links in a project"),
        Evidence::missing(Cell::Personas).noting("it lists those of `~/.config/kilo/agents`; which keys a file may hold is not established"),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "7.7.9"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "7.7.9").noting("20,000 characters came whole"),
        Evidence::missing(Cell::ToolDescription),
        Evidence::of(Cell::Page, EvidenceKind::Run, "7.7.9").noting("the first 51,200 characters, the rest in a file"),
    ],
    ..UNKNOWN
};
