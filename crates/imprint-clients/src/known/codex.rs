//! Codex CLI. Run: 0.171.0 (Linux, November 2026), with several models.

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};

use crate::{
    client::{
        Allowance, Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, PersonaFolder, Presence, Reject, SameName, SkillFolders,
    },
    config::Syntax,
    known::shared::shared_skills,
    launch::command_args_env,
    persona::Dialect,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "codex",
        title: "Codex",
        names: &["codex-mcp-client"],
        // With its current models the model sees the first line, at most 247 characters of it.
        // With older or unknown ones it sees all; the handshake doesn't tell which.
        instruction_cuts: &[InstructionCut {
            from: "",
            cut: Cut::FirstLine(247),
        }],
        // 5,000 came whole; longer ones were not tried.
        description_cuts: &[InstructionCut {
            from: "",
            cut: Cut::Utf16(5_000),
        }],
        instructions_reach_model: Reach::No,
        // 40,000 with its current models, 12,000 (head and tail) with one that it doesn't know.
        result_chars: Some(12_000),
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.moved("CODEX_HOME", ".codex", &[])],
        programs: &["codex"],
    }),
    // It lists a skill once for each folder that holds it, so its own folder is never written.
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.moved("CODEX_HOME", ".codex", &["skills"]),
        ],
        own: None,
    }),
    personas: Some(PersonaFolder {
        folder: |machine| machine.moved("CODEX_HOME", ".codex", &["agents"]),
        dialect: Dialect::Codex,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Toml,
        servers: &["mcp_servers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.moved("CODEX_HOME", ".codex", &["config.toml"])],
        project: Some(&[".codex", "config.toml"]),
        local: None,
        own_command: Some("codex mcp add"),
        afterwards: &[
            "start a new session of Codex: one that runs keeps the servers it began with",
            "in a project, trust it when Codex asks: until then it leaves the project's file unread",
        ],
    }),
    listing: Some(Listing {
        same_name: SameName::Each,
        nested: true,
        follows_links: true,
        named_by: NamedBy::Header,
        rejects: &[
            Reject::NoDescription,
            Reject::NoHeader,
            Reject::ByteOrderMark,
            Reject::LongName,
        ],
        budget: Some(Budget::Shortened(Allowance {
            characters: 21_900,
            taken: 0,
            // `- NAME: DESCRIPTION (file: r0/FOLDER/SKILL.md)` and the line's end, with a folder's
            // name of fourteen characters.
            entry: 40,
            description: 1_024,
            setting: None,
        })),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "0.171.0"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "0.171.0").noting("it also reads `/etc/codex/skills` and what it ships with"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "0.171.0").noting("21,900 characters with a model that it doesn't know, 40,400 with a current one; what it ships with was not counted apart"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "0.171.0")
            .noting("with gpt-5.5 its list of them stands behind its search for tools"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "0.171.0"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "0.171.0"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "0.171.0").noting("the first line, 247 characters of it, with current models; all with older and unknown ones"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "0.171.0"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "0.171.0"),
    ],
};
