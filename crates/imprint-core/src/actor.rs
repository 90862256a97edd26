//! Who acts, as far as this machine knows.

use serde::{Deserialize, Serialize};

use crate::{GrantId, KeyId, SessionId};

/// The way by which an act came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// The command line: the user.
    #[default]
    Cli,
    /// MCP over pipes.
    Stdio,
    /// MCP over HTTP.
    Http,
    /// The REST API.
    Api,
    /// The pages and endpoints of OAuth.
    Oauth,
}

/// Who acts. The default is the user at the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// How it came.
    pub via: Via,
    /// The key that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyId>,
    /// The OAuth grant whose token was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantId>,
    /// What the client calls itself, made visible and cut: claimed, not proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The session, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
}
