//! OAuth: what two processes could both do happens once, and what is over goes.

use std::{collections::BTreeMap, sync::Arc};

use imprint_core::{
    CommitError, GrantId, LocalChange, Scope, Store, Timestamp, Token, TokenDigest, TokenKind,
    oauth::{
        AuthorizationRequest, Challenge, ClientId, CodeTerms, Decision, NewRequest, OauthChange,
        OauthClient, OauthGrant, OauthToken, PublicUrl, RedirectUri, Resource, TokenUse,
        UNUSED_CLIENT_MS, offered,
    },
};
use uuid::Uuid;

use super::{OWNER, create, local};

async fn commit(store: &dyn Store, changes: Vec<OauthChange>) -> Result<(), CommitError> {
    let changes: Vec<_> = changes.into_iter().map(LocalChange::Oauth).collect();
    let committed = store.commit(OWNER, local(changes), BTreeMap::new());
    committed.await.map(|_| ())
}

fn redirect() -> RedirectUri {
    "https://client.example/callback".parse().unwrap()
}

fn resource() -> Resource {
    let public: PublicUrl = "https://imprint.example".parse().unwrap();
    public.resource(None).unwrap()
}

fn challenge() -> Challenge {
    Challenge::new(Some(&"x".repeat(43)), Some("S256")).unwrap()
}

fn client() -> OauthClient {
    OauthClient {
        id: ClientId::registered([1; 32]),
        name: "A client".to_owned(),
        redirects: vec![redirect()],
        created_at: Timestamp(1_000),
        used_at: None,
    }
}

fn request() -> AuthorizationRequest {
    let client = client();
    let new = NewRequest {
        client: &client,
        redirect: redirect(),
        state: Some("state".to_owned()),
        challenge: challenge(),
        resource: resource(),
        offered: offered(Some("skills:write memory:read")).unwrap(),
    };
    AuthorizationRequest::begin(new, Timestamp(1_000), [[2; 32], [3; 32], [4; 32]]).request
}

fn grant() -> OauthGrant {
    OauthGrant {
        id: GrantId(Uuid::from_u128(7)),
        client: client().id,
        client_name: "A client".to_owned(),
        redirect_host: redirect().host(),
        scopes: [Scope::SkillsRead].into_iter().collect(),
        resource: resource(),
        created_at: Timestamp(1_000),
        expires_at: Timestamp(9_000),
        last_used_at: None,
        revoked_at: None,
    }
}

fn token(kind: TokenKind, part: TokenUse, expires_at: i64) -> OauthToken {
    OauthToken {
        digest: Token::mint(kind, [5; 32]).digest(),
        grant: grant().id,
        part,
        expires_at: Timestamp(expires_at),
        spent_at: None,
    }
}

async fn kept(store: &dyn Store, digest: TokenDigest) -> Option<OauthToken> {
    store.oauth_token(OWNER, digest).await.unwrap()
}

pub(crate) async fn what_oauth_keeps_is_read_back(store: Arc<dyn Store>) {
    assert!(store.oauth_requests(OWNER).await.unwrap().is_empty());
    let terms = CodeTerms {
        challenge: challenge(),
        redirect: redirect(),
    };
    let code = token(TokenKind::Code, TokenUse::Code(terms), 2_000);
    let changes = vec![
        OauthChange::Client(Box::new(client())),
        OauthChange::Request(Box::new(request())),
        OauthChange::Granted(Box::new(grant())),
        OauthChange::Token(Box::new(code.clone())),
    ];
    commit(&*store, changes).await.unwrap();
    let found = store.oauth_client(OWNER, &client().id).await.unwrap();
    assert_eq!(found, Some(client()));
    assert_eq!(store.oauth_clients_unused(OWNER).await.unwrap(), 1);
    let found = store.oauth_request(OWNER, request().id).await.unwrap();
    assert_eq!(found, Some(request()));
    assert_eq!(store.oauth_requests(OWNER).await.unwrap(), [request()]);
    let found = store.oauth_grant(OWNER, grant().id).await.unwrap();
    assert_eq!(found, Some(grant()));
    assert_eq!(store.oauth_grants(OWNER).await.unwrap(), [grant()]);
    assert_eq!(kept(&*store, code.digest).await, Some(code));
    let acts = store.audit(OWNER, 0, 10).await.unwrap();
    assert_eq!(acts.len(), 2, "a registration and a grant: {acts:?}");
}

pub(crate) async fn a_request_goes_on_from_its_last_state_only(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let first = request();
    let put = |request: &AuthorizationRequest| {
        let changes = vec![OauthChange::Request(Box::new(request.clone()))];
        let store = Arc::clone(&store);
        async move { commit(&*store, changes).await }
    };
    put(&first).await.unwrap();
    assert!(matches!(put(&first).await, Err(CommitError::Overtaken)));
    let allow = Decision::Allow(first.offered.clone());
    let allowed = first.decide(&allow, Timestamp(2_000)).unwrap();
    let denied = first.decide(&Decision::Deny, Timestamp(2_000)).unwrap();
    put(&denied).await.unwrap();
    assert!(matches!(put(&allowed).await, Err(CommitError::Overtaken)));
    let found = store.oauth_request(OWNER, first.id).await.unwrap();
    assert_eq!(found, Some(denied));
}

pub(crate) async fn a_token_is_spent_once(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let token = token(TokenKind::Refresh, TokenUse::Refresh, 9_000);
    let spend = |at| OauthChange::Spend {
        token: token.digest,
        at: Timestamp(at),
    };
    let unknown = commit(&*store, vec![spend(1)]).await;
    assert!(matches!(unknown, Err(CommitError::Spent)));
    let put = OauthChange::Token(Box::new(token.clone()));
    commit(&*store, vec![put]).await.unwrap();
    let twice = commit(&*store, vec![spend(2), spend(3)]).await;
    assert!(matches!(twice, Err(CommitError::Spent)));
    assert_eq!(kept(&*store, token.digest).await.unwrap().spent_at, None);
    let mut writers = tokio::task::JoinSet::new();
    for at in 0..8 {
        let (store, change) = (Arc::clone(&store), spend(at));
        writers.spawn(async move { commit(&*store, vec![change]).await.is_ok() });
    }
    let won = writers.join_all().await.into_iter().filter(|won| *won);
    assert_eq!(won.count(), 1);
    assert!(
        kept(&*store, token.digest)
            .await
            .unwrap()
            .spent_at
            .is_some()
    );
}

pub(crate) async fn a_grant_is_revoked_for_good(store: Arc<dyn Store>) {
    let id = grant().id;
    let revoked = |at| OauthChange::GrantRevoked {
        grant: id,
        at: Timestamp(at),
        because: "by the user",
    };
    let used = |at| OauthChange::GrantUsed {
        grant: id,
        at: Timestamp(at),
    };
    commit(&*store, vec![OauthChange::Granted(Box::new(grant()))])
        .await
        .unwrap();
    commit(&*store, vec![used(5), revoked(6)]).await.unwrap();
    commit(&*store, vec![revoked(8), used(4)]).await.unwrap();
    let found = store.oauth_grant(OWNER, id).await.unwrap().unwrap();
    assert_eq!(found.last_used_at, Some(Timestamp(5)));
    assert_eq!(found.revoked_at, Some(Timestamp(6)));
}

pub(crate) async fn what_is_over_is_swept(store: Arc<dyn Store>) {
    let used = OauthClient {
        id: ClientId::registered([9; 32]),
        used_at: Some(Timestamp(1)),
        ..client()
    };
    let access = token(TokenKind::Access, TokenUse::Access, 5_000);
    let changes = vec![
        OauthChange::Client(Box::new(client())),
        OauthChange::Client(Box::new(used.clone())),
        OauthChange::Request(Box::new(request())),
        OauthChange::Granted(Box::new(grant())),
        OauthChange::Token(Box::new(access.clone())),
    ];
    commit(&*store, changes).await.unwrap();
    let sweep = |at| OauthChange::Swept { at: Timestamp(at) };
    commit(&*store, vec![sweep(4_999)]).await.unwrap();
    assert!(kept(&*store, access.digest).await.is_some());
    assert_eq!(store.oauth_requests(OWNER).await.unwrap().len(), 1);
    commit(&*store, vec![sweep(1_000 + UNUSED_CLIENT_MS)])
        .await
        .unwrap();
    assert!(kept(&*store, access.digest).await.is_none());
    assert!(store.oauth_requests(OWNER).await.unwrap().is_empty());
    assert_eq!(store.oauth_client(OWNER, &client().id).await.unwrap(), None);
    assert!(store.oauth_client(OWNER, &used.id).await.unwrap().is_some());
    assert_eq!(store.oauth_grants(OWNER).await.unwrap().len(), 1);
}
