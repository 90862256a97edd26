//! The part of the port that keeps OAuth's clients, requests, grants and tokens.

use async_trait::async_trait;

use crate::{
    GrantId, OwnerId, StoreError, TokenDigest,
    oauth::{AuthorizationRequest, ClientId, OauthClient, OauthGrant, OauthToken, RequestId},
};

/// Reads what was committed as [`crate::oauth::OauthChange`]s. What is over may be found until it
/// is swept: those who ask judge by the time.
#[async_trait]
pub trait OauthStore {
    /// The registered client with this id.
    async fn oauth_client(
        &self,
        owner: OwnerId,
        id: &ClientId,
    ) -> Result<Option<OauthClient>, StoreError>;

    /// How many registered clients were never let in.
    async fn oauth_clients_unused(&self, owner: OwnerId) -> Result<u64, StoreError>;

    /// One request.
    async fn oauth_request(
        &self,
        owner: OwnerId,
        id: RequestId,
    ) -> Result<Option<AuthorizationRequest>, StoreError>;

    /// All requests, oldest first.
    async fn oauth_requests(&self, owner: OwnerId)
    -> Result<Vec<AuthorizationRequest>, StoreError>;

    /// One grant.
    async fn oauth_grant(
        &self,
        owner: OwnerId,
        id: GrantId,
    ) -> Result<Option<OauthGrant>, StoreError>;

    /// All grants that were ever made, oldest first.
    async fn oauth_grants(&self, owner: OwnerId) -> Result<Vec<OauthGrant>, StoreError>;

    /// The code or token with this digest, whatever it is worth.
    async fn oauth_token(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<OauthToken>, StoreError>;
}
