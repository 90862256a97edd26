//! Taking skills and personas in from folders and archives that others wrote.
//!
//! In three steps, of which only the first reads and only the last writes: [`read_source`] reads
//! what a path holds, [`plan_import`] decides what becomes of each item, and [`apply`] hands the
//! plan to the registry. What can't be kept is in the plan with the reason; nothing is cut,
//! guessed or dropped to make it fit, and what is changed (a name's spelling, quotes) is noted.

mod apply;
mod archive;
mod codex;
mod folder;
mod item;
mod normalise;
mod plan;
mod source;
mod summary;
mod tree;

pub(crate) use apply::{replacing, with_suffix};
pub(crate) use codex::persona_text as codex_persona_text;
pub(crate) use folder::codex_agents;
pub(crate) use item::ItemReader;
pub(crate) use normalise::mended_entry;
pub(crate) use normalise::renamed;
pub(crate) use plan::judge;

pub use apply::{ApplyError, Done, ImportOutcome, ItemResult, OnCollision, apply, apply_telling};
pub use archive::ArchiveFault;
pub use plan::{CollidesWith, Collision, ImportPlan, Planned, Same, Stored, plan_for, plan_import};
pub use source::{ImportLimits, Skipped, Source, SourceError, SourceItem, read_source};

#[cfg(test)]
mod tests;
