//! Goose. Not run: no registry carries it. Instructions, skill folders and listing: its source. Its
//! handshake name is not known: its id is for `--client`.

use imprint_core::{ClientFacts, Reach};
use serde_json::{Map, Value, json};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::{Launch, SERVER_NAME},
    machine::{Machine, Os},
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "goose",
        title: "Goose",
        instructions_reach_model: Reach::Yes,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![config(machine, &[])],
        programs: &["goose"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            config(machine, &["skills"]),
            machine.home(&[".claude", "skills"]),
            machine.home(&[".config", "agents", "skills"]),
        ],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Yaml,
        servers: &["extensions"],
        form: extension,
        user: |machine| vec![config(machine, &["config.yaml"])],
        project: None,
        local: None,
        own_command: Some("goose configure"),
        afterwards: &[
            "start a new session of Goose: one that runs keeps the extensions it began with",
        ],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[Reject::NoName, Reject::NoHeader],
        budget: Some(Budget::Whole),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Source, ""),
        Evidence::of(Cell::Skills, EvidenceKind::Source, ""),
        Evidence::of(Cell::Listing, EvidenceKind::Source, "")
            .noting("in which order it takes the user's folders was not read"),
        Evidence::missing(Cell::Personas).noting("none was found"),
        Evidence::of(Cell::Config, EvidenceKind::Table, ""),
        Evidence::missing(Cell::Handshake),
        Evidence::of(Cell::Instructions, EvidenceKind::Source, ""),
        Evidence::missing(Cell::ToolDescription),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};

fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    match machine.os() {
        Os::Windows => machine.app_data(&[&["Block", "goose", "config"], parts].concat()),
        Os::Linux | Os::MacOs => machine.xdg_config(&[&["goose"], parts].concat()),
    }
}

/// A server is an extension there, with words of its own.
fn extension(launch: &Launch) -> Value {
    let mut entry = Map::new();
    entry.insert("enabled".to_owned(), json!(true));
    entry.insert("type".to_owned(), json!("stdio"));
    entry.insert("name".to_owned(), json!(SERVER_NAME));
    entry.insert("cmd".to_owned(), json!(launch.command));
    entry.insert("args".to_owned(), json!(launch.args));
    if !launch.env.is_empty() {
        entry.insert("envs".to_owned(), launch.variables());
    }
    entry.insert("timeout".to_owned(), json!(300));
    Value::Object(entry)
}
