//! Discovery, and what endpoints take.

use axum::body::Body;
use http::{Request, StatusCode, header};

use super::{ISSUER, Scene};

#[tokio::test]
async fn clients_find_their_way_from_either_address() {
    let scene = Scene::new();
    for (path, resource) in [
        ("/.well-known/oauth-protected-resource", "/mcp"),
        ("/.well-known/oauth-protected-resource/mcp", "/mcp"),
        (
            "/.well-known/oauth-protected-resource/mcp/readonly",
            "/mcp/readonly",
        ),
        (
            "/.well-known/oauth-protected-resource/api/agent/v1/mcp",
            "/api/agent/v1/mcp",
        ),
    ] {
        let document = scene.get(path, "").await.json();
        assert_eq!(document["resource"], format!("{ISSUER}{resource}"));
        assert_eq!(document["authorization_servers"][0], ISSUER);
        let scopes = document["scopes_supported"].to_string();
        assert!(!scopes.contains("admin") && !scopes.contains("offline_access"));
    }
    let first = scene
        .get("/.well-known/oauth-authorization-server", "")
        .await;
    assert_eq!(first.header(header::CONTENT_TYPE), "application/json");
    for path in [
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
    ] {
        assert_eq!(scene.get(path, "").await.text, first.text, "{path}");
    }
    for path in [
        "/.well-known/oauth-protected-resource/oauth/token",
        "/.well-known/oauth-authorization-server/x",
    ] {
        assert_eq!(scene.get(path, "").await.status, StatusCode::NOT_FOUND);
    }
    let document = serde_json::to_string_pretty(&first.json()).unwrap();
    insta::assert_snapshot!(document, @r#"
    {
      "issuer": "https://imprint.example.com",
      "authorization_endpoint": "https://imprint.example.com/oauth/authorize",
      "token_endpoint": "https://imprint.example.com/oauth/token",
      "revocation_endpoint": "https://imprint.example.com/oauth/revoke",
      "registration_endpoint": "https://imprint.example.com/oauth/register",
      "scopes_supported": [
        "skills:read",
        "skills:propose",
        "skills:write",
        "personas:read",
        "personas:propose",
        "personas:write",
        "guidelines:read",
        "guidelines:propose",
        "guidelines:write",
        "memory:read",
        "memory:write",
        "profile:read",
        "profile:feedback",
        "profile:write"
      ],
      "response_types_supported": [
        "code"
      ],
      "response_modes_supported": [
        "query"
      ],
      "grant_types_supported": [
        "authorization_code",
        "refresh_token"
      ],
      "code_challenge_methods_supported": [
        "S256"
      ],
      "token_endpoint_auth_methods_supported": [
        "none"
      ],
      "revocation_endpoint_auth_methods_supported": [
        "none"
      ],
      "client_id_metadata_document_supported": true,
      "authorization_response_iss_parameter_supported": true
    }
    "#);
}

#[tokio::test]
async fn only_forms_are_taken_and_clients_have_no_secret() {
    let scene = Scene::new();
    let client = scene.client().await;
    let json = Request::post("/oauth/token")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from("{}"));
    assert_eq!(
        scene.send(json.unwrap()).await.error(),
        "400 invalid_request"
    );
    let basic = Request::post("/oauth/token")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::AUTHORIZATION, "Basic YTpi")
        .body(Body::from(format!(
            "grant_type=refresh_token&client_id={client}"
        )));
    let answer = scene.send(basic.unwrap()).await;
    assert_eq!(answer.error(), "401 invalid_client");
    let twice = [
        ("grant_type", "refresh_token"),
        ("grant_type", "refresh_token"),
        ("client_id", client.as_str()),
    ];
    let answer = scene.post("/oauth/token", "", &twice).await;
    assert_eq!(answer.error(), "400 invalid_request");
    let get = scene.get("/oauth/token", "").await;
    assert_eq!(get.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_looks_are_served_from_here() {
    let scene = Scene::new();
    let style = scene.get("/oauth/style.css", "").await;
    assert!(style.header(header::CONTENT_TYPE).starts_with("text/css"));
    assert!(!style.text.contains("url(") && !style.text.contains("@import"));
}
