//! Continue CLI. Run: 1.5.47 (Linux, November 2026).

use imprint_core::{ClientFacts, Reach};

use crate::client::{
    Cell, Client, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, NOTHING_KNOWN, Presence,
    SkillFolders, UNKNOWN,
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
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "1.5.47"),
        Evidence::missing(Cell::Listing)
            .noting("it ignores skills that are links; the rest was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "1.5.47")
            .noting("it read them from none of the folders that were tried"),
        Evidence::of(Cell::Config, EvidenceKind::Manual, "")
            .noting("`config.yaml` holds the servers as a list, in which no entry is written"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "1.5.47")
            .noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "1.5.47"),
        Evidence::of(Cell::Page, EvidenceKind::Run, "1.5.47")
            .noting("120,000 characters came whole"),
    ],
    ..UNKNOWN
};
