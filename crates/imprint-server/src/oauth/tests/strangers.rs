//! Someone who is not the owner tries to grant, or to get at what was granted.

use http::{StatusCode, header};
use imprint_core::{Preset, Scope, oauth::Decision};

use super::{Page, Scene};

async fn post(scene: &Scene, page: &Page, cookie: &str, others: &[(&str, &str)]) -> StatusCode {
    let fields = page.fields(others);
    scene.post(&page.path, cookie, &fields).await.status
}

async fn nobody_is_let_in(scene: &Scene) {
    assert!(scene.registry.grants().await.unwrap().is_empty());
}

#[tokio::test]
async fn waiting_and_pressing_buttons_grants_nothing() {
    let scene = Scene::new();
    let client = scene.client().await;
    let page = scene.page(&client).await;
    for others in [
        vec![("do", "wait")],
        vec![("do", "allow")],
        vec![("do", "approve")],
        vec![("do", "allow"), ("key", "")],
        vec![],
    ] {
        let status = post(&scene, &page, &page.cookie, &others).await;
        assert!(matches!(status, StatusCode::SEE_OTHER | StatusCode::OK));
        let answer = scene.get(&page.path, &page.cookie).await;
        assert!(answer.sent("code").is_none(), "{others:?}");
    }
    nobody_is_let_in(&scene).await;
}

#[tokio::test]
async fn keys_that_may_not_administer_don_t_grant_and_five_are_enough() {
    let scene = Scene::new();
    let client = scene.client().await;
    let (full, right) = (
        scene.key(Preset::Full).await,
        scene.key(Preset::Admin).await,
    );
    let page = scene.page(&client).await;
    let wrong = [
        full.reveal(),
        "sak_wrong",
        "x",
        full.reveal(),
        full.reveal(),
    ];
    for (index, key) in wrong.into_iter().enumerate() {
        let fields = page.fields(&[("do", "allow"), ("key", key), ("scope", "skills:read")]);
        let answer = scene.post(&page.path, &page.cookie, &fields).await;
        let last = index == 4;
        assert_eq!(answer.status == StatusCode::SEE_OTHER, last, "{index}");
        assert!(!answer.text.contains(key) || key.len() < 4);
    }
    let fields = page.fields(&[
        ("do", "allow"),
        ("key", right.reveal()),
        ("scope", "skills:read"),
    ]);
    let answer = scene.post(&page.path, &page.cookie, &fields).await;
    assert_eq!(answer.sent("error").unwrap(), "access_denied");
    nobody_is_let_in(&scene).await;
}

#[tokio::test]
async fn keys_are_tried_ten_times_a_minute_whatever_is_asked_for() {
    let scene = Scene::new();
    let client = scene.client().await;
    let mut tried = 0;
    let mut refused = 0;
    for _ in 0..4 {
        let page = scene.page(&client).await;
        for _ in 0..4 {
            let status = post(&scene, &page, &page.cookie, &[("key", "wrong")]).await;
            tried += u8::from(status == StatusCode::OK);
            refused += u8::from(status == StatusCode::TOO_MANY_REQUESTS);
        }
    }
    assert_eq!((tried, refused), (10, 6));
}

#[tokio::test]
async fn another_browser_gets_nothing_of_an_approved_request() {
    let scene = Scene::new();
    let client = scene.client().await;
    let (page, other) = (scene.page(&client).await, scene.page(&client).await);
    scene.approve(&page).await;
    let renamed = other.cookie.split('=').next_back().unwrap();
    let name = page.cookie.split('=').next().unwrap();
    let forged = format!("{name}={renamed}");
    for cookie in [
        "",
        other.cookie.as_str(),
        forged.as_str(),
        &format!("{name}="),
    ] {
        let answer = scene.get(&page.path, cookie).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{cookie}");
        assert!(
            !answer.text.contains("Claude"),
            "it tells about the request"
        );
    }
    assert!(
        scene
            .get(&page.path, &page.cookie)
            .await
            .sent("code")
            .is_some()
    );
}

#[tokio::test]
async fn a_form_that_is_not_ours_does_nothing() {
    let scene = Scene::new();
    let client = scene.client().await;
    let key = scene.key(Preset::Admin).await;
    let (page, other) = (scene.page(&client).await, scene.page(&client).await);
    for form in ["", "x", other.form.as_str(), &page.form.to_uppercase()[1..]] {
        let fields = [
            ("form", form),
            ("do", "allow"),
            ("key", key.reveal()),
            ("scope", "skills:read"),
        ];
        let answer = scene.post(&page.path, &page.cookie, &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{form}");
    }
    nobody_is_let_in(&scene).await;
}

#[tokio::test]
async fn a_wrong_code_at_home_finds_nothing() {
    let scene = Scene::new();
    let client = scene.client().await;
    scene.page(&client).await;
    for code in ["", "-", "AAAA-AAAA", "KXQ7", "%", "********"] {
        assert!(scene.registry.find_request(code).await.is_err(), "{code}");
    }
}

#[tokio::test]
async fn nobody_gets_admin() {
    let scene = Scene::new();
    let client = scene.client().await;
    let answer = scene.authorize(&client, &[("scope", "admin")]).await;
    assert_eq!(answer.sent("error").unwrap(), "invalid_scope");
    let asked = [("scope", "admin skills:read")];
    let page = Page::of(&scene.authorize(&client, &asked).await);
    assert!(!page.text.contains("value=\"admin\""));
    let more = [Scope::Admin, Scope::SkillsRead].into_iter().collect();
    scene.at_home(&page, &Decision::Allow(more)).await;
    let code = scene
        .get(&page.path, &page.cookie)
        .await
        .sent("code")
        .unwrap();
    let tokens = scene.exchange(&client, &code, &[]).await.json();
    assert_eq!(tokens["scope"], "skills:read");
}

#[tokio::test]
async fn a_stolen_code_is_nothing_without_its_verifier_client_and_resource() {
    let scene = Scene::new();
    let client = scene.client().await;
    let other = scene.client().await;
    let code = scene.code(&client).await;
    let verifier = "a".repeat(43);
    for (who, others, error) in [
        (
            &client,
            ("code_verifier", verifier.as_str()),
            "400 invalid_grant",
        ),
        (&client, ("code_verifier", ""), "400 invalid_request"),
        (
            &client,
            ("redirect_uri", "https://claude.ai/api/mcp/auth_callback/"),
            "400 invalid_grant",
        ),
        (
            &client,
            ("resource", "https://other.example/mcp"),
            "400 invalid_target",
        ),
        (
            &client,
            ("resource", "https://imprint.example.com/mcp/readonly"),
            "400 invalid_target",
        ),
        (&other, ("state", ""), "400 invalid_grant"),
        (
            &client,
            ("grant_type", "password"),
            "400 unsupported_grant_type",
        ),
        (&client, ("client_id", ""), "400 invalid_request"),
    ] {
        let answer = scene.exchange(who, &code, &[others]).await;
        assert_eq!(answer.error(), error, "{others:?}");
    }
    scene.pass(60_000);
    let late = scene.exchange(&client, &code, &[]).await;
    assert_eq!(late.error(), "400 invalid_grant");
}

#[tokio::test]
async fn tokens_of_one_kind_are_not_taken_for_another() {
    let scene = Scene::new();
    let client = scene.client().await;
    let code = scene.code(&client).await;
    let tokens = scene.exchange(&client, &code, &[]).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    let refresh = tokens["refresh_token"].as_str().unwrap();
    assert_eq!(
        scene.refresh(&client, access).await.error(),
        "400 invalid_grant"
    );
    assert_eq!(
        scene.exchange(&client, refresh, &[]).await.error(),
        "400 invalid_grant"
    );
    assert!(!scene.opens(refresh, "/mcp").await);
    assert!(scene.opens(access, "/mcp").await);
}

#[tokio::test]
async fn pages_can_t_be_framed_and_hold_nothing_foreign() {
    let scene = Scene::new();
    let client = scene.client().await;
    let answer = scene.authorize(&client, &[]).await;
    let policy = answer.header(header::CONTENT_SECURITY_POLICY);
    assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert_eq!(answer.header(header::X_FRAME_OPTIONS), "DENY");
    assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
    let cookie = answer.header(header::SET_COOKIE);
    for part in [
        "__Host-imprint-",
        "; HttpOnly",
        "; Secure",
        "; SameSite=Lax",
        "; Path=/",
    ] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    for foreign in ["<script", "style=", "src=", "http://", "onclick"] {
        assert!(!answer.text.contains(foreign), "{foreign}");
    }
}
