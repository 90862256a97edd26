use super::*;
use crate::BundleFile;

fn skill(header: &str) -> Result<StrictHeader, Vec<Diagnostic>> {
    let file = format!("---\n{header}\n---\nBody.\n");
    validate(ItemKind::Skill, Some("home"), file.as_bytes())
}

fn accepted(header: &str) -> bool {
    skill(&format!("name: home\ndescription: D\n{header}")).is_ok()
}

#[test]
fn what_the_specification_allows_passes() {
    for header in [
        "license: MIT\ncompatibility: Needs git\nmetadata:\n  version: 1.10\n  nested: {a: b}",
        "allowed-tools: Bash(git:*) Read",
        "allowed-tools: Read, Grep",
        "allowed-tools: [Read]",
        "allowed-tools:\n  - Read",
        "version: 2\nargument-hint: \"[file]\"\nx-team:\n  lead: ops",
        "metadata:\nlicense:",
    ] {
        assert!(accepted(header), "{header}");
    }
    let strict =
        skill("name: home\ndescription: \" Moves <a> & b. \"\ndisable-model-invocation: true");
    assert_eq!(
        strict,
        Ok(StrictHeader {
            name: "home".parse().unwrap(),
            description: "Moves <a> & b.".to_owned(),
            hidden_from_model: true,
        })
    );
    let crlf = b"\xEF\xBB\xBF---\r\nname: home\r\ndescription: D\r\n---";
    assert!(validate(ItemKind::Skill, Some("home"), crlf).is_ok());
    assert!(validate(ItemKind::Persona, None, crlf).is_ok());
}

#[test]
fn what_reading_forgives_is_refused() {
    for header in [
        "name: home\ndescription: a: b",
        "name: home\ndescription: D\nhint: [a] [b]",
        "name: home\ndescription: D\ndescription: E",
        "name: home\ndescription: D\nmetadata:\n  a: 1\n  a: 2",
        "description: D",
        "name: other\ndescription: D",
        "name: Home\ndescription: D",
        "name: con\ndescription: D",
        "name: home\ndescription: a\u{202e}b",
        "name: home\ndescription: a\u{e0041}b",
        "name: home\ndescription: \"a\\eb\"",
        "name: home\ndescription: D\nallowed-tools: {a: b}",
        "name: home",
    ] {
        let faults = skill(header).expect_err(header);
        assert!(!faults.is_empty());
        assert!(
            faults.iter().all(|fault| fault.severity == Severity::Error),
            "{header}"
        );
    }
    let long = format!("name: home\ndescription: {}", "資".repeat(1025));
    assert!(skill(&long).is_err());
}

#[test]
fn fields_of_the_specification_have_their_shape() {
    assert!(accepted(&format!("compatibility: {}", "資".repeat(500))));
    for header in [
        &format!("compatibility: {}", "x".repeat(501)),
        "compatibility: ''",
        "compatibility: [a]",
        "license: [MIT]",
        "metadata: text",
        "metadata: [a]",
    ] {
        assert!(!accepted(header), "{header}");
    }
}

#[test]
fn hidden_characters_are_refused_wherever_they_stand() {
    let faults = |text: &str| validate(ItemKind::Skill, Some("home"), text.as_bytes()).unwrap_err();
    let body = faults("---\nname: home\ndescription: D\n---\n\nBody\u{e0041}.\n");
    assert_eq!((body[0].about, body[0].line), (About::File, Some(6)));
    let field = faults("---\nname: home\ndescription: D\nx:\n  - a\u{202e}\n---\n");
    assert_eq!(
        (field[0].about, field[0].line),
        (About::Frontmatter, Some(4))
    );
    let flag = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
    let text = format!("---\nname: home\ndescription: {flag}\n---\n{flag}\n");
    assert!(validate(ItemKind::Skill, Some("home"), text.as_bytes()).is_ok());
}

#[test]
fn all_faults_are_told() {
    let faults = skill("name: Home\ncompatibility: ''\nmetadata: x").unwrap_err();
    let abouts: Vec<_> = faults.iter().map(|fault| fault.about.as_str()).collect();
    assert_eq!(
        abouts,
        ["name", "name", "description", "frontmatter", "frontmatter"]
    );
}

#[test]
fn a_guideline_is_plain_text_with_a_name() {
    let check = |name, text: &str| validate(ItemKind::Guideline, name, text.as_bytes());
    let header = check(Some("tone"), "\u{feff}\n  Be  brief.\nAlways.\n").unwrap();
    assert_eq!(header.description, "Be brief.");
    let long = check(Some("tone"), &"x".repeat(300)).unwrap();
    assert_eq!(long.description.chars().count(), 250);
    for (name, text) in [
        (None, "Be brief."),
        (Some("Tone"), "Be brief."),
        (Some("tone"), " \n"),
        (Some("tone"), "a\0"),
        (Some("tone"), "a\u{202e}"),
    ] {
        assert!(check(name, text).is_err(), "{name:?} {text:?}");
    }
}

#[test]
fn a_bundle_is_checked_by_its_entry_file() {
    let text = "---\nname: home\ndescription: D\n---\n";
    let bundle = Bundle::of_entry(ItemKind::Skill, text).unwrap();
    let path = "x.bin".parse().unwrap();
    let bundle = bundle.with_file(path, BundleFile::plain(*b"\0")).unwrap();
    assert!(validate_bundle(Some("home"), &bundle).is_ok());
    assert!(validate_bundle(Some("other"), &bundle).is_err());
}
