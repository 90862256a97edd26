//! `cargo xtask clients`: the page of the documentation that says what is known of each client,
//! made from the table that the product itself uses.

mod section;

use std::{fmt::Write as _, fs};

use imprint_clients::{Client, Machine, Os, SkillFolders, known_clients, shared_skills};
use imprint_core::Reach;

use crate::{
    task::{Done, TaskError},
    workspace,
};

/// Where the page is, below the workspace's root.
const PAGE: &str = "docs/clients.md";

const INTRODUCTION: &str = "\
# Clients

What Imprint knows of each AI client, and how it is known. This page is made from the table in
`crates/imprint-clients/src/known` by `cargo xtask clients`. What nobody established is not guessed:
it is named at the end of each client's section, and Imprint goes without it.

Kinds of evidence, the strongest first: **run** (the client was run and observed), **source** (read
in its source or its shipped package), **manual**, **report** (a public report), **table** (an
installer's table). A version stands beside it where the evidence names one; clients change monthly.

`~` is the user's home folder on every system. Folders are named as on Linux; what differs on macOS
and Windows stands beside it. Variables such as `CODEX_HOME` and `XDG_CONFIG_HOME` move folders and
files as they do for the clients.

Inside Windows' Linux subsystem clients are reached from Windows, and Windows' clients from inside:
see [wsl.md](wsl.md). This is tested as the manuals describe it, and
was not yet seen on such a computer.

";

/// Writes the page.
pub(crate) fn run() -> Done {
    let path = workspace::root().join(PAGE);
    fs::write(&path, page()).map_err(TaskError::io(format!("writing {}", path.display())))?;
    println!("clients: {} in {PAGE}", known_clients().len());
    Ok(())
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str(
        "| client | `--client` | `imprint connect` writes | skills are written to | personas | the list reaches its model by |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let systems = Systems::new();
    for client in known_clients() {
        page.push_str(&overview(client, &systems));
    }
    page.push_str(
        "\nThe shared folder is `~/.agents/skills`: skills always go there, and to a client's own\n\
         folder where it doesn't read the shared one. A client that reads neither gets its skills\n\
         over MCP, as every client can: the list stands in the instructions, or in the description of\n\
         the tool `skills` where instructions don't reach the model.\n",
    );
    for client in known_clients() {
        page.push('\n');
        page.push_str(&section::section(client, &systems));
    }
    page
}

fn overview(client: &Client, systems: &Systems) -> String {
    let facts = &client.facts;
    let files = client
        .config
        .as_ref()
        .map(|config| (config.user)(&systems.linux));
    let file = files
        .iter()
        .flatten()
        .next()
        .map_or_else(|| "—".to_owned(), |file| code(&name(file)));
    let anchor = facts
        .title
        .to_lowercase()
        .replace(' ', "-")
        .replace('.', "");
    let mut row = String::new();
    let _ = writeln!(
        row,
        "| [{}](#{anchor}) | `{}` | {file} | {} | {} | {} |",
        facts.title,
        facts.id,
        written_to(&client.skill_folders(&systems.linux), &systems.linux),
        client.personas.as_ref().map_or_else(
            || "—".to_owned(),
            |personas| code(&name((personas.folder)(&systems.linux)))
        ),
        channel(client),
    );
    row
}

fn written_to(folders: &SkillFolders, machine: &Machine) -> String {
    if folders.reads.contains(&shared_skills(machine)) {
        return "the shared folder".to_owned();
    }
    let own = folders.own.as_ref();
    own.map_or_else(|| "—".to_owned(), |own| code(&name(own)))
}

/// The channel of what it doesn't read from a folder.
fn channel(client: &Client) -> &'static str {
    match client.facts.instructions_reach_model {
        Reach::Yes => "instructions",
        Reach::No => "the tool `skills`",
        Reach::Unknown => "instructions; names in the tool too",
    }
}

/// A computer of each system, whose home folder is called as people call it.
struct Systems {
    linux: Machine,
    macos: Machine,
    windows: Machine,
}

impl Systems {
    fn new() -> Self {
        Self {
            linux: Machine::new(Os::Linux, "~"),
            macos: Machine::new(Os::MacOs, "~"),
            windows: Machine::new(Os::Windows, "~"),
        }
    }
}

/// A path as people write it.
fn name(path: impl AsRef<std::path::Path>) -> String {
    let path = path.as_ref().display().to_string();
    path.replace(r"~\AppData\Roaming", "%APPDATA%")
        .replace(r"~\AppData\Local", "%LOCALAPPDATA%")
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_current() {
        let written = fs::read_to_string(workspace::root().join(PAGE)).unwrap();
        assert!(
            written.replace("\r\n", "\n") == page(),
            "{PAGE} is out of date: run `cargo xtask clients`"
        );
    }

    #[test]
    fn a_row_of_a_table_has_its_columns() {
        for row in page().lines().filter(|line| line.starts_with('|')) {
            let columns = row.matches(" |").count();
            assert!(columns == 6 || columns == 3, "{row}");
        }
    }
}
