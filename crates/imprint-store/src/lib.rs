//! All of Imprint's SQL, behind the [`Store`](imprint_core::Store) port: SQLite for the one home
//! on a user's machine, a store in front of it that remembers answers, and a store in memory for
//! tests. This crate keeps what the commit rules of `imprint-core` decide; what an item means it
//! doesn't know.

mod generation;
mod in_memory;
mod remembering;
mod sqlite;
#[cfg(test)]
mod suite;

pub use generation::{Generation, Generations};
pub use in_memory::InMemoryStore;
pub use remembering::{Limits, RememberingStore};
pub use sqlite::{BackupError, SqliteStore};
