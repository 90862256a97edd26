//! What must hold of every row of the table.

use std::collections::BTreeSet;

use imprint_core::Reach;

use super::*;
use crate::{Cell, EvidenceKind, Machine, Os, client::Client};

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

/// Whether nothing stands in a cell.
fn is_empty(client: &Client, cell: Cell) -> bool {
    let facts = &client.facts;
    match cell {
        Cell::Presence => client.presence.is_none(),
        Cell::Skills => client.skills.is_none(),
        Cell::Listing => client.listing.is_none(),
        Cell::Personas => client.personas.is_none(),
        Cell::Config => client.config.is_none(),
        Cell::Handshake => facts.names.is_empty() && facts.name_prefixes.is_empty(),
        Cell::Instructions => {
            facts.instruction_cuts.is_empty() && facts.instructions_reach_model == Reach::Unknown
        }
        Cell::ToolDescription => facts.description_cuts.is_empty(),
        Cell::Page => facts.result_chars.is_none(),
    }
}

#[test]
fn every_cell_says_how_it_is_known() {
    for client in known_clients() {
        let cells: Vec<_> = client.evidence.iter().map(|row| row.cell).collect();
        assert_eq!(cells, Cell::ALL, "{}", client.facts.id);
        for row in client.evidence {
            let established = row.kind != EvidenceKind::NotEstablished;
            let about = format!("{} of {}", row.cell.as_str(), client.facts.id);
            if is_empty(client, row.cell) {
                // What is known of an empty cell is that there is nothing to put there.
                assert!(!established || !row.note.is_empty(), "{about}");
            } else {
                assert!(established, "{about}");
            }
            assert!(
                row.kind != EvidenceKind::Run || !row.version.is_empty(),
                "{about}"
            );
            assert!(!row.note.ends_with('.'), "{about}");
        }
    }
}

#[test]
fn every_text_for_people_is_one_sentence() {
    let configs = known_clients()
        .iter()
        .filter_map(|client| client.config.as_ref());
    for config in configs {
        for line in config.afterwards {
            assert!(
                line.starts_with(char::is_lowercase) && !line.ends_with('.'),
                "{line}"
            );
        }
        assert!(!config.afterwards.is_empty());
    }
}

/// What every client reads and where it keeps its servers, on one machine.
fn paths(machine: &Machine) -> String {
    let mut lines = Vec::new();
    for client in known_clients() {
        let mut line = |what: &str, path: &std::path::Path| {
            lines.push(format!(
                "{:<14} {what:<8} {}",
                client.facts.id,
                path.display()
            ));
        };
        if let Some(presence) = &client.presence {
            for path in (presence.config)(machine) {
                line("is at", &path);
            }
        }
        let folders = client.skill_folders(machine);
        for folder in &folders.reads {
            let ours = folders.own.as_ref() == Some(folder);
            line(if ours { "skills *" } else { "skills" }, folder);
        }
        if let Some(personas) = &client.personas {
            line("personas", &(personas.folder)(machine));
        }
        if let Some(config) = &client.config {
            for path in (config.user)(machine) {
                line("servers", &path);
            }
        }
    }
    lines.join("\n")
}

#[test]
fn paths_on_linux() {
    insta::assert_snapshot!(paths(&Machine::new(Os::Linux, "/home/ada")));
}

#[test]
fn paths_on_macos() {
    insta::assert_snapshot!(paths(&Machine::new(Os::MacOs, "/Users/ada")));
}

#[test]
fn paths_on_windows() {
    insta::assert_snapshot!(paths(&Machine::new(Os::Windows, r"C:\Users\Ada")));
}

#[test]
fn variables_move_configuration_files() {
    let machine = Machine::new(Os::Linux, "/home/ada")
        .with_variable("CLAUDE_CONFIG_DIR", "/opt/claude")
        .with_variable("CLINE_DIR", "/opt/cline")
        .with_variable("CODEX_HOME", "/opt/codex")
        .with_variable("COPILOT_HOME", "/opt/copilot")
        .with_variable("GEMINI_CLI_HOME", "/opt/gemini")
        .with_variable("HERMES_HOME", "/opt/hermes")
        .with_variable("OPENCLAW_STATE_DIR", "/opt/openclaw")
        .with_variable("XDG_CONFIG_HOME", "/opt/xdg");
    let files = known_clients().iter().filter_map(|client| {
        let file = (client.config.as_ref()?.user)(&machine).remove(0);
        file.starts_with("/opt").then(|| file.display().to_string())
    });
    insta::assert_snapshot!(files.collect::<Vec<_>>().join("\n"), @r"
    /opt/claude/.claude.json
    /opt/codex/config.toml
    /opt/xdg/opencode/opencode.jsonc
    /opt/gemini/.gemini/settings.json
    /opt/copilot/mcp-config.json
    /opt/cline/data/settings/cline_mcp_settings.json
    /opt/xdg/kilo/kilo.jsonc
    /opt/xdg/Code/User/mcp.json
    /opt/xdg/goose/config.yaml
    /opt/xdg/crush/crush.json
    /opt/xdg/zed/settings.json
    /opt/openclaw/openclaw.json
    /opt/xdg/Claude/claude_desktop_config.json
    /opt/xdg/amp/settings.json
    /opt/hermes/config.yaml
    ");
}

#[test]
fn claude_desktop_goes_by_what_it_calls_itself_too() {
    let client = known_client("claude-ai").unwrap();
    assert_eq!(client.facts.id, "claude-desktop");
}
