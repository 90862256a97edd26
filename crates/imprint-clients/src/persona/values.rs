//! What each client can read of a persona's header. A value outside is left out: some clients
//! refuse the file for it, OpenCode even refuses to start.

use imprint_format::{
    About, Diagnostic, ItemName,
    text::{clip, one_line},
};

use super::Dialect;

/// The colours of Claude Code, and of Qwen Code, which took them over.
const COLOR_NAMES: [&str; 8] = [
    "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan",
];

/// Names that Qwen Code refuses for an agent.
const QWEN_RESERVED: [&str; 7] = [
    "self", "system", "user", "model", "tool", "config", "default",
];

/// What becomes of a value.
pub(super) enum Fate<T> {
    /// The client reads it.
    Kept(T),
    /// Leaving it out says the same.
    Implied,
    /// The client can't read it; why, for people.
    LeftOut(String),
}

impl Dialect {
    /// The client's name for people.
    fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::CopilotCli => "Copilot CLI",
            Self::Cursor => "Cursor",
            Self::GeminiCli => "Gemini CLI",
            Self::OpenCode => "OpenCode",
            Self::QwenCode => "Qwen Code",
        }
    }

    /// What stands behind the name in a file's name.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Codex => ".toml",
            Self::CopilotCli => ".agent.md",
            _ => ".md",
        }
    }

    pub(super) fn color(self, color: &str) -> Fate<String> {
        let folded = color.to_ascii_lowercase();
        match self {
            Self::ClaudeCode | Self::QwenCode if COLOR_NAMES.contains(&folded.as_str()) => {
                Fate::Kept(folded)
            }
            // Newer versions also take words of its theme; older ones refuse to start with one.
            Self::OpenCode if is_hex_color(color) => Fate::Kept(color.to_owned()),
            _ => Fate::LeftOut(self.left_out("colour", color)),
        }
    }

    /// Aliases mean something to one client only; a model's full id is kept for the client whose
    /// own models are called so.
    pub(super) fn model(self, model: &str) -> Fate<String> {
        let kept = match self {
            Self::ClaudeCode => {
                matches!(model, "inherit" | "sonnet" | "opus" | "haiku") || is_id(model, "claude-")
            }
            Self::Cursor => model == "inherit",
            _ if model == "inherit" => return Fate::Implied,
            Self::Codex => is_id(model, "gpt-"),
            Self::GeminiCli => is_id(model, "gemini-"),
            Self::QwenCode => is_id(model, "qwen"),
            Self::OpenCode => model
                .split_once('/')
                .is_some_and(|(provider, id)| is_id(provider, "") && is_id(id, "")),
            Self::CopilotCli => false,
        };
        if kept {
            Fate::Kept(model.to_owned())
        } else {
            Fate::LeftOut(self.left_out("model", model))
        }
    }

    pub(super) fn tools(self, tools: &[String]) -> Fate<Vec<String>> {
        match self {
            Self::QwenCode if tools.is_empty() => Fate::LeftOut(
                "Qwen Code takes an empty list of tools for all tools; it is left out".to_owned(),
            ),
            Self::ClaudeCode | Self::CopilotCli | Self::QwenCode => Fate::Kept(tools.to_vec()),
            // Gemini CLI refuses a file that names a tool it doesn't have, OpenCode one whose
            // tools are a list; Codex and Cursor have no such key.
            Self::Codex | Self::Cursor | Self::GeminiCli | Self::OpenCode => {
                Fate::LeftOut(format!(
                    "{} can't read this list of tools; it is left out, so the persona has all tools there",
                    self.title()
                ))
            }
        }
    }

    /// Why the client would refuse the file whatever its header holds.
    pub(super) fn refusal(self, name: &ItemName, instructions: &str) -> Option<Diagnostic> {
        if self != Self::QwenCode {
            return None;
        }
        let length = name.as_str().len();
        if !(2..=50).contains(&length) {
            return Some(Diagnostic::error(
                About::Name,
                "Qwen Code takes names of 2 to 50 characters only",
            ));
        }
        if QWEN_RESERVED.contains(&name.as_str()) {
            return Some(Diagnostic::error(
                About::Name,
                format!("Qwen Code reserves the name `{name}`"),
            ));
        }
        (instructions.trim().chars().count() < 10).then(|| {
            Diagnostic::error(
                About::File,
                "Qwen Code takes instructions of at least 10 characters only",
            )
        })
    }

    fn left_out(self, what: &str, value: &str) -> String {
        format!(
            "{} has no {what} `{}`; it is left out",
            self.title(),
            clip(&one_line(value), 60)
        )
    }
}

fn is_hex_color(color: &str) -> bool {
    color
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a text is a model's id that begins so.
fn is_id(text: &str, beginning: &str) -> bool {
    text.starts_with(beginning)
        && !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._:/@#[]".contains(c))
}
