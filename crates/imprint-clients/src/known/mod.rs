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
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Machine, Os};

    #[test]
    fn ids_and_names_are_unique() {
        let mut ids = BTreeSet::new();
        let mut names = BTreeSet::new();
        for client in known_clients() {
            assert!(ids.insert(client.facts.id), "{} twice", client.facts.id);
            assert!(!client.facts.title.is_empty());
            for name in client.facts.names.iter().chain(client.facts.name_prefixes) {
                assert!(names.insert(*name), "{name} twice");
            }
        }
        // What every host on the Python SDK says, and what health checks say.
        assert!(!names.contains("mcp"));
        assert!(!names.contains("mcp-test-client"));
    }

    #[test]
    fn clients_are_recognised_by_what_they_say() {
        let id = |name| clients().recognise(name).map(|client| client.id);
        assert_eq!(id("claude-code"), Some("claude-code"));
        assert_eq!(id("qwen-cli-mcp-client-imprint"), Some("qwen-code"));
        assert_eq!(
            id("claude-ai (via mcp-remote 0.1.37)"),
            Some("claude-desktop")
        );
        assert_eq!(id("local-agent-mode-imprint"), Some("claude-desktop"));
        assert_eq!(id("Visual Studio Code - Insiders"), Some("vs-code"));
        assert_eq!(id("openai-mcp/1.0.0"), Some("chatgpt"));
        for other in [
            "mcp",
            "mcp-test-client",
            "hermes-probe",
            "claude",
            "",
            "Claude Code",
        ] {
            assert_eq!(id(other), None, "{other}");
        }
    }

    #[test]
    fn only_readers_of_folders_that_we_write_may_have_a_kind_left_out() {
        let machine = Machine::new(Os::Linux, "/home/ada");
        for client in known_clients() {
            if client.facts.reads_our_folders {
                let folders = client.skill_folders(&machine);
                let reads_shared = folders.reads.contains(&shared_skills(&machine));
                assert!(reads_shared || folders.own.is_some(), "{}", client.facts.id);
                let named = client.facts.names.len() + client.facts.name_prefixes.len();
                assert!(named > 0, "{}", client.facts.id);
            }
        }
    }

    #[test]
    fn every_own_folder_is_read_and_cuts_end_with_a_row_for_all_versions() {
        let machine = Machine::new(Os::Windows, r"C:\Users\Ada");
        for client in known_clients() {
            let folders = client.skill_folders(&machine);
            if let Some(own) = &folders.own {
                assert!(folders.reads.contains(own), "{}", client.facts.id);
            }
            for cuts in [client.facts.instruction_cuts, client.facts.description_cuts] {
                assert!(cuts.last().is_none_or(|row| row.from.is_empty()));
            }
        }
    }

    #[test]
    fn variables_move_folders() {
        let machine = Machine::new(Os::Linux, "/home/ada")
            .with_variable("CLAUDE_CONFIG_DIR", "/opt/claude")
            .with_variable("CODEX_HOME", "/opt/codex")
            .with_variable("COPILOT_HOME", "/opt/copilot")
            .with_variable("GEMINI_CLI_HOME", "/opt/gemini")
            .with_variable("XDG_CONFIG_HOME", "/opt/xdg");
        let folders = |id: &str| {
            let client = known_client(id).unwrap();
            let skills = client.skill_folders(&machine);
            let agents = client.personas.as_ref().unwrap();
            (skills.reads, (agents.folder)(&machine))
        };
        assert_eq!(
            folders("claude-code"),
            (
                vec!["/opt/claude/skills".into()],
                "/opt/claude/agents".into()
            )
        );
        assert_eq!(
            folders("codex").1,
            std::path::PathBuf::from("/opt/codex/agents")
        );
        assert_eq!(
            folders("copilot-cli").1,
            std::path::PathBuf::from("/opt/copilot/agents")
        );
        let (skills, agents) = folders("gemini-cli");
        assert_eq!(
            agents,
            std::path::PathBuf::from("/opt/gemini/.gemini/agents")
        );
        assert!(!skills.contains(&shared_skills(&machine)));
        assert_eq!(
            folders("opencode").1,
            std::path::PathBuf::from("/opt/xdg/opencode/agents")
        );
    }

    #[test]
    fn opencode_can_be_told_not_to_read_the_folders_of_others() {
        let machine = Machine::new(Os::Linux, "/home/ada");
        let opencode = known_client("opencode").unwrap();
        let shared = shared_skills(&machine);
        assert!(opencode.skill_folders(&machine).reads.contains(&shared));
        let alone = machine.with_variable("OPENCODE_DISABLE_EXTERNAL_SKILLS", "true");
        assert!(!opencode.skill_folders(&alone).reads.contains(&shared));
    }
}
