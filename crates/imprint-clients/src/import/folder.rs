//! Which items are in a folder on disk, and single files.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use imprint_format::{About, BundleFile, Diagnostic, ItemKind, limits::TEXT_FILE_BYTES};
use imprint_host::{ItemFolder, Place, ReadError, agent_name, locate, path_text};

use super::{ImportLimits, Skipped, Source, SourceItem, codex::is_codex_agent, item::ItemReader};

/// Names of the folders in which clients look for skills.
const SKILL_FOLDERS: [&str; 2] = ["skills", "skill"];
/// Names of the folders in which clients look for personas.
const AGENT_FOLDERS: [&str; 2] = ["agents", "agent"];

/// Everything in a folder that looks like an item.
pub(super) fn read_folder(path: &Path, limits: &ImportLimits) -> Source {
    let mut search = Search {
        source: Source::default(),
        reader: ItemReader::new(limits.folder_bytes),
        seen: HashSet::new(),
        limits,
    };
    let (skills, agents) = (
        existing(path, &SKILL_FOLDERS),
        existing(path, &AGENT_FOLDERS),
    );
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with('.') && !(skills.is_empty() && agents.is_empty()) {
        // A client's own folder: beside these lie caches and copies that are not the user's.
        search.source.remarks.push(searched_in_part(path));
        for folder in skills {
            search.look_in(&folder);
        }
    } else if search.look_in(path) {
        return search.source;
    }
    for folder in agents {
        search.look_in(&folder);
    }
    search.source
}

fn existing(path: &Path, names: &[&str]) -> Vec<PathBuf> {
    let folders = names.iter().map(|name| path.join(name));
    folders.filter(|folder| folder.is_dir()).collect()
}

fn searched_in_part(path: &Path) -> Diagnostic {
    Diagnostic::warning(About::Path, "only `skills` and `agents` were looked at")
        .at_path(path_text(path))
        .with_hint("to import from another folder in it, name that one")
}

struct Search<'l> {
    source: Source,
    reader: ItemReader,
    /// The entry files that were read, by their real places.
    seen: HashSet<PathBuf>,
    limits: &'l ImportLimits,
}

impl Search<'_> {
    /// Takes in what is in a folder; says whether the folder is an item itself.
    fn look_in(&mut self, root: &Path) -> bool {
        let kinds = [ItemKind::Skill, ItemKind::Persona];
        let located = locate(&kinds, root, &self.limits.scan);
        for remark in located.diagnostics {
            if !self.source.remarks.contains(&remark) {
                self.source.remarks.push(remark);
            }
        }
        let is_item = |place: &Place| place.owns_folder && place.folder == root;
        let is_item = located.places.iter().any(is_item);
        let mut places = located.places;
        if is_named(root, &AGENT_FOLDERS) && !is_item {
            places.extend(codex_agents(root));
        } else {
            let loose = !is_named(root, &SKILL_FOLDERS);
            // A Markdown file may be anything here; one with a header is meant for agents.
            places.retain(|place| place.owns_folder || (loose && has_front_matter(place)));
        }
        for place in places {
            if self.seen.insert(place.real_folder.join(&place.entry)) {
                self.take(&place);
            }
        }
        is_item
    }

    fn take(&mut self, place: &Place) {
        match self.reader.read(place) {
            Ok(item) => self.source.items.push(item),
            Err(skipped) => self.source.skipped.push(*skipped),
        }
    }
}

/// Codex's agent files directly in a folder.
pub(crate) fn codex_agents(root: &Path) -> Vec<Place> {
    let (Ok(real), Ok(entries)) = (fs::canonicalize(root), fs::read_dir(root)) else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
    let mut names: Vec<_> = names
        .filter(|name| is_codex_agent(&name.to_string_lossy()))
        .collect();
    names.sort_unstable();
    let places = names.into_iter().map(|entry| Place {
        kind: ItemKind::Persona,
        folder: root.to_path_buf(),
        real_folder: real.clone(),
        entry,
        owns_folder: false,
    });
    places.collect()
}

fn is_named(folder: &Path, names: &[&str]) -> bool {
    let name = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = name.file_name().unwrap_or_default();
    names.iter().any(|wanted| name == *wanted)
}

fn has_front_matter(place: &Place) -> bool {
    let start = place
        .open()
        .ok()
        .and_then(|(folder, entry)| folder.read(&entry, TEXT_FILE_BYTES).ok());
    start.is_some_and(|content| starts_with_fence(&content.bytes))
}

/// Whether a file begins as files with front matter do.
pub(super) fn starts_with_fence(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix("\u{FEFF}".as_bytes())
        .unwrap_or(bytes)
        .starts_with(b"---")
}

/// One entry file or agent file by itself.
pub(super) fn read_alone(path: &Path, name: &str) -> io::Result<Source> {
    let is = |kind: ItemKind| name.eq_ignore_ascii_case(kind.entry_file());
    let kind = if is(ItemKind::Skill) {
        ItemKind::Skill
    } else {
        ItemKind::Persona
    };
    let is_entry_file = is(kind);
    let real = fs::canonicalize(path)?;
    let parent = real.parent().unwrap_or(Path::new("."));
    let home = if is_entry_file {
        let folder = parent.file_name();
        folder.map(|folder| folder.to_string_lossy().into_owned())
    } else {
        Some(agent_name(name).to_owned())
    };
    let place = path_text(path);
    let real_name = real.file_name().unwrap_or_default().to_string_lossy();
    let mut source = Source::default();
    let content = match ItemFolder::open(parent)?.read(&real_name, TEXT_FILE_BYTES) {
        Ok(content) => content,
        Err(ReadError::Io(error)) => return Err(error),
        Err(error) => {
            let reasons = vec![error.diagnostic().at_path(&place)];
            let skipped = Skipped::because(kind, &place, reasons);
            source.skipped.push(skipped);
            return Ok(source);
        }
    };
    let beside = if is_entry_file {
        entries_beside(parent)
    } else {
        0
    };
    source.items.push(SourceItem {
        kind,
        place,
        home,
        entry: name.to_owned(),
        is_file: true,
        files: vec![(name.to_owned(), BundleFile::plain(content.bytes))],
        notes: taken_alone(beside),
    });
    Ok(source)
}

fn entries_beside(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).map(|entries| entries.take(1_000).count());
    entries.unwrap_or(1).saturating_sub(1)
}

fn taken_alone(beside: usize) -> Vec<String> {
    if beside == 0 {
        return Vec::new();
    }
    let note = format!(
        "this file alone is taken; import its folder to take in what stands beside it ({beside})"
    );
    vec![note]
}
