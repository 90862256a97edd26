//! The whole way of a client that is let in.

use http::{StatusCode, header};
use imprint_core::{Preset, Scope, oauth::GrantStanding};

use super::{ISSUER, REDIRECT, Scene};

#[tokio::test]
async fn a_client_is_let_in_at_home() {
    let scene = Scene::new();
    let client = scene.client().await;
    let page = scene.page(&client).await;
    let code = scene.request(&page).await.code.to_string();
    assert!(page.text.contains(&format!("imprint oauth approve {code}")));

    let chosen = page.fields(&[("do", "wait"), ("scope", "skills:read")]);
    let answer = scene.post(&page.path, &page.cookie, &chosen).await;
    assert_eq!(answer.header(header::LOCATION), page.path);
    let waiting = scene.get(&page.path, &page.cookie).await;
    assert!(waiting.text.contains("http-equiv=\"refresh\""));
    assert!(waiting.text.contains("skills:read") && !waiting.text.contains("memory:read"));

    scene.approve(&page).await;
    let answer = scene.get(&page.path, &page.cookie).await;
    assert!(answer.header(header::LOCATION).starts_with(REDIRECT));
    assert_eq!(answer.sent("state").unwrap(), "a state");
    assert_eq!(answer.sent("iss").unwrap(), ISSUER);
    let code = answer.sent("code").unwrap();
    let again = scene.get(&page.path, &page.cookie).await;
    assert_eq!(again.status, StatusCode::GONE);

    let answer = scene.exchange(&client, &code, &[]).await;
    assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
    let tokens = answer.json();
    assert_eq!(tokens["token_type"], "Bearer");
    assert_eq!(tokens["expires_in"], 3_600);
    assert_eq!(tokens["scope"], "skills:read");
    let access = tokens["access_token"].as_str().unwrap();
    assert!(scene.opens(access, "/mcp").await && scene.opens(access, "/mcp/readonly").await);
    assert!(!scene.opens(access, "/api/v1/items").await);
    assert!(!scene.opens(access, "/api/agent/v1/mcp").await);
}

#[tokio::test]
async fn a_client_is_let_in_with_a_key_that_may_administer() {
    let scene = Scene::new();
    let client = scene.client().await;
    let key = scene.key(Preset::Admin).await;
    let page = scene.page(&client).await;
    // The button is the first one of the page: a line end in the field presses it.
    let fields = page.fields(&[
        ("do", "wait"),
        ("key", key.reveal()),
        ("scope", "skills:write"),
        ("scope", "admin"),
    ]);
    let answer = scene.post(&page.path, &page.cookie, &fields).await;
    assert_eq!(answer.header(header::LOCATION), page.path);
    let answer = scene.get(&page.path, &page.cookie).await;
    let code = answer.sent("code").unwrap();
    let tokens = scene.exchange(&client, &code, &[]).await.json();
    assert_eq!(tokens["scope"], "skills:read skills:propose skills:write");
    let grants = scene.registry.grants().await.unwrap();
    assert!(!grants[0].access().allows(Scope::Admin));
    let audit = scene.registry.store().audit(scene.registry.owner(), 0, 100);
    let rows: Vec<_> = audit
        .await
        .unwrap()
        .into_iter()
        .map(|link| link.row)
        .collect();
    assert!(rows.iter().any(|row| row.contains("oauth-granted")));
    assert!(!rows.join("\n").contains(key.reveal()));
}

#[tokio::test]
async fn a_no_is_told_to_the_client() {
    let scene = Scene::new();
    let client = scene.client().await;
    let page = scene.page(&client).await;
    let fields = page.fields(&[("do", "deny")]);
    scene.post(&page.path, &page.cookie, &fields).await;
    let answer = scene.get(&page.path, &page.cookie).await;
    assert_eq!(answer.sent("error").unwrap(), "access_denied");
    assert_eq!(answer.sent("state").unwrap(), "a state");
    assert_eq!(answer.sent("iss").unwrap(), ISSUER);
    assert!(scene.registry.grants().await.unwrap().is_empty());
}

#[tokio::test]
async fn refreshing_rotates_and_a_late_replay_ends_the_family() {
    let scene = Scene::new();
    let client = scene.client().await;
    let code = scene.code(&client).await;
    let first = scene.exchange(&client, &code, &[]).await.json();
    let old = first["refresh_token"].as_str().unwrap().to_owned();
    let second = scene.refresh(&client, &old).await.json();
    let access = second["access_token"].as_str().unwrap();
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    assert!(scene.opens(access, "/mcp").await);
    scene.pass(11_000);
    assert_eq!(
        scene.refresh(&client, &old).await.error(),
        "400 invalid_grant"
    );
    assert!(!scene.opens(access, "/mcp").await);
    let newest = second["refresh_token"].as_str().unwrap();
    assert_eq!(
        scene.refresh(&client, newest).await.error(),
        "400 invalid_grant"
    );
}

#[tokio::test]
async fn a_code_replay_ends_the_grant() {
    let scene = Scene::new();
    let client = scene.client().await;
    let code = scene.code(&client).await;
    let tokens = scene.exchange(&client, &code, &[]).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    let again = scene.exchange(&client, &code, &[]).await;
    assert_eq!(again.error(), "400 invalid_grant");
    assert!(!scene.opens(access, "/mcp").await);
    let grants = scene.registry.grants().await.unwrap();
    let now = scene.registry.clock().now();
    assert_eq!(grants[0].standing(now), GrantStanding::Revoked);
}

#[tokio::test]
async fn a_client_gives_its_tokens_back() {
    let scene = Scene::new();
    let client = scene.client().await;
    let code = scene.code(&client).await;
    let tokens = scene.exchange(&client, &code, &[]).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let give_back = async |client: &str, token: &str| {
        let pairs = [("client_id", client), ("token", token)];
        scene.post("/oauth/revoke", "", &pairs).await.status
    };
    let other = scene.client().await;
    assert_eq!(give_back(&other, refresh).await, StatusCode::OK);
    assert!(scene.opens(access, "/mcp").await);
    assert_eq!(give_back(&client, "no token").await, StatusCode::OK);
    assert_eq!(give_back(&client, refresh).await, StatusCode::OK);
    assert!(!scene.opens(access, "/mcp").await);
}
