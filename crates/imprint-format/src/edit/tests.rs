use super::*;

fn read(text: &str) -> Document {
    let reading = Document::read(text.as_bytes());
    reading
        .value
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

/// The header lines after `description` was set in a file with these header lines.
fn described(header: &str, value: &str) -> Result<String, EditFieldError> {
    let file = format!("---\n{header}\n---\ndescription: body\n");
    let edited = read(&file).with_field("description", value)?;
    let inside = edited.text().strip_prefix("---\n").unwrap();
    Ok(inside
        .strip_suffix("\n---\ndescription: body\n")
        .unwrap()
        .to_owned())
}

#[track_caller]
fn edits(header: &str, value: &str, expected: &str) {
    assert_eq!(
        described(header, value).as_deref(),
        Ok(expected),
        "{header:?} {value:?}"
    );
}

#[test]
fn only_the_value_changes() {
    edits(
        "# c\ndescription:   Old.   # note\n\nx: 'y'",
        "New.",
        "# c\ndescription:   New.   # note\n\nx: 'y'",
    );
    edits("\"description\" : Old", "New", "\"description\" : New");
    edits("? description\n: Old", "New", "? description\n: New");
    edits(
        "m:\n  description: in\ndescription: Old",
        "New",
        "m:\n  description: in\ndescription: New",
    );
    edits(
        "description:\n  Old text\n  of two lines\nx: y",
        "New",
        "description:\n  New\nx: y",
    );
    edits(
        "description: Old\n  more\nx: y",
        "New",
        "description: New\nx: y",
    );
    edits(
        "description: one\nx: y\ndescription: two",
        "New",
        "description: one\nx: y\ndescription: New",
    );
    edits(
        "  name: x\n  description: Old",
        "New",
        "  name: x\n  description: New",
    );
    edits(
        "{name: x, description: Old}",
        "New, and: more",
        "{name: x, description: \"New, and: more\"}",
    );
    edits(
        "{name: x, description: Old}",
        "New",
        "{name: x, description: New}",
    );
}

#[test]
fn quotes_stay_and_are_added_where_needed() {
    edits(
        "description: \"Old\" # c",
        "a \"b\" \\c",
        "description: \"a \\\"b\\\" \\\\c\" # c",
    );
    edits(
        "description: 'Old'",
        "the team's",
        "description: 'the team''s'",
    );
    edits(
        "description: 'Old'",
        "two\nlines",
        "description: \"two\\nlines\"",
    );
    edits(
        "description: \"two\n  lines\"",
        "New",
        "description: \"New\"",
    );
    edits(
        "description: Old",
        "small, \"large\" #1",
        "description: \"small, \\\"large\\\" #1\"",
    );
    edits("description: Old", "no", "description: \"no\"");
    edits("description: Old", "- x", "description: \"- x\"");
    edits("description: Old", " New ", "description: \" New \"");
    edits("description: Old", "", "description: \"\"");
    edits(
        "description: Old",
        "a\tb\u{1b}",
        "description: \"a\\tb\\x1B\"",
    );
}

#[test]
fn a_block_goes_with_its_lines() {
    edits(
        "description: >-\n  Old\n  text.\n# note\nx: y",
        "New",
        "description: New\n# note\nx: y",
    );
    edits(
        "description: | # c\n  Old\n\n  text\n\n\nx: y",
        "New",
        "description: New # c\n\n\nx: y",
    );
    edits(
        "description: |2-\n    Old\n  text\nx: y",
        "New: it",
        "description: \"New: it\"\nx: y",
    );
    edits(
        "description: >\n\n  Old\n # less\nx: y",
        "New",
        "description: New\n # less\nx: y",
    );
    edits("description: >\nx: y", "New", "description: New\nx: y");
    edits(
        "description:\n  |\n  Old\nx: y",
        "New",
        "description:\n  New\nx: y",
    );
}

#[test]
fn a_missing_value_is_put_behind_the_colon() {
    edits("description:\nx: y", "New", "description: New\nx: y");
    edits("description:   \nx: y", "New", "description:   New\nx: y");
    edits(
        "description:  # c\nx: y",
        "New",
        "description: New  # c\nx: y",
    );
    edits("description: ~\nx: y", "New", "description: New\nx: y");
    edits("description: &d\nx: y", "New", "description: &d New\nx: y");
}

#[test]
fn a_missing_field_becomes_the_last() {
    edits(
        "name: x\n# end",
        "New: it",
        "name: x\n# end\ndescription: \"New: it\"",
    );
    edits("  name: x", "New", "  name: x\n  description: New");
    edits(
        "name: |+\n  x\n",
        "New",
        "name: |+\n  x\n\ndescription: New",
    );
    let crlf = read("---\r\nname: x\r\n---\r\nBody");
    assert_eq!(
        crlf.with_field("description", "New").unwrap().text(),
        "---\r\nname: x\r\ndescription: New\r\n---\r\nBody"
    );
    assert_eq!(
        read("---\n---").with_field("a: b", "x").unwrap().text(),
        "---\n\"a: b\": x\n---"
    );
}

#[test]
fn anchors_stay_unless_something_names_them() {
    edits(
        "description: &d Old\nx: y",
        "New",
        "description: &d New\nx: y",
    );
    edits("description: !!str Old", "New", "description: !!str New");
    edits(
        "x: &d y\ndescription: *d",
        "New",
        "x: &d y\ndescription: New",
    );
    assert_eq!(
        described("description: &d Old\nx: *d", "New"),
        Err(EditFieldError::Spelling {
            key: "description".to_owned()
        })
    );
}

#[test]
fn a_value_that_needed_repair_is_replaced_as_it_stands() {
    edits(
        "description: Old: text\nx: y: z",
        "New",
        "description: New\nx: y: z",
    );
    edits(
        "description: Old: text # c",
        "New: it",
        "description: \"New: it\"",
    );
    edits(
        "description: \"say \"hi\"\"",
        "say \"no\"",
        "description: \"say \\\"no\\\"\"",
    );
    edits(
        "x: y: z\ndescription: Old",
        "New",
        "x: y: z\ndescription: New",
    );
}

#[test]
fn an_equal_value_changes_nothing() {
    for header in [
        "description:   Old.  # c",
        "description: >\n  Old.\n\nx: y",
        "description: 'Old.'",
        "description: \" Old. \"",
    ] {
        edits(header, "Old.", header);
    }
    edits("description: a: b", "a: b", "description: a: b");
}

#[test]
fn what_is_no_text_is_refused() {
    let key = || "description".to_owned();
    let refused = |header: &str, value: &str| described(header, value).unwrap_err();
    assert_eq!(
        refused("description: [a]", "x"),
        EditFieldError::NotAScalar { key: key() }
    );
    assert_eq!(
        refused("description:\n  a: b", "x"),
        EditFieldError::NotAScalar { key: key() }
    );
    assert_eq!(
        refused("description: a", "x\0"),
        EditFieldError::Character { key: key() }
    );
    assert_eq!(
        refused("{name: x}", "x"),
        EditFieldError::Spelling { key: key() }
    );
    let large = "x".repeat(TEXT_FILE_BYTES);
    assert_eq!(
        refused("description: a", &large),
        EditFieldError::TooLarge {
            limit: TEXT_FILE_BYTES
        }
    );
}

#[test]
fn a_file_keeps_its_line_ends_its_mark_and_its_missing_newline() {
    let before =
        read("\u{feff}---\r\nname: x\r\ndescription: >-\r\n  Old\r\n  text\r\n---\r\nBody");
    assert_eq!(
        before.with_field("description", "New").unwrap().text(),
        "\u{feff}---\r\nname: x\r\ndescription: New\r\n---\r\nBody"
    );
}

fn body(file: &str, body: &str) -> String {
    read(file).with_body(body).unwrap().text().to_owned()
}

#[test]
fn a_new_body_follows_the_blank_lines_behind_the_fence() {
    assert_eq!(
        body("---\nname:   x\na: b: c\n---\n\n \nOld.\n---\n", "New.\n"),
        "---\nname:   x\na: b: c\n---\n\n \nNew.\n"
    );
    assert_eq!(body("---\nname: x\n---", "New."), "---\nname: x\n---\nNew.");
    assert_eq!(
        body("---\nname: x\n---\n\n", "New.\n"),
        "---\nname: x\n---\n\nNew.\n"
    );
    assert_eq!(body("---\nname: x\n---\nOld.\n", ""), "---\nname: x\n---\n");
}

#[test]
fn a_new_body_takes_the_line_ends_of_the_old_one() {
    let crlf = "---\r\nname: x\r\n---\r\nOld.\r\n";
    assert_eq!(
        body(crlf, "a\nb\r\nc"),
        "---\r\nname: x\r\n---\r\na\r\nb\r\nc"
    );
    let mixed = "---\r\nname: x\r\n---\r\nOld.\nOlder.\n";
    assert_eq!(body(mixed, "a\nb\n"), "---\r\nname: x\r\n---\r\na\nb\n");
    let no_end = "---\r\nname: x\r\n---\r\nOld.";
    assert_eq!(body(no_end, "a\nb"), "---\r\nname: x\r\n---\r\na\r\nb");
}

#[test]
fn an_equal_body_changes_nothing() {
    let file = "---\nname: x\n---\n\nOld.\r\nOlder.\n\n";
    assert_eq!(body(file, "Old.\r\nOlder."), file);
    assert!(read(file).with_body("a\0").is_err());
}

#[test]
fn repaired_values_are_quoted_and_nothing_else_changes() {
    let quoted = |text: &str| read(text).with_repairs_quoted().unwrap().text().to_owned();
    assert_eq!(
        quoted(
            "---\r\n# c\r\nname: x\r\ndescription: Use when: a \"b\" \\n\r\nhint:  [a] b: c\r\n---\r\nBody.\r\n"
        ),
        "---\r\n# c\r\nname: x\r\ndescription: \"Use when: a \\\"b\\\" \\\\n\"\r\nhint:  \"[a] b: c\"\r\n---\r\nBody.\r\n"
    );
    assert_eq!(
        quoted("---\nname: x\ndescription: \"say \"hi\" now\"\n---\n"),
        "---\nname: x\ndescription: \"say \\\"hi\\\" now\"\n---\n"
    );
    let valid = "---\nname:   x # c\n---\n";
    assert_eq!(quoted(valid), valid);
}
