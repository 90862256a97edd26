//! What a server works with.

use std::sync::Arc;

use imprint_core::{ClientFolders, ClientTable, Registry};

/// Everything that a server is given.
#[derive(Clone, Debug)]
pub struct ServerContext {
    /// The user's items. Need not exist yet: reading creates nothing.
    pub registry: Registry,
    /// The folders that clients read.
    pub folders: Arc<dyn ClientFolders>,
    /// What is known of clients.
    pub clients: ClientTable,
    /// The client that the configured entry names (`--client`), as an id of `clients`.
    pub named_client: Option<String>,
    /// Served into WSL through the bridge (`IMPRINT_WSL_DISTRO` is set).
    pub bridged: bool,
    /// Whether the session is recorded in the registry. A check of the server by its own user is
    /// no client's session.
    pub recorded: bool,
    /// The version that the server says it has.
    pub version: String,
}
