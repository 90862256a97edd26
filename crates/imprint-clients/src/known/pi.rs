//! pi. Run: 1.6.0 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::{Launch, command_args_env},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "pi",
        title: "pi",
        names: &["pi"],
        description_cuts: DESCRIPTION_ARRIVES,
        // Its manual says that the first line serves as the server's description where the user
        // gave none; in no run did the model see it.
        instructions_reach_model: Reach::No,
        // About 10,250 from the start and 10,200 from the end.
        result_chars: Some(20_400),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".pi"])],
        programs: &["pi"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            machine.home(&[".pi", "agent", "skills"]),
            shared_skills(machine),
        ],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: direct,
        user: |machine| vec![machine.home(&[".pi", "agent", "mcp.json"])],
        project: Some(&[".pi", "mcp.json"]),
        local: None,
        own_command: None,
        afterwards: &["start pi anew: a session that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::NoDescription,
            Reject::NoHeader,
            Reject::UnquotedColon,
        ],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.6.0"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.6.0"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "1.6.0").noting(
            "its own folder wins over the shared one; it also lists single `.md` files there",
        ),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "1.6.0")
            .noting("it read them from none of the folders that were tried"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "1.6.0")
            .noting("the project's file: installers' tables"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.6.0"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.6.0").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.6.0")
            .noting("with `exposure` set to `direct`, else no tool is shown"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.6.0"),
    ],
    ..UNKNOWN
};

/// Without this its model sees no tool of the server, and so nothing that a description holds.
fn direct(launch: &Launch) -> serde_json::Value {
    let mut entry = command_args_env(launch, &[]);
    entry["exposure"] = "direct".into();
    entry
}
