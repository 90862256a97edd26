//! AI clients: what we know of each, the folders that they read, and the pass that writes them.

mod client;
mod known;
mod machine;
mod persona;

pub use client::{Client, PersonaFolder, Presence, SkillFolders, shared_skills};
pub use known::{clients, known_client, known_clients};
pub use machine::{EnvironmentOf, Machine, NoHome, Os};
pub use persona::{Dialect, Persona, Rendered, render, render_for};
