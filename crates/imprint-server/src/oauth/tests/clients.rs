//! Clients that are known, and those that are not.

use http::{StatusCode, header};
use imprint_core::oauth::UNUSED_CLIENT_MS;
use serde_json::json;

use super::{DOCUMENT, Page, REDIRECT, Scene};

#[tokio::test]
async fn nobody_is_sent_anywhere_without_a_known_client_and_redirect() {
    let scene = Scene::new();
    let client = scene.client().await;
    for others in [
        ("client_id", ""),
        (
            "client_id",
            "imprint-client-00000000000000000000000000000000",
        ),
        ("client_id", "https://unknown.example/client.json"),
        ("client_id", "Claude"),
        ("redirect_uri", ""),
        ("redirect_uri", "https://claude.ai/api/mcp/auth_callback/"),
        (
            "redirect_uri",
            "https://claude.ai/api/mcp/auth_callback?x=1",
        ),
        ("redirect_uri", "https://evil.example/"),
        ("redirect_uri", "javascript:alert(1)"),
    ] {
        let answer = scene.authorize(&client, &[others]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{others:?}");
        assert_eq!(answer.header(header::LOCATION), "", "{others:?}");
    }
    let twice = format!("/oauth/authorize?client_id={client}&client_id={client}");
    assert_eq!(scene.get(&twice, "").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_known_client_is_told_what_was_wrong() {
    let scene = Scene::new();
    let client = scene.client().await;
    for (others, error) in [
        (("response_type", ""), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("code_challenge_method", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("resource", "https://other.example/mcp"), "invalid_target"),
        (
            ("resource", "https://imprint.example.com/oauth"),
            "invalid_target",
        ),
        (("scope", "admin"), "invalid_scope"),
    ] {
        let answer = scene.authorize(&client, &[others]).await;
        assert!(
            answer.header(header::LOCATION).starts_with(REDIRECT),
            "{others:?}"
        );
        assert_eq!(answer.sent("error").as_deref(), Some(error), "{others:?}");
        assert_eq!(
            answer.sent("state").as_deref(),
            Some("a state"),
            "{others:?}"
        );
        assert!(answer.sent("iss").is_some() && answer.sent("code").is_none());
    }
    // Clients of the first revision name no resource, and scopes are theirs to leave out.
    for others in [
        ("resource", ""),
        ("scope", ""),
        ("state", ""),
        ("scope", "offline_access"),
    ] {
        Page::of(&scene.authorize(&client, &[others]).await);
    }
}

#[tokio::test]
async fn a_client_with_a_document_is_shown_by_its_domain_and_comes_with_any_port() {
    let scene = Scene::new();
    let redirect = [("redirect_uri", "http://127.0.0.1:53124/callback")];
    let answer = scene.authorize(DOCUMENT, &redirect).await;
    let page = Page::of(&answer);
    assert!(page.text.contains("client.example"));
    assert!(page.text.contains("127.0.0.1:53124"));
    assert!(page.text.contains("any program there can ask like this"));
    assert!(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"));
    let policy = answer.header(header::CONTENT_SECURITY_POLICY);
    assert!(policy.contains("form-action 'self' http://127.0.0.1:53124;"));
    scene.approve(&page).await;
    let answer = scene.get(&page.path, &page.cookie).await;
    let code = answer.sent("code").unwrap();
    let answer = scene.exchange(DOCUMENT, &code, &redirect).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
}

#[tokio::test]
async fn a_client_registers_itself() {
    let scene = Scene::new();
    let answer = scene
        .register(json!({
            "client_name": "Codex\u{202e}",
            "redirect_uris": ["http://localhost:1455/callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_method": "client_secret_post",
            "application_type": "native",
            "software_id": "x",
        }))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let mut registered = answer.json();
    let id = registered["client_id"].take();
    assert!(id.as_str().unwrap().starts_with("imprint-client-"));
    insta::assert_snapshot!(registered, @r#"{"client_id":null,"client_id_issued_at":1767225600,"client_name":"Codex","redirect_uris":["http://localhost:1455/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","application_type":"native"}"#);
}

#[tokio::test]
async fn registrations_of_a_wrong_form_are_refused() {
    let scene = Scene::new();
    let many: Vec<_> = (0..11).map(|n| format!("https://a.example/{n}")).collect();
    for (metadata, error) in [
        (json!([]), "400 invalid_client_metadata"),
        (json!({}), "400 invalid_redirect_uri"),
        (json!({"redirect_uris": []}), "400 invalid_redirect_uri"),
        (json!({"redirect_uris": many}), "400 invalid_redirect_uri"),
        (
            json!({"redirect_uris": ["http://a.example/"]}),
            "400 invalid_redirect_uri",
        ),
        (
            json!({"redirect_uris": [REDIRECT], "grant_types": ["client_credentials"]}),
            "400 invalid_client_metadata",
        ),
        (
            json!({"redirect_uris": [REDIRECT], "client_name": "\u{7}"}),
            "400 invalid_client_metadata",
        ),
        (
            json!({"redirect_uris": [REDIRECT], "application_type": "other"}),
            "400 invalid_client_metadata",
        ),
    ] {
        let answer = scene.register(metadata.clone()).await;
        assert_eq!(answer.error(), error, "{metadata}");
    }
    let huge = json!({"redirect_uris": [REDIRECT], "client_name": "x".repeat(20_000)});
    let answer = scene.register(huge).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn registering_is_limited_and_unused_clients_are_forgotten() {
    let scene = Scene::new();
    let client = scene.client().await;
    for _ in 0..9 {
        scene.client().await;
    }
    let metadata = json!({ "redirect_uris": [REDIRECT] });
    let answer = scene.register(metadata).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!answer.header(header::RETRY_AFTER).is_empty());
    scene.pass(UNUSED_CLIENT_MS);
    let answer = scene.exchange(&client, "x", &[]).await;
    assert_eq!(answer.error(), "401 invalid_client");
}
