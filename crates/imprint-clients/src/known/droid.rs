//! Factory droid. Run: 0.225.2 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "droid",
        title: "Factory droid",
        names: &["factory-cli"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".factory"])],
        programs: &["droid"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".factory", "skills"]),
        ],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[("type", "stdio")]),
        user: |machine| vec![machine.home(&[".factory", "mcp.json"])],
        project: Some(&[".factory", "mcp.json"]),
        local: None,
        own_command: Some("droid mcp add"),
        afterwards: &["start droid anew: a session that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::NoName,
            Reject::NoDescription,
            Reject::NoHeader,
            Reject::NameStyle,
        ],
        budget: None,
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "0.225.2"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "0.225.2"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "0.225.2").noting("about 15,000 characters: of 200 skills 26 were described, the others named; how much of it what it ships with takes was not counted, nor tried which of two user folders wins"),
        Evidence::missing(Cell::Personas).noting("it lists those of `~/.factory/droids`; which keys a file may hold is not established"),
        Evidence::of(Cell::Config, EvidenceKind::Manual, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.225.2"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "0.225.2").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "0.225.2"),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
