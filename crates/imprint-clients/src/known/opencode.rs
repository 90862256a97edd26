//! OpenCode. Run: 1.18.33 (Linux, November 2026). `OPENCODE_DISABLE_EXTERNAL_SKILLS`, which of
//! several skills of one name counts and what its agent files may hold: its source.

use imprint_core::{ClientFacts, Reach};
use serde_json::{Map, Value, json};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NOTHING_KNOWN, NamedBy,
        PersonaFolder, Presence, Reject, SameName, SkillFolders,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::Launch,
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "opencode",
        title: "OpenCode",
        names: &["opencode"],
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.xdg_config(&["opencode"])],
        programs: &["opencode"],
    }),
    skills: Some(skills),
    personas: Some(PersonaFolder {
        folder: |machine| machine.xdg_config(&["opencode", "agents"]),
        dialect: Dialect::OpenCode,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Jsonc,
        servers: &["mcp"],
        form: local,
        // It reads both, and makes the first at its first start.
        user: |machine| {
            vec![
                machine.xdg_config(&["opencode", "opencode.jsonc"]),
                machine.xdg_config(&["opencode", "opencode.json"]),
            ]
        },
        project: Some(&["opencode.json"]),
        local: None,
        own_command: Some("opencode mcp add"),
        afterwards: &["start OpenCode anew: it reads its configuration when it starts"],
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
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.18.33"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.18.33"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "1.18.33")
            .noting("which of several skills of one name counts: its source"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "1.18.33"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "1.18.33"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.18.33"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.18.33")
            .noting("20,000 characters came whole"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.18.33")
            .noting("5,000 characters came whole"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.18.33")
            .noting("the first 51,200 characters, the rest in a file"),
    ],
};

fn skills(machine: &Machine) -> SkillFolders {
    let own = machine.xdg_config(&["opencode", "skills"]);
    let mut reads = vec![
        own.clone(),
        machine.xdg_config(&["opencode", "skill"]),
        machine.home(&[".opencode", "skills"]),
    ];
    if !machine.switch("OPENCODE_DISABLE_EXTERNAL_SKILLS") {
        reads.push(shared_skills(machine));
        // `~/.claude` itself: nothing says that it follows CLAUDE_CONFIG_DIR.
        reads.push(machine.home(&[".claude", "skills"]));
    }
    SkillFolders {
        reads,
        own: Some(own),
    }
}

/// An entry of OpenCode and of what was made from it: the program and its arguments in one list.
pub(super) fn local(launch: &Launch) -> Value {
    let command: Vec<_> = std::iter::once(&launch.command)
        .chain(&launch.args)
        .collect();
    let mut entry = Map::new();
    entry.insert("type".to_owned(), json!("local"));
    entry.insert("command".to_owned(), json!(command));
    if !launch.env.is_empty() {
        entry.insert("environment".to_owned(), launch.variables());
    }
    Value::Object(entry)
}
