//! JSON and JSONC.

use insta::assert_snapshot;
use serde_json::json;

use super::*;

const SERVERS: &[&str] = &["mcpServers", "ctx"];

fn json(text: &str) -> String {
    put_and_back(Syntax::Json, SERVERS, text, &entry())
}

fn jsonc(text: &str) -> String {
    put_and_back(Syntax::Jsonc, SERVERS, text, &entry())
}

#[test]
fn an_entry_goes_behind_the_others_with_their_commas_and_comments() {
    let text =
        "{\n  // mine\n  \"mcpServers\": {\n    \"docs\": { \"url\": \"u\" }, // keep\n  },\n}\n";
    assert_snapshot!(jsonc(text), @r#"
    {
      // mine
      "mcpServers": {
        "docs": { "url": "u" }, // keep
        "ctx": {
          "command": "/opt/ctx/bin/ctx",
          "args": ["serve"]
        },
      },
    }
    "#);
    let text = "{\n  \"mcpServers\": {\n    \"docs\": {} // keep\n    /* and this */\n  }\n}";
    assert_snapshot!(jsonc(text), @r#"
    {
      "mcpServers": {
        "docs": {}, // keep
        /* and this */
        "ctx": {
          "command": "/opt/ctx/bin/ctx",
          "args": ["serve"]
        }
      }
    }
    "#);
}

#[test]
fn the_indent_and_line_ends_of_the_text_are_kept() {
    let text = "{\r\n\t\"mcpServers\": {\r\n\t\t\"o\": {\"env\": {}}\r\n\t}\r\n}";
    let expected = "{\r\n\t\"mcpServers\": {\r\n\t\t\"o\": {\"env\": {}},\r\n\t\t\"ctx\": {\r\n\
                    \t\t\t\"command\": \"/opt/ctx/bin/ctx\",\r\n\t\t\t\"args\": [\"serve\"]\r\n\t\t}\
                    \r\n\t}\r\n}";
    assert_eq!(json(text), expected);
    assert!(
        json("\u{feff}{\n    \"a\": 1\n}\n").starts_with("\u{feff}{\n    \"a\": 1,\n    \"mcp")
    );
}

#[test]
fn missing_empty_and_null_parents_are_made() {
    let whole = "{\n  \"mcpServers\": {\n    \"ctx\": {\n      \"command\": \"/opt/ctx/bin/ctx\",\n      \
                 \"args\": [\"serve\"]\n    }\n  }\n}";
    for text in ["", "\n", "  \r\n"] {
        assert_eq!(json(text).replace("\r\n", "\n"), format!("{whole}\n"));
    }
    for text in ["{}", "{ }", "null", "{\n}", "{\n\n}"] {
        assert_eq!(json(text).replace("\n\n", "\n"), whole);
    }
    assert_eq!(json("{}\n"), format!("{whole}\n"));
    for servers in ["null", "{}", "{ }", "{\n  }"] {
        let text = format!("{{\n  \"mcpServers\": {servers}\n}}");
        assert_eq!(json(&text), whole);
    }
    assert_snapshot!(jsonc("// mine"), @r#"
    // mine
    {
      "mcpServers": {
        "ctx": {
          "command": "/opt/ctx/bin/ctx",
          "args": ["serve"]
        }
      }
    }
    "#);
    assert_snapshot!(jsonc("{ \"mcpServers\": { /* none yet */ } }"), @r#"
    { "mcpServers": { /* none yet */
      "ctx": {
        "command": "/opt/ctx/bin/ctx",
        "args": ["serve"]
      }
    } }
    "#);
}

#[test]
fn deep_parents_are_made_and_go_again() {
    let path = ["mcp", "servers", "imprint"];
    for text in [
        "",
        "{}",
        "{\"a\": 1}",
        "{\"mcp\": {\"x\": []}}",
        "{\"mcp\": null}",
    ] {
        put_and_back(Syntax::Json, &path, text, &entry());
    }
    let slot = slot(Syntax::Json, &path);
    let put = put("{}", &slot, &entry()).unwrap();
    let other = super::put(
        &put.text,
        &Slot {
            path: &["mcp", "x"],
            ..slot
        },
        &json!(1),
    )
    .unwrap();
    let rest = take_out(&other.text, &slot, &put.made).unwrap();
    assert_snapshot!(rest, @r#"
    {
      "mcp": {
        "x": 1
      }
    }
    "#);
}

#[test]
fn entries_on_one_line_get_lines_of_their_own() {
    assert_snapshot!(json("{\"mcpServers\":{\"a\":{}}}"), @r#"
    {"mcpServers":{"a":{},
      "ctx": {
        "command": "/opt/ctx/bin/ctx",
        "args": ["serve"]
      }
    }}
    "#);
}

#[test]
fn a_setting_is_replaced_where_it_stands() {
    let path = ["skillListingBudgetFraction"];
    let text = "{\n  \"skillListingBudgetFraction\" : 0.010 ,\n  \"zoom\": 1.10\n}";
    let slot = slot(Syntax::Json, &path);
    let put = put(text, &slot, &json!(0.1)).unwrap();
    assert_eq!(put.text, text.replace("0.010", "0.1"));
    assert_eq!(take_out(&put.text, &slot, &put.made).unwrap(), text);
    let same = super::put(text, &slot, &json!(0.01)).unwrap();
    assert_eq!(same.text, text);
    let deep = Slot {
        path: &["a", "b"],
        ..slot
    };
    let put = super::put("{\"a\": {\"c\": 1}}", &deep, &json!(true)).unwrap();
    assert_eq!(
        take_out(&put.text, &deep, &put.made).unwrap(),
        "{\"a\": {\"c\": 1}}"
    );
}

#[test]
fn others_that_came_later_stay() {
    let slot = slot(Syntax::Jsonc, SERVERS);
    let text = "{\n  \"mcpServers\": {\n    \"a\": {} // a\n  }\n}\n";
    let put = put(text, &slot, &entry()).unwrap();
    let more = put
        .text
        .replace("\n    }\n  }\n}", "\n    }, // ours\n    \"b\": {}\n  }\n}");
    assert_ne!(more, put.text);
    assert_snapshot!(take_out(&more, &slot, &put.made).unwrap(), @r#"
    {
      "mcpServers": {
        "a": {}, // a
        // ours
        "b": {}
      }
    }
    "#);
    let joined = put
        .text
        .replace("\n    }\n  }\n}", "\n    }, \"b\": {} }\n}");
    assert_snapshot!(take_out(&joined, &slot, &put.made).unwrap(), @r#"
    {
      "mcpServers": {
        "a": {}, // a
        "b": {} }
    }
    "#);
    let lost = Made::of_member(&slot);
    assert_eq!(take_out(&put.text, &slot, &lost).unwrap(), text);
    assert_eq!(take_out(text, &slot, &put.made).unwrap(), text);
}

#[test]
fn windows_paths_are_escaped() {
    let value = json!({ "command": "C:\\temp\\new\\ctx.exe" });
    let text = put_and_back(Syntax::Json, SERVERS, "{}", &value);
    assert!(text.contains(r#""command": "C:\\temp\\new\\ctx.exe""#));
}

#[test]
fn what_stands_in_the_way_is_named() {
    let refused = |text| refusal(Syntax::Json, SERVERS, text);
    assert_snapshot!(refused("[]"), @"the file holds no object");
    assert_snapshot!(refused("{\"mcpServers\": []}"), @"`mcpServers` is no object");
    assert_snapshot!(refused("{\"mcpServers\": \"x\"}"), @"`mcpServers` is no object");
    assert_snapshot!(refused("{\"mcpServers\": {}, \"mcpServers\": {}}"), @"`mcpServers` stands there twice");
    assert_snapshot!(refused("{\"mcpServers\": {\"ctx\": 1, \"ctx\": 2}}"), @"`mcpServers.ctx` stands there twice");
    assert!(get("{\"a\": 1, \"a\": 2}", &slot(Syntax::Json, &["a"])).is_err());
    put_and_back(Syntax::Json, SERVERS, "{\"a\": 1, \"a\": 2}", &entry());
}

#[test]
fn what_does_not_parse_is_refused_with_its_place() {
    let refused = |text| refusal(Syntax::Json, SERVERS, text);
    assert_snapshot!(refused("{\n  \"mcpServers\": {\n    \"files\": { }\n  "), @"line 2, column 17: unterminated object");
    assert_snapshot!(refused("{\n  \"ä\": 1, x\n}"), @"line 2, column 11: expected string for object property");
    assert_snapshot!(refused("{ // no\n}"), @"line 1, column 3: this file may hold no comments, and here is one");
    assert_snapshot!(refused("{\"a\": 1,}"), @"line 1, column 8: trailing commas are not allowed");
    assert_snapshot!(refused("{\"a\": 1} {}"), @"line 1, column 10: text cannot contain more than one JSON value");
    assert_snapshot!(refusal(Syntax::Jsonc, SERVERS, "{'a': 1}"), @"line 1, column 2: single-quoted strings are not allowed");
}

#[test]
fn a_text_with_a_bare_control_character_is_refused() {
    let refused = |text| refusal(Syntax::Json, SERVERS, text);
    assert_snapshot!(refused("{\n  \"a\": \"x\ny\"\n}"), @"line 2, column 10: a text holds a line end or another control character that is not escaped");
    assert_snapshot!(refused("{\"a\tb\": 1}"), @"line 1, column 4: a text holds a line end or another control character that is not escaped");
    refusal(Syntax::Jsonc, SERVERS, "{\"a\": \"x\r\ny\"}");
    put_and_back(Syntax::Jsonc, SERVERS, "{\"a\": \"x\ty\"}", &entry());
}

#[test]
fn deep_and_huge_texts_are_refused() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let text = open.repeat(10_000);
        assert!(matches!(
            put(&text, &slot(Syntax::Jsonc, SERVERS), &entry()),
            Err(ConfigError::Unparsable { .. })
        ));
    }
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(120), "]".repeat(120));
    put_and_back(Syntax::Json, SERVERS, &deep, &entry());
    let huge = " ".repeat(MAX_BYTES + 1);
    assert_eq!(
        get(&huge, &slot(Syntax::Json, SERVERS)),
        Err(ConfigError::TooLong {
            bytes: MAX_BYTES + 1
        })
    );
}

#[test]
fn names_with_dots_and_quotes_are_one_name() {
    let path = ["mcpServers", "my.\"server\""];
    let text = put_and_back(
        Syntax::Json,
        &path,
        "{\"mcpServers\": {\"my\": 1}}",
        &entry(),
    );
    assert!(text.contains(r#""my.\"server\"": {"#));
}
