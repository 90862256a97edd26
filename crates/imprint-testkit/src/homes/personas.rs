//! The personas of a home: each client's agent files, some of them the same persona.

use std::io;

use imprint_format::ItemKind;

use super::{
    GeneratedHome, GeneratedItem, GeneratedPlace, GeneratedVariant, RefusedPlace,
    dice::Dice,
    disk::{Disk, NewFile},
};

const NAMES: [&str; 6] = ["critic", "diver", "gardener", "historian", "mason", "pilot"];
/// 1 June 2024.
const BEGINNING: u64 = 1_717_200_000;
const DAY: u64 = 24 * 60 * 60;

pub(super) fn make(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    let folders = home.clients.iter().filter_map(|client| match client.id {
        "claude-code" => Some(".claude/agents"),
        "codex" => Some(".codex/agents"),
        "gemini-cli" => Some(".gemini/agents"),
        "opencode" => Some(".config/opencode/agents"),
        "qwen-code" => Some(".qwen/agents"),
        _ => None,
    });
    let folders: Vec<_> = folders.collect();
    for (at, name) in NAMES.into_iter().enumerate() {
        let count = 1 + dice.below(3);
        let folders = dice.some(count, &folders);
        // Every other one is the same everywhere.
        let differs = at % 2 == 1;
        home.items.push(persona(disk, name, &folders, differs)?);
    }
    broken(home, disk)
}

/// A persona in these folders.
fn persona(disk: &Disk, name: &str, folders: &[&str], differs: bool) -> io::Result<GeneratedItem> {
    let mut variants: Vec<GeneratedVariant> = Vec::new();
    for (at, folder) in folders.iter().enumerate() {
        let version = if differs { at } else { 0 };
        let file = agent_file(folder, name, version);
        let modified = BEGINNING + u64::try_from(at).unwrap_or(0) * DAY;
        disk.files(folder, std::slice::from_ref(&file), modified)?;
        let place = GeneratedPlace {
            path: format!("{folder}/{}", file.path),
            is_link: false,
        };
        match variants.get_mut(version) {
            Some(variant) => {
                variant.modified = modified;
                variant.places.push(place);
            }
            None => variants.push(GeneratedVariant {
                modified,
                entry: file.bytes,
                places: vec![place],
            }),
        }
    }
    Ok(GeneratedItem {
        kind: ItemKind::Persona,
        name: name.to_owned(),
        variants,
    })
}

/// The persona as the client of this folder keeps it.
fn agent_file(folder: &str, name: &str, version: usize) -> NewFile {
    let description = format!("Thinks like a {name}");
    let body = format!("You are a {name}. Version {version}.");
    if folder.starts_with(".codex") {
        let text = format!(
            "name = \"{name}\"\ndescription = \"{description}\"\n\
             developer_instructions = \"\"\"\n{body}\n\"\"\"\n"
        );
        return NewFile::new(&format!("{name}.toml"), text);
    }
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n\n{body}\n");
    NewFile::new(&format!("{name}.md"), text)
}

/// Files in the folders of agents that are none that can be taken.
fn broken(home: &mut GeneratedHome, disk: &Disk) -> io::Result<()> {
    let files = [
        (
            ".claude/agents/README.md",
            "# My agents\n\nAll of them.\n",
            "no header",
        ),
        (
            ".claude/agents/mute.md",
            "---\nname: mute\n---\n\nSay nothing.\n",
            "no description",
        ),
        (".codex/agents/torn.toml", "name = \n", "no TOML"),
    ];
    for (path, text, why) in files {
        disk.file(&NewFile::new(path, text))?;
        home.refused.push(RefusedPlace {
            kind: ItemKind::Persona,
            path: path.to_owned(),
            why,
        });
    }
    Ok(())
}
