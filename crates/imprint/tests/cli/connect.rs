//! Connecting clients through their configuration files, and disconnecting them.

use std::fs;

use super::User;

const CLAUDE: &str = "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"notes\",\n      \"args\": [],\n      \"env\": {}\n    }\n  }\n}\n";
const CODEX: &str = "# mine\nmodel = \"gpt-5\" # fast\n\n[mcp_servers.docs]\ncommand = \"docs\"\n";

/// A user of Claude Code, Codex and Zed (without a file of its own).
fn user() -> User {
    let user = User::new();
    user.write(".claude.json", CLAUDE);
    user.write(".codex/config.toml", CODEX);
    fs::create_dir_all(user.path(".claude")).unwrap();
    fs::create_dir_all(user.path(".cursor")).unwrap();
    user
}

/// A screen without what differs from machine to machine and from day to day.
fn screen(user: &User, args: &[&str]) -> String {
    let screen = user.screen(args);
    let screen = screen.replace(env!("CARGO_BIN_EXE_imprint"), "[PROGRAM]");
    let dates = regex::Regex::new(r"backups/\d{4}-\d\d-\d\d/").unwrap();
    dates.replace_all(&screen, "backups/[date]/").into_owned()
}

#[test]
fn a_client_is_connected_and_disconnected() {
    let user = user();
    insta::assert_snapshot!(screen(&user, &["connect", "claude-code", "--dry-run"]));
    assert_eq!(user.read(".claude.json"), CLAUDE);
    assert!(!user.path("imprint").exists());
    insta::assert_snapshot!(screen(&user, &["connect", "Claude Code"]));
    insta::assert_snapshot!(screen(&user, &["connect", "claude-code"]));
    insta::assert_snapshot!(screen(&user, &["disconnect", "claude-code", "--dry-run"]));
    insta::assert_snapshot!(screen(&user, &["disconnect", "claude-code"]));
    assert_eq!(user.read(".claude.json"), CLAUDE);
    insta::assert_snapshot!(screen(&user, &["disconnect", "claude-code"]));
}

#[test]
fn all_clients_that_are_here_are_connected() {
    let user = user();
    insta::assert_snapshot!(screen(&user, &["connect", "--all"]));
    assert!(user.path(".cursor/mcp.json").is_file());
    insta::assert_snapshot!(screen(&user, &["disconnect", "--all"]));
    assert_eq!(user.read(".claude.json"), CLAUDE);
    assert_eq!(user.read(".codex/config.toml"), CODEX);
    assert!(!user.path(".cursor/mcp.json").exists());
    insta::assert_snapshot!(screen(&user, &["disconnect", "--all"]));
}

#[test]
fn what_stands_in_the_way_is_told() {
    let user = user();
    let foreign = r#"{"mcpServers": {"imprint": {"command": "npx", "args": ["imprint-memory"]}}}"#;
    user.write(".claude.json", foreign);
    user.write(".codex/config.toml", "model = \"gpt-5\"\n[mcp_servers\n");
    insta::assert_snapshot!(screen(&user, &["connect", "claude-code"]));
    insta::assert_snapshot!(screen(&user, &["connect", "codex"]));
    insta::assert_snapshot!(screen(&user, &["connect", "--all"]));
    insta::assert_snapshot!(screen(&user, &["connect", "windsurf"]));
    insta::assert_snapshot!(screen(&user, &["connect", "chatgpt"]));
    insta::assert_snapshot!(screen(&user, &["connect", "nobody"]));
    insta::assert_snapshot!(screen(&user, &["connect"]));
    assert_eq!(user.read(".claude.json"), foreign);
}

#[test]
fn a_project_is_named() {
    let user = user();
    fs::create_dir_all(user.path("projects/app/.git")).unwrap();
    fs::create_dir_all(user.path("projects/app/src")).unwrap();
    let args = ["connect", "claude-code", "--scope", "project"];
    let mut command = user.command(&args);
    let output = command
        .current_dir(user.path("projects/app/src"))
        .output()
        .unwrap();
    let told = super::text(&output.stdout).replace(user.path("").to_str().unwrap(), "~/");
    assert!(
        told.starts_with(
            "Claude Code connected in the project ~/projects/app (~/projects/app/.mcp.json)"
        ),
        "{told}"
    );
    assert!(user.path("projects/app/.mcp.json").is_file());
    let mut command = user.command(&args);
    let at_home = command.current_dir(user.path("")).output().unwrap();
    assert_eq!(at_home.status.code(), Some(1));
    assert!(!user.path(".mcp.json").exists());
    assert_eq!(user.read(".claude.json"), CLAUDE);
    user.ok(&["disconnect", "claude-code"]);
    assert!(!user.path("projects/app/.mcp.json").exists());
}

#[test]
fn scripts_get_one_value() {
    let user = user();
    let key = ["sk-", "ant-", "api03-", &"k1Jd9sQ0".repeat(11), "AA"].concat();
    user.write(
        ".claude.json",
        &CLAUDE.replace(
            "\"env\": {}",
            &format!("\"env\": {{ \"ANTHROPIC_API_KEY\": \"{key}\" }}"),
        ),
    );
    let value = user.json(&["connect", "claude-code"]);
    assert_eq!(value["program"], env!("CARGO_BIN_EXE_imprint"));
    let told = &value["clients"][0];
    assert_eq!(told["client"], "claude-code");
    assert_eq!(told["result"], "add");
    assert!(told["diff"].as_str().unwrap().contains("--client"));
    assert!(!value.to_string().contains(&key));
    assert!(user.read(".claude.json").contains(&key));
    assert!(user.read(".claude.json").contains("IMPRINT_HOME"));
    assert_eq!(
        user.json(&["connect", "--all", "--dry-run"])["dry_run"],
        true
    );
    assert_eq!(
        user.json(&["disconnect", "--all"])["clients"][0]["result"],
        "first-bytes"
    );
}
