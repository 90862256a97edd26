//! AI clients: what we know of each, the folders that they read, and the pass that writes them.

pub mod adopt;
mod client;
pub mod config;
pub mod connect;
pub mod doctor;
mod folders;
mod home;
pub mod import;
pub mod inspect;
mod known;
mod launch;
pub mod listing;
mod lock;
mod machine;
mod pattern;
mod persona;
mod placement;
pub mod setup;
mod source;
mod steps;
#[cfg(test)]
mod test_registry;
mod write;
pub mod wsl;

pub use client::{
    Allowance, Budget, Cell, Client, ConfigFile, Evidence, EvidenceKind, Listing, NamedBy,
    PersonaFolder, Presence, Reject, RoomSetting, SameName, SkillFolders,
};
pub use folders::Folders;
pub use home::is_leftover;
pub use known::{clients, known_client, known_clients, shared_skills};
pub use launch::{
    DISTRO_VARIABLE, HOME_VARIABLE, Launch, LaunchError, SERVER_NAME, System, is_ours,
};
pub use machine::{EnvironmentOf, Machine, NoHome, Os};
pub use persona::{Dialect, Persona, Rendered, render, render_for};
pub use placement::{Placement, Surroundings, Target, place};
pub use source::{ItemSource, SourceItem, SourceItems};
pub use write::{Adopted, Planned, PlannedEntry, PlannedFolder, TakenIn, installed};
