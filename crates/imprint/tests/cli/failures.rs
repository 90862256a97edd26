//! What goes wrong: a clear error, the right exit code, nothing lost.

use std::fs;

use super::{User, text};

/// A value of the shape of a GitHub token, made here so that no file holds one.
pub(crate) fn token() -> String {
    format!("{}{}", "gh", "p_Q7mZ2tXw9LbV4kRs8NcY1pHd6FgJ3uAeAb12")
}

#[test]
fn reading_creates_nothing() {
    let user = User::new();
    for args in [
        &["skills", "list"][..],
        &["personas", "list", "--json"],
        &["guidelines", "list"],
        &["sessions"],
        &["clients"],
        &["clients", "codex", "--json"],
        &["doctor"],
        &["write"],
        &["write", "--dry-run"],
        &["config", "list"],
        &["skills", "validate"],
    ] {
        user.ok(args);
    }
    user.fails(&["skills", "show", "nobody"]);
    let left: Vec<_> = fs::read_dir(user.path(".")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn exit_codes_tell_kinds_of_failure_apart() {
    let user = User::new();
    user.create("tea");
    assert_eq!(user.fails(&["skills", "show", "tee"]).0, 4);
    assert_eq!(
        user.fails(&["skills", "create", "tea", "-d", "Again."]).0,
        5
    );
    assert_eq!(
        user.fails(&["skills", "create", "Tea Time", "-d", "x"]).0,
        2
    );
    assert_eq!(user.fails(&["skills", "no-such-verb"]).0, 2);
    assert_eq!(
        user.fails(&["skills", "create", "long", "-d", &"x".repeat(1_025)])
            .0,
        1
    );
}

#[test]
fn a_failure_is_an_object_for_scripts() {
    let user = User::new();
    let output = user.run(&["skills", "show", "nobody", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["error"]["kind"], "not-found");
}

#[test]
fn a_credential_is_nowhere_afterwards() {
    let user = User::new();
    user.create("tea");
    let secret = token();
    for args in [
        &[
            "skills", "create", "deploy", "-d", "Deploys.", "-i", &secret,
        ][..],
        &["skills", "edit", "tea", "-d", &secret],
        &["guidelines", "add", &secret, "--name", "x"],
    ] {
        let output = user.run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(!text(&output.stderr).contains(&secret));
        assert!(text(&output.stderr).contains("github-token"));
    }
    for path in files_below(&user.path(".")) {
        let bytes = fs::read(&path).unwrap();
        assert!(
            !bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes()),
            "{path:?}"
        );
    }
}

#[test]
fn a_finding_is_accepted_by_its_fingerprint_and_with_a_reason() {
    let user = User::new();
    let secret = token();
    let create = [
        "skills", "create", "deploy", "-d", "Deploys.", "-i", &secret,
    ];
    let mut as_json = create.to_vec();
    as_json.push("--json");
    let refused: serde_json::Value = serde_json::from_slice(&user.run(&as_json).stdout).unwrap();
    let fingerprint = refused["error"]["findings"][0]["fingerprint"]
        .as_str()
        .unwrap();
    let mut accepted = create.to_vec();
    accepted.extend([
        "--accept",
        &fingerprint[..12],
        "--reason",
        "revoked years ago",
    ]);
    user.ok(&accepted);
}

#[test]
fn a_stale_text_is_kept_in_a_file_that_the_error_names() {
    let user = User::new();
    user.create("tea");
    let first = user.json(&["skills", "show", "tea"])["revision"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    user.ok(&["skills", "edit", "tea", "-d", "Newer."]);
    let (code, message) = user.fails(&[
        "skills",
        "edit",
        "tea",
        "-i",
        "My long work.",
        "--expect",
        &first[..8],
    ]);
    assert_eq!(code, 5);
    let kept = files_below(&user.path("imprint/refused"));
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "My long work.");
    let name = kept[0].file_name().unwrap().to_str().unwrap();
    assert!(message.contains(name), "{message}");
}

#[test]
fn a_broken_database_is_said_so_and_left_alone() {
    let user = User::new();
    user.create("tea");
    let garbage = "this is no database. ".repeat(1_000);
    for side in ["imprint.db-wal", "imprint.db-shm"] {
        let _ = fs::remove_file(user.path("imprint").join(side));
    }
    user.write("imprint/imprint.db", &garbage);
    for args in [
        &["skills", "list"][..],
        &["skills", "create", "x", "-d", "x"],
    ] {
        let (code, message) = user.fails(args);
        assert_eq!(code, 1);
        assert!(message.contains("damaged"), "{message}");
    }
    assert_eq!(user.read("imprint/imprint.db"), garbage);
}

#[test]
fn a_damaged_manifest_stops_the_pass_and_not_the_change() {
    let user = User::new();
    user.create("tea");
    user.write("imprint/written.json", "{ \"version\": ");
    let output = user.run(&["skills", "edit", "tea", "-d", "Newer."]);
    assert!(output.status.success());
    assert!(
        text(&output.stderr).contains("warning"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(
        user.json(&["skills", "show", "tea"])["item"]["description"],
        "Newer."
    );
    assert_eq!(user.read("imprint/written.json"), "{ \"version\": ");
}

#[test]
fn a_file_that_is_not_utf8_is_refused() {
    let user = User::new();
    let path = user.path("latin1.md");
    fs::write(&path, b"Men\xfc des Tages").unwrap();
    let path = path.to_str().unwrap();
    let (code, message) = user.fails(&["skills", "create", "tea", "-d", "Tea.", "--from", path]);
    assert_eq!(code, 1);
    assert!(message.contains("UTF-8"), "{message}");
}

#[test]
fn what_someone_edited_in_a_folder_stays() {
    let user = User::new();
    user.create("tea");
    let file = ".agents/skills/tea/SKILL.md";
    let edited = format!("{}Edited by hand.\n", user.read(file));
    user.write(file, &edited);
    let output = user.run(&["skills", "edit", "tea", "-d", "Newer."]);
    assert!(output.status.success());
    assert!(
        text(&output.stderr).contains("tea"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(user.read(file), edited);
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
