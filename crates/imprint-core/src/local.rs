//! Changes that stay on this machine and enter no log.

use crate::{
    Act, AuditEntry, ItemId, KeyId, KeyRecord, SessionRecord, Subject, Timestamp,
    oauth::OauthChange,
};

/// A change that stays on this machine.
#[derive(Clone, Debug)]
pub enum LocalChange {
    /// A session began or went on: inserted or, by its id, replaced.
    Session(SessionRecord),
    /// A session that is known by what it is, not by an id: see [`HeardSession`].
    Heard(HeardSession),
    /// An item's instructions were loaded once more.
    Loaded(ItemId),
    /// A key was made.
    KeyMade(Box<KeyRecord>),
    /// A key has another name.
    KeyRenamed {
        /// The key.
        key: KeyId,
        /// Its name from now on.
        name: String,
    },
    /// A key gets an end, unless it has an earlier one.
    KeyEnds {
        /// The key.
        key: KeyId,
        /// When it ends.
        at: Timestamp,
    },
    /// A key is worth nothing from now on. The first time counts.
    KeyRevoked {
        /// The key.
        key: KeyId,
        /// When.
        at: Timestamp,
    },
    /// A key was used.
    KeyUsed {
        /// The key.
        key: KeyId,
        /// When.
        at: Timestamp,
        /// By whom, as the client calls itself.
        client: Option<String>,
    },
    /// Something about OAuth.
    Oauth(OauthChange),
    /// Something for the audit that changes nothing else.
    Audit(AuditEntry),
}

/// A session without a connection of its own: requests of one key and one client over one
/// transport, with no more than half an hour between. Merged inside the transaction, so that
/// several processes count one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardSession {
    /// The session as it is inserted when there is none to go on: same key, transport and client
    /// name (any name, when this one has none), seen at most [`HeardSession::IDLE_MS`] before
    /// `seen_at`. Else its version and protocol replace the old ones where it has a name, its calls
    /// are added, and it was seen at the later time.
    pub session: SessionRecord,
}

impl HeardSession {
    /// After so long without a word, in milliseconds, a new session begins.
    pub const IDLE_MS: i64 = 30 * 60 * 1_000;

    /// Whether a session that was kept goes on with this.
    pub fn goes_on(&self, kept: &SessionRecord) -> bool {
        let new = &self.session;
        kept.key == new.key
            && kept.grant == new.grant
            && kept.transport == new.transport
            && (new.client_name.is_none() || kept.client_name == new.client_name)
            && new.seen_at.0 - kept.seen_at.0 <= Self::IDLE_MS
    }

    /// The kept session as it stands with this.
    #[must_use]
    pub fn added_to(&self, kept: &SessionRecord) -> SessionRecord {
        let new = &self.session;
        let mut after = kept.clone();
        after.client_version = new.client_version.clone().or(after.client_version);
        // Without a name, the protocol is what a request that says nothing is taken for.
        if new.client_name.is_some() {
            after.protocol.clone_from(&new.protocol);
        }
        after.seen_at = after.seen_at.max(new.seen_at);
        after.calls += new.calls;
        after
    }
}

impl LocalChange {
    /// Whether it is worth a database where there is none yet.
    pub fn is_kept(&self) -> bool {
        match self {
            Self::Session(_)
            | Self::Heard(_)
            | Self::Loaded(_)
            | Self::KeyUsed { .. }
            | Self::Audit(_) => false,
            Self::Oauth(change) => change.is_kept(),
            Self::KeyMade(_)
            | Self::KeyRenamed { .. }
            | Self::KeyEnds { .. }
            | Self::KeyRevoked { .. } => true,
        }
    }

    /// What the audit says of it.
    pub(crate) fn audited(&self) -> Option<AuditEntry> {
        let key = |act, key: &KeyId, name: Option<&str>| {
            AuditEntry::new(act, Subject::new("key", Some(key.to_string()), name))
        };
        match self {
            Self::KeyMade(record) => {
                let entry = key(Act::KeyCreated, &record.id, Some(&record.name));
                Some(entry.detail(&record.scopes.to_string()))
            }
            Self::KeyRenamed { key: id, name } => Some(key(Act::KeyRenamed, id, Some(name))),
            Self::KeyEnds { key: id, .. } => Some(key(Act::KeyRotated, id, None)),
            Self::KeyRevoked { key: id, .. } => Some(key(Act::KeyRevoked, id, None)),
            Self::Oauth(change) => change.audited(),
            Self::Audit(entry) => Some(entry.clone()),
            Self::Session(_) | Self::Heard(_) | Self::Loaded(_) | Self::KeyUsed { .. } => None,
        }
    }
}
