//! The client runtime, for agent programs to embed: finding the skills and personas that stand in
//! folders, without ever reading outside them.
//!
//! [`discover`] takes folders and says what is in them: what can be used, what is hidden behind
//! another of its name, and what can't be used and why. [`ItemFolder`] reads an item's files and
//! follows no link out of its folder; [`locate`] says where items stand without reading them.
//! Nothing here is written, started or sent.

mod discover;
mod folder;
mod shown;

pub use discover::{
    Discovery, Found, Limits, Located, Place, Root, Scope, Shadowed, agent_name, discover,
    discover_personas, is_agent_file, is_skipped_folder, locate,
};
pub use folder::{Content, ItemFolder, LeftOut, Listing, ReadError, WhyLeftOut};
pub use shown::path_text;
