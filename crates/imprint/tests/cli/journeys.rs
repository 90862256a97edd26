//! Ways that a user goes through several commands.

use std::fs;

use super::{User, text};

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nDo it.\n")
}

/// What a command says to a person.
fn said(user: &User, args: &[&str]) -> String {
    let output = user.run(args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn what_was_imported_from_a_clients_folder_is_kept_current_there() {
    let user = User::new();
    let tea = ".claude/skills/tea/SKILL.md";
    user.write(tea, &skill("tea", "Times tea."));
    user.write(
        ".claude/skills/pot/SKILL.md",
        &skill("pot", "Pots: clay and glass."),
    );
    let reader = ".claude/agents/reader.md";
    user.write(reader, &skill("reader", "Reads."));
    let claude = user.path(".claude");
    let import = ["import", claude.to_str().unwrap(), "--yes"];
    let told = said(&user, &import);
    assert!(told.contains("Took in 2 skills and 1 persona"), "{told}");
    assert!(told.contains("keeps 3 copies"), "{told}");

    user.ok(&["skills", "edit", "tea", "-d", "Times green tea."]);
    assert!(user.read(tea).contains("Times green tea."));
    user.ok(&["personas", "edit", "reader", "-d", "Reads plans."]);
    assert!(user.read(reader).contains("Reads plans."));
    user.ok(&["skills", "disable", "tea"]);
    assert!(!user.path(tea).exists());

    // The header of one was mended: what stood there before is kept.
    assert!(
        user.read(".claude/skills/pot/SKILL.md")
            .contains("\"Pots: clay and glass.\"")
    );
    let originals: Vec<_> = fs::read_dir(user.path("imprint/originals"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("SKILL.md"))
        .collect();
    assert_eq!(
        fs::read_to_string(&originals[0]).unwrap(),
        skill("pot", "Pots: clay and glass.")
    );
}

#[test]
fn originals_can_be_left_and_looked_after_later() {
    let user = User::new();
    let reader = ".claude/agents/reader.md";
    user.write(reader, &skill("reader", "Reads."));
    let file = user.path(reader);
    let file = file.to_str().unwrap();
    user.ok(&["import", file, "--yes", "--leave-originals"]);
    let told = said(&user, &["personas", "edit", "reader", "-d", "Reads plans."]);
    assert!(told.contains("--on-collision replace"), "{told}");
    assert!(user.read(reader).contains("Reads."));

    user.ok(&["import", file, "--yes", "--on-collision", "replace"]);
    let told = said(&user, &["personas", "edit", "reader", "-d", "Reads plans."]);
    assert!(!told.contains("warning"), "{told}");
    assert!(user.read(reader).contains("Reads plans."));
}

#[test]
fn a_finding_in_an_import_is_accepted_with_a_reason() {
    let user = User::new();
    let secret = super::failures::token();
    user.write(
        "in/tea/SKILL.md",
        &format!("{}{secret}\n", skill("tea", "Tea.")),
    );
    let folder = user.path("in");
    let import = ["import", folder.to_str().unwrap(), "--yes", "--json"];
    let refused: serde_json::Value = serde_json::from_slice(&user.run(&import).stdout).unwrap();
    let finding = &refused["plan"]["skipped"][0]["findings"][0];
    let fingerprint = finding["fingerprint"].as_str().unwrap().to_owned();
    let mut accepted = import.to_vec();
    accepted.extend(["--accept", &fingerprint, "--reason", "revoked long ago"]);
    user.ok(&accepted);
    assert_eq!(user.json(&["skills", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_change_speaks_of_its_own_item_only() {
    let user = User::new();
    fs::create_dir_all(user.path(".codex")).unwrap();
    user.write(
        "reader.md",
        "---\nname: x\ndescription: Reads.\nmodel: sonnet\n---\nYou read.\n",
    );
    let file = user.path("reader.md");
    let create = [
        "personas",
        "create",
        "reader",
        "--from",
        file.to_str().unwrap(),
    ];
    let told = said(&user, &create);
    assert!(told.contains("Codex has no model `sonnet`"), "{told}");
    let told = said(&user, &["skills", "create", "read", "-d", "Reads."]);
    assert_eq!(told, "Created skill `read`; in ~/.agents/skills\n");
}

#[test]
fn doing_it_again_is_said_and_changes_nothing() {
    let user = User::new();
    user.create("tea");
    for (args, told) in [
        (&["skills", "enable", "tea"][..], "is active already"),
        (&["skills", "restore", "tea"], "is not removed"),
        (&["skills", "pin", "tea", "--off"], "is not pinned"),
        (&["skills", "rename", "tea", "tea"], "has this name already"),
    ] {
        let said = said(&user, args);
        assert!(said.contains(told), "{args:?}: {said}");
        assert_eq!(user.json(args)["changed"], false, "{args:?}");
    }
    user.ok(&["skills", "remove", "tea"]);
    let (code, message) = user.fails(&["skills", "disable", "tea"]);
    assert_eq!(code, 5);
    assert!(
        message.contains("`imprint skills restore tea`"),
        "{message}"
    );
}

#[test]
fn hints_name_the_noun() {
    let user = User::new();
    user.ok(&["personas", "create", "reader", "-d", "Reads."]);
    let (_, message) = user.fails(&["personas", "show", "reader", "--revision", "~3"]);
    assert!(
        message.contains("`imprint personas history reader`"),
        "{message}"
    );
    let (code, message) = user.fails(&["skills", "show", "reader"]);
    assert_eq!(code, 4);
    assert!(
        message.contains("`imprint personas show reader`"),
        "{message}"
    );
}

#[test]
fn a_file_with_a_header_replaces_the_header_too() {
    let user = User::new();
    user.create("tea");
    let whole = user.write("whole.md", &skill("tea", "Times all teas."));
    user.ok(&["skills", "edit", "tea", "--from", whole.to_str().unwrap()]);
    let shown = user.json(&["skills", "show", "tea"]);
    assert_eq!(shown["text"], skill("tea", "Times all teas."));
}

#[test]
fn only_a_client_with_folders_can_be_left_alone() {
    let user = User::new();
    let (code, message) = user.fails(&["config", "set", "folders.skip", "cursor,nobody"]);
    assert_eq!(code, 2);
    assert!(message.contains("`nobody`"), "{message}");
    user.ok(&["config", "set", "folders.skip", "cursor, cline"]);
    let value = user.json(&["config", "get", "folders.skip"]);
    assert_eq!(value, serde_json::json!(["cursor", "cline"]));
}
