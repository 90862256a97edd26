//! OAuth's grants, and the tokens that come of them.

use imprint_format::text;

use crate::{
    CommitError, GrantId, LocalChange, Registry, ScopeSet, StoreError, Token,
    oauth::{
        self, Asks, ClientId, GrantStanding, Issued, OauthChange, OauthGrant, OauthToken, Resource,
        TokenRefusal, TokenUse,
    },
    registry::store_error,
    secret::masked_in,
};

/// How much of an unknown reference is repeated, in characters.
const SHOWN_CHARS: usize = 60;

/// What a client gives for tokens.
#[derive(Clone, Copy, Debug)]
pub enum Exchange<'a> {
    /// A code, with what must come with it.
    Code {
        /// The code.
        code: &'a Token,
        /// What its challenge was made from.
        verifier: &'a str,
        /// Where the code was sent to, where the client says so.
        redirect: Option<&'a str>,
    },
    /// A refresh token.
    Refresh(&'a Token),
}

/// Tokens for a client. Shown once and kept nowhere.
#[derive(Clone, Debug)]
pub struct Handed {
    /// For requests.
    pub access: Token,
    /// For new tokens.
    pub refresh: Token,
    /// How long the access token lasts, in milliseconds.
    pub lasts: i64,
    /// What it allows.
    pub scopes: ScopeSet,
}

/// Why no token is given or none is taken.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] TokenRefusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no grant was found.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// None is meant.
    #[error("no client was let in as `{0}`")]
    Unknown(String),
    /// More than one is meant.
    #[error("`{reference}` names {} grants", candidates.len())]
    Ambiguous {
        /// What was asked for.
        reference: String,
        /// The grants.
        candidates: Vec<OauthGrant>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Hands out tokens for a code or a refresh token. What is used a second time ends the whole
    /// grant, because someone else has it too.
    pub async fn exchange(
        &self,
        given: Exchange<'_>,
        client: &ClientId,
        resource: Option<&Resource>,
    ) -> Result<Handed, TokenError> {
        let token = given.token();
        loop {
            let (kept, grant) = self.kept(token).await?;
            let asks = Asks {
                client,
                resource,
                now: self.clock.now(),
            };
            match self.issue(given, &kept, &grant, &asks) {
                Ok(issued) => match self.hand_out(&grant, issued).await {
                    // Another one was faster: what that makes of this one shows on reading again.
                    Err(CommitError::Spent) => {}
                    handed => return handed.map_err(|error| store_error(error).into()),
                },
                Err(TokenRefusal::Reused) => {
                    self.end_grant(&grant, given.reused()).await?;
                    return Err(TokenRefusal::Reused.into());
                }
                Err(refusal) => return Err(refusal.into()),
            }
        }
    }

    /// The grant behind an access token, if it opens this resource now.
    pub async fn use_access(
        &self,
        token: &Token,
        resource: &Resource,
    ) -> Result<OauthGrant, TokenError> {
        let (kept, grant) = self.kept(token).await?;
        oauth::may_use(&kept, &grant, resource, self.clock.now())?;
        Ok(grant)
    }

    /// Takes a token back for its client: with a refresh token or a code the whole grant, with an
    /// access token that alone. What is not known is as good as taken back.
    pub async fn revoke_token(&self, token: &Token, client: &ClientId) -> Result<(), StoreError> {
        let (kept, grant) = match self.kept(token).await {
            Ok(found) => found,
            Err(TokenError::Refused(_)) => return Ok(()),
            Err(TokenError::Store(error)) => return Err(error),
        };
        if grant.client != *client {
            return Ok(());
        }
        if kept.part != TokenUse::Access {
            return self.end_grant(&grant, "by the client").await;
        }
        let spend = OauthChange::Spend {
            token: kept.digest,
            at: self.clock.now(),
        };
        match self.commit_oauth(vec![spend]).await {
            Ok(()) | Err(CommitError::Spent) => Ok(()),
            Err(error) => Err(store_error(error)),
        }
    }

    /// Takes back what the owner allowed: at once, everywhere.
    pub async fn revoke_grant(&self, grant: &OauthGrant) -> Result<(), StoreError> {
        self.end_grant(grant, "by the user").await
    }

    /// Whether what the owner allowed still stands.
    pub async fn is_live_grant(&self, id: GrantId) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let grant = self.grant(id).await?;
        Ok(grant.is_some_and(|grant| grant.standing(now) == GrantStanding::Live))
    }

    /// All grants that were ever made, oldest first.
    pub async fn grants(&self) -> Result<Vec<OauthGrant>, StoreError> {
        self.store.oauth_grants(self.owner).await
    }

    /// The grant that a person means: by its id, at least six of the id's last characters, or the
    /// client's name. Live ones go before the others.
    pub async fn find_grant(&self, reference: &str) -> Result<OauthGrant, GrantError> {
        let now = self.clock.now();
        let mut found = self.grants().await?;
        found.retain(|grant| {
            let id = grant.id.to_string();
            id == reference
                || reference.len() >= 6 && id.ends_with(reference)
                || grant.client_name == reference
        });
        let is_live = |grant: &OauthGrant| grant.standing(now) == GrantStanding::Live;
        if found.iter().any(is_live) {
            found.retain(is_live);
        }
        let reference = text::clip(&text::one_line(&masked_in(reference)), SHOWN_CHARS);
        match found.len() {
            0 => Err(GrantError::Unknown(reference)),
            1 => Ok(found.remove(0)),
            _ => Err(GrantError::Ambiguous {
                reference,
                candidates: found,
            }),
        }
    }

    fn issue(
        &self,
        given: Exchange<'_>,
        kept: &OauthToken,
        grant: &OauthGrant,
        asks: &Asks<'_>,
    ) -> Result<Issued, TokenRefusal> {
        let entropy = [self.clock.entropy(), self.clock.entropy()];
        match given {
            Exchange::Code {
                verifier, redirect, ..
            } => oauth::exchange(kept, grant, asks, verifier, redirect, entropy),
            Exchange::Refresh(_) => oauth::refresh(kept, grant, asks, entropy),
        }
    }

    async fn hand_out(&self, grant: &OauthGrant, issued: Issued) -> Result<Handed, CommitError> {
        let swept = OauthChange::Swept {
            at: self.clock.now(),
        };
        let mut changes = issued.changes;
        changes.push(LocalChange::Oauth(swept));
        self.commit_local(changes).await?;
        Ok(Handed {
            access: issued.access,
            refresh: issued.refresh,
            lasts: issued.lasts,
            scopes: grant.scopes.clone(),
        })
    }

    async fn kept(&self, token: &Token) -> Result<(OauthToken, OauthGrant), TokenError> {
        let kept = self.store.oauth_token(self.owner, token.digest()).await?;
        let kept = kept.ok_or(TokenRefusal::Invalid)?;
        let grant = self.grant(kept.grant).await?;
        Ok((kept, grant.ok_or(TokenRefusal::Invalid)?))
    }

    async fn grant(&self, id: GrantId) -> Result<Option<OauthGrant>, StoreError> {
        self.store.oauth_grant(self.owner, id).await
    }

    async fn end_grant(&self, grant: &OauthGrant, because: &'static str) -> Result<(), StoreError> {
        if grant.revoked_at.is_some() {
            return Ok(());
        }
        let revoked = OauthChange::GrantRevoked {
            grant: grant.id,
            at: self.clock.now(),
            because,
        };
        self.commit_oauth(vec![revoked]).await.map_err(store_error)
    }
}

impl<'a> Exchange<'a> {
    const fn token(&self) -> &'a Token {
        match self {
            Self::Code { code, .. } => code,
            Self::Refresh(token) => token,
        }
    }

    const fn reused(&self) -> &'static str {
        match self {
            Self::Code { .. } => "a code came twice",
            Self::Refresh(_) => "a refresh token came twice",
        }
    }
}
