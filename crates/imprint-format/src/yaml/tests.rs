use super::*;

fn entries(text: &str) -> Vec<(String, String, String)> {
    let entries = parse_mapping(text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    entries
        .into_iter()
        .map(|entry| {
            let value = match entry.value {
                Value::Scalar(value) => value,
                other => format!("{other:?}"),
            };
            (entry.key, value, text[entry.span].to_owned())
        })
        .collect()
}

#[track_caller]
fn one(text: &str, key: &str, value: &str, written: &str) {
    let entries = entries(text);
    let found = entries.iter().find(|entry| entry.0 == key);
    let found = found.unwrap_or_else(|| panic!("no `{key}` in {entries:?}"));
    assert_eq!(
        (found.1.as_str(), found.2.as_str()),
        (value, written),
        "{text:?}"
    );
}

#[test]
fn scalars_keep_their_text_and_place() {
    one("a: 007\n", "a", "007", "007");
    one("a: true # note\n", "a", "true", "true");
    one("a:   'it''s' # note", "a", "it's", "'it''s'");
    one("a: \"x\\ty\"\r\nb: c\r\n", "a", "x\ty", "\"x\\ty\"");
    one("é: ü ö\nb: ä  \nc: d", "b", "ä", "ä");
    one("\"a\" : x", "a", "x", "x");
    one("? a\n: x\n", "a", "x", "x");
    one(
        "a:\n  first\n  second\nb: c\n",
        "a",
        "first second",
        "first\n  second",
    );
    one(
        "a: first\r  second\rb: c\r",
        "a",
        "first second",
        "first\r  second",
    );
}

#[test]
fn a_missing_value_stands_right_behind_the_colon() {
    one("a:\nb: c\n", "a", "", "");
    one("a:   # note\nb: c\n", "a", "", "");
    let found = parse_mapping("a:   \nb: c").unwrap();
    assert_eq!(found[0].span, 2..2);
    let found = parse_mapping("a: &x  \nb: c").unwrap();
    assert_eq!(found[0].span, 5..5);
}

#[test]
fn a_block_runs_from_its_indicator_to_its_last_line_with_text() {
    one(
        "a: >-\n  x\n  y\n\n# note\nb: c\n",
        "a",
        "x y",
        ">-\n  x\n  y",
    );
    one(
        "a: | # note\n  x\n\n  y\n \n",
        "a",
        "x\n\ny\n",
        "| # note\n  x\n\n  y",
    );
    one("a: |2\n    x\n  y\nb: c", "a", "  x\ny\n", "|2\n    x\n  y");
    one("a: >\nb: c\n", "a", "", ">");
    one("  a: |\n    x\n  b: c\n", "a", "x\n", "|\n    x");
    one("a:\n  >-\n  x\nb: c\n", "a", "x", ">-\n  x");
    one("a: &n !!str |\n  x\nb: c\n", "a", "x\n", "|\n  x");
    one("a: |\n  x\n # less\nb: c\n", "a", "x\n", "|\n  x");
    one(
        "a: |\r\n  x\r\n  y\r\nb: c\r\n",
        "a",
        "x\ny\n",
        "|\r\n  x\r\n  y",
    );
}

#[test]
fn aliases_are_replaced() {
    one("a: &d text\nb: *d\n", "a", "text", "text");
    one("a: &d text\nb: *d # note\n", "b", "text", "*d");
}

#[test]
fn collections_keep_text_and_the_last_of_equal_keys() {
    let root = parse_root("m:\n  v: 1.10\n  on: off\n  v: 2\n").unwrap();
    let pair = |key: &str, value: &str| (key.to_owned(), Value::Scalar(value.to_owned()));
    assert_eq!(
        root.entries[0].value,
        Value::Mapping(vec![pair("on", "off"), pair("v", "2")])
    );
    assert_eq!(root.nested_duplicates[0].key, "v");
    assert_eq!(root.nested_duplicates[0].line, 4);
    one(
        "m: {{name}}\n",
        "m",
        "Mapping([(\"{name}\", Scalar(\"\"))])",
        "{{name}}",
    );
}

#[test]
fn what_is_no_mapping_is_refused() {
    for text in [
        "- a",
        "a",
        "[a]",
        "a: b\n---\nc: d",
        "a: b: c",
        "a: [b",
        "a: `b`",
        "a: \u{1b}",
    ] {
        let error = parse_mapping(text).unwrap_err();
        assert_eq!(error.fault, YamlFault::Syntax, "{text:?}");
    }
    for text in ["", "\n", "# only a comment\n"] {
        assert_eq!(parse_mapping(text).unwrap(), [], "{text:?}");
    }
}

#[test]
fn limits_hold() {
    let bomb = "a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c]\n";
    assert_eq!(parse_mapping(bomb).unwrap_err().fault, YamlFault::Limit);
    assert_eq!(
        parse_mapping("a: &a [*a]").unwrap_err().fault,
        YamlFault::Limit
    );
    assert_eq!(
        parse_mapping("&a {x: *a}").unwrap_err().fault,
        YamlFault::Limit
    );
    let twenty = format!("a: &a x\nb: [{}]\n", ["*a"; 20].join(", "));
    assert!(parse_mapping(&twenty).is_ok());
    let more = format!("a: &a x\nb: [{}]\n", ["*a"; 21].join(", "));
    assert_eq!(parse_mapping(&more).unwrap_err().fault, YamlFault::Limit);
    let nested = |levels: usize| format!("a: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    assert!(parse_mapping(&nested(63)).is_ok());
    assert_eq!(
        parse_mapping(&nested(64)).unwrap_err().fault,
        YamlFault::Limit
    );
    assert!(parse_mapping(&nested(30_000)).is_err());
}
