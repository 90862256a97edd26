use imprint_core::ItemFilter;
use serde_json::{Value, json};

use crate::support::{Scene, handshake};

const MIB: usize = 1024 * 1024;

#[tokio::test]
async fn damaged_lines_are_answered_and_the_next_is_served() {
    let mut client = Scene::new().connect("case").await;
    for (line, id, code) in [
        (
            &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\n"[..],
            Value::Null,
            -32700,
        ),
        (b"\xff\xfe{\"jsonrpc\"\n", Value::Null, -32700),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
            Value::Null,
            -32600,
        ),
        (b"{\"id\":7,\"method\":\"ping\"}\n", json!(7), -32600),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/list\",\"params\":[1]}\n",
            json!(8),
            -32602,
        ),
    ] {
        client.send_bytes(line).await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code))
        );
        client.ask("ping", json!({})).await;
    }
    assert!(client.hang_up().await.is_empty());
}

#[tokio::test]
async fn chunks_and_line_ends_make_no_difference() {
    let mut client = Scene::new().open();
    let text = format!(
        "\u{feff}{}\r\n\r\n\n{}\n{}\r\n",
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": handshake("漢", "2025-11-25") }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": "ü漢😀", "method": "ping", "params": null }),
    );
    for byte in text.as_bytes() {
        client.send_bytes(&[*byte]).await;
    }
    assert_eq!(client.hear().await["id"], 0);
    assert_eq!(client.hear().await["id"], "ü漢😀");
    assert!(client.hang_up().await.is_empty());
}

#[tokio::test]
async fn what_has_no_id_is_neither_answered_nor_carried_out() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let arguments = json!({ "action": "create", "name": "ghost", "description": "Not to be." });
    for message in [
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "skill_edit", "arguments": arguments } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/nobody/knows", "params": { "x": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 0 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": { } } }),
        json!({ "jsonrpc": "2.0", "id": 3, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 3, "error": { "code": 1, "message": "no" } }),
    ] {
        client.send(&message).await;
    }
    client.ask("ping", json!({})).await;
    assert!(client.hang_up().await.is_empty());
    let registry = &scene.registry;
    let items = registry
        .store()
        .items(registry.owner(), &ItemFilter::default())
        .await;
    assert!(items.unwrap().is_empty());
}

#[tokio::test]
async fn notifications_and_answers_before_a_handshake_end_nothing() {
    let mut client = Scene::new().open();
    client
        .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
        .await;
    client
        .send(&json!({ "jsonrpc": "2.0", "id": 9, "result": {} }))
        .await;
    client.ask("ping", json!({})).await;
    assert_eq!(client.ask_wrong("tools/list", json!({})).await.0, -32602);
    client.shake_hands("case").await;
    client.hang_up().await;
}

#[tokio::test]
async fn many_requests_in_one_write_are_all_answered_also_those_of_one_id() {
    let mut client = Scene::new().open();
    let mut lines = format!(
        "{}\n",
        json!({ "jsonrpc": "2.0", "id": "first", "method": "initialize", "params": handshake("case", "2025-11-25") })
    );
    for round in 0..300 {
        let list = json!({ "jsonrpc": "2.0", "id": round % 100, "method": "tools/list" });
        lines.extend([list.to_string(), "\n".to_owned()]);
    }
    client.send_bytes(lines.as_bytes()).await;
    // The answers don't fit into the pipe together, so each waits until it is read.
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..301 {
        let answer = client.hear().await;
        assert!(answer["result"].is_object(), "{answer}");
        *counts.entry(answer["id"].to_string()).or_insert(0) += 1;
    }
    assert!(
        counts
            .iter()
            .all(|(id, count)| *count == if id == "\"first\"" { 1 } else { 3 })
    );
    assert!(client.hang_up().await.is_empty());
}

#[tokio::test]
async fn four_mebibytes_are_served_and_what_is_beyond_the_cap_is_refused() {
    let mut client = Scene::new().connect("case").await;
    client
        .ask("ping", json!({ "padding": "x".repeat(4 * MIB) }))
        .await;
    for _ in 0..20 {
        client.send_bytes(&vec![b'x'; MIB]).await;
    }
    client.send_bytes(b"\n").await;
    let answer = client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(-32700))
    );
    client.ask("ping", json!({})).await;
    assert!(client.hang_up().await.is_empty());
}

#[tokio::test]
async fn the_end_of_input_ends_the_session_after_the_last_answers() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let arguments = json!({ "action": "create", "name": "late", "description": "In time." });
    client
        .send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "skill_edit", "arguments": arguments } }))
        .await;
    // A message without a line end is one all the same when it is whole.
    client
        .send_bytes(br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        .await;
    let rest = client.hang_up().await;
    let mut ids: Vec<_> = rest
        .iter()
        .map(|answer| answer["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
    let registry = &scene.registry;
    let items = registry
        .store()
        .items(registry.owner(), &ItemFilter::default())
        .await;
    assert_eq!(items.unwrap().len(), 1);
    let mut cut_off = scene.open();
    cut_off.send_bytes(br#"{"jsonrpc":"2.0","id":2,"met"#).await;
    let rest = cut_off.hang_up().await;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["error"]["code"], -32700);
    assert!(scene.open().hang_up().await.is_empty());
}
