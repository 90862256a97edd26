use imprint_core::{LogPosition, SessionRecord};
use imprint_format::ItemKind;
use serde_json::json;

use crate::support::{Scene, handshake, modern};

async fn sessions(scene: &Scene) -> Vec<SessionRecord> {
    let registry = &scene.registry;
    registry
        .store()
        .sessions(registry.owner(), 10)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_session_is_recorded_as_the_client_said_it() {
    let mut scene = Scene::new();
    scene.named = Some("small".to_owned());
    scene.keep(ItemKind::Skill, "tidy-up", "Sweep.").await;
    let mut client = scene.open();
    client.ask("ping", json!({})).await;
    let mut shake = handshake("evil\n\u{202e}name", "1999-01-01");
    shake["clientInfo"]["version"] = json!("9".repeat(300));
    client.ask("initialize", shake).await;
    for _ in 0..3 {
        client.call("skills", json!({ "action": "list" })).await;
    }
    client.hang_up().await;
    let [session] = &sessions(&scene).await[..] else {
        panic!("one session")
    };
    assert_eq!(session.client_name.as_deref(), Some("evil name"));
    assert_eq!(
        session.client_version.as_ref().unwrap().chars().count(),
        200
    );
    assert_eq!(session.named_client.as_deref(), Some("small"));
    assert_eq!(session.protocol, "2025-11-25");
    assert_eq!(session.transport, "stdio");
    assert_eq!(session.calls, 3);
    assert!(session.started_at < session.seen_at);
}

#[tokio::test]
async fn a_credential_that_a_client_says_is_recorded_nowhere_and_not_said_back() {
    let token = format!("{}{}", "gh", "p_Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12");
    let scene = Scene::new();
    scene.keep(ItemKind::Skill, "tidy-up", "Sweep.").await;
    let mut client = scene.open();
    let mut shake = handshake(&format!("client {token}"), "2025-06-18");
    shake["clientInfo"]["version"] = json!(token);
    client.ask("initialize", shake).await;
    let edit = json!({ "action": "edit", "name": "tidy-up", "instructions": "Sweep twice." });
    client.call("skill_edit", edit).await;
    for arguments in [
        json!({ "action": "get", "name": token }),
        json!({ "action": token }),
        json!({ "action": "get", "name": "tidy-up", "path": token }),
    ] {
        let told = client.call_wrong("skills", arguments).await;
        assert!(!told.contains(&token), "{told}");
    }
    let (_, told) = client
        .ask_wrong("tools/call", json!({ "name": token }))
        .await;
    assert!(!told.contains(&token), "{told}");
    client.hang_up().await;
    assert!(!format!("{:?}", sessions(&scene).await).contains(&token));
    let registry = &scene.registry;
    let log = registry
        .store()
        .records(registry.owner(), LogPosition(0), 50);
    assert!(!format!("{:?}", log.await.unwrap()).contains(&token));
}

#[tokio::test]
async fn a_client_that_only_calls_is_recorded_too() {
    let scene = Scene::new();
    scene.keep(ItemKind::Skill, "tidy-up", "Sweep.").await;
    let mut client = scene.open();
    let params = json!({ "name": "skills", "arguments": { "action": "list" } });
    client.ask("tools/call", modern("pinned", params)).await;
    client.hang_up().await;
    let recorded = sessions(&scene).await;
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].client_name.as_deref(), Some("pinned"));
    assert_eq!(recorded[0].protocol, "2026-07-28");
    assert_eq!(recorded[0].calls, 1);
}

#[tokio::test]
async fn nothing_is_recorded_where_nothing_is() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    client.call("skills", json!({ "action": "list" })).await;
    client.hang_up().await;
    assert!(sessions(&scene).await.is_empty());
    let mut silent = scene.open();
    silent.ask("ping", json!({})).await;
    silent.hang_up().await;
    assert!(!scene.registry.store().exists().await.unwrap());
}

#[tokio::test]
async fn loads_are_counted_once_for_each_reading() {
    let scene = Scene::new();
    scene
        .keep(ItemKind::Skill, "tidy-up", &"Sweep. ".repeat(4_000))
        .await;
    let mut client = scene.connect("case").await;
    for start in [0, 10_000, 0] {
        let get = json!({ "action": "get", "name": "tidy-up", "start": start });
        client.call("skills", get).await;
    }
    client.hang_up().await;
    let registry = &scene.registry;
    let items = registry
        .store()
        .items(registry.owner(), &imprint_core::ItemFilter::default())
        .await
        .unwrap();
    assert_eq!(items[0].loads, 2);
}
