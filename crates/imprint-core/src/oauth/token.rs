//! Codes, access tokens and refresh tokens: what they are given for, and when they are not.

use serde::{Deserialize, Serialize};

use crate::{
    GrantId, LocalChange, Timestamp, Token, TokenDigest, TokenKind,
    oauth::{Challenge, ClientId, GrantStanding, OauthChange, OauthGrant, RedirectUri, Resource},
};

/// How long a code is worth something, in milliseconds.
pub const CODE_MS: i64 = 60 * 1_000;
/// How long an access token is, in milliseconds.
pub const ACCESS_MS: i64 = 60 * 60 * 1_000;
/// How long a refresh token is, in milliseconds. Each use gives a new one.
pub const REFRESH_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// How long a grant is, in milliseconds, however often it is refreshed.
pub const GRANT_MS: i64 = 180 * 24 * 60 * 60 * 1_000;
/// For so long after its use a refresh token may come once more, in milliseconds: from a client
/// that lost the answer, or that asks twice at once.
pub const GRACE_MS: i64 = 10 * 1_000;

/// One code or token, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthToken {
    /// What it is recognised by.
    pub digest: TokenDigest,
    /// What it hangs on.
    pub grant: GrantId,
    /// What it is for.
    pub part: TokenUse,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
    /// When it was used up or taken back.
    pub spent_at: Option<Timestamp>,
}

/// What a token is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenUse {
    /// Getting the first tokens, on these terms.
    Code(CodeTerms),
    /// Requests.
    Access,
    /// Getting new tokens.
    Refresh,
}

/// What must come with a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeTerms {
    /// What the verifier must meet.
    pub challenge: Challenge,
    /// Where the code was sent to.
    pub redirect: RedirectUri,
}

/// Tokens that are to be handed out once what was changed is committed.
#[derive(Clone, Debug)]
pub struct Issued {
    /// What to commit first.
    pub changes: Vec<LocalChange>,
    /// For requests.
    pub access: Token,
    /// For new tokens.
    pub refresh: Token,
    /// How long the access token lasts, in milliseconds.
    pub lasts: i64,
}

/// Why no token is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// Expired, taken back, of another kind, or of another client: which one is nobody's business.
    #[error("the code or token is not valid")]
    Invalid,
    /// What comes with it is not what the code was given for.
    #[error("the verifier or the redirect address does not fit the code")]
    Terms,
    /// It was used before: someone else has it too, so the whole grant must be revoked.
    #[error("the code or token was used before; everything that came of it is revoked")]
    Reused,
    /// It is asked for another resource than the owner consented to.
    #[error("the resource is not the one that was consented to")]
    Resource,
}

/// Exchanges a code for the first tokens. `None` as the redirect passes where the client names
/// none: OAuth 2.1 no longer asks for it, because the challenge does its work.
pub fn exchange(
    code: &OauthToken,
    grant: &OauthGrant,
    asks: &Asks<'_>,
    verifier: &str,
    redirect: Option<&str>,
    entropy: [[u8; 32]; 2],
) -> Result<Issued, TokenRefusal> {
    let TokenUse::Code(terms) = &code.part else {
        return Err(TokenRefusal::Invalid);
    };
    if code.spent_at.is_some() {
        return Err(TokenRefusal::Reused);
    }
    check(code, grant, asks)?;
    let fits = terms.challenge.is_met_by(verifier)
        && redirect.is_none_or(|redirect| redirect == terms.redirect.as_str());
    if !fits {
        return Err(TokenRefusal::Terms);
    }
    Ok(issue(grant, asks.now, Some(code.digest), entropy))
}

/// Exchanges a refresh token for new tokens.
pub fn refresh(
    token: &OauthToken,
    grant: &OauthGrant,
    asks: &Asks<'_>,
    entropy: [[u8; 32]; 2],
) -> Result<Issued, TokenRefusal> {
    if token.part != TokenUse::Refresh {
        return Err(TokenRefusal::Invalid);
    }
    let again = match token.spent_at {
        None => false,
        Some(spent) if asks.now.0 - spent.0 < GRACE_MS => true,
        Some(_) => return Err(TokenRefusal::Reused),
    };
    check(token, grant, asks)?;
    let spend = (!again).then_some(token.digest);
    Ok(issue(grant, asks.now, spend, entropy))
}

/// Whether an access token opens this resource now.
pub fn may_use(
    token: &OauthToken,
    grant: &OauthGrant,
    resource: &Resource,
    now: Timestamp,
) -> Result<(), TokenRefusal> {
    let live = token.part == TokenUse::Access
        && token.spent_at.is_none()
        && token.grant == grant.id
        && now < token.expires_at
        && grant.standing(now) == GrantStanding::Live;
    if !live {
        return Err(TokenRefusal::Invalid);
    }
    if !grant.resource.covers(resource) {
        return Err(TokenRefusal::Resource);
    }
    Ok(())
}

/// Who asks for tokens.
#[derive(Clone, Copy, Debug)]
pub struct Asks<'a> {
    /// The client that it says it is.
    pub client: &'a ClientId,
    /// The resource that it names.
    pub resource: Option<&'a Resource>,
    /// When.
    pub now: Timestamp,
}

fn check(token: &OauthToken, grant: &OauthGrant, asks: &Asks<'_>) -> Result<(), TokenRefusal> {
    let live = token.grant == grant.id
        && grant.client == *asks.client
        && asks.now < token.expires_at
        && grant.standing(asks.now) == GrantStanding::Live;
    if !live {
        return Err(TokenRefusal::Invalid);
    }
    match asks.resource {
        Some(resource) if *resource != grant.resource => Err(TokenRefusal::Resource),
        _ => Ok(()),
    }
}

fn issue(
    grant: &OauthGrant,
    now: Timestamp,
    spend: Option<TokenDigest>,
    [first, second]: [[u8; 32]; 2],
) -> Issued {
    let access = Token::mint(TokenKind::Access, first);
    let refresh = Token::mint(TokenKind::Refresh, second);
    let ends = |after: i64| Timestamp(now.0 + after).min(grant.expires_at);
    let kept = |token: &Token, part, expires_at| {
        OauthChange::Token(Box::new(OauthToken {
            digest: token.digest(),
            grant: grant.id,
            part,
            expires_at,
            spent_at: None,
        }))
    };
    let used_up = spend.map(|token| OauthChange::Spend { token, at: now });
    let made = [
        kept(&access, TokenUse::Access, ends(ACCESS_MS)),
        kept(&refresh, TokenUse::Refresh, ends(REFRESH_MS)),
        OauthChange::GrantUsed {
            grant: grant.id,
            at: now,
        },
    ];
    Issued {
        changes: used_up
            .into_iter()
            .chain(made)
            .map(LocalChange::Oauth)
            .collect(),
        access,
        refresh,
        lasts: ends(ACCESS_MS).0 - now.0,
    }
}
