//! The clients that we know, one file for each. A cell that nobody established stays empty.

mod amp;
mod antigravity;
mod augment;
mod chatgpt;
mod claude_code;
mod claude_desktop;
mod cline;
mod codex;
mod continue_cli;
mod copilot_cli;
mod crush;
mod cursor;
mod droid;
mod fastmcp;
mod gemini_cli;
mod goose;
mod hermes;
mod inspector;
mod junie;
mod kilo;
mod kiro;
mod openclaw;
mod opencode;
mod openhands;
mod pi;
mod qwen_code;
mod shared;
mod vibe;
mod vs_code;
mod windsurf;
mod zed;

use imprint_core::{ClientFacts, ClientTable};

use crate::client::Client;

pub use shared::shared_skills;

static KNOWN: [&Client; 30] = [
    &claude_code::CLIENT,
    &codex::CLIENT,
    &cursor::CLIENT,
    &opencode::CLIENT,
    &gemini_cli::CLIENT,
    &copilot_cli::CLIENT,
    &qwen_code::CLIENT,
    &cline::CLIENT,
    &kilo::CLIENT,
    &droid::CLIENT,
    &pi::CLIENT,
    &openhands::CLIENT,
    &vibe::CLIENT,
    &vs_code::CLIENT,
    &goose::CLIENT,
    &crush::CLIENT,
    &zed::CLIENT,
    &openclaw::CLIENT,
    &claude_desktop::CLIENT,
    &chatgpt::CLIENT,
    &amp::CLIENT,
    &continue_cli::CLIENT,
    &windsurf::CLIENT,
    &hermes::CLIENT,
    &kiro::CLIENT,
    &junie::CLIENT,
    &antigravity::CLIENT,
    &augment::CLIENT,
    &inspector::CLIENT,
    &fastmcp::CLIENT,
];

static FACTS: [&ClientFacts; KNOWN.len()] = {
    let mut facts = [&KNOWN[0].facts; KNOWN.len()];
    let mut at = 0;
    while at < KNOWN.len() {
        facts[at] = &KNOWN[at].facts;
        at += 1;
    }
    facts
};

/// All clients that we know, the best known first.
pub fn known_clients() -> &'static [&'static Client] {
    &KNOWN
}

/// Names and limits of all clients that we know.
pub fn clients() -> ClientTable {
    ClientTable::new(&FACTS)
}

/// The client with this id. What Claude Desktop calls itself serves as its id too.
pub fn known_client(id: &str) -> Option<&'static Client> {
    let id = match id {
        "claude-ai" => claude_desktop::CLIENT.facts.id,
        other => other,
    };
    KNOWN.iter().copied().find(|client| client.facts.id == id)
}

#[cfg(test)]
mod tests;
