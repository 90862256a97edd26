use super::*;
use crate::Severity;

fn read(text: &str) -> Document {
    let Reading { value, diagnostics } = Document::read(text.as_bytes());
    value.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// Everything that is said about a file, as people see it.
fn said(bytes: &[u8]) -> String {
    let lines = Document::read(bytes).diagnostics.into_iter().map(|said| {
        let hint = said.hint.clone().unwrap_or_default();
        format!(
            "{:?} {} {said} ({hint})",
            said.severity,
            said.about.as_str()
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn fields_and_body_are_read_whatever_the_line_ends() {
    for ending in ["\n", "\r\n", "\r"] {
        let text = "\u{feff}---\nname: x\nmetadata:\n  v: 1.10\n---\n\n# Body\n\n---\nend\n\n";
        let document = read(&text.replace('\n', ending));
        assert_eq!(document.get("name").unwrap().as_str(), Some("x"));
        assert_eq!(document.field("metadata").unwrap().line, 3);
        assert_eq!(document.body(), "# Body\n\n---\nend".replace('\n', ending));
        assert_eq!(document.text(), text.replace('\n', ending));
    }
    assert_eq!(read("---\nname: x\n---").body(), "");
    assert_eq!(read("---\n---\n").fields(), []);
}

#[test]
fn of_equal_keys_the_last_counts_and_each_is_told_once() {
    let text = "---\na: 1\ndescription: old\nb: 2\ndescription: new\ndescription: newer\n---\n";
    let document = read(text);
    let keys: Vec<_> = document
        .fields()
        .iter()
        .map(|field| field.key.as_str())
        .collect();
    assert_eq!(keys, ["a", "b", "description"]);
    assert_eq!(document.get("description").unwrap().as_str(), Some("newer"));
    insta::assert_snapshot!(
        said(text.as_bytes()),
        @"Warning description line 6: `description` stands there more than once; the last one counts (keep one of them)"
    );
    insta::assert_snapshot!(
        said(b"---\nmetadata:\n  a: 1\n  a: 2\n---\n"),
        @"Warning frontmatter line 4: `a` stands there more than once; the last one counts (keep one of them)"
    );
}

#[test]
fn null_is_what_yaml_says_it_is() {
    let document = read("---\na:\nb: ~\nc: null\nd: \"null\"\ne: none\nf: &x\n---\n");
    let nulls = document.fields().iter().filter(|field| field.is_null());
    let nulls: Vec<_> = nulls.map(|field| field.key.as_str()).collect();
    assert_eq!(nulls, ["a", "b", "c", "f"]);
}

#[test]
fn repairs_are_told_with_field_and_line() {
    let mended = |bytes: &[u8]| Document::read(bytes).value.unwrap().is_mended();
    assert!(mended(b"---\nname: a: b\n---\n"));
    assert!(!mended(b"---\nname: \"a: b\"\n---\n"));
    let header = b"---\nname: a: b\ndescription: c: d\nallowed-tools: [a] [b]\nhint: `x`\n---\n";
    insta::assert_snapshot!(said(header), @r#"
    Warning name line 2: the value of `name` is not valid YAML; it is taken as it stands (put the value in double quotes, with `\` before each `"` and `\`)
    Warning description line 3: the value of `description` is not valid YAML; it is taken as it stands (put the value in double quotes, with `\` before each `"` and `\`)
    Warning tools line 4: the value of `allowed-tools` is not valid YAML; it is taken as it stands (put the value in double quotes, with `\` before each `"` and `\`)
    Warning frontmatter line 5: the value of `hint` is not valid YAML; it is taken as it stands (put the value in double quotes, with `\` before each `"` and `\`)
    "#);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let large = vec![b'x'; TEXT_FILE_BYTES + 1];
    let files: [&[u8]; 11] = [
        b"# Title\n",
        b"\n---\nname: x\n---\n",
        b"---\nname: x\n",
        b"---\n- name\n---\n",
        b"---\na: x\n  b: y\n---\n",
        b"---\na: &a [*a]\n---\n",
        b"---\nname: caf\xe9\n---\n",
        b"\xff\xfe-\0-\0-\0",
        b"\x89PNG\r\n\x1a\n",
        b"---\nname: x\n---\n\0",
        &large,
    ];
    insta::assert_snapshot!(files.map(said).join("\n"), @r#"
    Error frontmatter line 1: there is no front matter: the first line is not `---` (start the file with a line `---`, the lines `name: …` and `description: …`, and another line `---`)
    Error frontmatter line 1: there is a blank line before the front matter (remove the lines before the first `---`)
    Error frontmatter line 1: the front matter has no end: a second line `---` is missing (put a line `---` between the header and the instructions)
    Error frontmatter line 2: the front matter is not valid YAML: this is no map of `key: value` lines (write each field as one line `key: "value"`)
    Error frontmatter line 3: the front matter is not valid YAML: mapping values are not allowed in this context (write each field as one line `key: "value"`)
    Error frontmatter line 2: the front matter is refused: an anchor holds itself (write the values out, and keep long texts in the body)
    Error file line 2: the file is not UTF-8 (save it as UTF-8)
    Error file the file is UTF-16, not UTF-8 (save it as UTF-8)
    Error file the file is not text ()
    Error file the file is not text ()
    Error file the file is 1048577 bytes; at most 1048576 are read (move the long parts into files beside it)
    "#);
}

#[test]
fn a_large_file_within_the_limit_is_read() {
    let mut text = "---\nname: x\n---\n".to_owned();
    text.push_str(&"x".repeat(TEXT_FILE_BYTES - text.len()));
    let reading = Document::read(text.as_bytes());
    assert!(reading.value.is_some());
    assert!(
        !reading
            .diagnostics
            .iter()
            .any(|said| said.severity == Severity::Error)
    );
}
