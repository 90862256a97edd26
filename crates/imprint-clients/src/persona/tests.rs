use imprint_format::{About, Header, Severity};
use proptest::prelude::*;
use yaml_rust2::{Yaml, YamlLoader};

use super::*;

const ALL: [Dialect; 7] = [
    Dialect::ClaudeCode,
    Dialect::Codex,
    Dialect::CopilotCli,
    Dialect::Cursor,
    Dialect::GeminiCli,
    Dialect::OpenCode,
    Dialect::QwenCode,
];

fn header(name: &str) -> Header {
    Header {
        name: name.to_owned(),
        description: "Reads: plans, and #notes.".to_owned(),
        tools: Some(vec!["Read".to_owned(), "Bash(git:*)".to_owned()]),
        model: Some("inherit".to_owned()),
        color: Some("cyan".to_owned()),
        hidden_from_model: false,
    }
}

fn rendered(header: &Header, dialect: Dialect) -> Rendered {
    render(
        Persona {
            header,
            instructions: "You read plans.\n\n---\n\nThen you ask.\n",
        },
        dialect,
    )
}

fn text(rendered: &Rendered) -> &str {
    std::str::from_utf8(&rendered.bytes).unwrap()
}

/// The front matter between the fences, and what stands behind it.
fn parts(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix("---\n").unwrap();
    rest.split_once("\n---\n").unwrap()
}

fn told(rendered: &Rendered) -> Vec<(Severity, About)> {
    let tell = |diagnostic: &Diagnostic| (diagnostic.severity, diagnostic.about);
    rendered.diagnostics.iter().map(tell).collect()
}

#[test]
fn claude_code_gets_everything_that_it_knows() {
    let rendered = rendered(&header("plan-reader"), Dialect::ClaudeCode);
    assert_eq!(rendered.file_name, "plan-reader.md");
    assert_eq!(rendered.diagnostics, []);
    insta::assert_snapshot!(text(&rendered), @r#"
    ---
    name: plan-reader
    description: "Reads: plans, and #notes."
    model: inherit
    color: cyan
    tools:
      - Read
      - Bash(git:*)
    ---

    You read plans.

    ---

    Then you ask.
    "#);
}

#[test]
fn opencode_gets_what_it_does_not_refuse() {
    let rendered = rendered(&header("plan-reader"), Dialect::OpenCode);
    assert_eq!(
        told(&rendered),
        [
            (Severity::Warning, About::Color),
            (Severity::Warning, About::Tools)
        ]
    );
    insta::assert_snapshot!(parts(text(&rendered)).0, @r#"
    description: "Reads: plans, and #notes."
    mode: subagent
    "#);
}

#[test]
fn codex_gets_toml() {
    let rendered = rendered(&header("plan-reader"), Dialect::Codex);
    assert_eq!(rendered.file_name, "plan-reader.toml");
    insta::assert_snapshot!(text(&rendered), @r#"
    name = "plan-reader"
    description = "Reads: plans, and #notes."
    developer_instructions = """
    You read plans.

    ---

    Then you ask.
    """
    "#);
}

#[test]
fn the_other_clients_get_their_own_keys() {
    let header = header("plan-reader");
    let front = |dialect| {
        let rendered = rendered(&header, dialect);
        parts(text(&rendered)).0.to_owned() + "\n-> " + &rendered.file_name
    };
    insta::assert_snapshot!(front(Dialect::GeminiCli), @r#"
    name: plan-reader
    description: "Reads: plans, and #notes."
    -> plan-reader.md
    "#);
    insta::assert_snapshot!(front(Dialect::Cursor), @r#"
    name: plan-reader
    description: "Reads: plans, and #notes."
    model: inherit
    -> plan-reader.md
    "#);
    insta::assert_snapshot!(front(Dialect::CopilotCli), @r#"
    name: plan-reader
    description: "Reads: plans, and #notes."
    tools:
      - Read
      - Bash(git:*)
    -> plan-reader.agent.md
    "#);
    insta::assert_snapshot!(front(Dialect::QwenCode), @r#"
    name: plan-reader
    description: "Reads: plans, and #notes."
    color: cyan
    tools:
      - Read
      - Bash(git:*)
    -> plan-reader.md
    "#);
}

#[test]
fn what_nobody_knows_is_left_out_everywhere_and_said() {
    let mut header = header("diver");
    header.tools = None;
    header.model = Some("house-model-7".to_owned());
    header.color = Some("teal".to_owned());
    for dialect in ALL {
        let rendered = rendered(&header, dialect);
        let text = text(&rendered);
        assert!(
            !text.contains("teal") && !text.contains("house-model"),
            "{text}"
        );
        assert_eq!(
            told(&rendered),
            [
                (Severity::Warning, About::Model),
                (Severity::Warning, About::Color)
            ]
        );
    }
    insta::assert_snapshot!(rendered(&header, Dialect::OpenCode).diagnostics[1], @"OpenCode has no colour `teal`; it is left out");
}

#[test]
fn each_client_keeps_its_own_models_and_colours() {
    let keeps = |dialect, model: &str, color: &str| {
        let mut header = header("diver");
        header.model = Some(model.to_owned());
        header.color = Some(color.to_owned());
        let text = text(&rendered(&header, dialect)).to_owned();
        (text.contains(model), text.contains(color))
    };
    assert_eq!(keeps(Dialect::ClaudeCode, "opus", "pink"), (true, true));
    assert_eq!(
        keeps(Dialect::ClaudeCode, "claude-opus-4-5", "#00ffaa"),
        (true, false)
    );
    assert_eq!(
        keeps(Dialect::OpenCode, "anthropic/claude-opus-4-5", "#00ffaa"),
        (true, true)
    );
    assert_eq!(keeps(Dialect::OpenCode, "opus", "#00ffa"), (false, false));
    assert_eq!(keeps(Dialect::Codex, "gpt-6.2-sol", "red"), (true, false));
    assert_eq!(keeps(Dialect::Codex, "sonnet", "red"), (false, false));
    assert_eq!(
        keeps(Dialect::GeminiCli, "gemini-3-pro", "red"),
        (true, false)
    );
    assert_eq!(
        keeps(Dialect::QwenCode, "qwen3-coder-plus", "red"),
        (true, true)
    );
}

#[test]
fn an_empty_list_of_tools_is_not_an_omitted_one() {
    let mut header = header("diver");
    header.tools = Some(Vec::new());
    let claude = rendered(&header, Dialect::ClaudeCode);
    assert!(text(&claude).contains("\ntools: []\n"));
    // There an empty list would mean all tools.
    let qwen = rendered(&header, Dialect::QwenCode);
    assert!(!text(&qwen).contains("tools"));
    assert_eq!(told(&qwen), [(Severity::Warning, About::Tools)]);
}

#[test]
fn a_file_that_qwen_code_would_refuse_is_called_refused() {
    assert!(
        rendered(&header("diver"), Dialect::QwenCode)
            .refused()
            .is_none()
    );
    for name in ["x", "system", &"x".repeat(51)] {
        let rendered = rendered(&header(name), Dialect::QwenCode);
        assert_eq!(rendered.refused().unwrap().about, About::Name, "{name}");
    }
    let header = header("diver");
    let short = Persona {
        header: &header,
        instructions: "You dive.",
    };
    assert!(render(short, Dialect::QwenCode).refused().is_some());
    assert!(render(short, Dialect::ClaudeCode).refused().is_none());
}

#[test]
fn clients_without_personas_get_none() {
    let header = header("diver");
    let persona = Persona {
        header: &header,
        instructions: "You dive.",
    };
    assert!(render_for(persona, "cline").is_none());
    assert!(render_for(persona, "nobody").is_none());
    assert!(render_for(persona, "claude-code").is_some());
}

/// Text that reads as something else than a text in YAML 1.1, in 1.2, or in both.
fn trap() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "yes",
            "Off",
            "~",
            "null",
            "1_000",
            "1:30",
            "0o17",
            "0x1F",
            ".inf",
            "2001-12-14",
            "=",
            "<<",
            "a: b",
            "- a",
            "a #b",
            "\"",
            "'",
            "---",
            "...",
            "key:",
            "@a",
            "`a`",
            "%a",
            "\\n",
            "a\nb",
            "a\n---\nb",
            " a ",
            "\t",
            "\u{85}",
            "\u{2028}x",
            "😀",
            "é",
            "{a}",
            "[a]",
            "!!x",
            "&a",
            "*a",
            "? a",
            "|",
            ">",
        ])
        .prop_map(str::to_owned),
        "\\PC{1,60}",
    ]
}

fn string<'a>(document: &'a Yaml, key: &str) -> &'a str {
    document[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key} of {document:?} is no string"))
}

proptest! {
    /// Whatever stands in a persona, every file parses, in two parsers, to the same texts.
    #[test]
    fn every_file_says_the_same_to_every_parser(
        description in trap(),
        tools in proptest::option::of(proptest::collection::vec(trap(), 0..4)),
        instructions in "(\\PC|\n|-){0,80}",
    ) {
        let mut header = header("diver");
        header.description.clone_from(&description);
        header.tools.clone_from(&tools);
        let persona = Persona { header: &header, instructions: &instructions };
        for dialect in ALL {
            let rendered = render(persona, dialect);
            let text = text(&rendered);
            if dialect == Dialect::Codex {
                let toml: DocumentMut = text.parse().unwrap();
                prop_assert_eq!(toml["description"].as_str(), Some(description.as_str()));
                prop_assert_eq!(toml["developer_instructions"].as_str(), Some(instructions.as_str()));
                continue;
            }
            let (front, _) = parts(text);
            let document = &YamlLoader::load_from_str(front).unwrap()[0];
            if dialect != Dialect::OpenCode {
                prop_assert_eq!(string(document, "name"), "diver");
            }
            prop_assert_eq!(string(document, "description"), &description);
            let again: serde_json::Value = serde_saphyr::from_str(front).unwrap();
            prop_assert_eq!(again["description"].as_str(), Some(description.as_str()));
            if let (Some(list), Some(tools)) = (document["tools"].as_vec(), &tools) {
                let list: Vec<_> = list.iter().map(|tool| tool.as_str().unwrap()).collect();
                prop_assert_eq!(&list, tools);
            }
        }
    }
}
