//! Mistral Vibe. Run: 3.0.2 (Linux, November 2026). It calls itself `mcp` as every host on the
//! Python SDK does, so its name can't be recognised: its id is for `--client`. `VIBE_HOME`:
//! installers' tables.

use imprint_core::{ClientFacts, Reach};

use crate::{
    client::{
        Cell, Client, DESCRIPTION_ARRIVES, Evidence, EvidenceKind, NOTHING_KNOWN, Presence,
        SkillFolders, UNKNOWN,
    },
    known::shared::shared_skills,
};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "vibe",
        title: "Mistral Vibe",
        description_cuts: DESCRIPTION_ARRIVES,
        instructions_reach_model: Reach::No,
        ..NOTHING_KNOWN
    },
    presence: Some(Presence {
        config: |machine| vec![machine.moved("VIBE_HOME", ".vibe", &[])],
        programs: &["vibe"],
    }),
    skills: Some(|machine| SkillFolders {
        reads: vec![
            shared_skills(machine),
            machine.moved("VIBE_HOME", ".vibe", &["skills"]),
        ],
        own: None,
    }),
    evidence: &[
        Evidence::of(Cell::Presence, EvidenceKind::Run, "3.0.2"),
        Evidence::of(Cell::Skills, EvidenceKind::Run, "3.0.2"),
        Evidence::missing(Cell::Listing).noting("it follows links; the rest was not tried"),
        Evidence::of(Cell::Personas, EvidenceKind::Run, "3.0.2").noting("it read them from none of the folders that were tried"),
        Evidence::of(Cell::Config, EvidenceKind::Manual, "").noting("`config.toml` holds the servers as a list (`[[mcp_servers]]`), in which no entry is written"),
        Evidence::of(Cell::Handshake, EvidenceKind::Run, "3.0.2").noting("it says `mcp`, as every host on the Python SDK does"),
        Evidence::of(Cell::Instructions, EvidenceKind::Run, "3.0.2").noting("none reach the model"),
        Evidence::of(Cell::ToolDescription, EvidenceKind::Run, "3.0.2"),
        Evidence::missing(Cell::Page),
    ],
    ..UNKNOWN
};
