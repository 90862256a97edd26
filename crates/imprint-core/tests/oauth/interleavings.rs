//! Whatever clients, owners and thieves do in whatever order, some things never happen.

use std::collections::BTreeMap;

use imprint_core::{
    GrantId, Scope, Timestamp, Token,
    oauth::{ACCESS_MS, AuthorizationRequest, Decision, GRACE_MS, GrantStanding},
    registry::Handed,
};
use proptest::prelude::*;

use crate::world::{OTHER_VERIFIER, VERIFIER, World, resource};

/// One thing that someone does. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Step {
    Begin,
    Decide { request: usize, allow: bool },
    TryKey { request: usize },
    Finish { request: usize },
    Exchange { code: usize, right: bool },
    Refresh { token: usize },
    GiveBack { token: usize, access: bool },
    Revoke { grant: usize },
    Pass { ms: i64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let which = 0_usize..6;
    let step = prop_oneof![
        2 => Just(Step::Begin),
        3 => (which.clone(), prop::bool::weighted(0.8)).prop_map(|(request, allow)| Step::Decide { request, allow }),
        1 => which.clone().prop_map(|request| Step::TryKey { request }),
        4 => which.clone().prop_map(|request| Step::Finish { request }),
        4 => (which.clone(), prop::bool::weighted(0.8)).prop_map(|(code, right)| Step::Exchange { code, right }),
        4 => which.clone().prop_map(|token| Step::Refresh { token }),
        1 => (which.clone(), any::<bool>()).prop_map(|(token, access)| Step::GiveBack { token, access }),
        1 => which.prop_map(|grant| Step::Revoke { grant }),
        3 => prop::sample::select(vec![1, 9_000, 11_000, 61_000, 3_600_000, 86_400_000, 2_600_000_000])
            .prop_map(|ms| Step::Pass { ms }),
    ];
    prop::collection::vec(step, 1..60)
}

/// What someone outside has seen so far.
#[derive(Default)]
struct Seen {
    requests: Vec<AuthorizationRequest>,
    codes: Vec<(Token, u32)>,
    handed: Vec<(Handed, Timestamp)>,
    refreshed: BTreeMap<String, Timestamp>,
    revoked: Vec<GrantId>,
}

fn chosen<T>(from: &[T], number: usize) -> Option<usize> {
    (!from.is_empty()).then(|| number % from.len())
}

async fn take(world: &World, seen: &mut Seen, step: Step) {
    let registry = &world.registry;
    let now = imprint_core::Clock::now(&*world.clock);
    match step {
        Step::Begin => {
            if let Ok(started) = registry.begin_request(world.new_request()).await {
                seen.requests.push(started.request);
            }
        }
        Step::Decide { request, allow } => {
            let Some(at) = chosen(&seen.requests, request) else {
                return;
            };
            let decision = if allow {
                Decision::Allow([Scope::Admin, Scope::SkillsWrite].into_iter().collect())
            } else {
                Decision::Deny
            };
            // From a state that may be long past: then it must fail.
            if let Ok(after) = registry.decide_request(&seen.requests[at], &decision).await {
                seen.requests[at] = after;
            }
        }
        Step::TryKey { request } => {
            let Some(at) = chosen(&seen.requests, request) else {
                return;
            };
            if let Ok(after) = registry.take_try(&seen.requests[at]).await {
                seen.requests[at] = after;
            }
        }
        Step::Finish { request } => {
            let Some(at) = chosen(&seen.requests, request) else {
                return;
            };
            if let Ok(code) = registry.finish_request(&seen.requests[at]).await {
                seen.codes.push((code, 0));
            }
        }
        Step::Exchange { code, right } => {
            let Some(at) = chosen(&seen.codes, code) else {
                return;
            };
            let verifier = if right { VERIFIER } else { OTHER_VERIFIER };
            let (code, times) = &mut seen.codes[at];
            if let Ok(handed) = world.exchange(code, verifier).await {
                assert!(right, "a wrong verifier was taken");
                *times += 1;
                seen.handed.push((handed, now));
            }
        }
        Step::Refresh { token } => {
            let Some(at) = chosen(&seen.handed, token) else {
                return;
            };
            let old = seen.handed[at].0.refresh.clone();
            if let Ok(handed) = world.refresh(&old).await {
                let first = seen.refreshed.entry(old.reveal().to_owned()).or_insert(now);
                assert!(
                    now.0 - first.0 < GRACE_MS,
                    "refreshed again after the grace"
                );
                seen.handed.push((handed, now));
            }
        }
        Step::GiveBack { token, access } => {
            let Some(at) = chosen(&seen.handed, token) else {
                return;
            };
            let (handed, _) = &seen.handed[at];
            let token = if access {
                &handed.access
            } else {
                &handed.refresh
            };
            registry
                .revoke_token(token, &world.client.id)
                .await
                .unwrap();
            assert!(!access || registry.use_access(token, &resource()).await.is_err());
        }
        Step::Revoke { grant } => {
            let grants = registry.grants().await.unwrap();
            let Some(at) = chosen(&grants, grant) else {
                return;
            };
            registry.revoke_grant(&grants[at]).await.unwrap();
            seen.revoked.push(grants[at].id);
        }
        Step::Pass { ms } => world.clock.pass(ms),
    }
}

/// What must hold after every step.
async fn check(world: &World, seen: &Seen) {
    let now = imprint_core::Clock::now(&*world.clock);
    let grants = world.registry.grants().await.unwrap();
    // One code per grant, and one family of tokens per code.
    assert_eq!(grants.len(), seen.codes.len());
    assert!(seen.codes.iter().all(|(_, times)| *times <= 1));
    let by_id: BTreeMap<_, _> = grants.iter().map(|grant| (grant.id, grant)).collect();
    for grant in &grants {
        assert!(!grant.access().allows(Scope::Admin) && !grant.access().allows(Scope::MemoryRead));
    }
    for id in &seen.revoked {
        assert_eq!(by_id[id].standing(now), GrantStanding::Revoked);
    }
    for (handed, at) in &seen.handed {
        let used = world.registry.use_access(&handed.access, &resource()).await;
        if let Ok(grant) = used {
            assert_eq!(grant.standing(now), GrantStanding::Live);
            assert!(now.0 - at.0 < ACCESS_MS, "used after its time");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn some_things_never_happen(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let world = World::new().await;
            let mut seen = Seen::default();
            for step in steps {
                take(&world, &mut seen, step).await;
                check(&world, &seen).await;
            }
        });
    }
}
