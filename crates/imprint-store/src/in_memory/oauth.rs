//! OAuth's clients, requests, grants and tokens.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use imprint_core::{
    GrantId, OwnerId, StoreError, TokenDigest,
    oauth::{
        AuthorizationRequest, ClientId, OauthChange, OauthClient, OauthFacts, OauthGrant,
        OauthNeeds, OauthStore, OauthToken, RequestId,
    },
};

use super::InMemoryStore;

/// One owner's.
#[derive(Debug, Default)]
pub(super) struct Kept {
    clients: BTreeMap<ClientId, OauthClient>,
    requests: BTreeMap<RequestId, AuthorizationRequest>,
    grants: BTreeMap<GrantId, OauthGrant>,
    tokens: HashMap<TokenDigest, OauthToken>,
}

impl Kept {
    pub(super) fn facts(&self, needs: &OauthNeeds) -> OauthFacts {
        let version = |id: &RequestId| Some((*id, self.requests.get(id)?.version));
        let is_unspent = |digest: &&TokenDigest| {
            let token = self.tokens.get(digest);
            token.is_some_and(|token| token.spent_at.is_none())
        };
        OauthFacts {
            requests: needs.requests.iter().filter_map(version).collect(),
            unspent: needs.tokens.iter().filter(is_unspent).copied().collect(),
        }
    }

    pub(super) fn write(&mut self, change: &OauthChange) {
        match change {
            OauthChange::Client(client) => {
                self.clients.insert(client.id.clone(), (**client).clone());
            }
            OauthChange::Request(request) => {
                self.requests.insert(request.id, (**request).clone());
            }
            OauthChange::Granted(grant) => {
                self.grants.insert(grant.id, (**grant).clone());
            }
            OauthChange::GrantUsed { grant, at } => {
                if let Some(grant) = self.grants.get_mut(grant) {
                    grant.last_used_at = grant.last_used_at.max(Some(*at));
                }
            }
            OauthChange::GrantRevoked { grant, at, .. } => {
                if let Some(grant) = self.grants.get_mut(grant) {
                    grant.revoked_at.get_or_insert(*at);
                }
            }
            OauthChange::Token(token) => {
                self.tokens.insert(token.digest, (**token).clone());
            }
            OauthChange::Spend { token, at } => {
                if let Some(token) = self.tokens.get_mut(token) {
                    token.spent_at.get_or_insert(*at);
                }
            }
            OauthChange::Swept { at } => {
                self.clients.retain(|_, client| !client.is_gone(*at));
                self.requests.retain(|_, request| !request.is_gone(*at));
                self.tokens.retain(|_, token| token.gone_at() > *at);
            }
        }
    }
}

#[async_trait]
impl OauthStore for InMemoryStore {
    async fn oauth_client(
        &self,
        owner: OwnerId,
        id: &ClientId,
    ) -> Result<Option<OauthClient>, StoreError> {
        Ok(self.read(owner, |owned| owned.oauth.clients.get(id).cloned()))
    }

    async fn oauth_clients_unused(&self, owner: OwnerId) -> Result<u64, StoreError> {
        Ok(self.read(owner, |owned| {
            let clients = owned.oauth.clients.values();
            clients.filter(|client| client.used_at.is_none()).count() as u64
        }))
    }

    async fn oauth_request(
        &self,
        owner: OwnerId,
        id: RequestId,
    ) -> Result<Option<AuthorizationRequest>, StoreError> {
        Ok(self.read(owner, |owned| owned.oauth.requests.get(&id).cloned()))
    }

    async fn oauth_requests(
        &self,
        owner: OwnerId,
    ) -> Result<Vec<AuthorizationRequest>, StoreError> {
        let mut requests: Vec<AuthorizationRequest> = self.read(owner, |owned| {
            owned.oauth.requests.values().cloned().collect()
        });
        requests.sort_by_key(|request| (request.created_at, request.id));
        Ok(requests)
    }

    async fn oauth_grant(
        &self,
        owner: OwnerId,
        id: GrantId,
    ) -> Result<Option<OauthGrant>, StoreError> {
        Ok(self.read(owner, |owned| owned.oauth.grants.get(&id).cloned()))
    }

    async fn oauth_grants(&self, owner: OwnerId) -> Result<Vec<OauthGrant>, StoreError> {
        let mut grants: Vec<OauthGrant> = self.read(owner, |owned| {
            owned.oauth.grants.values().cloned().collect()
        });
        grants.sort_by_key(|grant| (grant.created_at, grant.id));
        Ok(grants)
    }

    async fn oauth_token(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<OauthToken>, StoreError> {
        Ok(self.read(owner, |owned| owned.oauth.tokens.get(&digest).cloned()))
    }
}
