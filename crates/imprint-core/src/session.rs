//! Sessions: which clients connected, local to this machine.

use serde::Serialize;

use crate::{GrantId, KeyId, SessionId, Timestamp};

/// One client's connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionRecord {
    /// Its identity.
    pub id: SessionId,
    /// The client's name as it sent it (made visible, at most 200 characters); `None` if it sent none.
    pub client_name: Option<String>,
    /// The client's version as it sent it (same limits).
    pub client_version: Option<String>,
    /// The client that the entry's `--client` names, where that is known.
    pub named_client: Option<String>,
    /// The key that it came with; `None` over pipes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyId>,
    /// The OAuth grant that it came with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantId>,
    /// The protocol version that was agreed.
    pub protocol: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was last heard.
    pub seen_at: Timestamp,
    /// How many tool calls it made.
    pub calls: u64,
}
