//! Items in an unpacked archive.

use std::collections::BTreeMap;

use imprint_format::{About, Diagnostic, ItemKind};
use imprint_host::{agent_name, is_agent_file, is_skipped_folder};

use super::{
    ImportLimits, Skipped, Source, SourceItem,
    archive::{Unpacked, UnpackedFile},
    codex::is_codex_agent,
    folder::starts_with_fence,
    source::{shown, too_large},
};

/// Everything in an archive that looks like an item. `name` is the archive's own file name.
pub(super) fn items(
    unpacked: &Unpacked,
    archive: &str,
    name: &str,
    limits: &ImportLimits,
) -> Source {
    let mut source = Source::default();
    let folders = item_folders(unpacked, limits, archive, &mut source.remarks);
    let mut found: Vec<Found<'_>> = folders
        .into_iter()
        .map(|(folder, (kind, entry))| Found {
            kind,
            home: folder.rsplit('/').next().filter(|name| !name.is_empty()),
            folder: Some(folder),
            entry,
        })
        .collect();
    found.extend(agent_files(unpacked, &found));
    for found in found {
        match found.read(unpacked, archive, name) {
            Ok(item) => source.items.push(item),
            Err(skipped) => source.skipped.push(*skipped),
        }
    }
    source
}

/// An item of an archive.
struct Found<'u> {
    kind: ItemKind,
    /// Its folder; `None` for an agent file.
    folder: Option<&'u str>,
    /// The whole path of its entry file.
    entry: &'u str,
    home: Option<&'u str>,
}

impl<'u> Found<'u> {
    fn read(
        &self,
        unpacked: &'u Unpacked,
        archive: &str,
        name: &str,
    ) -> Result<SourceItem, Box<Skipped>> {
        let place = match self.folder {
            Some("") => archive.to_owned(),
            Some(folder) => format!("{archive}/{}", shown(folder)),
            None => format!("{archive}/{}", shown(self.entry)),
        };
        let mut item = SourceItem {
            kind: self.kind,
            home: Some(self.home.unwrap_or_else(|| stem(name)).to_owned()),
            entry: file_name(self.entry).to_owned(),
            is_file: self.folder.is_none(),
            files: Vec::new(),
            notes: Vec::new(),
            place,
        };
        let (files, left_out) = self.files(unpacked);
        item.notes.extend(left_out.into_iter().map(|folder| {
            let folder = shown(folder);
            format!("left out: `{folder}` (hidden, or a folder of dependencies or caches)")
        }));
        for (path, file) in files {
            let UnpackedFile::Kept(file) = file else {
                let reasons = vec![too_large(&item.place)];
                let skipped = Skipped::because(item.kind, &item.place, reasons);
                return Err(Box::new(skipped));
            };
            item.files.push((path.to_owned(), file.clone()));
        }
        Ok(item)
    }

    /// The item's files by their paths in it, and the folders in it that are left out.
    fn files(&self, unpacked: &'u Unpacked) -> (Vec<(&'u str, &'u UnpackedFile)>, Vec<&'u str>) {
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for (path, file) in &unpacked.files {
            let inside = match self.folder {
                Some(folder) => inside(path, folder),
                None => (path == self.entry).then(|| file_name(path)),
            };
            let Some(inside) = inside else { continue };
            match skipped_part(inside) {
                Some(part) if left_out.last() == Some(&part) => {}
                Some(part) => left_out.push(part),
                None => files.push((inside, file)),
            }
        }
        (files, left_out)
    }
}

/// The folders that are items, with their entry file, none of them in another.
fn item_folders<'u>(
    unpacked: &'u Unpacked,
    limits: &ImportLimits,
    archive: &str,
    remarks: &mut Vec<Diagnostic>,
) -> BTreeMap<&'u str, (ItemKind, &'u str)> {
    let mut folders: BTreeMap<&str, (ItemKind, &str)> = BTreeMap::new();
    let mut too_deep = false;
    for path in unpacked.files.keys() {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(kind) = entry_kind(name) else {
            continue;
        };
        if folder.split('/').any(is_skipped_folder) {
            continue;
        }
        if folder.split('/').filter(|part| !part.is_empty()).count() > limits.scan.depth {
            too_deep = true;
            continue;
        }
        let exact = name == kind.entry_file();
        let better = |old: &(ItemKind, &str)| {
            (kind, !exact) < (old.0, file_name(old.1) != old.0.entry_file())
        };
        if folders.get(folder).is_none_or(better) {
            folders.insert(folder, (kind, path.as_str()));
        }
    }
    let all: Vec<&str> = folders.keys().copied().collect();
    folders.retain(|folder, _| {
        let around = |other: &&str| *other != *folder && inside(folder, other).is_some();
        !all.iter().any(around)
    });
    if too_deep {
        let message = format!(
            "folders deeper than {} were not looked into",
            limits.scan.depth
        );
        remarks.push(Diagnostic::warning(About::Path, message).at_path(archive));
    }
    folders
}

/// Files of agents: in a folder for them at the top of the archive, or with a header at the top.
fn agent_files<'u>(unpacked: &'u Unpacked, items: &[Found<'u>]) -> Vec<Found<'u>> {
    let top = top_folder(unpacked);
    let mut found = Vec::new();
    for (path, file) in &unpacked.files {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let in_item = |item: &Found<'_>| item.folder.is_some_and(|at| inside(path, at).is_some());
        if items.iter().any(in_item) {
            continue;
        }
        let is_meant = match inside(folder, top) {
            Some("agents" | "agent") => is_agent_file(name) || is_codex_agent(name),
            _ if folder == top && is_agent_file(name) && !matches!(top, "skills" | "skill") => {
                matches!(file, UnpackedFile::Kept(file) if starts_with_fence(&file.bytes))
            }
            _ => false,
        };
        if is_meant {
            found.push(Found {
                kind: ItemKind::Persona,
                folder: None,
                entry: path,
                home: Some(agent_name(name)),
            });
        }
    }
    found
}

/// The one folder that everything in the archive stands in, or the archive itself.
fn top_folder(unpacked: &Unpacked) -> &str {
    let mut tops = unpacked
        .files
        .keys()
        .map(|path| path.split_once('/').map_or("", |(top, _)| top));
    let Some(first) = tops.next() else { return "" };
    if tops.all(|top| top == first) {
        first
    } else {
        ""
    }
}

fn entry_kind(name: &str) -> Option<ItemKind> {
    [ItemKind::Skill, ItemKind::Persona]
        .into_iter()
        .find(|kind| name.eq_ignore_ascii_case(kind.entry_file()))
}

/// The path inside a folder, if it is in it. Everything is inside the archive itself.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() {
        return Some(path);
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// The folder in a path, up to and with it, that is never taken.
fn skipped_part(path: &str) -> Option<&str> {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders
        .into_iter()
        .find(|folder| is_skipped_folder(file_name(folder)))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// An archive's name without its endings.
fn stem(name: &str) -> &str {
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    name.strip_suffix(".tar").unwrap_or(name)
}
