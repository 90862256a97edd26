//! Copilot CLI. Run: 1.0.102 (Linux, November 2026). `COPILOT_HOME` and persona keys: its manual.

use imprint_core::{ClientFacts, Reach};
use serde_json::{Value, json};

use crate::{
    client::{
        Allowance, Budget, Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind,
        Listing, NOTHING_KNOWN, NamedBy, PersonaFolder, Presence, Reject, SameName, SkillFolders,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::{Launch, command_args_env},
    machine::Machine,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "copilot-cli",
        title: "Copilot CLI",
        names: &["copilot-cli"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        // 20,000 came whole, of 30,000 only a preview of 500.
        result_chars: Some(20_000),
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![config(machine, &[])],
        programs: &["copilot"],
    }),
    skills: Some(|machine| {
        let own = config(machine, &["skills"]);
        SkillFolders {
            reads: vec![own.clone(), shared_skills(machine)],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| config(machine, &["agents"]),
        dialect: Dialect::CopilotCli,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: entry,
        user: |machine| vec![config(machine, &["mcp-config.json"])],
        // It reads `.mcp.json` too, which is Claude Code's.
        project: Some(&[".github", "mcp.json"]),
        local: None,
        own_command: Some("copilot mcp add"),
        afterwards: &["start Copilot CLI anew: a session that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::NoHeader,
            Reject::UnquotedColon,
            Reject::LongName,
            Reject::LongDescription(1_024),
        ],
        budget: Some(Budget::WhileItFits(Allowance {
            characters: 15_000,
            taken: 0,
            // The tags of its XML and the skill's place, from 45 and 30 entries that filled it.
            entry: 105,
            description: 1_024,
            setting: None,
        })),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.0.102"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.0.102"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "1.0.102").noting("of 200 skills 45 were described, the others named; which of two user folders wins was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "1.0.102"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "1.0.102").noting("installers' tables name `$XDG_CONFIG_HOME` in place of `$COPILOT_HOME`"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.0.102"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.0.102").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.0.102"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.0.102"),
    ],
};

/// A path below its configuration folder.
pub(super) fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("COPILOT_HOME", ".copilot", parts)
}

/// It asks which of a server's tools it may offer.
fn entry(launch: &Launch) -> Value {
    let mut entry = command_args_env(launch, &[("type", "local")]);
    entry["tools"] = json!(["*"]);
    entry
}
