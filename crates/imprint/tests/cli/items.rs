//! Items from creation to restoration.

use super::User;

#[test]
fn a_skill_lives_through_every_verb() {
    let user = User::new();
    user.create("tea");
    let file = ".agents/skills/tea/SKILL.md";
    assert!(user.read(file).contains("Do it well."));

    user.ok(&[
        "skills",
        "edit",
        "tea",
        "--description",
        "Times tea: green, black.",
    ]);
    assert!(user.read(file).contains("Times tea: green, black."));
    let diff = user.ok(&["skills", "diff", "tea"]);
    assert!(diff.contains("\n-description"), "{diff}");

    user.ok(&["skills", "disable", "tea"]);
    assert!(!user.path(file).exists());
    user.ok(&["skills", "enable", "tea"]);
    user.ok(&["skills", "rename", "tea", "green-tea"]);
    assert!(!user.path(file).exists());
    assert!(
        user.read(".agents/skills/green-tea/SKILL.md")
            .contains("name: green-tea")
    );

    user.ok(&["skills", "remove", "green-tea", "--yes"]);
    assert!(!user.path(".agents/skills/green-tea").exists());
    assert_eq!(user.json(&["skills", "list"]), serde_json::json!([]));
    assert_eq!(
        user.json(&["skills", "list", "--all"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    user.ok(&["skills", "restore", "green-tea"]);
    user.ok(&["skills", "restore", "green-tea", "--revision", "~2"]);
    let shown = user.json(&["skills", "show", "green-tea"]);
    assert_eq!(shown["item"]["description"], "Does tea.");
    let history = user.json(&["skills", "history", "green-tea"]);
    assert_eq!(history.as_array().unwrap().len(), 4);
}

#[test]
fn files_go_in_and_come_out_as_they_were() {
    let user = User::new();
    user.create("tea");
    let script = user.write("boil.sh", "#!/bin/sh\necho boil\n");
    make_executable(&script);
    let added = format!("{}=scripts/boil.sh", script.display());
    user.ok(&["skills", "files", "tea", "--add", &added]);
    let written = user.path(".agents/skills/tea/scripts/boil.sh");
    assert!(is_executable(&written));
    let printed = user.ok(&["skills", "files", "tea", "--print", "scripts/boil.sh"]);
    assert_eq!(printed, "#!/bin/sh\necho boil\n");

    let out = user.path("out");
    user.ok(&["skills", "export", "tea", "--to", out.to_str().unwrap()]);
    assert!(is_executable(&out.join("tea/scripts/boil.sh")));
    let (code, _) = user.fails(&["skills", "export", "tea", "--to", out.to_str().unwrap()]);
    assert_eq!(code, 5);

    let other = User::new();
    other.ok(&["import", out.to_str().unwrap(), "--yes"]);
    let tree = |user: &User| user.json(&["skills", "list"])[0]["tree"].clone();
    assert_eq!(tree(&other), tree(&user));
}

#[test]
fn a_text_comes_from_a_file_or_from_standard_input() {
    let user = User::new();
    let notes = user.write("notes.md", "Steep for three minutes.\n");
    let path = notes.to_str().unwrap();
    user.ok(&[
        "skills",
        "create",
        "tea",
        "-d",
        "Times tea.",
        "--from",
        path,
    ]);
    assert!(
        user.ok(&["skills", "show", "tea"])
            .contains("three minutes")
    );

    let whole = user.write(
        "whole.md",
        "---\nname: x\ndescription: Whole.\nlicense: MIT\n---\nBody\n",
    );
    user.ok(&[
        "personas",
        "create",
        "reader",
        "--from",
        whole.to_str().unwrap(),
    ]);
    let shown = user.json(&["personas", "show", "reader"]);
    let text = shown["text"].as_str().unwrap();
    assert_eq!(
        text,
        "---\nname: reader\ndescription: Whole.\nlicense: MIT\n---\nBody\n"
    );
}

#[test]
fn guidelines_are_named_by_their_words() {
    let user = User::new();
    user.ok(&["guidelines", "add", "Answer in metric units."]);
    user.ok(&["guidelines", "add", "Answer in metric units."]);
    let names: Vec<_> = user
        .json(&["guidelines", "list"])
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        ["answer-in-metric-units", "answer-in-metric-units-2"]
    );
    user.ok(&[
        "guidelines",
        "edit",
        "answer-in-metric-units-2",
        "Be brief.",
    ]);
    user.ok(&["guidelines", "remove", "answer-in-metric-units", "--yes"]);
    let rest = user.json(&["guidelines", "list"]);
    assert_eq!(rest[0]["description"], "Be brief.");
}

#[cfg(unix)]
fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn make_executable(_: &std::path::Path) {}

#[cfg(not(unix))]
fn is_executable(_: &std::path::Path) -> bool {
    true
}
