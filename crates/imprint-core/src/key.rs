//! API keys as they are kept: everything but the key itself.

use imprint_format::ItemName;
use serde::{Deserialize, Serialize};

use crate::{Access, ItemFence, KeyId, ScopeSet, Timestamp, TokenDigest};

/// The most characters of a key's name.
pub const KEY_NAME_CHARS: usize = 100;

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// Its identity.
    pub id: KeyId,
    /// What the user calls it: one line of at most [`KEY_NAME_CHARS`] characters.
    pub name: String,
    /// What the key itself is recognised by.
    pub digest: TokenDigest,
    /// The key's first characters, for lists.
    pub start: String,
    /// The key's last characters, for lists.
    pub end: String,
    /// What it allows.
    pub scopes: ScopeSet,
    /// Which items it is narrowed to.
    pub fence: ItemFence,
    /// The projects whose records it may see, beside the general ones; empty: all.
    pub projects: Vec<ItemName>,
    /// The client, as an id of the table, that it was made for.
    pub client: Option<String>,
    /// Who made it.
    pub made_by: KeyMaker,
    /// When.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// What the last client called itself.
    pub last_client: Option<String>,
    /// When the user took it back.
    pub revoked_at: Option<Timestamp>,
    /// The key that it took the place of.
    pub replaces: Option<KeyId>,
}

/// Who made a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyMaker {
    /// The user, to put it somewhere.
    User,
    /// `imprint connect`, which wrote it into a client's configuration on this machine.
    Connect,
}

/// Whether a key opens anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStanding {
    /// It does.
    Live,
    /// Its time is over.
    Expired,
    /// The user took it back.
    Revoked,
}

impl KeyRecord {
    /// Whether it opens anything at this time.
    pub fn standing(&self, now: Timestamp) -> KeyStanding {
        if self.revoked_at.is_some() {
            KeyStanding::Revoked
        } else if self.expires_at.is_some_and(|end| end <= now) {
            KeyStanding::Expired
        } else {
            KeyStanding::Live
        }
    }

    /// What its bearer may see and do.
    pub fn access(&self) -> Access {
        Access::new(self.scopes.clone(), self.fence.clone())
    }

    /// The key as lists show it.
    pub fn shown(&self) -> String {
        format!("{}…{}", self.start, self.end)
    }
}
