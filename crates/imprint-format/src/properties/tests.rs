use proptest::{collection::vec, prelude::*};

use super::*;

/// What YAML gives a meaning to, and what people write.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "a",
        "Books rooms.",
        ": ",
        ":",
        " #",
        "#",
        "é資",
        "it's",
        "\"q\"",
        "'",
        "\"",
        "- ",
        "-",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&d ",
        "*d",
        "|",
        ">",
        "---",
        "...",
        "\\n",
        "\\",
        "  ",
        "%",
        "@",
        "`",
        "!t ",
        "? ",
        "\t",
        "1.10",
        "no",
        "~",
        "2026-08-01",
        "=",
        "<<",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\u{e0041}",
        "\u{1b}",
        "\u{0}",
        "\r",
        "\n",
        "👨\u{200d}👩",
    ]);
    prop_oneof![
        8 => known.prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text() -> impl Strategy<Value = String> {
    vec(piece(), 0..6).prop_map(|pieces| pieces.concat())
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "name",
        "description",
        "license",
        "tools",
        "a b",
        "é",
        "x",
        "metadata",
    ])
}

/// A key as it may be spelled.
fn spelled_key() -> impl Strategy<Value = String> {
    (key(), 0..5).prop_map(|(key, spelling)| match spelling {
        0 => format!("\"{key}\""),
        1 => format!("'{key}' "),
        _ => key.to_owned(),
    })
}

/// The lines of one field, in the shapes that are found in the wild.
fn entry() -> impl Strategy<Value = String> {
    (spelled_key(), text(), text(), 0..20).prop_map(|(key, one, two, shape)| match shape {
        0 => format!(
            "{key}: 'it''s {}' # note",
            one.replace(['\'', '\n', '\r'], "")
        ),
        1 => format!("{key}: \"a \\\" b\""),
        2 => format!("{key}: >-\n  {one}\n\n  {two}\n"),
        3 => format!("{key}: | # note\n  {one}\n    {two}\n # less"),
        4 => format!("{key}: |2+\n   {one}\n\n"),
        5 => format!("{key}:\n  {one}\n  {two}"),
        6 => format!("{key}: {one}\n  {two}"),
        7 => format!("{key}:\n- {one}\n- {two}"),
        8 => format!("{key}:\n  a: {one}\n  a: {two}"),
        9 => format!("{key}: [{one}, {two}]"),
        10 => format!("# {one}"),
        11 => format!("{key}:  # note"),
        12 => format!("{key}:"),
        13 => format!("{key}: &d {one}"),
        14 => format!("{key}: *d"),
        15 => format!("? {key}\n: {one}"),
        16 => format!("{key}: !!str {one}"),
        _ => format!("{key}: {one}"),
    })
}

/// A file of such lines, in any line-end style.
fn file() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    (vec(entry(), 0..6), text(), 0..10, ending).prop_map(|(entries, body, shape, ending)| {
        let header = entries.join("\n");
        let text = match shape {
            0 => format!("\u{feff}---\n{header}\n---\n{body}"),
            1 => format!("--- \n{header}\n---\t\n\n{body}\n"),
            2 => format!("---\n{header}\n---"),
            3 => format!("---\n  {}\n---\n{body}", header.replace('\n', "\n  ")),
            4 => format!("---\n{{{}}}\n---\n{body}", entries.join(",\n")),
            _ => format!("---\n{header}\n---\n{body}\n"),
        };
        text.replace('\n', ending)
    })
}

/// A value of any YAML type, as a parser types it.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(untagged)]
enum Typed {
    Nothing(()),
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..200)) {
        document(&bytes);
    }

    #[test]
    fn any_front_matter_is_read(file in file()) {
        document(file.as_bytes());
    }

    #[test]
    fn edits_touch_nothing_else(file in file(), key in key(), value in text()) {
        edit(&file, key, &value);
    }

    /// Where a field is one ordinary line, the edit can be made whatever the text is.
    #[test]
    fn ordinary_fields_can_always_be_edited(
        old in text().prop_map(|text| quote_scalar(&text)),
        value in text().prop_filter("no NUL", |text| !text.contains('\0')),
        key in prop::sample::select(vec!["name", "description", "license"]),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let file = format!("---\nname: x\n# note\ndescription: {old}  # note\n---\nBody\n");
        let file = file.replace('\n', ending);
        let before = Document::read(file.as_bytes()).value.unwrap();
        prop_assert!(edited_field(&before, key, &value), "{file:?}");
    }

    #[test]
    fn taken_paths_stay_inside(text in text(), raw in "[a./\\\\: \u{301}A]{0,12}") {
        item_path(&text);
        item_path(&raw);
    }

    /// YAML 1.2 by three parsers.
    #[test]
    fn written_scalars_are_read_as_the_same_text(text in text()) {
        scalar(&text);
        let line = format!("key: {}\n", quote_scalar(&text));
        let typed: std::collections::BTreeMap<String, Typed> =
            serde_saphyr::from_str(&line).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&typed["key"], &Typed::Text(text.clone()), "{}", line);
        let loaded = yaml_rust2::YamlLoader::load_from_str(&line)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&loaded[0]["key"], &yaml_rust2::Yaml::String(text), "{}", line);
    }

    #[test]
    fn composed_files_pass_the_strict_rules(
        description in text(),
        instructions in text().prop_filter("visible", |text| {
            !text.contains('\0') && hidden_text(text).is_none()
        }),
    ) {
        let name = "a-1".parse().unwrap();
        if let Ok(text) = crate::compose(ItemKind::Skill, &name, &description, &instructions) {
            let strict = validate(ItemKind::Skill, Some("a-1"), text.as_bytes());
            let written = description.trim().replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(strict.map(|header| header.description), Ok(written));
        }
    }
}
