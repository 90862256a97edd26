//! Continue. Run: its command line 1.5.47 (Linux, November 2026). Where its extensions for editors
//! read servers: a public report (continuedev/continue#12254).

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Cell, Client, ConfigFile, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, NOTHING_KNOWN,
        Presence, SkillFolders, UNKNOWN,
    },
    config::Syntax,
    launch::command_args_env,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "continue",
        title: "Continue",
        names: &["continue-cli-client"],
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        reads_our_folders: true,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.home(&[".continue"])],
        programs: &["cn"],
    }),
    // No other client reads it, and it reads no other user folder.
    skills: Some(|machine| {
        let own = machine.home(&[".continue", "skills"]);
        SkillFolders {
            reads: vec![own.clone()],
            own: Some(own),
        }
    }),
    // A file of our own. `config.yaml` holds servers in a list, in which no entry is written.
    config: Some(ConfigFile {
        syntax: Syntax::Json,
        servers: &["mcpServers"],
        form: |launch| command_args_env(launch, &[]),
        user: |machine| vec![machine.home(&[".continue", "mcpServers", "imprint.json"])],
        project: Some(&[".continue", "mcpServers", "imprint.json"]),
        own_command: None,
        local: None,
        afterwards: &[
            "reload the editor's window",
            "for `cn`, which reads servers from `config.yaml` alone, add it to `mcpServers` there by hand",
        ],
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.5.47"),
        Evidence::missing(Cell::Listing).noting("it ignores skills that are links; the rest was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "1.5.47").noting("it read them from none of the folders that were tried"),
        Evidence::of(Cell::Config, EvidenceKind::Report, "").noting("its extensions for editors read it, its command line does not (continuedev/continue#12254)"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.5.47").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.5.47").noting("120,000 characters came whole"),
    ],
    ..UNKNOWN
};
