//! A client's request on its way to the owner's consent.
//!
//! ```text
//! Pending ──approve──▶ Approved ──finish──▶ Done
//!    └──deny, the last try was wrong──▶ Denied
//! ```
//!
//! Only the browser that began it can finish it: it alone has the secret whose digest is kept.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize, de};

use crate::{
    GrantId, LocalChange, Scope, ScopeSet, Timestamp, Token, TokenDigest, TokenKind,
    oauth::{
        CODE_MS, Challenge, ClientId, CodeTerms, GRANT_MS, OauthChange, OauthClient, OauthGrant,
        OauthToken, RedirectUri, Resource, TokenUse, first_bits, preselected,
    },
};

/// How long the owner has to answer, in milliseconds.
pub const REQUEST_MS: i64 = 5 * 60 * 1_000;
/// How many keys may be tried for one request.
pub const TRIES: u8 = 5;

/// How long an approved request waits at least for its browser, in milliseconds.
const FINISH_MS: i64 = 60 * 1_000;
/// The characters of a short code: without those that look like others.
const CODE_CHARS: &[u8; 30] = b"ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH: usize = 8;

/// What a request is known by to the browser: 32 hexadecimal digits that nobody can guess.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(u128);

/// What a request is known by to people: `KXQ7-2MPD`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShortCode(String);

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// What the browser knows it by.
    pub id: RequestId,
    /// How often it has changed; see [`OauthChange::Request`].
    pub version: u32,
    /// What people know it by.
    pub code: ShortCode,
    /// What the secret of the browser that began it is recognised by.
    pub browser: TokenDigest,
    /// Who asks.
    pub client: ClientId,
    /// What it calls itself.
    pub client_name: String,
    /// Whether all the client's answers go to programs on the browser's computer.
    pub only_local: bool,
    /// Where this answer goes.
    pub redirect: RedirectUri,
    /// What the client wants back with it.
    pub state: Option<String>,
    /// What the code's verifier must meet.
    pub challenge: Challenge,
    /// What for.
    pub resource: Resource,
    /// What may be allowed.
    pub offered: ScopeSet,
    /// What is chosen in the page so far.
    pub chosen: ScopeSet,
    /// When it began.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
    /// How many more keys may be tried.
    pub tries_left: u8,
    /// How far it has come.
    pub status: RequestStatus,
}

/// How far a request has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestStatus {
    /// It waits for the owner.
    Pending,
    /// The owner allows this; the browser has yet to come for it.
    Approved {
        /// What is allowed.
        scopes: ScopeSet,
    },
    /// The owner said no, or too many wrong keys were tried.
    Denied,
    /// The browser has its code.
    Done,
}

/// What a client asks for, checked.
#[derive(Clone, Debug)]
pub struct NewRequest<'a> {
    /// Who asks. Its redirects admit the one below.
    pub client: &'a OauthClient,
    /// Where the answer goes.
    pub redirect: RedirectUri,
    /// What the client wants back with it.
    pub state: Option<String>,
    /// What the code's verifier must meet.
    pub challenge: Challenge,
    /// What for.
    pub resource: Resource,
    /// What may be allowed; see [`crate::oauth::offered`].
    pub offered: ScopeSet,
}

/// A request that has begun.
#[derive(Clone, Debug)]
pub struct Started {
    /// To be committed.
    pub request: AuthorizationRequest,
    /// What only the browser is told: 64 hexadecimal digits.
    pub browser: String,
}

/// What the owner says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This much is allowed, as far as it was offered. Nothing of it is a no.
    Allow(ScopeSet),
    /// Nothing is.
    Deny,
}

/// A request whose browser gets its code.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What to commit first.
    pub changes: Vec<LocalChange>,
    /// The code.
    pub code: Token,
}

/// Nothing more can be done with the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestOver {
    /// Its time is over.
    #[error("the request has expired; begin again in the client")]
    Expired,
    /// The owner said no, or too many wrong keys were tried.
    #[error("the request was denied; begin again in the client")]
    Denied,
    /// It is decided already.
    #[error("the request is approved already")]
    Approved,
    /// Its browser has its code.
    #[error("the request is finished already")]
    Done,
    /// Nobody has said yes yet.
    #[error("the request waits for the owner")]
    Pending,
}

impl AuthorizationRequest {
    /// A new request. The entropy is for its id, its short code and its browser's secret.
    pub fn begin(new: NewRequest<'_>, now: Timestamp, entropy: [[u8; 32]; 3]) -> Started {
        let [id, code, browser] = entropy;
        let browser = imprint_format::Digest::of(&browser).to_string();
        let request = Self {
            id: RequestId(first_bits(id)),
            version: 0,
            code: ShortCode::of(code),
            browser: browser_digest(&browser),
            client: new.client.id.clone(),
            client_name: new.client.name.clone(),
            only_local: new.client.is_only_local(),
            redirect: new.redirect,
            state: new.state,
            challenge: new.challenge,
            resource: new.resource,
            chosen: preselected(&new.offered),
            offered: new.offered,
            created_at: now,
            expires_at: Timestamp(now.0 + REQUEST_MS),
            tries_left: TRIES,
            status: RequestStatus::Pending,
        };
        Started { request, browser }
    }

    /// Whether this is the secret of the browser that began it.
    pub fn is_of(&self, browser: &str) -> bool {
        self.browser == browser_digest(browser)
    }

    /// Whether it still waits for the owner.
    pub fn is_pending(&self, now: Timestamp) -> bool {
        self.must_be_pending(now).is_ok()
    }

    /// The request with another choice in its page.
    pub fn choose(&self, chosen: &ScopeSet, now: Timestamp) -> Result<Self, RequestOver> {
        self.must_be_pending(now)?;
        let chosen = self.offered_of(chosen);
        Ok(Self {
            chosen,
            ..self.next()
        })
    }

    /// The request after the owner spoke.
    pub fn decide(&self, decision: &Decision, now: Timestamp) -> Result<Self, RequestOver> {
        self.must_be_pending(now)?;
        let status = match decision {
            Decision::Allow(scopes) => {
                let scopes = self.offered_of(scopes);
                if scopes.is_empty() {
                    RequestStatus::Denied
                } else {
                    RequestStatus::Approved { scopes }
                }
            }
            Decision::Deny => RequestStatus::Denied,
        };
        Ok(Self {
            status,
            expires_at: self.expires_at.max(Timestamp(now.0 + FINISH_MS)),
            ..self.next()
        })
    }

    /// The request after one more key is about to be tried. Counted before the key is looked at,
    /// so that many at once are no more than one after the other.
    pub fn take_try(&self, now: Timestamp) -> Result<Self, RequestOver> {
        self.must_be_pending(now)?;
        let tries_left = self.tries_left.checked_sub(1).ok_or(RequestOver::Denied)?;
        Ok(Self {
            tries_left,
            ..self.next()
        })
    }

    /// Gives the code to the browser, once.
    pub fn finish(
        &self,
        grant: GrantId,
        now: Timestamp,
        entropy: [u8; 32],
    ) -> Result<Finished, RequestOver> {
        let scopes = match &self.status {
            _ if self.expires_at <= now => return Err(RequestOver::Expired),
            RequestStatus::Approved { scopes } => scopes.clone(),
            RequestStatus::Pending => return Err(RequestOver::Pending),
            RequestStatus::Denied => return Err(RequestOver::Denied),
            RequestStatus::Done => return Err(RequestOver::Done),
        };
        let code = Token::mint(TokenKind::Code, entropy);
        let done = Self {
            status: RequestStatus::Done,
            ..self.next()
        };
        let changes = [
            OauthChange::Request(Box::new(done)),
            OauthChange::Granted(Box::new(self.grant(grant, scopes, now))),
            OauthChange::Token(Box::new(OauthToken {
                digest: code.digest(),
                grant,
                part: TokenUse::Code(CodeTerms {
                    challenge: self.challenge.clone(),
                    redirect: self.redirect.clone(),
                }),
                expires_at: Timestamp(now.0 + CODE_MS),
                spent_at: None,
            })),
        ];
        Ok(Finished {
            changes: changes.map(LocalChange::Oauth).into(),
            code,
        })
    }

    fn grant(&self, id: GrantId, scopes: ScopeSet, now: Timestamp) -> OauthGrant {
        OauthGrant {
            id,
            client: self.client.clone(),
            client_name: self.client_name.clone(),
            redirect_host: self.redirect.host(),
            scopes,
            resource: self.resource.clone(),
            created_at: now,
            expires_at: Timestamp(now.0 + GRANT_MS),
            last_used_at: None,
            revoked_at: None,
        }
    }

    /// What of these scopes is offered. `admin`, which would contain all, counts for nothing.
    fn offered_of(&self, scopes: &ScopeSet) -> ScopeSet {
        let named = scopes.filtered(|scope| scope != Scope::Admin);
        self.offered.narrowed_to(&named)
    }

    fn must_be_pending(&self, now: Timestamp) -> Result<(), RequestOver> {
        match self.status {
            _ if self.expires_at <= now => Err(RequestOver::Expired),
            RequestStatus::Pending => Ok(()),
            RequestStatus::Approved { .. } => Err(RequestOver::Approved),
            RequestStatus::Denied => Err(RequestOver::Denied),
            RequestStatus::Done => Err(RequestOver::Done),
        }
    }

    fn next(&self) -> Self {
        Self {
            version: self.version + 1,
            ..self.clone()
        }
    }
}

/// What a browser's secret is recognised by.
fn browser_digest(browser: &str) -> TokenDigest {
    let digest = imprint_format::Digest::of(browser.as_bytes());
    TokenDigest::from_bytes(*digest.as_bytes())
}

impl RequestId {
    /// Its bytes, for a database.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestId(…)")
    }
}

impl Serialize for RequestId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

impl FromStr for RequestId {
    type Err = RequestOver;

    /// An id that can't be one is that of no request that goes on.
    fn from_str(text: &str) -> Result<Self, RequestOver> {
        let formed = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = formed
            .then(|| u128::from_str_radix(text, 16).ok())
            .flatten();
        id.map(Self).ok_or(RequestOver::Expired)
    }
}

impl ShortCode {
    /// A code from fresh randomness: 39 bits, each code as likely as the next to within 2⁻⁸⁸.
    fn of(entropy: [u8; 32]) -> Self {
        let mut number = first_bits(entropy);
        let mut code = String::with_capacity(CODE_LENGTH + 1);
        for place in 0..CODE_LENGTH {
            if place == CODE_LENGTH / 2 {
                code.push('-');
            }
            let index = usize::from((number % 30).to_le_bytes()[0]);
            code.push(char::from(CODE_CHARS[index]));
            number /= 30;
        }
        Self(code)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a person means this one: however they write it, with or without the hyphen.
    pub fn is_meant_by(&self, text: &str) -> bool {
        let bare = |text: &str| -> String {
            let kept = text.chars().filter(char::is_ascii_alphanumeric);
            kept.map(|char| char.to_ascii_uppercase()).collect()
        };
        bare(text) == bare(&self.0)
    }
}

impl fmt::Display for ShortCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
