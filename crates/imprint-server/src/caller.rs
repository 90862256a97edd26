//! Who asks, and what they may see and do.

use std::sync::Arc;

use imprint_core::{
    Access, Actor, EditRight, FencedStore, Registry, Scope,
    fit::{Location, Peer},
    secret::masked_in,
};
use imprint_format::{ItemKind, text};

use crate::mcp::{SessionLog, Tool, Toolsets};

/// How much of a client's name the audit keeps, in characters.
const CLIENT_CHARS: usize = 100;

/// One asker: over pipes the client that started this process, over HTTP whoever shows a key.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The items as this asker sees them, changed in this asker's name.
    pub(crate) registry: Registry,
    /// What this asker may do.
    pub(crate) access: Access,
    /// The tools that were asked for.
    pub(crate) toolsets: Toolsets,
    /// The client that the configured entry or the key names, as an id of the table.
    pub(crate) named_client: Option<String>,
    /// Where it runs, as far as this machine's folders are concerned.
    pub(crate) location: Location,
    /// Where its traffic is noted.
    pub(crate) sessions: SessionLog,
}

impl Caller {
    /// The registry as these scopes and this fence see it.
    pub(crate) fn fenced(registry: &Registry, access: &Access) -> Registry {
        if access.sees_everything() {
            return registry.clone();
        }
        let fenced = FencedStore::new(registry.shared_store(), access.clone());
        registry.through(Arc::new(fenced))
    }

    /// Whether a tool may be called, and so is listed.
    pub(crate) fn offers(&self, tool: Tool) -> bool {
        self.toolsets.contain(tool) && self.allows(tool)
    }

    /// Whether the scopes allow a tool, whichever tools were asked for.
    pub(crate) fn allows(&self, tool: Tool) -> bool {
        let of_items = [ItemKind::Skill, ItemKind::Persona];
        match tool {
            Tool::Skills => of_items.iter().any(|kind| self.access.may_read(*kind)),
            Tool::SkillEdit => of_items
                .iter()
                .any(|kind| self.access.edit_right(*kind) > EditRight::None),
            Tool::Guidelines => self.access.allows(Scope::GuidelinesRead),
        }
    }

    /// What is known of the other side.
    pub(crate) fn peer(&self, name: Option<String>, version: Option<String>) -> Peer {
        Peer {
            name,
            version,
            named: self.named_client.clone(),
            location: self.location,
        }
    }

    /// The registry, changed in the name of this client of the asker's.
    pub(crate) fn registry_for(&self, peer: &Peer) -> Registry {
        let name = peer.name.as_ref().or(peer.named.as_ref());
        self.registry.acting(Actor {
            client: name.map(|name| shown_client(name)),
            ..self.registry.actor().clone()
        })
    }
}

/// A client's name as authors and the audit have it: made visible, freed of credentials and cut.
pub(crate) fn shown_client(name: &str) -> String {
    text::clip(&text::one_line(&masked_in(name)), CLIENT_CHARS)
}

/// The scope that a tool needs, the narrowest that will do.
pub(crate) const fn needed_scope(tool: Tool) -> Scope {
    match tool {
        Tool::Skills => Scope::SkillsRead,
        Tool::SkillEdit => Scope::SkillsWrite,
        Tool::Guidelines => Scope::GuidelinesRead,
    }
}
