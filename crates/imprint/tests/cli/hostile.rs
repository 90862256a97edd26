//! Hostile input, odd places and scripts: a clear error each time, nothing lost, nothing hung.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use super::{User, failures::token, text};

/// Runs with `--json` and gives the one value on standard output.
fn value(user: &User, args: &[&str]) -> Value {
    let mut with_json = args.to_vec();
    with_json.push("--json");
    let output = user.run(&with_json);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stdout)))
}

#[test]
fn a_script_reads_one_value_whatever_happens() {
    let user = User::new();
    user.create("tea");
    user.create("milk");
    user.write("bad/x/SKILL.md", "no header");
    let bad = user.path("bad");
    let bad = bad.to_str().unwrap();
    assert_eq!(value(&user, &["no-such-noun"])["error"]["kind"], "usage");
    assert_eq!(value(&user, &["skills", "show"])["error"]["kind"], "usage");
    assert_eq!(value(&user, &["serve"])["error"]["kind"], "usage");
    assert!(value(&user, &["completions", "bash"]).is_string());
    assert_eq!(value(&user, &["skills", "validate", bad])[0]["ok"], false);
    let file = value(&user, &["skills", "files", "tea", "--print", "SKILL.md"]);
    assert!(file["text"].as_str().unwrap().contains("Does tea."));
    let set = value(&user, &["config", "set", "editor", "nano"]);
    assert_eq!(set["value"][0], "nano");
    let removed = value(&user, &["skills", "remove", "tea", "milk"]);
    assert_eq!(removed["items"].as_array().unwrap().len(), 2);
}

#[test]
fn a_name_that_there_is_not_keeps_the_others() {
    let user = User::new();
    user.create("tea");
    assert_eq!(user.fails(&["skills", "remove", "-y", "tea", "tee"]).0, 4);
    assert_eq!(user.json(&["skills", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn escape_sequences_of_others_do_not_reach_the_terminal() {
    let user = User::new();
    user.create("tea");
    let odd = "evil\u{1b}]0;title\u{7}\u{9b}31m";
    user.write(&format!(".agents/skills/tea/{odd}.md"), "x");
    user.write(&format!("in/{odd}/SKILL.md"), "---\nname: x\n---\n");
    let path = user.path("in");
    for args in [
        &["write"][..],
        &["write", "--dry-run"],
        &["skills", "edit", "tea", "-d", "Newer."],
        &["skills", "validate", path.to_str().unwrap()],
        &["import", "-n", path.to_str().unwrap()],
        &["skills", "show", odd],
        &["import", odd],
        &["skills", odd],
    ] {
        let output = user.run(args);
        for stream in [text(&output.stdout), text(&output.stderr)] {
            let is_raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
            assert!(!stream.contains(is_raw), "{args:?}: {stream:?}");
        }
    }
}

#[test]
fn a_credential_in_a_wrong_argument_is_not_said_back() {
    let user = User::new();
    user.create("tea");
    let secret = token();
    for args in [
        &["skills", "create", &secret, "-d", "Tea."][..],
        &["skills", "show", &secret],
        &["skills", "files", "tea", "--print", &secret],
        &["skills", "diff", "tea", &secret],
        &["mcp", "--client", &secret],
        &["skills", &secret],
    ] {
        let output = user.run(args);
        assert!(!output.status.success());
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(!told.contains(&secret), "{args:?}: {told}");
    }
}

#[test]
fn settings_of_a_wrong_form_are_told_and_kept() {
    let user = User::new();
    user.write("imprint/config.toml", "folders = 7\n");
    let (code, message) = user.fails(&["config", "set", "folders.skip", "cursor"]);
    assert_eq!(code, 1);
    assert!(message.contains("folders"), "{message}");
    assert_eq!(user.read("imprint/config.toml"), "folders = 7\n");
}

#[test]
fn logs_that_no_terminal_shows_have_no_colours() {
    let user = User::new();
    user.write("imprint/imprint.db", &"this is no database. ".repeat(1_000));
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
    let line = user.write("line", &format!("{initialize}\n"));
    let output = user
        .command(&["mcp"])
        .stdin(fs::File::open(line).unwrap())
        .output()
        .unwrap();
    let log = text(&output.stderr);
    assert!(log.contains("damaged") && !log.contains('\u{1b}'), "{log}");
}

#[test]
fn a_home_that_is_a_file_is_told() {
    let user = User::new();
    user.write("imprint", "mine");
    let (code, message) = user.fails(&["skills", "create", "tea", "-d", "Tea."]);
    assert_eq!(code, 1);
    assert!(message.contains("no folder"), "{message}");
    assert_eq!(user.read("imprint"), "mine");
}

#[test]
fn export_by_force_replaces_an_item_and_nothing_else() {
    let user = User::new();
    user.create("tea");
    user.write("out/tea/thesis.txt", "years of work");
    let to = user.path("out");
    let export = ["skills", "export", "--to", to.to_str().unwrap(), "--force"];
    assert_eq!(user.fails(&export).0, 5);
    assert_eq!(user.read("out/tea/thesis.txt"), "years of work");
    user.write("out/tea/SKILL.md", "an older export");
    user.ok(&export);
    assert!(user.read("out/tea/SKILL.md").contains("Does tea."));
    assert_eq!(fs::read_dir(to).unwrap().count(), 1);
    let file = user.write("file", "mine");
    let (code, message) = user.fails(&["skills", "export", "--to", file.to_str().unwrap()]);
    assert!(code == 5 && message.contains("is no folder"), "{message}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::{ffi::OsStringExt as _, fs::PermissionsExt as _};

    use super::*;

    /// Runs an edit with a shell script as the editor; `$1` is the file.
    fn edit(user: &User, script: &str) -> Output {
        let editor = user.write("editor.sh", &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
        user.command(&["skills", "edit", "tea"])
            .env("EDITOR", editor)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn kept(user: &User) -> Vec<PathBuf> {
        let folder = user.path("imprint/refused");
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn what_an_editor_leaves_is_never_lost() {
        let user = User::new();
        user.create("tea");
        for (number, script) in [
            "echo work >> $1; exit 3",
            "printf 'work \\377' > $1",
            "echo 'work without a header' > $1",
        ]
        .into_iter()
        .enumerate()
        {
            let output = edit(&user, script);
            assert_eq!(output.status.code(), Some(1), "{script}");
            let message = text(&output.stderr);
            assert!(message.contains("is kept in"), "{script}: {message}");
            assert_eq!(kept(&user).len(), number + 1, "{script}");
        }
        for file in kept(&user) {
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
            let bytes = fs::read(&file).unwrap();
            assert!(bytes.windows(4).any(|part| part == b"work"));
        }
        assert_eq!(
            user.json(&["skills", "history", "tea"])
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }

    #[test]
    fn an_editor_that_leaves_nothing_changes_nothing() {
        let user = User::new();
        user.create("tea");
        for script in ["rm $1", "rm $1; mkdir $1", "rm $1; mkfifo $1", "exit 3"] {
            let output = edit(&user, script);
            assert_eq!(output.status.code(), Some(1), "{script}");
        }
        let output = user
            .command(&["skills", "edit", "tea"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(kept(&user).is_empty());
    }

    #[test]
    fn a_credential_in_a_refused_text_is_kept_nowhere() {
        let user = User::new();
        user.create("tea");
        let secret = token();
        let script = format!("printf '{secret}' > $1");
        assert_eq!(edit(&user, &script).status.code(), Some(1));
        let fail = format!("{script}; exit 3");
        assert_eq!(edit(&user, &fail).status.code(), Some(1));
        let head = user.json(&["skills", "show", "tea"])["revision"]["id"].clone();
        user.ok(&["skills", "edit", "tea", "-d", "Newer."]);
        let head = head.as_str().unwrap();
        let stale = ["skills", "edit", "tea", "-i", &secret, "--expect", head];
        assert_eq!(user.fails(&stale).0, 5);
        assert!(kept(&user).is_empty());
    }

    #[test]
    fn a_pipe_or_a_device_in_the_settings_place_is_told() {
        let user = User::new();
        fs::create_dir(user.path("imprint")).unwrap();
        let settings = user.path("imprint/config.toml");
        let made = Command::new("mkfifo").arg(&settings).status().unwrap();
        assert!(made.success());
        assert_eq!(user.fails(&["skills", "list"]).0, 1);
        fs::remove_file(&settings).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &settings).unwrap();
        assert_eq!(user.fails(&["skills", "list"]).0, 1);
    }

    #[test]
    fn a_home_whose_path_is_no_unicode_works() {
        let user = User::new();
        let home = std::ffi::OsString::from_vec(b"caf\xe9".to_vec());
        let home = user.path("").join(home);
        for args in [
            &["config", "path", "--json"][..],
            &["skills", "create", "tea", "-d", "Tea."],
            &["skills", "export", "--to", "out", "--json"],
        ] {
            let mut command = user.command(args);
            command
                .env("IMPRINT_HOME", &home)
                .current_dir(user.path(""));
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
    }

    #[test]
    fn output_that_cannot_be_written_is_a_failure_and_a_closed_pipe_is_none() {
        let user = User::new();
        user.create("tea");
        if let Ok(full) = fs::File::create("/dev/full") {
            let output = user.command(&["skills", "list"]).stdout(full).output();
            assert_eq!(output.unwrap().status.code(), Some(1));
        }
        for args in [&["completions", "bash"][..], &["skills", "list"]] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = user.command(args).stdout(writer).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert!(output.stderr.is_empty());
        }
    }
}
