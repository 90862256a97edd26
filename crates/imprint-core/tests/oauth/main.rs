//! OAuth's rules, over the in-memory store: the ways that there are, and what a thief would try.

#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod interleavings;
mod world;

use std::sync::Arc;

use imprint_core::{
    Scope,
    oauth::{
        ACCESS_MS, CODE_MS, Decision, GRACE_MS, GRANT_MS, REFRESH_MS, REQUEST_MS, RequestOver,
        RequestStatus, TRIES, TokenRefusal, UNUSED_CLIENT_MS,
    },
    registry::{MOST_REQUESTS, RequestError, TokenError},
};

use self::world::{OTHER_VERIFIER, VERIFIER, World, resource};

#[tokio::test]
async fn a_client_that_is_let_in_reads_and_refreshes() {
    let world = World::new().await;
    let code = world.let_in().await;
    let first = world.exchange(&code, VERIFIER).await.unwrap();
    assert_eq!(first.lasts, ACCESS_MS);
    let grant = world
        .registry
        .use_access(&first.access, &resource())
        .await
        .unwrap();
    assert!(grant.access().allows(Scope::SkillsRead) && !grant.access().allows(Scope::SkillsWrite));
    let second = world.refresh(&first.refresh).await.unwrap();
    world
        .registry
        .use_access(&second.access, &resource())
        .await
        .unwrap();
    world.clock.pass(ACCESS_MS);
    let late = world.registry.use_access(&second.access, &resource()).await;
    assert!(matches!(
        late,
        Err(TokenError::Refused(TokenRefusal::Invalid))
    ));
}

#[tokio::test]
async fn a_code_that_comes_twice_ends_everything_that_came_of_it() {
    let world = World::new().await;
    let code = world.let_in().await;
    let handed = world.exchange(&code, VERIFIER).await.unwrap();
    assert_eq!(
        world.refused_code(&code, VERIFIER).await,
        TokenRefusal::Reused
    );
    let used = world.registry.use_access(&handed.access, &resource()).await;
    assert!(matches!(
        used,
        Err(TokenError::Refused(TokenRefusal::Invalid))
    ));
    assert_eq!(
        world.refused_refresh(&handed.refresh).await,
        TokenRefusal::Invalid
    );
}

#[tokio::test]
async fn a_code_is_nothing_without_its_verifier_client_and_time() {
    let world = World::new().await;
    let code = world.let_in().await;
    assert_eq!(
        world.refused_code(&code, OTHER_VERIFIER).await,
        TokenRefusal::Terms
    );
    let stranger = "imprint-client-00000000000000000000000000000000"
        .parse()
        .unwrap();
    let stolen = world.exchange_as(&code, VERIFIER, &stranger).await;
    assert!(matches!(
        stolen,
        Err(TokenError::Refused(TokenRefusal::Invalid))
    ));
    world.clock.pass(CODE_MS);
    assert_eq!(
        world.refused_code(&code, VERIFIER).await,
        TokenRefusal::Invalid
    );
}

#[tokio::test]
async fn a_refresh_token_that_comes_late_again_ends_its_family() {
    let world = World::new().await;
    let code = world.let_in().await;
    let first = world.exchange(&code, VERIFIER).await.unwrap();
    let second = world.refresh(&first.refresh).await.unwrap();
    world.clock.pass(GRACE_MS / 2);
    world.refresh(&first.refresh).await.unwrap();
    world.clock.pass(GRACE_MS);
    assert_eq!(
        world.refused_refresh(&first.refresh).await,
        TokenRefusal::Reused
    );
    assert_eq!(
        world.refused_refresh(&second.refresh).await,
        TokenRefusal::Invalid
    );
    let used = world.registry.use_access(&second.access, &resource()).await;
    assert!(matches!(
        used,
        Err(TokenError::Refused(TokenRefusal::Invalid))
    ));
}

#[tokio::test]
async fn refreshing_goes_on_for_half_a_year_and_stops_after_a_quiet_month() {
    let world = World::new().await;
    let code = world.let_in().await;
    let mut handed = world.exchange(&code, VERIFIER).await.unwrap();
    for _ in 0..GRANT_MS / REFRESH_MS {
        world.clock.pass(REFRESH_MS - 60_000);
        handed = world.refresh(&handed.refresh).await.unwrap();
    }
    world.clock.pass(10 * 60_000);
    assert_eq!(
        world.refused_refresh(&handed.refresh).await,
        TokenRefusal::Invalid
    );

    let world = World::new().await;
    let code = world.let_in().await;
    let handed = world.exchange(&code, VERIFIER).await.unwrap();
    world.clock.pass(REFRESH_MS);
    assert_eq!(
        world.refused_refresh(&handed.refresh).await,
        TokenRefusal::Invalid
    );
}

#[tokio::test]
async fn a_client_may_give_its_tokens_back() {
    let world = World::new().await;
    let code = world.let_in().await;
    let handed = world.exchange(&code, VERIFIER).await.unwrap();
    let stranger = "https://other.example/client.json".parse().unwrap();
    world
        .registry
        .revoke_token(&handed.refresh, &stranger)
        .await
        .unwrap();
    world
        .registry
        .use_access(&handed.access, &resource())
        .await
        .unwrap();
    world
        .registry
        .revoke_token(&handed.access, &world.client.id)
        .await
        .unwrap();
    assert!(
        world
            .registry
            .use_access(&handed.access, &resource())
            .await
            .is_err()
    );
    let next = world.refresh(&handed.refresh).await.unwrap();
    world
        .registry
        .revoke_token(&next.refresh, &world.client.id)
        .await
        .unwrap();
    assert!(
        world
            .registry
            .use_access(&next.access, &resource())
            .await
            .is_err()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_are_tried_five_times_however_many_come_at_once() {
    let world = World::new().await;
    let (request, _) = world.begin().await;
    let mut attempts = Vec::new();
    for _ in 0..20 {
        let (registry, request) = (world.registry.clone(), request.clone());
        attempts.push(tokio::spawn(async move {
            loop {
                let now = registry.oauth_request(request.id).await?;
                match registry.take_try(&now).await {
                    Err(RequestError::Overtaken) => {}
                    tried => return tried,
                }
            }
        }));
    }
    let mut let_through = 0;
    for attempt in attempts {
        let_through += u8::from(attempt.await.unwrap().is_ok());
    }
    assert_eq!(let_through, TRIES);
}

#[tokio::test]
async fn a_request_is_decided_once_and_finished_once() {
    let world = World::new().await;
    let (request, _) = world.begin().await;
    let early = world.registry.finish_request(&request).await;
    assert!(matches!(
        early,
        Err(RequestError::Over(RequestOver::Pending))
    ));
    let denied = world
        .registry
        .decide_request(&request, &Decision::Deny)
        .await
        .unwrap();
    let allow = Decision::Allow(request.offered.clone());
    let overtaken = world.registry.decide_request(&request, &allow).await;
    assert!(matches!(overtaken, Err(RequestError::Overtaken)));
    let over = world.registry.decide_request(&denied, &allow).await;
    assert!(matches!(over, Err(RequestError::Over(RequestOver::Denied))));

    let (request, _) = world.begin().await;
    let approved = world
        .registry
        .decide_request(&request, &allow)
        .await
        .unwrap();
    world.registry.finish_request(&approved).await.unwrap();
    let again = world.registry.finish_request(&approved).await;
    assert!(matches!(again, Err(RequestError::Overtaken)));
    assert_eq!(world.registry.grants().await.unwrap().len(), 1);
}

#[tokio::test]
async fn no_more_is_allowed_than_was_offered() {
    let world = World::new().await;
    let (request, _) = world.begin().await;
    let more = [Scope::Admin, Scope::SkillsRead, Scope::MemoryWrite];
    let more = Decision::Allow(more.into_iter().collect());
    let after = world.registry.decide_request(&request, &more);
    let RequestStatus::Approved { scopes } = after.await.unwrap().status else {
        panic!("it was not approved")
    };
    assert_eq!(scopes.to_string(), "skills:read");
    let (request, _) = world.begin().await;
    let else_where = Decision::Allow([Scope::MemoryWrite, Scope::Admin].into_iter().collect());
    let after = world
        .registry
        .decide_request(&request, &else_where)
        .await
        .unwrap();
    assert_eq!(after.status, RequestStatus::Denied);
}

#[tokio::test]
async fn a_request_ends_and_is_found_by_its_code_until_then() {
    let world = World::new().await;
    let (request, browser) = world.begin().await;
    assert!(request.is_of(&browser) && !request.is_of(""));
    let written = request.code.as_str().to_lowercase().replace('-', " ");
    assert_eq!(
        world.registry.find_request(&written).await.unwrap().id,
        request.id
    );
    assert!(world.registry.find_request("").await.is_err());
    world.clock.pass(REQUEST_MS);
    assert!(world.registry.find_request(&written).await.is_err());
    let over = world.registry.oauth_request(request.id).await;
    assert!(matches!(
        over,
        Err(RequestError::Over(RequestOver::Expired))
    ));
}

#[tokio::test]
async fn strangers_fill_no_database() {
    let world = World::new().await;
    for _ in 0..MOST_REQUESTS {
        world.begin().await;
    }
    let refused = world.registry.begin_request(world.new_request()).await;
    assert!(matches!(refused, Err(RequestError::TooMany)));
    world.clock.pass(UNUSED_CLIENT_MS);
    assert!(
        world
            .registry
            .oauth_client(&world.client.id)
            .await
            .unwrap()
            .is_none()
    );
    world.begin().await;
    assert_eq!(world.registry.pending_requests().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_that_bring_one_code_at_once_one_is_answered_and_nobody_keeps_anything() {
    for _ in 0..20 {
        let world = Arc::new(World::new().await);
        let code = world.let_in().await;
        let (a, b) = (
            (Arc::clone(&world), code.clone()),
            (Arc::clone(&world), code),
        );
        let a = tokio::spawn(async move { a.0.exchange(&a.1, VERIFIER).await });
        let b = tokio::spawn(async move { b.0.exchange(&b.1, VERIFIER).await });
        let handed: Vec<_> = [a.await.unwrap(), b.await.unwrap()]
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(handed.len(), 1);
        let used = world
            .registry
            .use_access(&handed[0].access, &resource())
            .await;
        assert!(used.is_err());
    }
}
