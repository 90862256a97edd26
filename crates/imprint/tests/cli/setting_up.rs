//! `imprint setup` as a person meets it: the plan, the table at the end, a second run, the way
//! back.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, UNIX_EPOCH},
};

use super::User;

/// Claude Code and Codex, with skills that are copied, that differ and that are broken.
fn user() -> User {
    let user = User::new();
    let put = |path: &str, name: &str, text: &str, day: u64| {
        let whole = format!("---\nname: {name}\ndescription: Does {name}.\n---\n\n{text}\n");
        let path = user.write(path, &whole);
        let file = fs::File::options().append(true).open(path).unwrap();
        let at = UNIX_EPOCH + Duration::from_secs(1_700_000_000 + day * 86_400);
        file.set_modified(at).unwrap();
    };
    put(".claude/skills/tea/SKILL.md", "tea", "Brew it.", 1);
    put(".codex/skills/tea/SKILL.md", "tea", "Brew it.", 1);
    put(".claude/skills/rice/SKILL.md", "rice", "Boil it.", 1);
    put(".codex/skills/rice/SKILL.md", "rice", "Steam it.", 9);
    put(".claude/agents/critic.md", "critic", "Judge.", 1);
    user.write(".codex/skills/odd/SKILL.md", "Nothing but text.\n");
    user.write(".claude.json", "{\n  \"theme\": \"dark\"\n}\n");
    user.write(".codex/config.toml", "# mine\nmodel = \"x\"\n");
    user
}

fn tree(top: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![top.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(top).unwrap().display().to_string();
            if path.is_dir() && name != "imprint" {
                open.push(path);
            } else if path.is_file() {
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn everything_is_in_each_client_once_and_goes_back() {
    let user = user();
    let before = tree(&user.path(""));
    insta::assert_snapshot!(steady(&user.screen(&["setup", "--dry-run"])));
    assert!(!user.path("imprint").exists());
    let (code, refused) = user.fails(&["setup"]);
    assert_eq!(code, 2);
    assert!(refused.contains("--yes"), "{refused}");

    let screen = user.screen(&["setup", "--yes"]);
    let end = screen.find("CLIENT  ").unwrap_or_default();
    insta::assert_snapshot!(steady(&screen[end..]));
    assert!(user.read(".claude.json").contains("\"imprint\""));
    assert!(user.read(".codex/config.toml").starts_with("# mine\n"));

    insta::assert_snapshot!(user.screen(&["setup", "--yes"]));
    insta::assert_snapshot!(user.screen(&["setup", "--undo", "--yes"]));
    assert_eq!(tree(&user.path("")), before);
    let (code, _) = user.fails(&["setup", "--undo", "--yes"]);
    assert_eq!(code, 4);
}

#[test]
fn scripts_get_the_plan_and_the_outcome() {
    let user = user();
    let planned = user.json(&["setup", "--dry-run", "--no-connect"]);
    assert_eq!(planned["plan"]["items"].as_array().unwrap().len(), 3);
    assert!(planned.get("outcome").is_none());
    let done = user.json(&["setup", "--yes", "--no-connect", "--prefer", "claude-code"]);
    assert_eq!(done["outcome"]["connected"], serde_json::json!([]));
    let after = &done["outcome"]["after"];
    for client in after.as_array().unwrap() {
        assert_eq!(client["skills"]["twice"], serde_json::json!([]), "{client}");
        assert_eq!(client["skills"]["missing"], serde_json::json!([]));
    }
    assert!(user.read(".agents/skills/rice/SKILL.md").contains("Boil"));
    assert!(!user.read(".claude.json").contains("imprint"));
    let undone = user.json(&["setup", "--undo", "--yes"]);
    assert_eq!(undone["report"]["kept"], serde_json::json!([]));
}

/// The name of the backup says when it was made, and the program is where it was built.
fn steady(screen: &str) -> String {
    let screen = screen.replace(env!("CARGO_BIN_EXE_imprint"), "/bin/imprint");
    let words = screen.split_inclusive(char::is_whitespace).map(|word| {
        match word.split_once("/backups/") {
            Some((before, _)) => format!("{before}/backups/<date>: "),
            None => word.to_owned(),
        }
    });
    words.collect()
}
