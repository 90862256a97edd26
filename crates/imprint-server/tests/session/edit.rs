use std::sync::atomic::Ordering;

use imprint_core::{Author, ItemRef, ItemState, registry::RevisionRef};
use imprint_format::ItemKind;
use serde_json::{Value, json};

use crate::support::{Client, Scene};

/// The short revision that an answer names.
fn revision(answer: &str) -> String {
    let (_, after) = answer.split_once("revision ").expect("a revision");
    after.chars().take_while(char::is_ascii_hexdigit).collect()
}

async fn create(client: &mut Client, more: Value) -> String {
    let mut arguments = json!({ "action": "create", "name": "tidy-up", "description": "Tidies." });
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    client.call("skill_edit", arguments).await
}

#[tokio::test]
async fn an_item_is_made_read_and_changed() {
    let scene = Scene::new();
    let mut client = scene.connect("case-client").await;
    let made = create(
        &mut client,
        json!({ "instructions": "Sweep.", "files": { "a/b.md": "b" } }),
    )
    .await;
    let first = revision(&made);
    insta::assert_snapshot!(made.replace(&first, "REVISION"), @"
    Created the skill `tidy-up`, revision REVISION
    Clients get it over MCP
    ");
    assert_eq!(scene.folders.passes.load(Ordering::Relaxed), 1);
    let list = client.call("skills", json!({ "action": "list" })).await;
    assert!(list.contains("- skill tidy-up: Tidies."), "{list}");
    let edit = json!({
        "action": "edit", "name": "tidy-up", "instructions": "Sweep.\nDust.",
        "files": { "a/b.md": null, "c.md": "c" }, "expected_revision": first,
    });
    let edited = client.call("skill_edit", edit.clone()).await;
    let second = revision(&edited);
    insta::assert_snapshot!(edited.replace(&second, "REVISION"), @"
    Edited the skill `tidy-up`: it has revision REVISION now
    Clients get it over MCP
    ");
    let shown = client
        .call("skills", json!({ "action": "get", "name": "tidy-up" }))
        .await;
    assert!(
        shown.contains("Sweep.\nDust.") && shown.contains("c.md (1 byte)"),
        "{shown}"
    );
    assert!(!shown.contains("a/b.md"), "{shown}");

    let stale = client.call_wrong("skill_edit", edit).await;
    insta::assert_snapshot!(stale.replace(&second, "REVISION"), @r#"`tidy-up` has a newer revision, REVISION, than the one that this edit starts from. Nothing was changed. Read it again with skills(action="get", name="tidy-up"), make your change to that text, and call again with expected_revision="REVISION""#);
    let same = json!({ "action": "edit", "name": "tidy-up", "files": { "c.md": "c" } });
    let same = client.call("skill_edit", same).await;
    assert!(same.starts_with("Nothing differs"), "{same}");

    let history = scene
        .registry
        .history(&ItemRef::of(ItemKind::Skill, "tidy-up"), 0, 9)
        .await
        .unwrap();
    assert_eq!(history.len(), 2);
    let client_name = "case-client".to_owned();
    assert_eq!(
        history[0].author,
        Author::Agent {
            client: client_name
        }
    );
    assert_eq!(
        RevisionRef::Prefix(second),
        history[0].id.short().parse().unwrap()
    );
}

#[tokio::test]
async fn an_item_is_made_from_files() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let entry = "---\nname: from-files\ndescription: Given whole.\nlicense: MIT\n---\nText.\n";
    let made = json!({
        "action": "create", "name": "from-files", "files": { "SKILL.md": entry, "x/y.txt": "y" },
    });
    client.call("skill_edit", made).await;
    let shown = json!({ "action": "get", "name": "from-files", "path": "x/y.txt" });
    assert!(client.call("skills", shown).await.contains("\ny\n"));
    let persona = json!({
        "action": "create", "name": "critic", "kind": "persona", "description": "Finds faults.",
        "instructions": "Be strict.", "state": "active", "expected_revision": "",
    });
    let made = client.call("skill_edit", persona).await;
    assert!(made.starts_with("Created the persona `critic`"), "{made}");
}

#[tokio::test]
async fn states_change_and_removing_is_refused() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    create(&mut client, json!({})).await;
    let state = |state: &str| json!({ "action": "edit", "name": "tidy-up", "state": state });
    let off = client.call("skill_edit", state("disabled")).await;
    assert_eq!(off, "The skill `tidy-up` is disabled");
    client
        .call_wrong("skills", json!({ "action": "get", "name": "tidy-up" }))
        .await;
    let told = client.call_wrong("skill_edit", state("removed")).await;
    insta::assert_snapshot!(told, @r#"`state` can't be `removed`; it is `active` or `disabled`. Removing stays with the user, who can do it at the command line; state="disabled" takes `tidy-up` out of use"#);
    let mut both = state("active");
    both["description"] = json!("Tidies well.");
    let on = client.call("skill_edit", both).await;
    assert!(on.contains("The skill `tidy-up` is active"), "{on}");
    client
        .call("skills", json!({ "action": "get", "name": "tidy-up" }))
        .await;
    let item = ItemRef::of(ItemKind::Skill, "tidy-up");
    scene
        .registry
        .set_state(&item, ItemState::Removed)
        .await
        .unwrap();
    let told = client.call_wrong("skill_edit", state("active")).await;
    assert!(told.contains("tidy-up"), "{told}");
}

#[tokio::test]
async fn a_change_is_kept_when_the_folders_cannot_be_written() {
    let scene = Scene::new();
    scene.folders.failing.store(true, Ordering::Relaxed);
    let mut client = scene.connect("case").await;
    let made = create(&mut client, json!({})).await;
    insta::assert_snapshot!(made.replace(&revision(&made), "REVISION"), @"
    Created the skill `tidy-up`, revision REVISION
    It is kept, but the clients' folders could not be written: the folder is locked; the next writing pass brings it there
    ");
    let shown = client
        .call("skills", json!({ "action": "get", "name": "tidy-up" }))
        .await;
    assert!(shown.contains("tidy-up"));
}

#[tokio::test]
async fn wrong_calls_are_told_the_right_ones() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let made = create(&mut client, json!({})).await;
    let entry = "---\nname: other\n---\nText.\n";
    let mut told = Vec::new();
    for arguments in [
        json!({}),
        json!({ "action": "create" }),
        json!({ "action": "create", "name": "no-description" }),
        json!({ "action": "create", "name": "Très Bien!", "description": "x" }),
        json!({ "action": "create", "name": "漢", "description": "x" }),
        json!({ "action": "create", "name": "tidy-up", "description": "x" }),
        json!({ "action": "create", "name": "long", "description": "x".repeat(1_025) }),
        json!({ "action": "create", "name": "off", "description": "x", "state": "disabled" }),
        json!({ "action": "create", "name": "gap", "description": "x", "files": { "a": null } }),
        json!({ "action": "create", "name": "up", "description": "x", "files": { "../a": "x" } }),
        json!({ "action": "create", "name": "two", "description": "x", "files": { "SKILL.md": entry } }),
        json!({ "action": "create", "name": "bad", "files": { "SKILL.md": entry } }),
        json!({ "action": "create", "name": "list", "description": ["x"] }),
        json!({ "action": "edit", "name": "tidy-up" }),
        json!({ "action": "edit", "name": "tidy-up", "instructions": " " }),
        json!({ "action": "edit", "name": "tidy-up", "files": { "a": 5 } }),
        json!({ "action": "edit", "name": "tidy-up", "files": { "SKILL.md": null } }),
        json!({ "action": "edit", "name": "tidy-up", "state": "paused" }),
        json!({ "action": "edit", "name": "tidy-up", "state": "active", "expected_revision": "zz" }),
        json!({ "action": "edit", "name": "tidyup", "description": "x" }),
    ] {
        told.push(client.call_wrong("skill_edit", arguments).await);
    }
    let told = told.join("\n").replace(&revision(&made), "REVISION");
    insta::assert_snapshot!(told, @r#"
    `action` is missing: `create` or `edit`
    `name` is missing: lower-case letters, digits and hyphens
    `description` is missing: what it does and when to use it
    `name` can't be that: a name has only lower-case letters a to z, digits and hyphens, not 'T'. Use `tres-bien`, or another
    `name` can't be that: a name has only lower-case letters a to z, digits and hyphens, not '漢'. Use English words with hyphens between them
    there is already a skill called `tidy-up`. Change that one with action="edit", or choose another name
    a description has at most 1024 characters, this one has 1025. Nothing was kept; mend it and call again
    `state` is for action="edit": a new item is active. Create it, then edit its state
    `files` takes out `a`, and a new item has nothing to take out
    `files["../a"]`: the path leaves the item's folder or holds `.` or an empty component
    `files` holds SKILL.md, which says all of it. Give either that, or `description` and `instructions`
    the SKILL.md breaks the rules. Nothing was kept; mend this and call again:
    - line 2: the name is `other`, but its folder or file is called `bad` (give both the same name)
    - there is no `description` (say in one or two sentences what it does and when to use it)
    `description` must be text, not a list
    nothing is to change. Give `description`, `instructions`, `files` or `state`
    `instructions` is empty. Leave it out to keep what stands there
    `files["a"]` must be text, or null to take it out, not a number
    there is no SKILL.md. Nothing was changed; mend it and call again
    `state` can't be `paused`; it is `active` or `disabled`
    `expected_revision` must be a revision's id, or at least its first 4 digits
    there is no item called `tidyup`. Is it `tidy-up`? skills(action="list") gives all names
    "#);
    assert_eq!(scene.folders.passes.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_credential_is_refused_and_stands_nowhere() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let value = ["gh", "p_", "vT7kQz2mXw9", "RbN4cLd8YhJ5", "sGf3PaUe6KtM1"].concat();
    let arguments = json!({
        "action": "create", "name": "leaky", "description": "Deploys.",
        "instructions": format!("First\nuse {value} to log in."),
    });
    let told = client.call_wrong("skill_edit", arguments).await;
    assert!(!told.contains(&value[4..]), "{told}");
    assert!(told.contains("SKILL.md, line"), "{told}");
    let list = client.call("skills", json!({ "action": "list" })).await;
    assert!(!list.contains("leaky"));
}
