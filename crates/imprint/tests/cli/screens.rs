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
fn every_command_has_examples() {
    let user = User::new();
    let verbs = |noun: &'static str, verbs: &'static [&'static str]| {
        verbs.iter().map(move |verb| vec![noun, *verb])
    };
    let items = &[
        "list", "show", "create", "edit", "files", "enable", "disable", "remove", "restore",
        "history", "diff", "rename", "pin", "validate", "export",
    ];
    let guidelines = &[
        "list", "show", "add", "edit", "enable", "disable", "remove", "restore", "history", "diff",
        "rename",
    ];
    let alone = [
        "skills",
        "personas",
        "guidelines",
        "import",
        "write",
        "clients",
        "doctor",
        "sessions",
        "serve",
        "config",
        "completions",
        "demo",
    ];
    let commands = alone
        .map(|name| vec![name])
        .into_iter()
        .chain(verbs("skills", items))
        .chain(verbs("personas", items))
        .chain(verbs("guidelines", guidelines))
        .chain(verbs("config", &["list", "get", "set", "unset", "path"]));
    for command in commands {
        let mut args = command.clone();
        args.push("--help");
        let help = user.ok(&args);
        let examples = help.split_once("Example").map(|(_, examples)| examples);
        let named = format!("imprint {}", command.join(" "));
        let is_named = examples.is_some_and(|examples| {
            // A pipe or a substitution may stand before it.
            command == ["config", "path"] || examples.contains(&named)
        });
        assert!(is_named, "{command:?}: {help}");
    }
    let mcp = user.ok(&["mcp", "--help"]);
    assert!(mcp.contains("\"mcpServers\""), "{mcp}");
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
