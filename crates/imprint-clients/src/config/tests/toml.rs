//! TOML.

use insta::assert_snapshot;
use serde_json::json;

use super::*;

const SERVERS: &[&str] = &["mcp_servers", "ctx"];

fn toml(text: &str) -> String {
    put_and_back(Syntax::Toml, SERVERS, text, &entry())
}

#[test]
fn our_table_goes_to_the_end_after_one_blank_line() {
    let text = "# TOP\nmodel = \"large\"\n\n# servers\n[mcp_servers.alpha]\ncommand = \"npx\"      # \
                inline\nstartup_timeout_sec = 30\n\n[mcp_servers.alpha.env]\nA = \"1\"\n";
    assert_snapshot!(toml(text), @r#"
    # TOP
    model = "large"

    # servers
    [mcp_servers.alpha]
    command = "npx"      # inline
    startup_timeout_sec = 30

    [mcp_servers.alpha.env]
    A = "1"

    [mcp_servers.ctx]
    command = "/opt/ctx/bin/ctx"
    args = ["serve"]
    "#);
    let ours = "[mcp_servers.ctx]\ncommand = \"/opt/ctx/bin/ctx\"\nargs = [\"serve\"]";
    assert_eq!(toml(""), format!("{ours}\n"));
    assert_eq!(toml("\n \n"), format!("{ours}\n"));
    assert_eq!(toml("a = 1"), format!("a = 1\n\n{ours}"));
    assert_eq!(toml("a = 1\n\n"), format!("a = 1\n\n{ours}\n"));
    assert_eq!(toml("# a"), format!("# a\n\n{ours}"));
    let crlf = ours.replace('\n', "\r\n");
    assert_eq!(
        toml("\u{feff}a = 1\r\n"),
        format!("\u{feff}a = 1\r\n\r\n{crlf}\r\n")
    );
}

#[test]
fn lists_of_tables_and_quoted_keys_are_no_trouble() {
    toml("[[profiles]]\nname = \"a\"\n[profiles.x]\n[[profiles]]\n");
    toml("[mcp_servers.\"my.server\"]\ncommand = \"x\"\n[mcp_servers]\nzeta = { a = 1 }\n");
    toml("[mcp_servers]\nalpha.command = \"x\"\n");
    let path = ["mcp_servers", "my.server"];
    let text = put_and_back(
        Syntax::Toml,
        &path,
        "[mcp_servers.my]\nserver = 1\n",
        &entry(),
    );
    assert!(text.contains("[mcp_servers.\"my.server\"]"));
}

#[test]
fn what_stands_in_the_way_is_named() {
    let refused = |text| refusal(Syntax::Toml, SERVERS, text);
    assert_snapshot!(refused("mcp_servers = { a = { command = \"x\" } }"), @"`mcp_servers` is written as an inline table");
    assert_snapshot!(refused("mcp_servers.a.command = \"x\""), @"`mcp_servers` is written with dotted keys");
    assert_snapshot!(refused("[[mcp_servers]]\na = 1"), @"`mcp_servers` is a list of tables");
    assert_snapshot!(refused("mcp_servers = 1"), @"`mcp_servers` is no table");
    assert_snapshot!(refused("[mcp_servers.ctx]\na = 1\n[mcp_servers.ctx.env]\n"), @"`mcp_servers.ctx` is spread over several tables");
}

#[test]
fn what_does_not_parse_is_refused_with_its_place() {
    let refused = |text| refusal(Syntax::Toml, SERVERS, text);
    assert_snapshot!(refused("a = 1\nb = \n"), @"line 2, column 5: string values must be quoted, expected literal string");
    assert_snapshot!(refused("a = 1\na = 2\n"), @"line 2, column 1: duplicate key");
    assert_snapshot!(refused("[a"), @"line 1, column 3: unclosed table, expected `]`");
    for deep in ["a = [", "a = {b=", "[a.", "a.a."] {
        let text = format!("{deep}{}", deep[deep.len() - 2..].repeat(10_000));
        assert!(matches!(
            put(&text, &slot(Syntax::Toml, SERVERS), &entry()),
            Err(ConfigError::Unparsable { .. })
        ));
    }
    let keys = format!("[{}a]", "a.".repeat(10_000));
    assert!(put(&keys, &slot(Syntax::Toml, SERVERS), &entry()).is_err());
}

#[test]
fn every_table_of_ours_goes_and_comments_of_the_next_one_stay() {
    let text = "[mcp_servers.ctx.env]\nA = \"1\"\n\n# of alpha\n[mcp_servers.alpha]\ncommand = \"x\"\n\n\
                [mcp_servers.ctx]\ncommand = \"y\" # why\n# inside\nargs = []\n\n# of beta\n\
                [mcp_servers.beta]\n\n[mcp_servers.ctx.http]\n[mcp_servers.gamma]\n";
    let slot = slot(Syntax::Toml, SERVERS);
    assert_snapshot!(take_out(text, &slot, &Made::of_member(&slot)).unwrap(), @r#"

    # of alpha
    [mcp_servers.alpha]
    command = "x"

    # of beta
    [mcp_servers.beta]
    [mcp_servers.gamma]
    "#);
}

#[test]
fn an_entry_among_pairs_is_taken_out_by_its_line() {
    let slot = slot(Syntax::Toml, SERVERS);
    let taken = |text| take_out(text, &slot, &Made::of_member(&slot)).unwrap();
    assert_eq!(
        taken("[mcp_servers]\nctx = { a = 1 } # x\nb = {}\n"),
        "[mcp_servers]\nb = {}\n"
    );
    assert_eq!(
        taken("mcp_servers.ctx.a = 1\nmcp_servers.ctx.b = 2\nc = 1\n"),
        "c = 1\n"
    );
    assert!(take_out("mcp_servers = { ctx = {} }", &slot, &Made::of_member(&slot)).is_err());
}

#[test]
fn single_settings_are_put_and_taken_out() {
    let new = json!(true);
    let check = |path: &[&str], text: &str, expected: &str| {
        let slot = slot(Syntax::Toml, path);
        let put = put(text, &slot, &new).unwrap();
        assert_eq!(put.text, expected);
        assert_eq!(super::put(&put.text, &slot, &new).unwrap().text, expected);
        assert_eq!(take_out(&put.text, &slot, &put.made).unwrap(), text);
    };
    check(
        &["a"],
        "b = 1 # b\n\n# t\n[t]\n",
        "b = 1 # b\na = true\n\n# t\n[t]\n",
    );
    check(&["a"], "[t]\n", "a = true\n[t]\n");
    check(&["a"], "", "a = true\n");
    check(&["t", "a"], "[t] # t\n[u]\n", "[t] # t\na = true\n[u]\n");
    check(&["t", "a"], "[t]\nb = [\n1 ]", "[t]\nb = [\n1 ]\na = true");
    check(&["t", "a"], "x = 1\n", "x = 1\n\n[t]\na = true\n");
    check(&["t", "a"], "[t.u]\n", "[t.u]\n\n[t]\na = true\n");
    check(
        &["t", "a"],
        "t = { a = 1, b = 2 }\n",
        "t = { a = true, b = 2 }\n",
    );
    check(&["t", "a"], "t.a = \"x\" # c\n", "t.a = true # c\n");
}

#[test]
fn tables_that_came_later_stay() {
    let slot = slot(Syntax::Toml, SERVERS);
    let put = put("a = 1\n", &slot, &entry()).unwrap();
    let more = format!("{}disabled = true\n\n# new\n[mcp_servers.new]\n", put.text);
    assert_eq!(
        take_out(&more, &slot, &put.made).unwrap(),
        "a = 1\n\n# new\n[mcp_servers.new]\n"
    );
}
