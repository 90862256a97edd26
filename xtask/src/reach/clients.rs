//! The real clients, and how each is driven without a person: the command that gives it one task,
//! and the settings that point it at the scripted model.

use std::path::{Path, PathBuf};

use imprint_format::ItemKind;
use serde_json::json;

/// A key that looks like none.
const KEY: &str = "not-a-key";

/// One real client.
pub(super) struct RealClient {
    /// Its id in Imprint's table.
    pub(super) id: &'static str,
    /// Its npm package.
    pub(super) package: &'static str,
    /// Its program in `node_modules/.bin`.
    pub(super) program: &'static str,
    /// The model that is asked for; it decides how the client shows tools and how long its list is.
    pub(super) model: &'static str,
    /// Kinds whose list stands in the description of a tool that this model must search for first.
    pub(super) hidden: &'static [ItemKind],
    /// How it is started.
    pub(super) call: fn(&Task<'_>) -> Call,
}

/// What a client is to do.
pub(super) struct Task<'a> {
    /// What the person says.
    pub(super) prompt: &'a str,
    /// The model's address.
    pub(super) url: &'a str,
    pub(super) model: &'a str,
    pub(super) home: &'a Path,
}

/// How a client is started.
#[derive(Default)]
pub(super) struct Call {
    pub(super) arguments: Vec<String>,
    pub(super) variables: Vec<(&'static str, String)>,
    /// Files that a person would have by now, before Imprint comes: the choice of a provider.
    pub(super) files: Vec<(PathBuf, String)>,
}

/// All of them, in the order of the report.
pub(super) const CLIENTS: &[RealClient] = &[
    RealClient {
        id: "claude-code",
        package: "@anthropic-ai/claude-code",
        program: "claude",
        model: "claude-sonnet-4-5",
        hidden: &[],
        call: claude_code,
    },
    RealClient {
        id: "codex",
        package: "@openai/codex",
        program: "codex",
        model: "gpt-6.2-sol",
        hidden: &[],
        call: codex,
    },
    RealClient {
        id: "codex",
        package: "@openai/codex",
        program: "codex",
        model: "gpt-5.5",
        hidden: &[ItemKind::Persona],
        call: codex,
    },
    RealClient {
        id: "codex",
        package: "@openai/codex",
        program: "codex",
        model: "gpt-5.4",
        hidden: &[],
        call: codex,
    },
    RealClient {
        id: "opencode",
        package: "opencode-ai",
        program: "opencode",
        model: "scripted",
        hidden: &[],
        call: opencode,
    },
    RealClient {
        id: "gemini-cli",
        package: "@google/gemini-cli",
        program: "gemini",
        model: "gemini-2.5-pro",
        hidden: &[],
        call: gemini_cli,
    },
    RealClient {
        id: "qwen-code",
        package: "@qwen-code/qwen-code",
        program: "qwen",
        model: "qwen3-coder-plus",
        hidden: &[],
        call: qwen_code,
    },
    RealClient {
        id: "copilot-cli",
        package: "@github/copilot",
        program: "copilot",
        model: "gpt-5.4",
        hidden: &[],
        call: copilot_cli,
    },
    RealClient {
        id: "cline",
        package: "cline",
        program: "cline",
        model: "scripted",
        hidden: &[],
        call: cline,
    },
];

fn claude_code(task: &Task<'_>) -> Call {
    Call {
        arguments: words(&[
            "-p",
            task.prompt,
            "--model",
            task.model,
            "--allowedTools",
            "mcp__imprint__skills",
        ]),
        variables: vec![
            ("ANTHROPIC_BASE_URL", task.url.to_owned()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ],
        files: Vec::new(),
    }
}

fn codex(task: &Task<'_>) -> Call {
    let provider = format!(
        "model_providers.scripted={{name=\"scripted\", base_url=\"{}/v1\", wire_api=\"responses\", \
         env_key=\"SCRIPTED_KEY\", request_max_retries=0, stream_max_retries=0}}",
        task.url
    );
    Call {
        arguments: words(&[
            "exec",
            "--skip-git-repo-check",
            "-m",
            task.model,
            "-c",
            "model_provider=\"scripted\"",
            "-c",
            &provider,
            task.prompt,
        ]),
        variables: vec![("SCRIPTED_KEY", KEY.to_owned())],
        files: Vec::new(),
    }
}

fn opencode(task: &Task<'_>) -> Call {
    let model = format!("scripted/{}", task.model);
    let provider = json!({
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": format!("{}/v1", task.url), "apiKey": KEY},
            "models": {task.model: {"name": "Scripted"}},
        }},
        "autoupdate": false,
        "share": "disabled",
    });
    Call {
        arguments: words(&["run", "--model", &model, task.prompt]),
        variables: vec![
            ("OPENCODE_CONFIG_CONTENT", provider.to_string()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
        ],
        files: Vec::new(),
    }
}

fn gemini_cli(task: &Task<'_>) -> Call {
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false},
    });
    Call {
        arguments: words(&[
            "-p",
            task.prompt,
            "-m",
            task.model,
            "--allowed-tools",
            "mcp_imprint_skills",
        ]),
        variables: vec![
            ("GEMINI_API_KEY", KEY.to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", task.url.to_owned()),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
        ],
        files: vec![(
            task.home.join(".gemini/settings.json"),
            format!("{settings:#}\n"),
        )],
    }
}

fn qwen_code(task: &Task<'_>) -> Call {
    let settings = json!({
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": false},
    });
    Call {
        arguments: words(&["-p", task.prompt, "--yolo"]),
        variables: vec![
            ("OPENAI_API_KEY", KEY.to_owned()),
            ("OPENAI_BASE_URL", format!("{}/v1", task.url)),
            ("OPENAI_MODEL", task.model.to_owned()),
        ],
        files: vec![(
            task.home.join(".qwen/settings.json"),
            format!("{settings:#}\n"),
        )],
    }
}

fn copilot_cli(task: &Task<'_>) -> Call {
    Call {
        arguments: words(&["-p", task.prompt, "--no-auto-update"]),
        variables: vec![
            ("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", task.url)),
            ("COPILOT_PROVIDER_API_KEY", KEY.to_owned()),
            ("COPILOT_MODEL", task.model.to_owned()),
            ("COPILOT_OFFLINE", "true".to_owned()),
        ],
        files: Vec::new(),
    }
}

fn cline(task: &Task<'_>) -> Call {
    let provider = "openai-compatible";
    // As `cline auth` writes it.
    let settings = json!({
        "version": 1,
        "lastUsedProvider": provider,
        "modes": {},
        "providers": {provider: {
            "settings": {
                "provider": provider,
                "apiKey": KEY,
                "model": task.model,
                "baseUrl": format!("{}/v1", task.url),
            },
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "tokenSource": "manual",
        }},
    });
    Call {
        arguments: words(&["-P", provider, "-m", task.model, task.prompt]),
        variables: Vec::new(),
        files: vec![(
            task.home.join(".cline/data/settings/providers.json"),
            format!("{settings:#}\n"),
        )],
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
