//! Cline CLI. Run: 3.0.65 (Linux, November 2026). `CLINE_DIR`: installers' tables.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Budget, Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, Presence, Reject, SameName, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    known::{shared::shared_skills, vs_code},
    launch::command_args_env,
    machine::Machine,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "cline",
        title: "Cline",
        names: &["@cline/core"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        // 8,000 in all, counted in its JSON form; what is beyond loses its middle.
        result_chars: Some(8_000),
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![home(machine, &[]), extension(machine, &[])],
        programs: &["cline"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![shared_skills(machine), home(machine, &["skills"])],
        own: None,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| {
            vec![
                home(machine, &["data", "settings", "cline_mcp_settings.json"]),
                extension(machine, &["settings", "cline_mcp_settings.json"]),
            ]
        },
        project: None,
        local: None,
        own_command: None,
        afterwards: &["start Cline anew: a session that runs keeps the servers it began with"],
    }),
    listing: Some(Listing {
        same_name: SameName::First,
        nested: false,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[Reject::UnquotedColon],
        budget: Some(Budget::NamesOnly),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "3.0.65")
            .noting("its extension for VS Code: installers' tables"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "3.0.65"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "3.0.65")
            .noting("which of two user folders wins was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "3.0.65")
            .noting("files in `~/.cline/agents` become tools of their own, not roles"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "3.0.65")
            .noting("the file of its extension for VS Code: installers' tables"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "3.0.65"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "3.0.65")
            .noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "3.0.65"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "3.0.65"),
    ],
    ..UNKNOWN
};

fn home(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("CLINE_DIR", ".cline", parts)
}

/// A path below what the extension for VS Code keeps.
fn extension(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    let kept = ["User", "globalStorage", "saoudrizwan.claude-dev"];
    vs_code::settings(machine, &[&kept, parts].concat())
}
