//! `imprint mcp` where something about its home is amiss, or nobody's session is to be kept.

use std::{io::Write as _, process::Stdio};

use serde_json::{Value, json};

use super::{User, text};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"wren","version":"1.0.0"}}}"#;

/// The answers by their ids, and what was said on standard error.
fn served(user: &User, variables: &[(&str, &str)], requests: &[Value]) -> (Vec<Value>, String) {
    let mut server = user
        .command(&["mcp"])
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{HELLO}").unwrap();
    for request in requests {
        writeln!(input, "{request}").unwrap();
    }
    drop(input);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answers = text(&output.stdout);
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (answers.collect(), text(&output.stderr))
}

#[test]
fn damaged_settings_keep_no_client_from_its_skills() {
    let user = User::new();
    user.create("tea");
    user.write("imprint/config.toml", "folders = [oops\n");
    let create = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "skill_edit", "arguments": {
            "action": "create", "name": "soup", "description": "Cooks soup.", "instructions": "Stir.",
        }},
    });
    let (answers, said) = served(&user, &[], &[create]);
    let instructions = answers[0]["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("tea"), "{instructions}");
    assert!(said.contains("config.toml"), "{said}");
    // Kept, and told that no folder has it.
    let answer = answers[1].to_string();
    assert!(answer.contains("config.toml"), "{answer}");
    assert!(!user.path(".agents/skills/soup").exists());
    user.write("imprint/config.toml", "");
    user.ok(&["skills", "show", "soup"]);
}

#[test]
fn a_check_of_the_server_is_no_session() {
    let user = User::new();
    user.create("tea");
    served(&user, &[("IMPRINT_PROBE", "1")], &[]);
    assert_eq!(user.json(&["sessions"]), json!([]));
    served(&user, &[], &[]);
    assert_eq!(user.json(&["sessions"])[0]["client_name"], "wren");
}
