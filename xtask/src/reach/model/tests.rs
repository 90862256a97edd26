//! The wire formats both ways, the script, and the server over a real connection.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::{Value, json};

use super::{
    prompt::{Calling, Place, Prompt, Reply, Tool},
    script::{Script, is_skills},
    server::ModelServer,
    wire::{Asked, Wire},
};

const SKILLS: &str = "mcp__imprint__skills";

fn script() -> Script {
    Script {
        task: "Sort my papers".to_owned(),
        skill: "tea".to_owned(),
        body_end: "Here end the steps".to_owned(),
    }
}

fn call() -> Reply {
    Reply::Call {
        tool: Tool::function(SKILLS),
        arguments: json!({"action": "get", "name": "tea"}),
    }
}

/// The data of the events of a stream.
fn events(wire: Wire, reply: &Reply) -> Vec<Value> {
    let answer = wire.write(reply, 3, true);
    assert_eq!(answer.content_type, "text/event-stream");
    let data = answer
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn places(prompt: &Prompt) -> Vec<(&Place, &str)> {
    let texts = prompt.texts.iter();
    texts
        .map(|text| (&text.place, text.text.as_str()))
        .collect()
}

#[test]
fn paths_say_what_is_asked() {
    let plain = json!({});
    let streamed = json!({"stream": true});
    let model = |wire, streams| Asked::Model { wire, streams };
    for (path, body, asked) in [
        ("/v1/messages", &streamed, model(Wire::Anthropic, true)),
        ("/v1/messages", &plain, model(Wire::Anthropic, false)),
        (
            "/v1/messages/count_tokens",
            &plain,
            Asked::Count(Wire::Anthropic),
        ),
        ("/v1/responses", &streamed, model(Wire::Responses, true)),
        ("/v1/chat/completions", &plain, model(Wire::Chat, false)),
        ("/v1/models", &plain, Asked::Models),
        (
            "/v1beta/models/m:generateContent",
            &plain,
            model(Wire::Gemini, false),
        ),
        (
            "/v1beta/models/m:streamGenerateContent",
            &plain,
            model(Wire::Gemini, true),
        ),
        (
            "/v1beta/models/m:countTokens",
            &plain,
            Asked::Count(Wire::Gemini),
        ),
        ("/", &plain, Asked::Other),
    ] {
        assert_eq!(Asked::of(path, body), asked, "{path}");
    }
}

#[test]
fn messages_are_read() {
    let prompt = Wire::Anthropic.read(&json!({
        "system": [{"type": "text", "text": "Be kind."}],
        "messages": [
            {"role": "user", "content": "Sort my papers"},
            {"role": "user", "content": [
                {"type": "text", "text": "and mine"},
                {"type": "tool_result", "content": [{"type": "text", "text": "Found."}]},
            ]},
        ],
        "tools": [
            {"name": "a", "description": "Does a.", "input_schema": {"x": {"description": "An x."}}},
            {"name": "b", "description": "Does b.", "defer_loading": true},
        ],
    }));
    assert_eq!(
        places(&prompt),
        [
            (&Place::System, "Be kind."),
            (&Place::Message, "Sort my papers"),
            (&Place::Message, "and mine"),
            (&Place::Tool("a".to_owned()), "Does a.\nAn x."),
        ]
    );
    assert_eq!(prompt.results, ["Found."]);
    assert_eq!(prompt.tools, [Tool::function("a")]);
}

#[test]
fn messages_are_written() {
    let whole = Wire::Anthropic.write(&call(), 3, false);
    let whole: Value = serde_json::from_str(&whole.body).unwrap();
    assert_eq!(whole["content"][0]["name"], SKILLS);
    assert_eq!(whole["stop_reason"], "tool_use");
    let streamed = events(Wire::Anthropic, &call());
    let kinds: Vec<_> = streamed.iter().map(|event| &event["type"]).collect();
    assert_eq!(
        kinds,
        [
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop"
        ]
    );
    assert_eq!(streamed[1]["content_block"]["input"], json!({}));
    let arguments = streamed[2]["delta"]["partial_json"].as_str().unwrap();
    assert_eq!(arguments, r#"{"action":"get","name":"tea"}"#);
}

#[test]
fn responses_are_read() {
    let prompt = Wire::Responses.read(&json!({
        "instructions": "Be kind.",
        "input": [
            {"type": "additional_tools", "tools": [{"type": "namespace", "name": "functions",
                "tools": [{"type": "custom", "name": "exec", "description": "Runs."}]}]},
            {"type": "message", "role": "developer",
                "content": [{"type": "input_text", "text": "Skills: none."}]},
            {"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": "Sort my papers"}]},
            {"type": "function_call_output", "output": "Found."},
            {"type": "custom_tool_call_output",
                "output": [{"type": "input_text", "text": "Ran."}]},
        ],
        "tools": [
            {"type": "namespace", "name": "mcp__imprint", "description": "Keeps skills.",
                "tools": [{"type": "function", "name": "skills", "description": "Lists."}]},
            {"type": "tool_search", "description": "Searches."},
        ],
    }));
    let namespace = Place::Tool("mcp__imprint".to_owned());
    assert!(places(&prompt).contains(&(&Place::System, "Be kind.")));
    assert!(places(&prompt).contains(&(&Place::System, "Skills: none.")));
    assert!(places(&prompt).contains(&(&namespace, "Keeps skills.")));
    let tools: Vec<_> = prompt.tools.iter().map(Tool::whole_name).collect();
    assert_eq!(tools, ["functions__exec", SKILLS, ""]);
    assert_eq!(prompt.results, ["Found.", "Ran."]);
}

#[test]
fn responses_are_written() {
    let item = |reply: &Reply| events(Wire::Responses, reply)[2]["item"].clone();
    let in_namespace = |name: &str, namespace: &str, calling| Reply::Call {
        tool: Tool {
            name: name.to_owned(),
            namespace: Some(namespace.to_owned()),
            calling,
        },
        arguments: json!("text(1)"),
    };
    let called = item(&in_namespace("skills", "mcp__imprint", Calling::Function));
    assert_eq!(called["type"], "function_call");
    assert_eq!(called["namespace"], "mcp__imprint");
    let run = item(&in_namespace("exec", "functions", Calling::Script));
    assert_eq!(
        (&run["type"], &run["input"]),
        (&json!("custom_tool_call"), &json!("text(1)"))
    );
    let said = item(&Reply::Say("Done.".to_owned()));
    assert_eq!(said["content"][0]["text"], "Done.");
}

#[test]
fn chat_is_read_and_written() {
    let prompt = Wire::Chat.read(&json!({
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": [{"type": "text", "text": "Sort my papers"}]},
            {"role": "tool", "content": "Found."},
        ],
        "tools": [{"type": "function", "function": {"name": "imprint_skills", "description": "Lists."}}],
    }));
    assert_eq!(prompt.texts.len(), 3);
    assert_eq!(prompt.results, ["Found."]);
    assert_eq!(prompt.tools, [Tool::function("imprint_skills")]);
    let chunks = events(Wire::Chat, &call());
    let called = &chunks[0]["choices"][0]["delta"]["tool_calls"][0];
    assert_eq!(called["function"]["name"], SKILLS);
    assert_eq!(chunks[1]["choices"][0]["finish_reason"], "tool_calls");
    let whole = Wire::Chat.write(&Reply::Say("Done.".to_owned()), 3, false);
    let whole: Value = serde_json::from_str(&whole.body).unwrap();
    assert_eq!(whole["choices"][0]["message"]["content"], "Done.");
}

#[test]
fn gemini_is_read_and_written() {
    let prompt = Wire::Gemini.read(&json!({
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Sort my papers"}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "a", "response": {"output": "Found."}}}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "mcp_imprint_skills", "description": "Lists."}]}],
    }));
    assert_eq!(prompt.texts.len(), 3);
    assert_eq!(prompt.results, ["Found."]);
    let part = &events(Wire::Gemini, &call())[0]["candidates"][0]["content"]["parts"][0];
    assert_eq!(part["functionCall"]["name"], SKILLS);
}

#[test]
fn the_tool_is_known_by_every_name_that_clients_give_it() {
    for name in [
        SKILLS,
        "imprint_skills",
        "mcp_imprint_skills",
        "imprint-skills",
        "imprint___skills",
    ] {
        assert!(is_skills(name), "{name}");
    }
    for name in [
        "skills",
        "skill",
        "mcp__other__skills",
        "imprintskills",
        "imprint_skill_edit",
    ] {
        assert!(!is_skills(name), "{name}");
    }
}

fn asked(tools: &[Tool], results: &[&str]) -> Prompt {
    let mut prompt = Prompt::default();
    prompt.message("user", Some("Sort my papers, please"));
    prompt.tools = tools.to_vec();
    prompt.results = results.iter().map(|result| (*result).to_owned()).collect();
    prompt
}

#[test]
fn the_model_calls_the_tool_until_the_skill_is_there() {
    let script = script();
    let tools = [Tool::function("Bash"), Tool::function(SKILLS)];
    assert_eq!(script.reply(&asked(&tools, &[])), call());
    assert_eq!(script.reply(&asked(&tools, &["An error"])), call());
    let done = asked(&tools, &["An error", "# Steps\nHere end the steps"]);
    assert!(script.has_come_back(&done));
    assert_eq!(script.reply(&done), Reply::Say("Done.".to_owned()));
    assert!(matches!(
        script.reply(&asked(&tools, &["no"; 6])),
        Reply::Say(_)
    ));
}

#[test]
fn requests_beside_the_task_get_a_text() {
    let script = script();
    assert!(!script.is_task(&asked(&[], &[])));
    assert!(matches!(script.reply(&asked(&[], &[])), Reply::Say(_)));
    let mut other = asked(&[Tool::function(SKILLS)], &[]);
    other.texts.clear();
    assert!(matches!(script.reply(&other), Reply::Say(_)));
}

#[test]
fn a_hidden_tool_is_searched_for_first() {
    let script = script();
    let called = |tools: &[Tool], results: &[&str]| match script.reply(&asked(tools, results)) {
        Reply::Call { tool, arguments } => (tool.name, arguments),
        Reply::Say(text) => panic!("{text}"),
    };
    let claude = [Tool::function("ToolSearch")];
    assert_eq!(
        called(&claude, &[]).1,
        json!({"query": format!("select:{SKILLS}")})
    );
    let qwen = [Tool::function("tool_search"), Tool::function("tool_call")];
    assert_eq!(called(&qwen, &[]).0, "tool_search");
    let (bridge, arguments) = called(&qwen, &["Found: \"mcp__imprint__skills\"."]);
    assert_eq!(
        (bridge.as_str(), &arguments["name"]),
        ("tool_call", &json!(SKILLS))
    );
    let exec = Tool {
        calling: Calling::Script,
        ..Tool::function("exec")
    };
    let (_, program) = called(&[exec], &[]);
    assert!(
        program
            .as_str()
            .unwrap()
            .contains("tools.mcp__imprint__skills({\"action\":\"get\"")
    );
}

#[test]
fn the_server_keeps_what_it_is_asked() {
    let server = ModelServer::start(script()).unwrap();
    let url = server.url();
    let address = url.strip_prefix("http://").unwrap();
    let body = json!({
        "messages": [{"role": "user", "content": "Sort my papers"}],
        "tools": [{"name": SKILLS, "description": "Lists."}],
    })
    .to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /v1/messages?beta=true HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains(r#""stop_reason":"tool_use""#), "{answer}");
    let exchanges = server.exchanges();
    assert_eq!(exchanges[0].asked, "POST /v1/messages");
    assert_eq!(exchanges[0].turn.as_ref().unwrap().1, call());
}
