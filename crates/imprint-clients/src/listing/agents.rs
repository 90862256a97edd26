//! The personas that a client lists from its folder of agent files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use imprint_format::{Diagnostic, Document, Severity, limits::TEXT_FILE_BYTES};
use imprint_host::{Limits, agent_name};
use toml_edit::DocumentMut;

use super::read::read_bounded;
use crate::{client::Client, machine::Machine, persona::Dialect};

/// What a client lists from its folder of agent files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentListing {
    /// The files that can be used, in the order of their names and paths.
    pub listed: Vec<ListedAgent>,
    /// The files that can't.
    pub unlisted: Vec<UnlistedAgent>,
}

/// An agent file that a client can use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListedAgent {
    /// The name that it goes by.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Whether the file is a link.
    pub is_link: bool,
}

/// An agent file that a client can't use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedAgent {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

impl AgentListing {
    /// The names that more than one file goes by, with those files. Which of them a client takes
    /// was not established.
    pub fn repeated(&self) -> BTreeMap<&str, Vec<&ListedAgent>> {
        let mut by_name: BTreeMap<&str, Vec<&ListedAgent>> = BTreeMap::new();
        for agent in &self.listed {
            by_name.entry(&agent.name).or_default().push(agent);
        }
        by_name.retain(|_, files| files.len() > 1);
        by_name
    }
}

/// The personas that a client finds in its folder; `None` where it reads none that we know of. A
/// folder that is not there, or can't be read, is empty. Nothing is written.
pub fn read_agents(client: &Client, machine: &Machine) -> Option<AgentListing> {
    let personas = client.personas.as_ref()?;
    let folder = (personas.folder)(machine);
    let mut agents = AgentListing::default();
    for path in files(&folder, personas.dialect) {
        match name_of(&path, personas.dialect) {
            Ok(name) => agents.listed.push(ListedAgent {
                name,
                is_link: fs::symlink_metadata(&path).is_ok_and(|file| file.is_symlink()),
                path,
            }),
            Err(why) => agents.unlisted.push(UnlistedAgent { path, why }),
        }
    }
    agents.listed.sort_unstable();
    Some(agents)
}

/// The agent files in a folder, in order: as many as a scan looks at.
fn files(folder: &Path, dialect: Dialect) -> Vec<PathBuf> {
    let ending = match dialect {
        Dialect::Codex => ".toml",
        _ => ".md",
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .take(Limits::default().entries)
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
            !name.starts_with('.') && name.ends_with(ending)
        })
        .map(|entry| entry.path())
        .filter(|path| !path.is_dir())
        .collect();
    files.sort_unstable();
    files
}

/// The name that a client knows an agent file by, or why it can't use it.
fn name_of(path: &Path, dialect: Dialect) -> Result<String, String> {
    let bytes = read_bounded(path).map_err(|error| format!("the file can't be read: {error}"))?;
    let written = match dialect {
        Dialect::Codex => name_in_toml(&bytes)?,
        _ => name_in_markdown(&bytes)?,
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = agent_name(&file).to_owned();
    // OpenCode knows an agent by its file, whatever is in it.
    let written = written.filter(|_| dialect != Dialect::OpenCode);
    Ok(written.unwrap_or(stem))
}

fn name_in_markdown(bytes: &[u8]) -> Result<Option<String>, String> {
    let reading = Document::read(bytes);
    let Some(document) = reading.value else {
        let fault = |found: &Diagnostic| found.severity == Severity::Error;
        let fault = reading.diagnostics.into_iter().find(fault);
        return Err(fault.map_or_else(|| "it can't be read".to_owned(), |found| found.message));
    };
    let name = document.field("name").filter(|field| !field.is_null());
    let name = name.and_then(|field| field.value.as_str()).map(str::trim);
    Ok(name.filter(|name| !name.is_empty()).map(str::to_owned))
}

fn name_in_toml(bytes: &[u8]) -> Result<Option<String>, String> {
    if bytes.len() > TEXT_FILE_BYTES {
        return Err(format!("the file has more than {TEXT_FILE_BYTES} bytes"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
    let document = text
        .parse::<DocumentMut>()
        .map_err(|error| format!("the file is not valid TOML: {}", error.message()))?;
    let name = document.get("name").and_then(|name| name.as_str());
    Ok(name.map(str::to_owned))
}
