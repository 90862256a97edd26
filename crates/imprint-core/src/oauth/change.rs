//! What OAuth changes, and what a commit must know before it lets it happen.

use std::collections::BTreeMap;

use crate::{
    Act, AuditEntry, CommitError, GrantId, Subject, Timestamp, TokenDigest,
    oauth::{
        AuthorizationRequest, OauthClient, OauthGrant, OauthToken, REFRESH_MS, RequestId,
        RequestStatus, TokenUse,
    },
};

/// One change. It stays on this machine and enters no log.
#[derive(Clone, Debug)]
pub enum OauthChange {
    /// A client that registered itself: inserted or, by its id, replaced.
    Client(Box<OauthClient>),
    /// A request as it stands from now on: inserted or, by its id, replaced. Refused with
    /// [`crate::CommitError::Overtaken`] unless its `version` is the one after the kept one's (0
    /// for a new request), so that of two that go on from the same state one wins.
    Request(Box<AuthorizationRequest>),
    /// A new grant.
    Granted(Box<OauthGrant>),
    /// A grant was used: the latest time counts.
    GrantUsed {
        /// The grant.
        grant: GrantId,
        /// When.
        at: Timestamp,
    },
    /// A grant and all that hangs on it is worth nothing from now on. The first time counts.
    GrantRevoked {
        /// The grant.
        grant: GrantId,
        /// When.
        at: Timestamp,
        /// Why, in a few words.
        because: &'static str,
    },
    /// A new code, access token or refresh token.
    Token(Box<OauthToken>),
    /// A token is used up. Refused with [`crate::CommitError::Spent`] when it is already, or is
    /// not known, so that of two that use it one wins.
    Spend {
        /// The token.
        token: TokenDigest,
        /// When.
        at: Timestamp,
    },
    /// Takes away what is over at this time: see [`AuthorizationRequest::is_gone`],
    /// [`OauthToken::gone_at`] and [`OauthClient::is_gone`]. Grants stay, for lists.
    Swept {
        /// The time.
        at: Timestamp,
    },
}

/// What must be known to judge changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OauthNeeds {
    /// The versions of these requests.
    pub requests: Vec<RequestId>,
    /// Whether these tokens are spent.
    pub tokens: Vec<TokenDigest>,
}

/// What is known of that inside the transaction.
#[derive(Clone, Debug, Default)]
pub struct OauthFacts {
    /// The versions of those of [`OauthNeeds::requests`] that are kept.
    pub requests: BTreeMap<RequestId, u32>,
    /// Those of [`OauthNeeds::tokens`] that are kept and not spent.
    pub unspent: Vec<TokenDigest>,
}

impl OauthChange {
    /// Whether it is worth a database where there is none yet.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(
            self,
            Self::Client(_) | Self::Request(_) | Self::Granted(_) | Self::Token(_)
        )
    }

    /// Adds what the change must know.
    pub(crate) fn add_needs(&self, needs: &mut OauthNeeds) {
        match self {
            Self::Request(request) => needs.requests.push(request.id),
            Self::Spend { token, .. } => needs.tokens.push(*token),
            _ => {}
        }
    }

    /// What the audit says of it.
    pub(crate) fn audited(&self) -> Option<AuditEntry> {
        match self {
            Self::Client(client) if client.used_at.is_none() => {
                let id = Some(client.id.to_string());
                let subject = Subject::new("oauth-client", id, Some(&client.name));
                Some(AuditEntry::new(Act::OauthClientRegistered, subject))
            }
            Self::Request(request) if request.status == RequestStatus::Denied => {
                let subject = Subject::new("oauth-client", None, Some(&request.client_name));
                let entry = AuditEntry::new(Act::OauthDenied, subject);
                Some(entry.detail(if request.tries_left == 0 {
                    "too many wrong keys"
                } else {
                    "denied"
                }))
            }
            Self::Granted(grant) => {
                let id = Some(grant.id.to_string());
                let subject = Subject::new("grant", id, Some(&grant.client_name));
                let detail = format!("{} for {}", grant.scopes, grant.redirect_host);
                Some(AuditEntry::new(Act::OauthGranted, subject).detail(&detail))
            }
            Self::GrantRevoked { grant, because, .. } => {
                let subject = Subject::new("grant", Some(grant.to_string()), None);
                Some(AuditEntry::new(Act::OauthRevoked, subject).detail(because))
            }
            _ => None,
        }
    }
}

impl OauthFacts {
    /// Lets a change happen, or not. What it lets happen counts for those that follow in the same
    /// batch.
    pub(crate) fn admit(&mut self, change: &OauthChange) -> Result<(), CommitError> {
        match change {
            OauthChange::Request(request) => {
                let next = self.requests.get(&request.id).map_or(0, |kept| kept + 1);
                if request.version != next {
                    return Err(CommitError::Overtaken);
                }
                self.requests.insert(request.id, request.version);
            }
            OauthChange::Spend { token, .. } => {
                let before = self.unspent.len();
                self.unspent.retain(|unspent| unspent != token);
                if self.unspent.len() == before {
                    return Err(CommitError::Spent);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl AuthorizationRequest {
    /// Whether nothing needs it any more.
    pub fn is_gone(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

impl OauthToken {
    /// From when on nothing needs it any more. A code is kept as long as what came of it could be
    /// refreshed at first, so that its reuse is noticed; other tokens until they would have ended.
    pub fn gone_at(&self) -> Timestamp {
        let kept_for = match self.part {
            TokenUse::Code(_) => REFRESH_MS,
            TokenUse::Access | TokenUse::Refresh => 0,
        };
        Timestamp(self.expires_at.0 + kept_for)
    }
}
