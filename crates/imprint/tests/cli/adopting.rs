//! Edits and additions by hand in clients' folders, taken back.

use super::{User, text};

const TEA: &str = ".claude/skills/tea/SKILL.md";
const SHARED: &str = ".agents/skills/tea/SKILL.md";

fn user() -> User {
    let user = User::new();
    std::fs::create_dir_all(user.path(".claude")).unwrap();
    let create = [
        "skills",
        "create",
        "tea",
        "-d",
        "Times tea.",
        "-i",
        "Boil it.",
    ];
    user.ok(&create);
    user
}

fn edit(user: &User, place: &str, from: &str, to: &str) {
    let edited = user.read(place).replace(from, to);
    user.write(place, &edited);
}

#[test]
fn an_edit_by_hand_is_shown_and_taken_back() {
    let user = user();
    edit(&user, TEA, "Boil it.", "Steep it.");
    insta::assert_snapshot!(user.ok(&["adopt", "--dry-run"]), @r#"
    skill tea, edited in ~/.claude/skills/tea
    --- SKILL.md (kept)
    +++ SKILL.md (there)
    @@ -3,4 +3,4 @@
     description: "Times tea."
     ---
     
    -Boil it.
    +Steep it.
    "#);
    assert!(user.read(SHARED).contains("Boil it."));
    let (code, said) = user.fails(&["adopt"]);
    assert_eq!(code, 2, "{said}");

    let output = user.run(&["adopt", "tea", "--yes"]);
    let said = text(&output.stderr);
    assert!(said.contains("skill tea: the edit is kept"), "{said}");
    assert!(user.read(SHARED).contains("Steep it."));
    let said = text(&user.run(&["adopt", "--yes"]).stderr);
    assert!(said.contains("Nothing was taken back"), "{said}");
}

#[test]
fn of_two_different_edits_one_must_be_named() {
    let user = user();
    edit(&user, TEA, "Boil it.", "Steep it.");
    edit(&user, SHARED, "Boil it.", "Shake it.");
    let said = text(&user.run(&["adopt", "--yes"]).stderr);
    assert!(said.contains("imprint adopt ~/"), "{said}");
    assert!(user.read(TEA).contains("Steep it."));
    let place = user.path(".claude/skills/tea");
    user.ok(&["adopt", place.to_str().unwrap(), "--yes"]);
    let shown = user.ok(&["skills", "show", "tea"]);
    assert!(shown.contains("Steep it."), "{shown}");
    // The other edit is still there, and still offered.
    assert!(user.read(SHARED).contains("Shake it."));
    assert!(user.ok(&["adopt", "--dry-run"]).contains("Shake it."));
}

#[test]
fn what_can_not_be_taken_back_is_told() {
    let user = user();
    user.write(
        TEA,
        "---\nname: other\ndescription: Times tea.\n---\nBoil.\n",
    );
    let shown = user.ok(&["adopt", "--dry-run"]);
    assert!(shown.contains("can't be taken back"), "{shown}");
    let (code, said) = user.fails(&["adopt", "coffee", "--yes"]);
    assert_eq!(code, 4, "{said}");
    let json = user.ok(&["adopt", "--yes", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["taken"]["edited"], serde_json::json!([]));
    assert!(json["offers"]["edited"][0]["faults"][0].is_object());
}
