//! Zed. Not run. Skill folder: its manual. Handshake name: third parties' tables.

use imprint_core::ClientFacts;

use crate::{
    client::{
        Cell, Client, ConfigFile, Evidence, EvidenceKind, NOTHING_KNOWN, Presence, SkillFolders,
        UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "zed",
        title: "Zed",
        names: &["Zed"],
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: folders,
        programs: &["zed", "zeditor"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![shared_skills(machine)],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["context_servers"],
        form: |launch| command_args_env(launch, &[("source", "custom")]),
        user: |machine| {
            let file = |folder| machine.below(folder, &["settings.json"]);
            folders(machine).iter().map(|folder| file(folder)).collect()
        },
        project: Some(&[".zed", "settings.json"]),
        local: None,
        own_command: None,
        afterwards: &["in a project, trust it when Zed asks: until then it starts none of its servers"],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Table, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Manual, ""),
        Evidence::missing(Cell::Listing).noting("50 KB of descriptions, beyond which it leaves skills out and says so; how it reads the folder is not established"),
        Evidence::missing(Cell::Personas).noting("none was found"),
        Evidence::of(Cell::Config, EvidenceKind::Table, "").noting("on macOS tables name `Application Support`; that `~/.config` is read there too is not established: the one that is there counts"),
        Evidence::of(Cell::Handshake, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Instructions),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

fn folders(machine: &Machine) -> Vec<std::path::PathBuf> {
    match machine.os() {
        Os::Linux => vec![machine.xdg_config(&["zed"])],
        Os::MacOs => vec![
            machine.home(&[".config", "zed"]),
            machine.app_settings(&["Zed"]),
        ],
        Os::Windows => vec![machine.app_settings(&["Zed"])],
    }
}
