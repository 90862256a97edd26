//! What a person sees, word for word.

use super::User;

#[test]
fn an_empty_home_says_how_to_begin() {
    let user = User::new();
    insta::assert_snapshot!(user.screen(&["skills", "list"]));
    insta::assert_snapshot!(user.screen(&["guidelines", "list"]));
    insta::assert_snapshot!(user.screen(&["write"]));
}

#[test]
fn changes_are_told_in_a_line() {
    let user = User::new();
    insta::assert_snapshot!(user.screen(&[
        "skills",
        "create",
        "tea",
        "-d",
        "Times tea.",
        "-i",
        "Wait."
    ]));
    insta::assert_snapshot!(user.screen(&[
        "skills",
        "edit",
        "tea",
        "-d",
        "Times tea: green and black."
    ]));
    insta::assert_snapshot!(user.screen(&[
        "skills",
        "edit",
        "tea",
        "-d",
        "Times tea: green and black."
    ]));
    insta::assert_snapshot!(user.screen(&["skills", "list"]));
    insta::assert_snapshot!(user.screen(&["skills", "show", "tea"]));
    insta::assert_snapshot!(user.screen(&["skills", "history", "tea"]));
    insta::assert_snapshot!(user.screen(&["skills", "diff", "tea"]));
    insta::assert_snapshot!(user.screen(&["skills", "files", "tea"]));
    insta::assert_snapshot!(user.screen(&["skills", "validate"]));
    insta::assert_snapshot!(user.screen(&["skills", "pin", "tea"]));
}

#[test]
fn failures_say_what_to_do() {
    let user = User::new();
    user.create("tea");
    insta::assert_snapshot!(user.screen(&["skills", "show", "tae"]));
    insta::assert_snapshot!(user.screen(&["skills", "create", "tea", "-d", "Again."]));
    insta::assert_snapshot!(user.screen(&["skills", "create", "Tea Time", "-d", "x"]));
    insta::assert_snapshot!(user.screen(&["skills", "create", "nothing"]));
    insta::assert_snapshot!(user.screen(&["skills", "show", "tea", "--revision", "zz"]));
    insta::assert_snapshot!(user.screen(&["import", "nowhere"]));
    insta::assert_snapshot!(user.screen(&["config", "get", "colour"]));
    insta::assert_snapshot!(user.screen(&["mcp", "--client", "nobody"]));
}

#[test]
fn every_help_has_its_page() {
    let user = User::new();
    insta::assert_snapshot!("help", user.screen(&["--help"]));
    insta::assert_snapshot!("help_skills", user.screen(&["skills", "--help"]));
    insta::assert_snapshot!("help_import", user.screen(&["import", "--help"]));
}

#[test]
fn text_from_others_cannot_move_the_cursor() {
    let user = User::new();
    let folder = user.path("in/tea");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("SKILL.md"),
        "---\nname: tea\ndescription: \"Red \\e[31m and \\a bell\"\n---\nBody \u{1b}[2J\n",
    )
    .unwrap();
    let output = user.run(&["import", user.path("in").to_str().unwrap(), "--yes"]);
    for bytes in [output.stdout, output.stderr] {
        assert!(!bytes.contains(&0x1b) && !bytes.contains(&0x07));
    }
}
