//! What the owner allowed a client.

use serde::{Deserialize, Serialize};

use crate::{
    Access, GrantId, ItemFence, ScopeSet, Timestamp,
    oauth::{ClientId, Resource, grantable},
};

/// One consent. Its tokens end with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthGrant {
    /// Its identity.
    pub id: GrantId,
    /// The client.
    pub client: ClientId,
    /// What the client called itself then.
    pub client_name: String,
    /// Where its code went.
    pub redirect_host: String,
    /// What it may do. Never `admin`.
    pub scopes: ScopeSet,
    /// Where.
    pub resource: Resource,
    /// When the owner said yes.
    pub created_at: Timestamp,
    /// From when on it is worth nothing, however often it is refreshed.
    pub expires_at: Timestamp,
    /// When it was last used, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

/// Whether a grant opens anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantStanding {
    /// It does.
    Live,
    /// Its time is over.
    Expired,
    /// It was taken back.
    Revoked,
}

impl OauthGrant {
    /// Whether it opens anything at this time.
    pub fn standing(&self, now: Timestamp) -> GrantStanding {
        if self.revoked_at.is_some() {
            GrantStanding::Revoked
        } else if self.expires_at <= now {
            GrantStanding::Expired
        } else {
            GrantStanding::Live
        }
    }

    /// What its client may see and do. Narrowed once more, so that no row that was written by
    /// another version gives `admin`.
    pub fn access(&self) -> Access {
        Access::new(self.scopes.narrowed_to(&grantable()), ItemFence::default())
    }
}
