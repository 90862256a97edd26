//! The port to the clock and to randomness.

use std::fmt;

use uuid::Uuid;

use crate::Timestamp;

/// What time it is, and fresh identities. A test gives a fixed one.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now, as a label.
    fn now(&self) -> Timestamp;

    /// A fresh UUIDv7.
    fn new_uuid(&self) -> Uuid;

    /// 256 bits that nobody can guess.
    fn entropy(&self) -> [u8; 32];
}
