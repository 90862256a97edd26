use std::sync::atomic::Ordering;

use imprint_format::ItemKind;
use serde_json::{Value, json};

use crate::support::{Scene, handshake, modern};

async fn furnished() -> Scene {
    let scene = Scene::new();
    scene
        .keep(ItemKind::Skill, "release-notes", "Write them.")
        .await;
    scene
        .keep(ItemKind::Persona, "critic", "Find faults.")
        .await;
    scene
        .keep(ItemKind::Guideline, "plain-words", "Write in plain words.")
        .await;
    scene
}

fn capabilities() -> Value {
    json!({
        "extensions": { "io.modelcontextprotocol/skills": { "directoryRead": true } },
        "resources": { "listChanged": true },
        "tools": { "listChanged": true },
    })
}

#[tokio::test]
async fn initialize_agrees_on_a_version_that_has_it() {
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Scene::new().open();
        let result = client.ask("initialize", handshake("case", asked)).await;
        assert_eq!(result["protocolVersion"], agreed, "{asked}");
        assert_eq!(
            result["serverInfo"],
            json!({ "name": "imprint", "title": "Imprint", "version": "1.2.3" })
        );
        assert_eq!(result["capabilities"], capabilities());
        assert!(result.get("resultType").is_none() && result.get("ttlMs").is_none());
        client.hang_up().await;
    }
    let mut client = Scene::new().open();
    let result = client
        .ask("initialize", json!({ "clientInfo": { "name": "gap" } }))
        .await;
    assert_eq!(result["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn both_eras_get_the_same_instructions() {
    let scene = furnished().await;
    let mut client = scene.open();
    let discovered = client
        .ask("server/discover", modern("case", json!({})))
        .await;
    let agreed = client
        .ask("initialize", handshake("case", "2025-11-25"))
        .await;
    assert_eq!(discovered["instructions"], agreed["instructions"]);
    assert_eq!(discovered["resultType"], "complete");
    assert_eq!(discovered["cacheScope"], "private");
    assert_eq!(discovered["ttlMs"], 5_000);
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")));
    let info = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "imprint");
    let instructions = agreed["instructions"].as_str().unwrap();
    for part in [
        "skill release-notes:",
        "persona critic:",
        "Write in plain words.",
    ] {
        assert!(instructions.contains(part), "{instructions}");
    }
    client.hang_up().await;
}

#[tokio::test]
async fn nothing_is_said_of_items_where_there_are_none() {
    let scene = Scene::new();
    let mut client = scene.open();
    let agreed = client.shake_hands("case").await;
    insta::assert_snapshot!(agreed["instructions"].as_str().unwrap(), @r#"Imprint keeps this user's own skills and personas: the tool skills(action="list") gives them. Before you start a task, load the one that fits it with skills(action="get", name=…). Save new ones with skill_edit."#);
    client.hang_up().await;
    assert!(!scene.registry.store().exists().await.unwrap());
}

#[tokio::test]
async fn what_a_client_reads_from_folders_is_left_out() {
    let scene = furnished().await;
    scene.folders.placed.store(true, Ordering::Relaxed);
    let instructions = |agreed: Value| agreed["instructions"].as_str().unwrap().to_owned();
    let mut reader = scene.open();
    let text = instructions(reader.shake_hands("folder-reader").await);
    assert!(
        !text.contains("skill release-notes:") && text.contains("persona critic:"),
        "{text}"
    );
    let mut other = scene.open();
    let text = instructions(other.shake_hands("other").await);
    assert!(text.contains("skill release-notes:"), "{text}");
    // What the entry names chooses limits, but leaves nothing out.
    let mut named = scene.clone();
    named.named = Some("folder-reader".to_owned());
    let text = instructions(named.open().shake_hands("mcp").await);
    assert!(text.contains("skill release-notes:"), "{text}");
}

#[tokio::test]
async fn modern_requests_are_fitted_each_to_its_own_client() {
    let scene = furnished().await;
    let mut client = scene.connect("other").await;
    let tools = client.ask("tools/list", modern("small", json!({}))).await;
    let description = tools["tools"][0]["description"].as_str().unwrap();
    assert!(description.contains("What critic is for."), "{description}");
    assert_eq!(tools["resultType"], "complete");
    assert_eq!(tools["cacheScope"], "private");
    assert!(tools["ttlMs"].is_u64());
    assert!(tools["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    let called = client
        .ask(
            "tools/call",
            modern("small", json!({ "name": "guidelines" })),
        )
        .await;
    assert_eq!(called["resultType"], "complete");
    assert!(called["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    let legacy = client.ask("tools/list", json!({})).await;
    let description = legacy["tools"][0]["description"].as_str().unwrap();
    assert!(description.contains("critic") && !description.contains("What critic is for."));
    assert!(legacy.get("ttlMs").is_none() && legacy.get("_meta").is_none());
    client.hang_up().await;
}

#[tokio::test]
async fn both_eras_stand_side_by_side_in_any_order() {
    let mut client = Scene::new().open();
    client.ask("tools/list", modern("case", json!({}))).await;
    client.ask("ping", json!({})).await;
    assert_eq!(client.ask_wrong("tools/list", json!({})).await.0, -32602);
    client.shake_hands("case").await;
    client.ask("tools/list", json!({})).await;
    client.ask("tools/list", modern("case", json!({}))).await;
    client.shake_hands("case").await;
    client.ask("ping", json!({})).await;
    client.hang_up().await;
}

#[tokio::test]
async fn faulty_metadata_and_what_an_era_lacks_are_refused() {
    let mut client = Scene::new().open();
    assert_eq!(
        client.ask_wrong("server/discover", json!({})).await.0,
        -32602
    );
    let version = "io.modelcontextprotocol/protocolVersion";
    let half = json!({ "_meta": { version: "2026-07-28" } });
    assert_eq!(client.ask_wrong("server/discover", half).await.0, -32602);
    let mut future = modern("case", json!({}));
    future["_meta"][version] = json!("2099-01-01");
    assert_eq!(client.ask_wrong("server/discover", future).await.0, -32022);
    for method in ["ping", "resources/subscribe", "no/such", "prompts/list"] {
        let params = modern("case", json!({ "notifications": {} }));
        assert_eq!(client.ask_wrong(method, params).await.0, -32601, "{method}");
    }
    client.shake_hands("case").await;
    for method in ["no/such", "prompts/list", "subscriptions/listen"] {
        let params = json!({ "notifications": {} });
        assert_eq!(client.ask_wrong(method, params).await.0, -32601, "{method}");
    }
    let cursor = json!({ "cursor": "x" });
    assert_eq!(client.ask_wrong("tools/list", cursor).await.0, -32602);
    client.hang_up().await;
}

#[tokio::test]
async fn a_damaged_database_stops_no_handshake_and_is_told_by_the_tools() {
    let scene = Scene::broken();
    let mut client = scene.open();
    let agreed = client.shake_hands("case").await;
    let instructions = agreed["instructions"].as_str().unwrap();
    assert!(instructions.starts_with("Imprint keeps"), "{instructions}");
    client.ask("tools/list", json!({})).await;
    let told = client
        .call_wrong("skills", json!({ "action": "list" }))
        .await;
    let (before, after) = told.split_once("imprint.db").unwrap();
    assert!(before.starts_with("the database is damaged: "), "{told}");
    insta::assert_snapshot!(after, @": file is not a database. Tell the user: nothing is overwritten; a backup can take its place");
    client
        .call_wrong("skills", json!({ "action": "get", "name": "x" }))
        .await;
    client.call_wrong("guidelines", json!({})).await;
    client.hang_up().await;
}

#[tokio::test]
async fn the_tools_are_listed() {
    let mut client = Scene::new().connect("case").await;
    let tools = client.ask("tools/list", json!({})).await;
    let shown = serde_json::to_string_pretty(&tools["tools"]).unwrap();
    insta::assert_snapshot!(shown, @r#"
    [
      {
        "name": "skills",
        "title": "Skills and personas",
        "description": "Lists and loads the user's own skills (how to do a kind of task) and personas (roles to take on). action=\"list\" gives kind, name, description and state; with query, the best match first. action=\"get\" gives the instructions of one by name; with path, another of its files; start continues a long answer. Before you start a task, load the one whose description fits it.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "action": {
              "type": "string",
              "enum": [
                "list",
                "get"
              ],
              "description": "list or get"
            },
            "name": {
              "type": "string",
              "description": "get: the item's name"
            },
            "kind": {
              "type": "string",
              "enum": [
                "skill",
                "persona"
              ],
              "description": "skill or persona; both if left out"
            },
            "path": {
              "type": "string",
              "description": "get: another of its files, or a folder of them"
            },
            "query": {
              "type": "string",
              "description": "list: what the task is about"
            },
            "start": {
              "type": "integer",
              "minimum": 0,
              "description": "next_start of the answer that this one continues"
            }
          },
          "required": [
            "action"
          ],
          "additionalProperties": false
        },
        "annotations": {
          "title": "Skills and personas",
          "readOnlyHint": true,
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false
        },
        "_meta": {
          "anthropic/alwaysLoad": true
        }
      },
      {
        "name": "skill_edit",
        "title": "Create or edit skills",
        "description": "Creates a skill or persona of the user, or changes one, for all of the user's AI clients. create: name, description (when to use it) and instructions, or files with a SKILL.md or PERSONA.md. edit: what is given is replaced, the rest stays. Every version is kept. Read an item with skills before you edit it. Removing is up to the user.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "action": {
              "type": "string",
              "enum": [
                "create",
                "edit"
              ],
              "description": "create or edit"
            },
            "name": {
              "type": "string",
              "description": "a-z, 0-9 and hyphens, at most 64 characters"
            },
            "kind": {
              "type": "string",
              "enum": [
                "skill",
                "persona"
              ],
              "description": "skill or persona; create: skill if left out"
            },
            "description": {
              "type": "string",
              "description": "What it does and when to use it, at most 1024 characters"
            },
            "instructions": {
              "type": "string",
              "description": "Markdown, without front matter"
            },
            "files": {
              "type": "object",
              "additionalProperties": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "description": "Other files by path: the text, or null to take it out"
            },
            "state": {
              "type": "string",
              "enum": [
                "active",
                "disabled"
              ],
              "description": "edit: active or disabled"
            },
            "expected_revision": {
              "type": "string",
              "description": "edit: refused if the item has another revision by now"
            }
          },
          "required": [
            "action",
            "name"
          ],
          "additionalProperties": false
        },
        "annotations": {
          "title": "Create or edit skills",
          "readOnlyHint": false,
          "destructiveHint": true,
          "idempotentHint": false,
          "openWorldHint": false
        }
      },
      {
        "name": "guidelines",
        "title": "Guidelines",
        "description": "The user's guidelines, whole: the rules that the user gives to all agents.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "start": {
              "type": "integer",
              "minimum": 0,
              "description": "next_start of the answer that this one continues"
            }
          },
          "additionalProperties": false
        },
        "annotations": {
          "title": "Guidelines",
          "readOnlyHint": true,
          "destructiveHint": false,
          "idempotentHint": true,
          "openWorldHint": false
        }
      }
    ]
    "#);
}
