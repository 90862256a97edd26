//! YAML.

use insta::assert_snapshot;
use serde_json::json;

use super::*;

const SERVERS: &[&str] = &["extensions", "ctx"];

fn yaml(text: &str) -> String {
    put_and_back(Syntax::Yaml, SERVERS, text, &entry())
}

#[test]
fn a_member_goes_behind_the_others() {
    let text = "# goose\nGOOSE_MODEL: x # why\nextensions:\n  developer:\n    enabled: true\n    \
                args: []\n\n  # of nobody\nlast: |\n  # text\n  more\n";
    assert_snapshot!(yaml(text), @r#"
    # goose
    GOOSE_MODEL: x # why
    extensions:
      developer:
        enabled: true
        args: []
      ctx:
        command: /opt/ctx/bin/ctx
        args: ["serve"]

      # of nobody
    last: |
      # text
      more
    "#);
    assert_eq!(
        yaml("extensions:\r\n    a:\r\n        b: ä"),
        "extensions:\r\n    a:\r\n        b: ä\r\n    ctx:\r\n        command: /opt/ctx/bin/ctx\r\n        \
         args: [\"serve\"]"
    );
}

#[test]
fn missing_and_empty_parents_are_made() {
    let ours = "  ctx:\n    command: /opt/ctx/bin/ctx\n    args: [\"serve\"]";
    for text in ["", "\n\n", "  \n"] {
        assert_eq!(yaml(text), format!("extensions:\n{ours}\n"));
    }
    assert_eq!(yaml("# a"), format!("# a\nextensions:\n{ours}\n"));
    assert_eq!(yaml("---\n"), format!("---\nextensions:\n{ours}\n"));
    assert_eq!(yaml("a: 1"), format!("a: 1\nextensions:\n{ours}"));
    assert_eq!(
        yaml("a:\n- x\n- y\n# end\n"),
        format!("a:\n- x\n- y\nextensions:\n{ours}\n# end\n")
    );
    for nothing in [
        "",
        " {}",
        " null",
        " ~",
        "   {  }",
        " # none",
        " {} # none",
        "\n  # none",
    ] {
        yaml(&format!("extensions:{nothing}\nb: 2\n"));
        yaml(&format!("extensions:{nothing}"));
    }
    assert_eq!(
        yaml("extensions: {}\nb: 2\n"),
        format!("extensions:\n{ours}\nb: 2\n")
    );
    put_and_back(
        Syntax::Yaml,
        &["mcp", "servers", "imprint"],
        "mcp:\n  a: 1\n",
        &entry(),
    );
}

#[test]
fn single_settings_are_put_and_taken_out() {
    let check = |path: &[&str], text: &str, expected: &str| {
        let slot = slot(Syntax::Yaml, path);
        let new = json!(true);
        let put = put(text, &slot, &new).unwrap();
        assert_eq!(put.text, expected);
        assert_eq!(super::put(&put.text, &slot, &new).unwrap().text, expected);
        assert_eq!(take_out(&put.text, &slot, &put.made).unwrap(), text);
    };
    check(&["a"], "a:   'x y' # c\nb: 1\n", "a:   true # c\nb: 1\n");
    check(&["a"], "a: \"x\\\" # y\"   # c\n", "a: true   # c\n");
    check(&["a"], "a: x y\n", "a: true\n");
    check(&["a"], "a: |\n  x\n\n  # y\nb: 1\n", "a: true\nb: 1\n");
    check(&["a"], "a: [1,\n 2]\nb: 1\n", "a: true\nb: 1\n");
    check(&["a"], "a:\n- 1\n- 2\nb: 1\n", "a: true\nb: 1\n");
    check(&["a"], "a:\nb: 1\n", "a: true\nb: 1\n");
    check(
        &["t", "a"],
        "t:\n  b: 1 # b\nu: 2\n",
        "t:\n  b: 1 # b\n  a: true\nu: 2\n",
    );
    let slot = slot(Syntax::Yaml, &["a"]);
    assert_eq!(
        put("a: 0x10 # c\n", &slot, &json!(16)).unwrap().text,
        "a: 0x10 # c\n"
    );
}

#[test]
fn values_that_look_like_others_are_quoted() {
    let value = json!({ "a": "yes", "b": "1", "c": "x: y", "d": "", "e": [ "\u{85}\u{2028}", null ],
                        "f": {}, "g": [{ "h": 1.5 }], "i": "C:\\x\n", "k: l": null });
    let text = put_and_back(Syntax::Yaml, SERVERS, "", &value);
    assert_snapshot!(text, @r#"
    extensions:
      ctx:
        a: "yes"
        b: "1"
        c: "x: y"
        d: ""
        e: ["\u0085\u2028", null]
        f: {}
        g: [{"h": 1.5}]
        i: "C:\\x\n"
        "k: l": null
    "#);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let refused = |text| refusal(Syntax::Yaml, SERVERS, text);
    assert_snapshot!(refused("- a\n"), @"what the file holds is a list");
    assert_snapshot!(refused("{}"), @"what the file holds is written in braces");
    assert_snapshot!(refused("extensions: { a: {} }"), @"`extensions` is written in braces");
    assert_snapshot!(refused("extensions:\n- name: a\n"), @"`extensions` is a list");
    assert_snapshot!(refused("extensions: x"), @"`extensions` is no mapping");
    assert_snapshot!(refused("extensions: &a\n  b: 1\nc: *a\n"), @"`extensions` has an anchor, an alias or a tag");
    assert_snapshot!(refused("a: &a {}\nextensions: *a\n"), @"`extensions` has an anchor, an alias or a tag");
    assert_snapshot!(refused("? extensions\n: a: 1\n"), @"`extensions` is not written as plain `key: value` lines");
    assert_snapshot!(refused("extensions:\nextensions:\n"), @"`extensions` stands there twice");
}

#[test]
fn what_does_not_parse_is_refused_with_its_place() {
    let refused = |text| refusal(Syntax::Yaml, SERVERS, text);
    assert_snapshot!(refused("a: 1\n b: 2\n"), @"line 2, column 3: mapping values are not allowed in this context");
    assert_snapshot!(refused("a: [1\n"), @"line 2, column 1: while parsing a flow sequence, expected ',' or ']'");
    assert_snapshot!(refused("a: 1\n---\nb: 1\n"), @"line 2, column 1: a second document starts here");
    for deep in ["[", "{a: ", "- ", "? "] {
        let text = deep.repeat(10_000);
        assert!(matches!(
            put(&text, &slot(Syntax::Yaml, SERVERS), &entry()),
            Err(ConfigError::Unparsable { .. })
        ));
    }
    let level = |level: usize| {
        let alias = format!("*a{}, ", level - 1).repeat(10);
        format!("a{level}: &a{level} [{alias}]\n")
    };
    let bomb = format!("a0: &a0 [1]\n{}", (1..9).map(level).collect::<String>());
    assert!(refused(&bomb).contains("too many aliases"));
}

#[test]
fn others_that_came_later_stay() {
    let slot = slot(Syntax::Yaml, SERVERS);
    let put = put("a: 1\n", &slot, &entry()).unwrap();
    let more = format!("{}  new:\n    a: 1\n# end\n", put.text);
    let taken = take_out(&more, &slot, &put.made).unwrap();
    assert_eq!(taken, "a: 1\nextensions:\n  new:\n    a: 1\n# end\n");
    assert_eq!(take_out(&taken, &slot, &put.made).unwrap(), taken);
}

#[test]
fn a_line_that_ends_in_a_carriage_return_alone_is_refused() {
    for text in ["a: 1\r", "a: 1\rb: 2\r\n"] {
        let slot = Slot {
            syntax: Syntax::Yaml,
            path: SERVERS,
        };
        let put = put(text, &slot, &entry());
        assert!(matches!(put, Err(ConfigError::NoRoom { .. })), "{text:?}");
        assert_eq!(get(text, &slot), Ok(None));
    }
}
