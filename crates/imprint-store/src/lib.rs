//! All of Imprint's SQL, behind the [`Store`](imprint_core::Store) port: SQLite for the one home
//! on a user's machine, and a store in memory for tests. This crate keeps what the commit rules of
//! `imprint-core` decide; what an item means it doesn't know.

mod in_memory;
mod sqlite;
#[cfg(test)]
mod suite;

pub use in_memory::InMemoryStore;
pub use sqlite::{BackupError, SqliteStore};
