//! What a server works with.

use std::sync::Arc;

use imprint_core::{Access, Actor, ClientFolders, ClientTable, Registry, Via, fit::Location};

use crate::{
    caller::Caller,
    mcp::{SessionLog, Toolsets},
};

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
    /// The tools that are offered, as far as scopes allow them.
    pub toolsets: Toolsets,
    /// Whether nothing may be changed, whatever scopes allow.
    pub read_only: bool,
    /// Whether the session is recorded in the registry. A check of the server by its own user is
    /// no client's session.
    pub recorded: bool,
    /// The version that the server says it has.
    pub version: String,
}

impl ServerContext {
    /// The asker over pipes: the client that the user lets start this program.
    pub(crate) fn over_pipes(&self, sessions: SessionLog) -> Caller {
        let access = Access::local_client();
        let access = if self.read_only {
            access.read_only()
        } else {
            access
        };
        let actor = Actor {
            via: Via::Stdio,
            ..Actor::default()
        };
        Caller {
            registry: self.registry.acting(actor),
            access,
            toolsets: self.toolsets.clone(),
            named_client: self.named_client.clone(),
            location: if self.bridged {
                Location::Elsewhere
            } else {
                Location::Here
            },
            sessions,
        }
    }
}
