//! What OAuth keeps is for administrators.

use async_trait::async_trait;

use super::FencedStore;
use crate::{
    GrantId, OwnerId, StoreError, TokenDigest,
    oauth::{
        AuthorizationRequest, ClientId, OauthClient, OauthGrant, OauthStore, OauthToken, RequestId,
    },
};

#[async_trait]
impl OauthStore for FencedStore {
    async fn oauth_client(
        &self,
        owner: OwnerId,
        id: &ClientId,
    ) -> Result<Option<OauthClient>, StoreError> {
        if !self.is_admin() {
            return Ok(None);
        }
        self.inner.oauth_client(owner, id).await
    }

    async fn oauth_clients_unused(&self, owner: OwnerId) -> Result<u64, StoreError> {
        if !self.is_admin() {
            return Ok(0);
        }
        self.inner.oauth_clients_unused(owner).await
    }

    async fn oauth_request(
        &self,
        owner: OwnerId,
        id: RequestId,
    ) -> Result<Option<AuthorizationRequest>, StoreError> {
        if !self.is_admin() {
            return Ok(None);
        }
        self.inner.oauth_request(owner, id).await
    }

    async fn oauth_requests(
        &self,
        owner: OwnerId,
    ) -> Result<Vec<AuthorizationRequest>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.oauth_requests(owner).await
    }

    async fn oauth_grant(
        &self,
        owner: OwnerId,
        id: GrantId,
    ) -> Result<Option<OauthGrant>, StoreError> {
        if !self.is_admin() {
            return Ok(None);
        }
        self.inner.oauth_grant(owner, id).await
    }

    async fn oauth_grants(&self, owner: OwnerId) -> Result<Vec<OauthGrant>, StoreError> {
        if !self.is_admin() {
            return Ok(Vec::new());
        }
        self.inner.oauth_grants(owner).await
    }

    async fn oauth_token(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<OauthToken>, StoreError> {
        if !self.is_admin() {
            return Ok(None);
        }
        self.inner.oauth_token(owner, digest).await
    }
}
