//! Zed. Not run. Skill folder: its manual. Handshake name: third parties' tables.

use imprint_core::ClientFacts;

use crate::client::{Client, NOTHING_KNOWN, SkillFolders, UNKNOWN, shared_skills};

pub(super) static CLIENT: Client = Client {
    facts: ClientFacts {
        id: "zed",
        title: "Zed",
        names: &["Zed"],
        ..NOTHING_KNOWN
    },
    presence: None,
    skills: Some(|machine| SkillFolders {
        reads: vec![shared_skills(machine)],
        own: None,
    }),
    personas: None,
    ..UNKNOWN
};
