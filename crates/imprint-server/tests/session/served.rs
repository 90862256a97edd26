use std::time::Duration;

use imprint_core::{
    Author, ItemRef, ItemState,
    registry::{ItemEdit, NewItem},
};
use imprint_format::{Bundle, Digest, ItemKind};
use serde_json::{Value, json};

use crate::support::{Client, Scene, modern};

async fn furnished() -> Scene {
    let scene = Scene::new();
    let files: &[(&str, &[u8])] = &[
        ("references/a b.md", "# Ü\n".as_bytes()),
        ("references/deep/x", b"plain"),
        ("logo.png", b"\x89PNG\r\n\x1a\n\0"),
    ];
    scene
        .keep_with(ItemKind::Skill, "deploy", "Ship it.", files)
        .await;
    scene
        .keep(ItemKind::Persona, "critic", "Find faults.")
        .await;
    scene.keep(ItemKind::Guideline, "plain", "Be plain.").await;
    scene
}

async fn ask(client: &mut Client, method: &str, params: Value) -> Value {
    client.ask(method, modern("case", params)).await
}

/// The bytes that a content stands for.
fn bytes_of(content: &Value) -> Vec<u8> {
    if let Value::String(text) = &content["text"] {
        return text.clone().into_bytes();
    }
    assert_eq!(content["blob"], "iVBORw0KGgoA", "{content}");
    b"\x89PNG\r\n\x1a\n\0".to_vec()
}

#[tokio::test]
async fn every_listed_file_is_served_with_its_digest_and_size() {
    let mut client = furnished().await.open();
    let listed = ask(&mut client, "skills/list", json!({})).await;
    assert_eq!(listed["resultType"], "complete");
    assert_eq!(listed["cacheScope"], "private");
    assert!(listed["ttlMs"].is_u64() && listed.get("nextCursor").is_none());
    let info = &listed["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "imprint");
    let uris: Vec<_> = listed["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["uri"].as_str().unwrap())
        .collect();
    assert_eq!(
        uris,
        [
            "skill://skills/deploy/SKILL.md",
            "skill://personas/critic/SKILL.md"
        ]
    );
    for skill in listed["skills"].as_array().unwrap() {
        for file in skill["resources"].as_array().unwrap() {
            let uri = file["uri"].clone();
            let read = ask(&mut client, "resources/read", json!({ "uri": uri })).await;
            let content = &read["contents"][0];
            assert_eq!(content["uri"], uri);
            let bytes = bytes_of(content);
            assert_eq!(file["size"], bytes.len());
            let digest = format!("sha256:{}", Digest::of(&bytes));
            assert_eq!(file["digest"], digest, "{uri}");
        }
        let params = json!({ "uri": skill["uri"] });
        let got = ask(&mut client, "skills/get", params).await;
        assert_eq!(&got["skill"], skill);
    }
    let front_matter = &listed["skills"][0]["frontmatter"];
    assert_eq!(
        *front_matter,
        json!({ "name": "deploy", "description": "What deploy is for." })
    );
    client.hang_up().await;
}

#[tokio::test]
async fn a_persona_says_that_it_is_a_role() {
    let mut client = furnished().await.open();
    let uri = json!({ "uri": "skill://personas/critic/SKILL.md" });
    let read = ask(&mut client, "resources/read", uri).await;
    let content = &read["contents"][0];
    assert_eq!(content["mimeType"], "text/markdown");
    insta::assert_snapshot!(content["text"].as_str().unwrap(), @r#"
    ---
    name: critic
    description: What critic is for.
    ---

    This is a role, not a task: take it on yourself, or hand it to a subagent as its instructions.

    Find faults.
    "#);
    client.hang_up().await;
}

#[tokio::test]
async fn folders_are_read_level_by_level() {
    let mut client = furnished().await.connect("case").await;
    let mut children = async |uri: &str| {
        let read = client
            .ask("resources/directory/read", json!({ "uri": uri }))
            .await;
        assert!(read.get("resultType").is_none() && read.get("ttlMs").is_none());
        let lines = read["resources"].as_array().unwrap().iter().map(|child| {
            let text = |key: &str| child[key].as_str().unwrap_or("-").to_owned();
            format!("{} | {} | {}", text("uri"), text("name"), text("mimeType"))
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let levels = [
        children("skill://skills").await,
        children("skill://personas").await,
        children("skill://skills/deploy").await,
        children("skill://skills/deploy/references").await,
        children("skill://personas/critic").await,
    ];
    insta::assert_snapshot!(levels.join("\n\n"), @"
    skill://skills/deploy | deploy | inode/directory

    skill://personas/critic | critic | inode/directory

    skill://skills/deploy/SKILL.md | deploy | text/markdown
    skill://skills/deploy/logo.png | logo.png | image/png
    skill://skills/deploy/references | references | inode/directory

    skill://skills/deploy/references/a%20b.md | a b.md | text/markdown
    skill://skills/deploy/references/deep | deep | inode/directory

    skill://personas/critic/SKILL.md | critic | text/markdown
    ");
    for (uri, code) in [
        ("skill://skills/none", -32602),
        ("skill://skills/deploy/none", -32602),
        ("skill://skills/deploy/SKILL.md", -32602),
        ("skill://skills/deploy/../critic", -32602),
        ("skill://guidelines", -32602),
    ] {
        let params = json!({ "uri": uri });
        let refused = client.ask_wrong("resources/directory/read", params).await;
        assert_eq!(refused.0, code, "{uri}");
    }
    client.hang_up().await;
}

#[tokio::test]
async fn what_is_not_there_is_refused_in_each_eras_words() {
    let mut client = furnished().await.connect("case").await;
    for uri in [
        "skill://skills/none/SKILL.md",
        "skill://skills/deploy/none.md",
        "skill://skills/deploy",
        "skill://personas/critic/PERSONA.md",
        "skill://guidelines/plain/GUIDELINE.md",
        "file:///etc/passwd",
        "",
    ] {
        let params = json!({ "uri": uri });
        let legacy = client.ask_wrong("resources/read", params.clone()).await;
        assert_eq!(legacy.0, -32002, "{uri}");
        let now = client
            .ask_wrong("resources/read", modern("case", params.clone()))
            .await;
        assert_eq!(now.0, -32602, "{uri}");
        let get = client.ask_wrong("skills/get", modern("case", params)).await;
        assert_eq!(get.0, -32602, "{uri}");
    }
    // The one spelling that was given out, and no other.
    let respelled = json!({ "uri": "skill://skills/d%65ploy/SKILL.md" });
    assert_eq!(client.ask_wrong("skills/get", respelled).await.0, -32602);
    for method in ["skills/list", "resources/list"] {
        let cursor = json!({ "cursor": "made-up" });
        assert_eq!(client.ask_wrong(method, cursor).await.0, -32602);
    }
    client.hang_up().await;
}

#[tokio::test]
async fn only_what_is_active_and_allowed_is_served_and_what_is_hidden_only_by_name() {
    let scene = furnished().await;
    let off = scene.keep(ItemKind::Skill, "off", "x").await;
    scene
        .registry
        .set_state(&ItemRef::from(&off), ItemState::Disabled)
        .await
        .unwrap();
    for (name, header) in [
        (
            "hidden",
            "name: hidden\ndescription: x\ndisable-model-invocation: true",
        ),
        ("42", "name: 42\ndescription: A number for readers of YAML."),
    ] {
        let text = format!("---\n{header}\n---\nText.\n");
        let bundle = Bundle::of_entry(ItemKind::Skill, &text).unwrap();
        let new = NewItem::Files { name: None, bundle };
        let kept = scene.registry.create(&Author::User, new).await.unwrap();
        assert_eq!(kept.name.as_str(), name);
    }
    let mut client = scene.connect("case").await;
    let listed = client.ask("skills/list", json!({})).await;
    assert_eq!(listed["skills"].as_array().unwrap().len(), 2, "{listed}");
    for (name, is_served) in [("hidden", true), ("42", false), ("off", false)] {
        let params = json!({ "uri": format!("skill://skills/{name}/SKILL.md") });
        if is_served {
            client.ask("skills/get", params).await;
        } else {
            assert_eq!(client.ask_wrong("skills/get", params).await.0, -32602);
        }
    }
    let resources = client.ask("resources/list", json!({})).await;
    assert_eq!(resources["resources"].as_array().unwrap().len(), 2);
    let templates = client.ask("resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 2);
    client.hang_up().await;
}

#[tokio::test]
async fn a_long_list_comes_in_pages_that_hold_under_changes() {
    let scene = Scene::new();
    for number in 0..120 {
        let name = format!("skill-{number:03}");
        scene.keep(ItemKind::Skill, &name, "x").await;
    }
    let mut client = scene.connect("case").await;
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = client.ask("skills/list", json!({ "cursor": cursor })).await;
        let names = page["skills"].as_array().unwrap().iter();
        seen.extend(names.map(|skill| skill["frontmatter"]["name"].clone()));
        match &page["nextCursor"] {
            Value::Null => break,
            next => cursor = next.clone(),
        }
        // What comes and goes before the cursor moves nothing behind it.
        let name = format!("a-{}", seen.len());
        scene.keep(ItemKind::Skill, &name, "x").await;
    }
    assert_eq!(seen.len(), 120);
    assert!(seen.is_sorted_by(|a, b| a.as_str() < b.as_str()));
    client.hang_up().await;
}

/// The next message, which must come soon.
async fn news(client: &mut Client) -> Value {
    let heard = tokio::time::timeout(Duration::from_secs(20), client.hear()).await;
    heard.expect("news")
}

#[tokio::test]
async fn a_subscription_tells_of_changes_by_anyone_until_it_is_cancelled() {
    let scene = Scene::new();
    let mut client = scene.open();
    let wanted = json!({ "notifications": {
        "toolsListChanged": true, "resourcesListChanged": true, "promptsListChanged": true,
    } });
    let listen = json!({
        "jsonrpc": "2.0", "id": "s", "method": "subscriptions/listen",
        "params": modern("case", wanted),
    });
    client.send(&listen).await;
    let acknowledged = news(&mut client).await;
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({ "toolsListChanged": true, "resourcesListChanged": true })
    );
    scene.keep(ItemKind::Skill, "new-one", "x").await;
    let mut told = [news(&mut client).await, news(&mut client).await];
    told.sort_by_key(|message| message["method"].to_string());
    for (message, list) in told.iter().zip(["resources", "tools"]) {
        assert_eq!(
            message["method"],
            format!("notifications/{list}/list_changed")
        );
        let meta = &message["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], "s");
    }
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "s" },
    });
    client.send(&cancel).await;
    ask(&mut client, "skills/list", json!({})).await;
    client.hang_up().await;
}

#[tokio::test]
async fn the_end_of_input_ends_open_subscriptions() {
    let mut client = Scene::new().open();
    let params = modern(
        "case",
        json!({ "notifications": { "toolsListChanged": true } }),
    );
    let listen = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params,
    });
    client.send(&listen).await;
    news(&mut client).await;
    let begun = std::time::Instant::now();
    assert_eq!(client.hang_up().await, [] as [Value; 0]);
    assert!(begun.elapsed() < Duration::from_secs(1), "{begun:?}");
}

#[tokio::test]
async fn a_client_of_the_older_era_is_told_of_what_really_changed_for_it() {
    let scene = furnished().await;
    // Its list of tools names no items.
    let mut client = scene.connect("folder-reader").await;
    let item = ItemRef::of(ItemKind::Skill, "deploy");
    let mut heard = None;
    // When the server looks at its lists for the first time, nobody outside can tell.
    for round in 0..100 {
        let edit = ItemEdit {
            instructions: Some(format!("Ship it {round} times.")),
            ..ItemEdit::default()
        };
        let edited = scene.registry.edit(&Author::User, &item, edit).await;
        edited.unwrap();
        let soon = tokio::time::timeout(Duration::from_secs(1), client.hear());
        if let Ok(message) = soon.await {
            heard = Some(message);
            break;
        }
    }
    let message = heard.expect("news");
    assert_eq!(message["method"], "notifications/resources/list_changed");
    assert!(message.get("id").is_none());
    client.hang_up().await;
}
