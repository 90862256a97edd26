//! Crush. Not run. Instructions, skill folders, listing and what it makes of
//! `disable-model-invocation`: its source. Its handshake name is not known: its id is for
//! `--client`.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "crush",
        title: "Crush",
        instructions_reach_model: Reach::Yes,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.xdg_config(&["crush"])],
        programs: &["crush"],
    }),
    skills: Some(skills),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcp"],
        form: |launch| command_args_env(launch, &[("type", "stdio")]),
        user: |machine| vec![machine.xdg_config(&["crush", "crush.json"])],
        project: Some(&["crush.json"]),
        local: None,
        own_command: None,
        afterwards: &["start Crush anew: it reads its configuration when it starts"],
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
            Reject::NameNotFolder,
            Reject::LongName,
            Reject::LongDescription(1_024),
        ],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Source, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Source, ""),
        Evidence::of(Cell::Listing, EvidenceKind::Source, "")
            .noting("the last that it finds of several of one name counts, in no fixed order"),
        Evidence::missing(Cell::Personas).noting("none was found"),
        Evidence::of(Cell::Config, EvidenceKind::Table, "")
            .noting("newer versions have a `crushrc` of commands beside it"),
        Evidence::missing(Cell::Handshake),
        Evidence::of(Cell::Instructions, EvidenceKind::Source, ""),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

/// `CRUSH_SKILLS_DIR` stands for all of the user's folders.
fn skills(machine: &Machine) -> SkillFolders {
    if let Some(folder) = machine.folder_variable("CRUSH_SKILLS_DIR") {
        return SkillFolders {
            reads: vec![folder],
            own: None,
        };
    }
    let mut reads = vec![
        machine.xdg_config(&["crush", "skills"]),
        machine.xdg_config(&["agents", "skills"]),
        shared_skills(machine),
        machine.home(&[".claude", "skills"]),
    ];
    if machine.os() == Os::Windows {
        reads.push(machine.local_app_data(&["crush", "skills"]));
        reads.push(machine.local_app_data(&["agents", "skills"]));
    }
    SkillFolders { reads, own: None }
}
