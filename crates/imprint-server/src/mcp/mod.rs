//! The Model Context Protocol over pipes, in both eras.

mod changes;
mod extension;
mod fittings;
mod framing;
mod gate;
mod handler;
mod in_flight;
mod instructions;
mod lines;
mod session;
mod tools;
mod transport;

pub(crate) use framing::{Frame, Refusal, Request, classify};
pub(crate) use gate::{complete_handshake, stands_alone};
pub use handler::Handler;
pub(crate) use handler::own_method;
pub(crate) use handler::{Announcer, Shared};
pub(crate) use session::{Heard, Notes, PipeLog, SessionLog, harmless};
pub use tools::{NotAToolset, Toolsets};
pub(crate) use tools::{Tool, list as list_tools};
pub(crate) use transport::{PipeError, pair};

/// The versions that begin with `initialize`, newest first. The newest is the answer to a client
/// that asks for any other.
pub(crate) const HANDSHAKE_VERSIONS: [&str; 4] =
    ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
