//! The providers' wire formats, and which of them a request speaks.

use serde_json::{Value, json};

use super::{
    answer::Answer,
    anthropic, chat, gemini,
    prompt::{Prompt, Reply},
    responses,
};

/// A provider's wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// An answer of the model, as a stream or in one piece.
    Model { wire: Wire, streams: bool },
    /// How many tokens a prompt has.
    Count(Wire),
    /// Which models there are.
    Models,
    /// Something beside the conversation.
    Other,
}

impl Asked {
    /// What is asked, from the path (without query) and the body.
    pub(super) fn of(path: &str, body: &Value) -> Self {
        let streams = body["stream"] == true;
        let (rest, last) = path.rsplit_once('/').unwrap_or(("", path));
        match last {
            "messages" => Self::Model {
                wire: Wire::Anthropic,
                streams,
            },
            "count_tokens" if rest.ends_with("messages") => Self::Count(Wire::Anthropic),
            "responses" => Self::Model {
                wire: Wire::Responses,
                streams: true,
            },
            "completions" if rest.ends_with("chat") => Self::Model {
                wire: Wire::Chat,
                streams,
            },
            "models" => Self::Models,
            _ => match last.rsplit_once(':') {
                Some((_, "generateContent")) => Self::Model {
                    wire: Wire::Gemini,
                    streams: false,
                },
                Some((_, "streamGenerateContent")) => Self::Model {
                    wire: Wire::Gemini,
                    streams: true,
                },
                Some((_, "countTokens")) => Self::Count(Wire::Gemini),
                _ => Self::Other,
            },
        }
    }
}

impl Wire {
    /// Reads a request.
    pub(super) fn read(self, body: &Value) -> Prompt {
        match self {
            Self::Anthropic => anthropic::read(body),
            Self::Responses => responses::read(body),
            Self::Chat => chat::read(body),
            Self::Gemini => gemini::read(body),
        }
    }

    /// Writes the `number`-th answer.
    pub(super) fn write(self, reply: &Reply, number: usize, streams: bool) -> Answer {
        match self {
            Self::Anthropic => anthropic::write(reply, number, streams),
            Self::Responses => responses::write(reply, number),
            Self::Chat => chat::write(reply, number, streams),
            Self::Gemini => gemini::write(reply, streams),
        }
    }

    /// A count of tokens: four characters each.
    pub(super) fn count(self, body: &Value) -> Answer {
        let tokens = body.to_string().chars().count() / 4;
        Answer::json(&match self {
            Self::Gemini => json!({"totalTokens": tokens}),
            _ => json!({"input_tokens": tokens}),
        })
    }
}

/// The list of models, in a form that each wire's readers find theirs in.
pub(super) fn models() -> Answer {
    let model = json!({"id": "scripted", "name": "models/scripted", "object": "model",
        "type": "model", "display_name": "Scripted", "created": 0, "owned_by": "nobody"});
    Answer::json(&json!({"object": "list", "data": [model], "models": [], "has_more": false}))
}
