//! `imprint clients` and `imprint doctor`, on machines where one thing or another is amiss.

use std::fs;

use serde_json::{Value, json};

use super::User;

/// A user of Claude Code, with the program where its entry says.
fn connected() -> User {
    let user = User::new();
    user.create("tea");
    fs::create_dir_all(user.path(".claude")).unwrap();
    user.ok(&["write"]);
    user.ok(&["connect", "claude-code"]);
    user
}

/// Writes an entry for Claude Code.
fn connect(user: &User, command: &str, args: &[&str]) {
    let home = user.path("imprint");
    let config = json!({"mcpServers": {
        "files": {"command": "npx", "args": ["files"]},
        "imprint": {"type": "stdio", "command": command, "args": args, "env": {"IMPRINT_HOME": home}},
    }});
    user.write(".claude.json", &format!("{config:#}\n"));
}

/// What `doctor` finds, by kind; `[]` goes with exit code 0.
fn found(user: &User) -> Vec<String> {
    let output = user.run(&["doctor", "--json"]);
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = checked["findings"].as_array().unwrap();
    let to_be_mended = |finding: &&Value| finding["severity"] != "note";
    let mend = findings.iter().filter(to_be_mended).count();
    assert_eq!(
        output.status.code(),
        Some(i32::from(mend > 0)),
        "{checked:#}"
    );
    let id = |finding: &Value| finding["id"].as_str().unwrap().to_owned();
    findings.iter().map(id).collect()
}

#[test]
fn the_whole_way_is_checked_by_a_real_handshake() {
    let user = connected();
    let checked = user.json(&["doctor"]);
    assert_eq!(checked["findings"], json!([]));
    let answered = &checked["clients"][0]["handshakes"][0];
    assert_eq!(answered["left_out"], json!(["skill"]), "{checked:#}");
    assert_eq!(user.json(&["sessions"]), json!([]), "a check is no session");
    insta::assert_snapshot!(user.screen(&["doctor"]));
}

#[test]
fn every_client_that_is_connected_gets_what_it_should() {
    let user = User::new();
    user.create("tea");
    user.ok(&["guidelines", "add", "Answer in metric units."]);
    let clients = [
        ".claude", ".codex", ".cursor", ".cline", ".gemini", ".qwen", ".copilot",
    ];
    for folder in clients
        .into_iter()
        .chain([".config/opencode", ".config/goose"])
    {
        fs::create_dir_all(user.path(folder)).unwrap();
    }
    user.ok(&["write"]);
    user.ok(&["connect", "--all"]);
    let checked = user.json(&["doctor"]);
    let seen = checked["clients"].as_array().unwrap();
    assert!(seen.len() >= 8, "{checked:#}");
    for client in seen {
        assert_eq!(client["connected"], true, "{client:#}");
        assert_eq!(
            client["handshakes"].as_array().unwrap().len(),
            1,
            "{client:#}"
        );
    }
    user.ok(&["disconnect", "--all"]);
    assert!(
        found(&user)
            .iter()
            .all(|id| id == "not-connected" || id == "description-lost")
    );
}

#[test]
fn programs_that_are_not_this_one_are_shown_and_not_started() {
    let user = connected();
    let args = ["mcp", "--client", "claude-code"];
    connect(&user, "/gone/imprint", &args);
    assert_eq!(found(&user), ["missing-program"]);
    // Would leave a trace if it were started.
    let trace = user.path("started");
    let other = user.write(
        "other/imprint",
        &format!("#!/bin/sh\ntouch {}\n", trace.display()),
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    }
    connect(&user, other.to_str().unwrap(), &args);
    assert_eq!(found(&user), ["other-program"]);
    assert!(!trace.exists());
    connect(&user, "imprint", &args);
    assert_eq!(found(&user), ["relative-command"]);
    connect(
        &user,
        env!("CARGO_BIN_EXE_imprint"),
        &["mcp", "--client", "claude-code", "-vvv"],
    );
    assert_eq!(found(&user), ["other-arguments"]);
    connect(
        &user,
        env!("CARGO_BIN_EXE_imprint"),
        &["mcp", "--client", "codex"],
    );
    assert_eq!(found(&user), ["other-client-named", "other-arguments"]);
}

#[test]
fn damage_is_told_with_what_mends_it() {
    let user = connected();
    user.write(".claude.json", "{\n  \"mcpServers\": {,}\n}\n");
    user.write("imprint/config.toml", "folders = [oops\n");
    user.write("imprint/.imprint-written-abc.tmp", "");
    insta::assert_snapshot!(user.screen(&["doctor"]));
}

#[test]
fn an_entry_that_its_client_dropped_is_told_and_one_that_was_taken_out_is_not() {
    let user = connected();
    user.write(".claude.json", "{}\n");
    assert_eq!(found(&user), ["lost-entry"]);
    user.ok(&["connect", "claude-code"]);
    assert_eq!(found(&user), [""; 0]);
    user.ok(&["disconnect", "claude-code"]);
    assert_eq!(found(&user), ["not-connected"]);
}

#[test]
fn records_that_cannot_be_read_are_told_and_left_alone() {
    let user = connected();
    for (file, id) in [
        ("imprint/written.json", "no-pass"),
        ("imprint/connections.json", "damaged-record"),
        ("imprint/imprint.db", "damaged-database"),
    ] {
        let before = fs::read(user.path(file)).unwrap();
        user.write(file, "not what it should be");
        let ids = found(&user);
        assert!(ids.contains(&id.to_owned()), "{file}: {ids:?}");
        assert_eq!(user.read(file), "not what it should be");
        fs::write(user.path(file), before).unwrap();
    }
}

#[test]
fn copies_and_folders_that_are_not_as_they_should_be_are_told() {
    let user = connected();
    fs::write(
        user.path(".claude/skills/tea/SKILL.md"),
        "---\nname: tea\ndescription: Mine.\n---\nX\n",
    )
    .unwrap();
    assert_eq!(found(&user), ["edited-copy"]);
    fs::remove_dir_all(user.path(".claude/skills")).unwrap();
    assert!(found(&user).contains(&"not-written".to_owned()));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", user.path(".claude/skills")).unwrap();
        assert!(found(&user).contains(&"dangling-folder".to_owned()));
    }
}

#[test]
fn clients_are_shown_in_a_table_and_one_with_all_that_is_known() {
    let user = connected();
    fs::create_dir_all(user.path(".codex")).unwrap();
    insta::assert_snapshot!(user.screen(&["clients"]));
    let screen = user.screen(&["clients", "claude-code"]);
    insta::assert_snapshot!(screen.replace(env!("CARGO_BIN_EXE_imprint"), "[PROGRAM]"));
    insta::assert_snapshot!(user.screen(&["clients", "nobody"]));
    let all = user.json(&["clients", "--all"]);
    assert!(all.as_array().unwrap().len() >= 24);
}

#[test]
fn a_list_that_is_too_long_gets_more_room_with_a_yes() {
    let user = connected();
    for number in 0..40 {
        let description = "Times tea in one of its many ways, and says so. ".repeat(6);
        let name = format!("tea-{number}");
        user.ok(&["skills", "create", &name, "-d", &description, "-i", "Wait."]);
    }
    assert_eq!(found(&user), ["description-lost"]);
    let settings = user.write(".claude/settings.json", "{\n  \"model\": \"x\" \n}\n");
    insta::assert_snapshot!(user.screen(&["clients", "claude-code", "--more-room", "--dry-run"]));
    assert_eq!(user.fails(&["clients", "claude-code", "--more-room"]).0, 2);
    user.ok(&["clients", "claude-code", "--more-room", "--yes"]);
    let after = fs::read_to_string(&settings).unwrap();
    assert_eq!(
        after,
        "{\n  \"model\": \"x\",\n  \"skillListingBudgetFraction\": 0.1 \n}\n"
    );
    user.ok(&["clients", "claude-code", "--more-room", "--yes"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), after);
    assert_eq!(found(&user), [""; 0]);
}
