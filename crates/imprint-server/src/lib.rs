//! Imprint over the Model Context Protocol, by pipes and HTTP: framing, the handshake in both eras,
//! the tools, keys.
//!
//! Knows the registry and the ports of `imprint-core`; neither SQL nor the clients' folders.

mod bundle;
mod caller;
mod context;
mod http;
mod mcp;
mod oauth;
mod stdio;
mod summary;

pub use bundle::{Provision, ProvisionedFile, provision};
pub use context::ServerContext;
pub use http::{HttpConfig, HttpError, HttpServer, openapi};
pub use mcp::{Handler, NotAToolset, Toolsets};
pub use stdio::{ServeError, serve_stdio};
pub use summary::{ToolSummary, tools};

/// Logging targets that must stay below `debug`, and better silent, in any subscriber: rmcp logs
/// whole messages, with the arguments and the metadata that clients send.
pub const TARGETS_THAT_LOG_MESSAGES: &[&str] = &["rmcp"];
