use super::*;
use crate::Severity;

fn read(kind: ItemKind, home: Option<&str>, header: &str) -> Reading<(Header, Document)> {
    read_header(
        kind,
        home,
        format!("---\n{header}\n---\nBody.\n").as_bytes(),
    )
}

fn skill(header: &str) -> Header {
    let reading = read(ItemKind::Skill, Some("home"), header);
    reading
        .value
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
        .0
}

fn persona(header: &str) -> Header {
    let header = format!("name: home\ndescription: D\n{header}");
    read(ItemKind::Persona, Some("home"), &header)
        .value
        .unwrap()
        .0
}

/// What is said about a skill in the folder `home`: severity, part, message, hint.
fn said(header: &str) -> String {
    let reading = read(ItemKind::Skill, Some("home"), header);
    let lines = reading.diagnostics.iter().map(|said| {
        let hint = said.hint.as_deref().unwrap_or("-");
        format!(
            "{:?} {} {said} ({hint})",
            said.severity,
            said.about.as_str()
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn refused_about(header: &str) -> About {
    let reading = read(ItemKind::Skill, Some("home"), header);
    assert!(reading.value.is_none(), "{header:?}");
    let mut errors = reading
        .diagnostics
        .iter()
        .filter(|said| said.severity == Severity::Error);
    errors.next().unwrap().about
}

#[test]
fn a_clean_header_has_no_remarks() {
    let header = skill("name: home\ndescription: >\n  Does things.\nallowed-tools: Read");
    assert_eq!(header.name, "home");
    assert_eq!(header.description, "Does things.");
    assert_eq!(header.tools, Some(vec!["Read".to_owned()]));
    assert_eq!(said("name: home\ndescription: D\nx-own: [1, 2]"), "");
    assert_eq!(
        said("name: \"home\"\ndescription: \"👨\u{200d}👩 خطة תוכנית <b> & a < b\""),
        ""
    );
}

#[test]
fn a_missing_name_is_the_folders() {
    for header in [
        "description: D",
        "name:\ndescription: D",
        "name: ~\ndescription: D",
        "name: [a]\ndescription: D",
    ] {
        assert_eq!(skill(header).name, "home", "{header}");
        assert!(said(header).starts_with("Warning name "), "{header}");
    }
    let homeless = read(ItemKind::Skill, None, "description: D");
    assert!(homeless.value.is_none());
    let odd = read(ItemKind::Skill, Some("My Skill"), "description: D");
    assert_eq!(odd.value.unwrap().0.name, "My Skill");
    assert_eq!(odd.diagnostics.len(), 2);
}

#[test]
fn names_that_break_the_rules_are_kept() {
    insta::assert_snapshot!(said("name: Release Notes\ndescription: D"), @"
    Warning name line 2: the name `Release Notes` breaks the rules: a name has only lower-case letters a to z, digits and hyphens, not 'R' (`release-notes` would do)
    Warning name line 2: the name is `Release Notes`, but its folder or file is called `home` (give both the same name)
    ");
    insta::assert_snapshot!(said("name: home\u{e0041}\ndescription: D"), @r"
    Warning name line 2: the name holds invisible tag characters from U+E0041 on that read `A` (`home` would do)
    Warning name line 2: the name is `home\u{e0041}`, but its folder or file is called `home` (give both the same name)
    ");
    insta::assert_snapshot!(said("name: 資料\ndescription: D"), @"
    Warning name line 2: the name `資料` breaks the rules: a name has only lower-case letters a to z, digits and hyphens, not '資' (use lower-case letters a to z, digits and single hyphens)
    Warning name line 2: the name is `資料`, but its folder or file is called `home` (give both the same name)
    ");
    assert_eq!(
        skill("name: Release Notes\ndescription: D").name,
        "Release Notes"
    );
    assert_eq!(skill("name: 007\ndescription: D").name, "007");
    assert_eq!(skill("name: true\ndescription: D").name, "true");
}

#[test]
fn names_that_are_paths_or_hold_control_characters_are_refused() {
    for name in [
        "../../notes",
        "a/b",
        "'a\\b'",
        "\"a\\nb\"",
        "\"a\\0\"",
        "a..b",
        ".",
        "..",
        "a\u{1b}[31m",
    ] {
        let header = format!("name: {name}\ndescription: D");
        assert_eq!(refused_about(&header), About::Name, "{name}");
    }
    let home = read(ItemKind::Skill, Some(".."), "description: D");
    assert!(home.value.is_none());
}

#[test]
fn without_a_description_there_is_no_item() {
    for header in [
        "x: y",
        "description:",
        "description: \"  \"",
        "description: >",
        "description: null",
        "description: ~",
        "description: [a]",
        "description:\n  a: b",
        "description: {{x}}",
    ] {
        assert_eq!(
            refused_about(&format!("name: home\n{header}")),
            About::Description,
            "{header}"
        );
    }
    insta::assert_snapshot!(said("name: home\nDescription: D"), @"Error description there is no `description` (write `description` instead of `Description`)");
}

#[test]
fn descriptions_are_kept_in_full() {
    let long = "資".repeat(1025);
    let header = format!("name: home\ndescription: {long}");
    assert_eq!(skill(&header).description, long);
    insta::assert_snapshot!(said(&header), @"Warning description line 3: the description has 1025 characters; the format allows 1024, and some clients cut or refuse it (-)");
    assert_eq!(
        said(&format!("name: home\ndescription: {}", "資".repeat(1024))),
        ""
    );
    insta::assert_snapshot!(said("name: home\ndescription: a\u{202e}b"), @"Warning description line 3: the description holds U+202E, which changes the direction of the text around it (-)");
    insta::assert_snapshot!(said("name: home\ndescription: \"a\\eb\""), @"Warning description line 3: the description holds the control character U+001B (-)");
    assert_eq!(
        skill("name: home\ndescription: 2026-08-01").description,
        "2026-08-01"
    );
}

#[test]
fn blank_tools_are_omitted_and_empty_ones_are_none() {
    assert_eq!(persona("x: y").tools, None);
    assert_eq!(persona("tools:").tools, None);
    assert_eq!(persona("tools: ''").tools, None);
    assert_eq!(persona("tools: null").tools, None);
    assert_eq!(persona("tools: []").tools, Some(Vec::new()));
    assert_eq!(persona("tools: {write: false}").tools, Some(Vec::new()));
    assert_eq!(persona("allowed-tools: Read").tools, None);
    insta::assert_snapshot!(said("name: home\ndescription: D\nallowed-tools:"), @"Warning tools line 4: `allowed-tools` is blank, which is taken as if it were not there (remove the line, or write `allowed-tools: []` for no tools)");
    insta::assert_snapshot!(said("name: home\ndescription: D\nallowed-tools: {Read: true}"), @"Warning tools line 4: `allowed-tools` is no list of tools; none are taken from it (write it as `allowed-tools: [Read, Grep]`)");
}

#[test]
fn a_persona_may_have_model_and_color() {
    let header = persona("model: sonnet\ncolour: cyan");
    assert_eq!(header.model.as_deref(), Some("sonnet"));
    assert_eq!(header.color.as_deref(), Some("cyan"));
    let blank = persona("model:\ncolor: ''");
    assert_eq!((blank.model, blank.color), (None, None));
    let odd = read(
        ItemKind::Persona,
        Some("home"),
        "name: home\ndescription: D\nmodel: [a]\ncolor: {a: b}",
    );
    let abouts: Vec<_> = odd.diagnostics.iter().map(|said| said.about).collect();
    assert_eq!(abouts, [About::Model, About::Color]);
    assert!(odd.value.is_some());
    let skill = skill("name: home\ndescription: D\nmodel: sonnet");
    assert_eq!(skill.model, None);
}

#[test]
fn only_the_user_starts_what_is_hidden_from_the_model() {
    let hidden = |value: &str| {
        let header = format!("name: home\ndescription: D\ndisable-model-invocation: {value}");
        (skill(&header).hidden_from_model, said(&header).is_empty())
    };
    for on in ["true", "True", "\"true\"", "yes", "on"] {
        assert_eq!(hidden(on), (true, true), "{on}");
    }
    for off in ["false", "no", "", "~"] {
        assert_eq!(hidden(off), (false, true), "{off}");
    }
    assert_eq!(hidden("perhaps"), (true, false));
    assert!(!skill("name: home\ndescription: D").hidden_from_model);
}
