//! The home of one measurement: empty but for the client's own files, a registry full of items, and
//! the connection between the two.

use std::{fs, path::Path, process::Command};

use imprint_clients::Client;
use imprint_core::{Author, registry::NewItem};
use imprint_format::ItemKind;
use imprint_testkit::{McpSession, Sandbox};
use serde_json::json;

use super::{
    clients::Call,
    items::{Item, instructions},
    sighting::Served,
};

/// Why a home can't be made ready. It is only ever shown.
pub(super) type Fault = Box<dyn std::error::Error + Send + Sync>;

/// What has used a client once: its configuration folder, and the choice of a provider.
pub(super) fn prepare(sandbox: &Sandbox, client: &Client, call: &Call) -> Result<(), Fault> {
    let presence = client.presence.as_ref();
    let folders = presence.map(|presence| (presence.config)(&sandbox.machine()));
    if let Some(folder) = folders.unwrap_or_default().first() {
        fs::create_dir_all(folder)?;
    }
    for (file, text) in &call.files {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)?;
    }
    Ok(())
}

/// Puts the items into the registry. Writes no folder of a client.
pub(super) fn fill(sandbox: &Sandbox, items: &[Item]) -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let registry = sandbox.registry();
    for item in items {
        let (description, instructions) = match item.kind {
            ItemKind::Guideline => (String::new(), item.text.clone()),
            _ => (item.text.clone(), instructions(&item.name)),
        };
        let new = NewItem::Texts {
            kind: item.kind,
            name: item.name.parse()?,
            description,
            instructions,
            files: Vec::new(),
        };
        runtime.block_on(registry.create(&Author::User, new))?;
    }
    Ok(())
}

/// Brings the items to the client as a person does: with `imprint setup`, which writes folders,
/// or by connecting it alone.
pub(super) fn connect(
    sandbox: &Sandbox,
    product: &Path,
    client: &Client,
    folders: bool,
) -> Result<(), Fault> {
    let command: &[&str] = if folders {
        &["setup", "--yes"]
    } else {
        &["connect", client.facts.id]
    };
    imprint(sandbox, product, command)
}

/// Runs a command of the product.
fn imprint(sandbox: &Sandbox, product: &Path, words: &[&str]) -> Result<(), Fault> {
    let output = sandbox.command(product).args(words).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`imprint {}`: {}", words.join(" "), said.trim()).into())
}

/// What the server tells this client: asked as the client asks.
pub(super) fn served(
    sandbox: &Sandbox,
    product: &Path,
    client: &Client,
    version: &str,
) -> Result<Served, Fault> {
    let mut command: Command = sandbox.command(product);
    command.args(["mcp", "--client", client.facts.id]);
    let mut session = McpSession::start(command)?;
    let name = client
        .facts
        .names
        .first()
        .or(client.facts.name_prefixes.first());
    let answer = session.initialize(name.copied().unwrap_or_default(), version)?;
    let tools = session.request("tools/list", &json!({}))?;
    let mut tools = tools["result"]["tools"].as_array().into_iter().flatten();
    let skills = tools.find(|tool| tool["name"] == "skills");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Served {
        instructions: text(&answer["instructions"]),
        skills_description: skills
            .map(|skills| text(&skills["description"]))
            .unwrap_or_default(),
    })
}
