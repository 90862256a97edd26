//! The REST API.

use super::*;

#[tokio::test]
async fn an_item_is_made_read_changed_and_taken_out_of_sight() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    let new = json!({ "kind": "skill", "name": "deploy", "description": "How to deploy.",
                      "instructions": "Do it.", "files": { "scripts/run.sh": "true\n" } });
    let made = scene.call(&admin, "POST", "/items", new.clone()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let tag = made.header("etag").to_owned();
    let again = scene.call(&admin, "POST", "/items", new).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_eq!(again.header("content-type"), "application/problem+json");
    assert_eq!(again.json()["type"], "urn:imprint:problem:name-taken");

    let read = scene
        .call(&admin, "GET", "/items/skill/deploy", Value::Null)
        .await;
    assert!(
        read.json()["text"].as_str().unwrap().ends_with("Do it.\n"),
        "{}",
        read.text
    );
    assert_eq!(read.json()["files"].as_array().unwrap().len(), 2);
    let request = scene
        .request("GET", "/api/v1/items/skill/deploy", Some(&admin))
        .header(header::IF_NONE_MATCH, &tag);
    assert_eq!(
        scene.send(request, "").await.status,
        StatusCode::NOT_MODIFIED
    );
    let path = "/items/skill/deploy/files/scripts%2Frun.sh";
    assert_eq!(
        scene.call(&admin, "GET", path, Value::Null).await.text,
        "true\n"
    );

    let edit = json!({ "instructions": "Do it twice.", "state": "disabled", "pinned": true });
    let edited = scene
        .call(&admin, "PATCH", "/items/skill/deploy", edit)
        .await;
    assert_eq!(edited.json()["state"], "disabled", "{}", edited.text);
    assert_ne!(edited.header("etag"), tag);
    let request = scene
        .request("PATCH", "/api/v1/items/skill/deploy", Some(&admin))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::IF_MATCH, &tag);
    let stale = scene
        .send(request, json!({ "pinned": false }).to_string())
        .await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(
        format!("\"{}\"", stale.json()["current_revision"].as_str().unwrap()),
        edited.header("etag")
    );

    let history = scene
        .call(
            &admin,
            "GET",
            "/items/skill/deploy/history?limit=1",
            Value::Null,
        )
        .await;
    assert_eq!(history.json()["next"], "1");
    let removed = scene
        .call(&admin, "DELETE", "/items/skill/deploy", Value::Null)
        .await;
    assert_eq!(removed.json()["state"], "removed");
    let gone = scene
        .call(&admin, "GET", "/items/skill/deploy", Value::Null)
        .await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    let back = json!({ "revision": "~1" });
    let restored = scene
        .call(&admin, "POST", "/items/skill/deploy/restore", back)
        .await;
    assert_eq!(restored.json()["state"], "active", "{}", restored.text);
}

#[tokio::test]
async fn lists_come_in_pages_that_hold() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    for name in ["a", "b", "c", "d", "e"] {
        scene.skill(name, "x").await;
    }
    let mut seen = Vec::new();
    let mut path = "/items?limit=2".to_owned();
    loop {
        let page = scene.call(&admin, "GET", &path, Value::Null).await.json();
        let entries = page["entries"].as_array().unwrap();
        seen.extend(
            entries
                .iter()
                .map(|item| item["name"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("/items?limit=2&cursor={}", next.replace('/', "%2F"));
    }
    assert_eq!(seen, ["a", "b", "c", "d", "e"]);
    let odd = scene
        .call(&admin, "GET", "/items?cursor=nonsense", Value::Null)
        .await;
    assert_eq!(odd.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn keys_are_for_administrators_and_never_wider_than_their_maker() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    let (_, full) = scene.key("full", Preset::Full.scopes()).await;
    for path in ["/keys", "/audit", "/sessions", "/clients", "/events"] {
        let refused = scene.call(&full, "GET", path, Value::Null).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
    let new = json!({ "name": "ci", "scopes": ["skills:read"], "items": ["deploy"] });
    let made = scene.call(&admin, "POST", "/keys", new).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let key: Token = made.json()["key"].as_str().unwrap().parse().unwrap();
    assert_eq!(scene.tools(&key, "/mcp").await, ["skills"]);
    let listed = scene.call(&admin, "GET", "/keys", Value::Null).await;
    assert!(!listed.text.contains(key.reveal()));
    let revoked = scene.call(&admin, "DELETE", "/keys/ci", Value::Null).await;
    assert_eq!(revoked.json()["standing"], "revoked");
    assert_eq!(scene.tools(&key, "/mcp").await, [""; 0]);
    let rotated = scene
        .call(
            &admin,
            "POST",
            "/keys/full/rotate",
            json!({ "overlap_seconds": 0 }),
        )
        .await;
    assert_eq!(rotated.status, StatusCode::CREATED, "{}", rotated.text);
    assert_eq!(scene.tools(&full, "/mcp").await, [""; 0]);
}

#[tokio::test]
async fn proposals_are_decided_by_administrators() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    scene.skill("deploy", "Do it.").await;
    let (_, agent) = scene.key("agent", "skills:propose".parse().unwrap()).await;
    let edit = json!({ "action": "edit", "name": "deploy", "instructions": "Do it twice." });
    scene.tool(&agent, "skill_edit", edit).await;
    let listed = scene
        .call(&agent, "GET", "/proposals", Value::Null)
        .await
        .json();
    let id = listed[0]["id"].as_str().unwrap();
    let read = scene
        .call(&agent, "GET", &format!("/proposals/{id}"), Value::Null)
        .await;
    assert!(read.text.contains("twice"), "{}", read.text);
    let accept = format!("/proposals/{id}/accept");
    let refused = scene.call(&agent, "POST", &accept, Value::Null).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let accepted = scene.call(&admin, "POST", &accept, Value::Null).await;
    assert_eq!(accepted.status, StatusCode::OK, "{}", accepted.text);
    let twice = scene.call(&admin, "POST", &accept, Value::Null).await;
    assert_eq!(twice.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn wrong_bodies_and_paths_are_problems() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    for (method, path, body, status) in [
        (
            "POST",
            "/items",
            json!({ "kind": "spell", "name": "x" }),
            422,
        ),
        (
            "POST",
            "/items",
            json!({ "kind": "skill", "name": "X Y" }),
            400,
        ),
        (
            "POST",
            "/items",
            json!({ "kind": "skill", "name": "x", "extra": 1 }),
            422,
        ),
        ("GET", "/items/spell/x", Value::Null, 400),
        ("GET", "/items/skill/x/history/zz", Value::Null, 400),
        ("GET", "/items/skill/x/files/..%2Fx", Value::Null, 400),
        ("GET", "/proposals/nothing", Value::Null, 404),
        ("PATCH", "/keys/nothing", json!({ "name": "x" }), 404),
        (
            "POST",
            "/keys",
            json!({ "name": "x", "scopes": ["all"] }),
            400,
        ),
        ("GET", "/items?limit=many", Value::Null, 400),
    ] {
        let answer = scene.call(&admin, method, path, body).await;
        assert_eq!(
            answer.status.as_u16(),
            status,
            "{method} {path}: {}",
            answer.text
        );
        assert_eq!(
            answer.header("content-type"),
            "application/problem+json",
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_numbers_are_for_administrators() {
    let scene = Scene::new();
    let admin = scene.admin().await;
    let (_, full) = scene.key("full", Preset::Full.scopes()).await;
    scene
        .tool(&admin, "skills", json!({ "action": "list" }))
        .await;
    let refused = scene
        .send(scene.request("GET", "/metrics", Some(&full)), "")
        .await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let numbers = scene
        .send(scene.request("GET", "/metrics", Some(&admin)), "")
        .await;
    assert!(numbers.text.contains("tool=\"skills\""), "{}", numbers.text);
}
