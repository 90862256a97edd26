//! MCP over HTTP: who is let in, and in what form answers come.

use super::*;

fn scopes(text: &str) -> ScopeSet {
    text.parse().unwrap()
}

fn modern(method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "wren", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

impl Scene {
    async fn modern(&self, token: &Token, method: &str, params: Value) -> Answer {
        let request = self
            .request("POST", "/mcp", Some(token))
            .header(header::CONTENT_TYPE, "application/json")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        let request = match params["name"].as_str() {
            Some(name) => request.header("mcp-name", name),
            None => request,
        };
        self.send(request, modern(method, params).to_string()).await
    }
}

#[tokio::test]
async fn nobody_is_let_in_without_a_good_key() {
    let scene = Scene::new();
    let token = scene.admin().await;
    let with = |value: String| {
        scene
            .request("POST", "/mcp", None)
            .header(header::AUTHORIZATION, value)
    };
    let none = scene.send(scene.request("POST", "/mcp", None), "{}").await;
    assert_eq!(none.status, StatusCode::UNAUTHORIZED);
    assert_eq!(none.header("www-authenticate"), "Bearer realm=\"imprint\"");
    let other = Token::mint(imprint_core::TokenKind::Key, [1; 32]);
    for value in [
        "Bearer wrong".to_owned(),
        format!("Basic {}", token.reveal()),
        format!("Bearer {}", other.reveal()),
        format!("Bearer {}x", token.reveal()),
    ] {
        let refused = scene.send(with(value), "{}").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert!(refused.header("www-authenticate").contains("invalid_token"));
    }
    let health = scene.send(scene.request("GET", "/healthz", None), "").await;
    assert_eq!(
        (health.status, health.text.as_str()),
        (StatusCode::OK, "ok\n")
    );
    for path in ["/metrics", "/api/v1/items", "/api/v1/openapi.json"] {
        let refused = scene.send(scene.request("GET", path, None), "").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[tokio::test]
async fn a_key_in_the_address_is_refused_and_told_as_leaked() {
    let scene = Scene::new();
    let token = scene.admin().await;
    let path = format!("/mcp?key={}", token.reveal());
    let answer = scene.tell(&token, &path, json!({})).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.text.contains("leaked"), "{}", answer.text);
    assert!(!answer.text.contains(token.reveal()));
    let audit = scene.call(&token, "GET", "/audit", Value::Null).await;
    assert!(audit.text.contains("key-leaked"), "{}", audit.text);
    assert!(!audit.text.contains(token.reveal()));
}

#[tokio::test]
async fn guessing_is_slowed_down_and_a_good_key_is_not() {
    let scene = Scene::new();
    let token = scene.admin().await;
    let mut last = StatusCode::OK;
    for _ in 0..11 {
        let guess = scene
            .request("POST", "/mcp", None)
            .header(header::AUTHORIZATION, "Bearer guess");
        let answer = scene.send(guess, "{}").await;
        last = answer.status;
        if last == StatusCode::TOO_MANY_REQUESTS {
            assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(scene.tools(&token, "/mcp").await.len(), 3);
}

#[tokio::test]
async fn scopes_paths_and_headers_hide_tools() {
    let scene = Scene::new();
    let (_, all) = scene.key("all", Preset::Full.scopes()).await;
    let (_, read) = scene.key("read", Preset::Read.scopes()).await;
    let (_, memory) = scene.key("memory", scopes("memory:write")).await;
    assert_eq!(
        scene.tools(&all, "/mcp").await,
        ["skills", "skill_edit", "guidelines"]
    );
    assert_eq!(scene.tools(&read, "/mcp").await, ["skills", "guidelines"]);
    assert_eq!(scene.tools(&memory, "/mcp").await, [""; 0]);
    let readonly = scene.tools(&all, "/api/agent/v1/mcp/readonly").await;
    assert_eq!(readonly, ["skills", "guidelines"]);
    assert_eq!(scene.tools(&all, "/mcp/x/guidelines").await, ["guidelines"]);
    let refused = scene.tool(&read, "skill_edit", json!({})).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(
        refused
            .header("www-authenticate")
            .contains("scope=\"skills:write\"")
    );
    assert_eq!(refused.json()["error"]["code"], -32602);
}

#[tokio::test]
async fn a_key_that_may_only_propose_changes_nothing() {
    let scene = Scene::new();
    let item = scene.skill("deploy", "Do it.").await;
    let (_, token) = scene.key("agent", scopes("skills:propose")).await;
    let edit = json!({ "action": "edit", "name": "deploy", "instructions": "Do it twice." });
    let answer = scene.tool(&token, "skill_edit", edit).await.json();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("Proposed a change to the skill `deploy`"),
        "{text}"
    );
    let same = scene.registry.resolve(&(&item).into(), &[]).await.unwrap();
    assert_eq!(same.head, item.head);
    let disable = json!({ "action": "edit", "name": "deploy", "state": "disabled" });
    let answer = scene.tool(&token, "skill_edit", disable).await.json();
    assert_eq!(answer["result"]["isError"], true);
    let waiting = scene
        .registry
        .store()
        .proposals(OwnerId::LOCAL, None, 9)
        .await;
    assert_eq!(waiting.unwrap().len(), 1);
}

#[tokio::test]
async fn a_narrowed_key_sees_its_items_alone_and_no_path_of_this_machine() {
    let scene = Scene::new();
    scene.skill("deploy", "Do it.").await;
    scene.skill("private", "Mine.").await;
    let fence = ItemFence {
        names: vec!["deploy".parse().unwrap()],
        tags: Vec::new(),
    };
    let (_, token) = scene.fenced_key("team", Preset::Full.scopes(), fence).await;
    let list = scene
        .tool(&token, "skills", json!({ "action": "list" }))
        .await;
    assert!(list.text.contains("deploy") && !list.text.contains("private"));
    let get = json!({ "action": "get", "name": "private" });
    assert_eq!(
        scene.tool(&token, "skills", get).await.json()["result"]["isError"],
        true
    );
    let get = json!({ "action": "get", "name": "deploy" });
    let got = scene.tool(&token, "skills", get).await;
    assert!(
        got.text.contains("Do it.") && !got.text.contains("/a/folder"),
        "{}",
        got.text
    );
    let new =
        json!({ "action": "create", "name": "other", "description": "d", "instructions": "i" });
    assert_eq!(
        scene.tool(&token, "skill_edit", new).await.json()["result"]["isError"],
        true
    );
    assert!(
        !scene
            .tools(&token, "/mcp")
            .await
            .contains(&"guidelines".to_owned())
    );
}

#[tokio::test]
async fn what_may_be_cached_is_private_and_every_result_names_the_server() {
    let scene = Scene::new();
    let token = scene.admin().await;
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        (
            "tools/call",
            json!({ "name": "skills", "arguments": { "action": "list" } }),
        ),
    ] {
        let answer = scene.modern(&token, method, params).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        let result = &answer.json()["result"];
        assert_eq!(result["resultType"], "complete", "{method}");
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(server["name"], "imprint", "{method}");
        if method != "tools/call" {
            assert_eq!(result["cacheScope"], "private", "{method}");
            assert!(result["ttlMs"].as_u64().unwrap() > 0, "{method}");
        }
        assert_eq!(answer.header("mcp-session-id"), "");
    }
}

#[tokio::test]
async fn damaged_bodies_are_answered_as_over_pipes() {
    let scene = Scene::new();
    let token = scene.admin().await;
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("[]", -32600),
        ("7", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", -32600),
    ] {
        let request = scene
            .request("POST", "/mcp", Some(&token))
            .header(header::CONTENT_TYPE, "application/json");
        let answer = scene.send(request, body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.json()["error"]["code"], code, "{body}");
    }
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = scene.tell(&token, "/mcp", note).await;
    assert_eq!(
        (accepted.status, accepted.text.as_str()),
        (StatusCode::ACCEPTED, "")
    );
}

#[tokio::test]
async fn sessions_and_uses_are_counted_and_written_later() {
    let scene = Scene::new();
    let token = scene.admin().await;
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                         "clientInfo": { "name": "wren", "version": "2" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    scene.tell(&token, "/mcp", hello).await;
    scene
        .tool(&token, "skills", json!({ "action": "list" }))
        .await;
    let store = scene.registry.store();
    assert_eq!(store.sessions(OwnerId::LOCAL, 9).await.unwrap(), []);
    scene.server.flush().await;
    let sessions = store.sessions(OwnerId::LOCAL, 9).await.unwrap();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    let session = &sessions[0];
    assert_eq!(session.client_name.as_deref(), Some("wren"));
    assert_eq!((session.transport.as_str(), session.calls), ("http", 1));
    let key = scene.registry.find_key("admin").await.unwrap();
    assert_eq!(session.key, Some(key.id));
    assert_eq!(key.last_client.as_deref(), Some("wren"));
    assert!(key.last_used_at.is_some());
}
