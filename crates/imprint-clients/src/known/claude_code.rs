//! Claude Code. Run: 2.1.197 and 2.1.332 (Linux, November 2026). Eight colours of personas: its
//! manual, and the schema that Qwen Code mirrors.

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};

use crate::{
    client::{
        Allowance, Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing,
        NOTHING_KNOWN, NamedBy, PersonaFolder, Presence, RoomSetting, SameName, SkillFolders,
    },
    config::Syntax,
    launch::command_args_env,
    machine::Machine,
    persona::Dialect,
};

/// 2.1.197 passed 2,048 UTF-16 units of a server's instructions and of a tool's description,
/// 2.1.332 passes 4,096. What stands between is not known, so the smaller one counts.
const CUTS: &[InstructionCut] = &[
    InstructionCut {
        from: "2.1.332",
        cut: Cut::Utf16(4_096),
    },
    InstructionCut {
        from: "",
        cut: Cut::Utf16(2_048),
    },
];

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "claude-code",
        title: "Claude Code",
        names: &["claude-code"],
        instruction_cuts: CUTS,
        description_cuts: CUTS,
        instructions_reach_model: Reach::Yes,
        reads_our_folders: true,
        honours_hidden: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![config(machine, &[])],
        programs: &["claude"],
    }),
    skills: Some(|machine| {
        let own = config(machine, &["skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    personas: Some(PersonaFolder {
        folder: |machine| config(machine, &["agents"]),
        dialect: Dialect::ClaudeCode,
    }),
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[("type", "stdio")]),
        user: |machine| {
            let moved = machine.folder_variable("CLAUDE_CONFIG_DIR");
            vec![match moved {
                Some(folder) => machine.below(&folder, &[".claude.json"]),
                None => machine.home(&[".claude.json"]),
            }]
        },
        project: Some(&[".mcp.json"]),
        // What `claude mcp add` does unless it is told a scope.
        local: Some(|folder| vec!["projects".into(), folder.into(), "mcpServers".into()]),
        own_command: Some("claude mcp add"),
        afterwards: &[
            "start Claude Code anew: a session that runs keeps the servers it began with",
        ],
    }),
    listing: Some(Listing {
        // The header's stands behind it in brackets where it is another one.
        named_by: NamedBy::Folder,
        same_name: SameName::First,
        nested: false,
        follows_links: true,
        rejects: &[],
        budget: Some(Budget::WhileItFits(Allowance {
            characters: 8_000,
            taken: 6_200,
            // `- NAME: DESCRIPTION` and the line's end.
            entry: 5,
            description: 1_536,
            setting: Some(RoomSetting {
                file: |machine| config(machine, &["settings.json"]),
                syntax: Syntax::Json,
                path: &["skillListingBudgetFraction"],
                value: "0.1",
                characters: 80_000,
            }),
        })),
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "2.1.332")
            .noting("`CLAUDE_CONFIG_DIR` moves them, by installers' tables"),
        Evidence::of(Cell::Listing, EvidenceKind::Run, "2.1.332").noting(
            "8,000 characters with a model of 200,000 tokens, 30,000 with one of a million",
        ),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::Config, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "2.1.332"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "2.1.332")
            .noting("45,000 characters of a result came whole"),
    ],
};

/// A path below its configuration folder.
pub(super) fn config(machine: &Machine, parts: &[&str]) -> std::path::PathBuf {
    machine.moved("CLAUDE_CONFIG_DIR", ".claude", parts)
}
