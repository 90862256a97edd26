//! Imprint over the Model Context Protocol: framing, the handshake in both eras, the tools.
//!
//! Knows the registry and the ports of `imprint-core`; neither SQL nor the clients' folders.

mod caller;
mod context;
#[expect(dead_code, reason = "the routes that stand behind these layers follow")]
mod http;
mod mcp;
mod stdio;
mod summary;

pub use context::ServerContext;
pub use mcp::{NotAToolset, Toolsets};
pub use stdio::{ServeError, serve_stdio};
pub use summary::{ToolSummary, tools};

/// Logging targets that must stay below `debug`, and better silent, in any subscriber: rmcp logs
/// whole messages, with the arguments and the metadata that clients send.
pub const TARGETS_THAT_LOG_MESSAGES: &[&str] = &["rmcp"];
