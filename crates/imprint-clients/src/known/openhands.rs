//! OpenHands. Run: 1.16.0 (Linux, November 2026). It calls itself `mcp` as every host on the Python
//! SDK does, so its name can't be recognised: its id is for `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "openhands",
        title: "OpenHands",
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".openhands"])],
        programs: &["openhands"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.home(&[".openhands", "skills"]),
        ],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".openhands", "mcp.json"])],
        project: None,
        local: None,
        own_command: Some("openhands mcp add"),
        afterwards: &["start a new conversation in OpenHands: one that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: false,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::UnquotedColon,
            Reject::ByteOrderMark,
            Reject::NameStyle,
            Reject::NameNotFolder,
        ],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.16.0"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.16.0"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "1.16.0").noting("of a description over 1,024 characters the middle is missing; which of two user folders wins was not tried"),
        Evidence::missing(Cell::Personas).noting("it lists those of `~/.agents/agents` and `~/.openhands/agents`; which keys a file may hold is not established"),
        Evidence::of(Cell::Config, EvidenceKind::Manual, ""),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.16.0").noting("it says `mcp`, as every host on the Python SDK does"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.16.0").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.16.0"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.16.0").noting("the first 24,950 and the last 24,900 characters"),
    ],
    ..UNKNOWN
};
