use std::fmt::Write as _;

use super::*;
use crate::{known_client, machine::Os};

fn item(n: u128, kind: ItemKind, name: &str, hidden: bool) -> SourceItem {
    SourceItem {
        id: format!("00000000-0000-7000-8000-{n:012}").parse().unwrap(),
        kind,
        name: name.parse().unwrap(),
        hidden_from_model: hidden,
        files: Vec::new(),
    }
}

fn items() -> Vec<SourceItem> {
    vec![
        item(1, ItemKind::Skill, "tea", false),
        item(2, ItemKind::Skill, "reset", true),
        item(3, ItemKind::Persona, "diver", false),
    ]
}

/// What goes where, with the clients of these ids found, a line for each folder.
fn placed(machine: &Machine, ids: &[&str], links: &[(&str, &str)]) -> String {
    let installed: Vec<_> = ids.iter().map(|id| known_client(id).unwrap()).collect();
    let items = items();
    let resolve = |path: &Path| {
        let link = links.iter().find(|(from, _)| Path::new(from) == path);
        link.map_or_else(|| path.to_owned(), |(_, to)| to.into())
    };
    let placement = place(
        &items,
        &Surroundings {
            machine,
            installed: &installed,
            resolve: &resolve,
        },
    );
    let name = |id: &ItemId| {
        items
            .iter()
            .find(|item| item.id == *id)
            .unwrap()
            .name
            .clone()
    };
    let mut text = String::new();
    for target in &placement.targets {
        let names: Vec<_> = target.items.iter().map(|id| name(id).to_string()).collect();
        writeln!(text, "{}: {}", target.folder.display(), names.join(", ")).unwrap();
    }
    for unplaced in &placement.unplaced {
        let client = unplaced.client.as_deref().unwrap_or("all");
        writeln!(text, "not {} for {client}: {}", unplaced.name, unplaced.why).unwrap();
    }
    text
}

#[test]
fn without_clients_skills_go_into_the_shared_folder_alone() {
    let machine = Machine::new(Os::Linux, "/home/ada");
    insta::assert_snapshot!(placed(&machine, &[], &[]), @"
    /home/ada/.agents/skills: tea
    not reset for all: only the user may start it, and no client found here keeps such a skill from its model in a folder of its own
    ");
}

#[test]
fn claude_code_alone_gets_all_in_its_own_folders_too() {
    let machine = Machine::new(Os::MacOs, "/Users/ada");
    insta::assert_snapshot!(placed(&machine, &["claude-code"], &[]), @"
    /Users/ada/.agents/skills: tea
    /Users/ada/.claude/skills: tea, reset
    /Users/ada/.claude/agents: diver
    ");
}

#[test]
fn a_client_that_would_show_a_hidden_skill_keeps_it_out() {
    let machine = Machine::new(Os::Linux, "/home/ada").with_variable("XDG_CONFIG_HOME", "/x");
    insta::assert_snapshot!(placed(&machine, &["claude-code", "codex", "opencode", "qwen-code"], &[]), @"
    /home/ada/.agents/skills: tea
    /home/ada/.claude/skills: tea
    /home/ada/.qwen/skills: reset
    /home/ada/.claude/agents: diver
    /home/ada/.codex/agents: diver
    /x/opencode/agents: diver
    /home/ada/.qwen/agents: diver
    not reset for claude-code: only the user may start it, and OpenCode, which reads that folder too, would show it to its model
    ");
}

#[test]
fn windows_has_its_own_form_of_paths() {
    let machine =
        Machine::new(Os::Windows, r"C:\Users\Ada").with_variable("CLAUDE_CONFIG_DIR", r"D:\claude");
    insta::assert_snapshot!(placed(&machine, &["claude-code", "copilot-cli", "cline"], &[]), @r"
    C:\Users\Ada\.agents\skills: tea
    D:\claude\skills: tea, reset
    C:\Users\Ada\.copilot\skills: reset
    D:\claude\agents: diver
    C:\Users\Ada\.copilot\agents: diver
    ");
}

#[test]
fn a_client_whose_folder_is_a_link_to_the_shared_one_gets_no_second_copy() {
    let machine = Machine::new(Os::Linux, "/home/ada");
    let links = [("/home/ada/.claude/skills", "/home/ada/.agents/skills")];
    insta::assert_snapshot!(placed(&machine, &["claude-code"], &links), @"
    /home/ada/.agents/skills: tea
    /home/ada/.claude/agents: diver
    not reset for claude-code: only the user may start it, and more than one client, which reads that folder too, would show it to its model
    ");
}

#[test]
fn clients_that_were_told_to_read_their_own_folders_alone_get_those() {
    let machine = Machine::new(Os::Linux, "/home/ada")
        .with_variable("GEMINI_CLI_HOME", "/g")
        .with_variable("OPENCODE_DISABLE_EXTERNAL_SKILLS", "1");
    insta::assert_snapshot!(placed(&machine, &["opencode", "gemini-cli"], &[]), @"
    /home/ada/.agents/skills: tea
    /home/ada/.config/opencode/skills: tea
    /g/.gemini/skills: tea
    /home/ada/.config/opencode/agents: diver
    /g/.gemini/agents: diver
    not reset for all: only the user may start it, and no client found here keeps such a skill from its model in a folder of its own
    ");
}

#[test]
fn readers_of_skills_are_all_clients_that_read_the_folder_found_or_not() {
    let machine = Machine::new(Os::Linux, "/home/ada");
    let claude = [known_client("claude-code").unwrap()];
    let placement = place(
        &items(),
        &Surroundings {
            machine: &machine,
            installed: &claude,
            resolve: &Path::to_owned,
        },
    );
    let readers = |n: usize| {
        let readers = placement.targets[n].readers.iter();
        readers
            .map(|(client, _)| *client)
            .collect::<Vec<_>>()
            .join(" ")
    };
    insta::assert_snapshot!(readers(0), @"codex cursor opencode gemini-cli copilot-cli qwen-code cline kilo droid pi openhands vibe vs-code goose crush zed openclaw");
    insta::assert_snapshot!(readers(1), @"claude-code cursor opencode kilo vs-code goose crush");
    insta::assert_snapshot!(readers(2), @"claude-code");
}

#[test]
fn nothing_goes_nowhere() {
    let machine = Machine::new(Os::Linux, "/home/ada");
    let placement = place(
        &[],
        &Surroundings {
            machine: &machine,
            installed: known_clients(),
            resolve: &Path::to_owned,
        },
    );
    assert_eq!(placement, Placement::default());
}
