//! OAuth's clients and their requests on the way to the owner's consent.

use std::collections::BTreeMap;

use imprint_format::text;

use crate::{
    CommitError, GrantId, LocalChange, Registry, ScopeSet, StoreError, Token,
    oauth::{
        AuthorizationRequest, ClientId, Decision, NewRequest, OauthChange, OauthClient,
        RedirectUri, RequestId, RequestOver, Started,
    },
    registry::store_error,
    secret::masked_in,
};

/// The most requests that wait for the owner at a time: a stranger gone wild fills no more.
pub const MOST_REQUESTS: usize = 100;
/// The most registered clients that were never let in.
pub const MOST_UNUSED_CLIENTS: u64 = 200;

/// How much of an unknown code is repeated, in characters.
const SHOWN_CHARS: usize = 30;

/// A client that registers itself.
#[derive(Clone, Debug)]
pub struct NewClient {
    /// What it calls itself, as [`OauthClient::shown_name`] gives it.
    pub name: String,
    /// Where browsers may be sent back to; not empty.
    pub redirects: Vec<RedirectUri>,
}

/// Why a client was not registered.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// Too many registered lately and were not let in.
    #[error("{MOST_UNUSED_CLIENTS} clients registered lately and were never let in")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request did not come further.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// No request that waits has this code.
    #[error("no request that waits for you has the code `{0}`")]
    Unknown(String),
    /// Nothing more can be done with it.
    #[error(transparent)]
    Over(#[from] RequestOver),
    /// Too many wait already.
    #[error("{MOST_REQUESTS} requests wait already; they end within five minutes")]
    TooMany,
    /// Something else happened to it at the same time.
    #[error("the request has just changed; look again")]
    Overtaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CommitError> for RequestError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Overtaken => Self::Overtaken,
            other => Self::Store(store_error(other)),
        }
    }
}

impl Registry {
    /// Registers a client.
    pub async fn register_oauth_client(
        &self,
        new: NewClient,
    ) -> Result<OauthClient, RegisterError> {
        let now = self.clock.now();
        self.commit_oauth(vec![OauthChange::Swept { at: now }])
            .await
            .map_err(store_error)?;
        if self.store.oauth_clients_unused(self.owner).await? >= MOST_UNUSED_CLIENTS {
            return Err(RegisterError::TooMany);
        }
        let client = OauthClient {
            id: ClientId::registered(self.clock.entropy()),
            name: new.name,
            redirects: new.redirects,
            created_at: now,
            used_at: None,
        };
        self.commit_oauth(vec![OauthChange::Client(Box::new(client.clone()))])
            .await
            .map_err(store_error)?;
        Ok(client)
    }

    /// The registered client with this id.
    pub async fn oauth_client(&self, id: &ClientId) -> Result<Option<OauthClient>, StoreError> {
        let now = self.clock.now();
        let found = self.store.oauth_client(self.owner, id).await?;
        Ok(found.filter(|client| !client.is_gone(now)))
    }

    /// Begins a request.
    pub async fn begin_request(&self, new: NewRequest<'_>) -> Result<Started, RequestError> {
        let now = self.clock.now();
        if self.pending_requests().await?.len() >= MOST_REQUESTS {
            return Err(RequestError::TooMany);
        }
        let entropy = std::array::from_fn(|_| self.clock.entropy());
        let started = AuthorizationRequest::begin(new, now, entropy);
        self.commit_oauth(vec![
            OauthChange::Swept { at: now },
            OauthChange::Request(Box::new(started.request.clone())),
        ])
        .await?;
        Ok(started)
    }

    /// The request with this id, however far it has come.
    pub async fn oauth_request(&self, id: RequestId) -> Result<AuthorizationRequest, RequestError> {
        let found = self.store.oauth_request(self.owner, id).await?;
        let now = self.clock.now();
        let found = found.filter(|request| !request.is_gone(now));
        found.ok_or(RequestError::Over(RequestOver::Expired))
    }

    /// The requests that wait for the owner, oldest first.
    pub async fn pending_requests(&self) -> Result<Vec<AuthorizationRequest>, StoreError> {
        let now = self.clock.now();
        let mut requests = self.store.oauth_requests(self.owner).await?;
        requests.retain(|request| request.is_pending(now));
        Ok(requests)
    }

    /// The request that waits for the owner under this code.
    pub async fn find_request(&self, code: &str) -> Result<AuthorizationRequest, RequestError> {
        let waiting = self.pending_requests().await?;
        let mut found = waiting
            .into_iter()
            .filter(|request| request.code.is_meant_by(code));
        // Two of a hundred have one code as good as never, and then neither is meant.
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(RequestError::Unknown(text::clip(
                &text::one_line(&masked_in(code)),
                SHOWN_CHARS,
            ))),
        }
    }

    /// Keeps what is chosen in the request's page.
    pub async fn choose_scopes(
        &self,
        request: &AuthorizationRequest,
        chosen: &ScopeSet,
    ) -> Result<AuthorizationRequest, RequestError> {
        self.go_on(request.choose(chosen, self.clock.now())?).await
    }

    /// Counts a key that is about to be tried.
    pub async fn take_try(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<AuthorizationRequest, RequestError> {
        self.go_on(request.take_try(self.clock.now())?).await
    }

    /// Keeps what the owner said. Whoever calls this has made sure that it is the owner.
    pub async fn decide_request(
        &self,
        request: &AuthorizationRequest,
        decision: &Decision,
    ) -> Result<AuthorizationRequest, RequestError> {
        self.go_on(request.decide(decision, self.clock.now())?)
            .await
    }

    /// Makes the grant and gives its code, once.
    pub async fn finish_request(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<Token, RequestError> {
        let now = self.clock.now();
        let grant = GrantId(self.clock.new_uuid());
        let finished = request.finish(grant, now, self.clock.entropy())?;
        let mut changes = finished.changes;
        if let ClientId::Registered(_) = request.client {
            let client = self.oauth_client(&request.client).await?;
            let used = OauthClient {
                used_at: Some(now),
                ..client.ok_or(RequestOver::Expired)?
            };
            changes.push(LocalChange::Oauth(OauthChange::Client(Box::new(used))));
        }
        self.commit_local(changes).await?;
        Ok(finished.code)
    }

    async fn go_on(
        &self,
        after: AuthorizationRequest,
    ) -> Result<AuthorizationRequest, RequestError> {
        self.commit_oauth(vec![OauthChange::Request(Box::new(after.clone()))])
            .await?;
        Ok(after)
    }

    pub(super) async fn commit_oauth(&self, changes: Vec<OauthChange>) -> Result<(), CommitError> {
        self.commit_local(changes.into_iter().map(LocalChange::Oauth).collect())
            .await
    }

    pub(super) async fn commit_local(&self, local: Vec<LocalChange>) -> Result<(), CommitError> {
        let batch = self.batch(Vec::new(), local);
        self.store
            .commit(self.owner, batch, BTreeMap::new())
            .await?;
        Ok(())
    }
}
