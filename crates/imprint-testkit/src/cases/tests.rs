use serde_json::{Value, json};

use super::*;

/// A folder with these cases.
fn folder(cases: &[Value]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for case in cases {
        let of_case = folder.path().join(case["id"].as_str().unwrap());
        std::fs::create_dir(&of_case).unwrap();
        std::fs::write(of_case.join("expect.json"), case.to_string()).unwrap();
    }
    folder
}

fn report(cases: &[Value]) -> Report {
    let folder = folder(cases);
    let options = Options {
        folder: folder.path().to_owned(),
        kind: None,
        product: Product::new("no-such-program"),
        driver: None,
    };
    run(&options).unwrap()
}

fn path_case(id: &str, accepted: bool) -> Value {
    json!({"id": id, "kind": "path", "title": "a title", "why": "because", "sources": ["F1"],
        "base_files": ["SKILL.md"],
        "add": [{"path": "notes.md", "accepted": accepted}, {"path": "../x", "accepted": false,
            "about": "path"}]})
}

#[test]
fn cases_pass_fail_and_are_counted() {
    let report = report(&[
        path_case("b-wrong", false),
        path_case("a-right", true),
        json!({"id": "later", "kind": "memory", "steps": []}),
    ]);
    assert!(!report.is_good());
    assert_eq!(
        report.kinds["path"],
        KindCount {
            ran: 2,
            passed: 1,
            failed: vec!["b-wrong".to_owned()],
            ..KindCount::default()
        }
    );
    assert_eq!(report.kinds["memory"].unsupported, 1);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        json["kinds"]["path"],
        json!({"ran": 2, "passed": 1, "skipped": 0, "unsupported": 0, "failed": ["b-wrong"]})
    );
}

#[test]
fn whatever_the_schema_does_not_know_fails() {
    let with = |id: &str, key: &str, value: Value| {
        let mut case = path_case(id, true);
        case[key] = value;
        case
    };
    let unknown = [
        with("kind", "kind", json!("skills")),
        with("key", "bases", json!([])),
        with("op", "setup", json!([{"op": "touch", "path": "a"}])),
        with(
            "op-key",
            "setup",
            json!([{"op": "mkdir", "path": "a", "mode": "0755"}]),
        ),
        with("escape", "setup", json!([{"op": "mkdir", "path": "../a"}])),
        with("requirement", "requires", json!("linux")),
        with("setting", "run_also_with", json!("a full moon")),
        with("limit", "limits", json!({"max_s": 1})),
        with(
            "about",
            "diagnostics",
            json!([{"severity": "any", "about": "mood"}]),
        ),
        with(
            "addition",
            "add",
            json!([{"path": "a", "accepted": true, "mode": "0644"}]),
        ),
        json!({"id": "result", "kind": "install", "result": "conflict-or-ignored"}),
        json!({"id": "fact", "kind": "catalog", "items": [], "variants": [{"blocks": 1}]}),
        json!({"id": "invariant", "kind": "crash", "invariants": ["no-noise"],
            "loop": {"writes": 1, "signal": "KILL", "kill_after_random_ms": [0, 1]}}),
    ];
    let report = report(&unknown);
    assert_eq!(report.failed.len(), unknown.len(), "{report}");
}

#[test]
fn a_case_without_a_readable_file_fails() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let options = Options {
        folder: folder.path().to_owned(),
        kind: None,
        product: Product::new("no-such-program"),
        driver: None,
    };
    let report = run(&options).unwrap();
    assert_eq!(report.kinds["(none)"].failed, ["empty"]);
    let unknown = Options {
        kind: Some("skil".to_owned()),
        ..options
    };
    assert!(run(&unknown).is_err());
}

#[test]
fn null_asserts_nothing_and_setup_is_carried_out() {
    let case = json!({"id": "skill", "kind": "skill", "folder": "tea", "accepted": null,
        "lenient_accepted": true, "name": "tea", "description": null,
        "setup": [{"op": "repeat", "path": "tea/SKILL.md",
            "prefix": "---\nname: tea\ndescription: Times tea.\n---\n",
            "unit": "Wait.\n", "times": 3, "suffix": "End."},
            {"op": "many_dirs", "path": "tea/empty", "count": 3}],
        "body_ends_with": "Wait.\nEnd.", "diagnostics": [], "no_other_diagnostics": true});
    let report = report(&[case]);
    assert!(report.is_good(), "{report}");
}

#[test]
fn a_configuration_case_with_an_unknown_key_fails() {
    let case = json!({"id": "a", "kind": "config", "file": "a.json", "dialect": "json",
        "servers_key": "s", "entry": {"name": "n", "command": "c"}, "action": "add",
        "setup": [{"op": "write", "path": "a.json", "text": "{"}], "result": "refused"});
    assert!(report(std::slice::from_ref(&case)).is_good());
    for (key, value) in [("action", json!("drop")), ("files_after", json!({}))] {
        let mut case = case.clone();
        case[key] = value;
        assert!(!report(&[case]).is_good(), "{key}");
    }
}
