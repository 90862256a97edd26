//! Items in a folder on disk.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use imprint_format::{About, BundleFile, Diagnostic, ItemKind, Severity, limits::ITEM_BYTES};
use imprint_host::{
    ItemFolder, Listing, Place, ReadError, WhyLeftOut, agent_name, locate, path_text,
};

use super::{
    ImportLimits, Skipped, Source, SourceItem,
    source::{ALONE_BYTES, shown, too_large},
};

/// Names of the folders in which clients look for skills.
const SKILL_FOLDERS: [&str; 2] = ["skills", "skill"];
/// Names of the folders in which clients look for personas.
const AGENT_FOLDERS: [&str; 2] = ["agents", "agent"];

/// Everything in a folder that looks like an item.
pub(super) fn read_folder(path: &Path, limits: &ImportLimits) -> Source {
    let mut source = Source::default();
    let mut seen = HashSet::new();
    let mut reader = Reader {
        left: limits.folder_bytes,
        limit: limits.folder_bytes,
    };
    for (root, kinds) in roots(path, &mut source.remarks) {
        let located = locate(kinds, &root, &limits.scan);
        for remark in located.diagnostics {
            if !source.remarks.contains(&remark) {
                source.remarks.push(remark);
            }
        }
        let for_agents = is_named(&root, &AGENT_FOLDERS);
        for place in located.places {
            // Elsewhere a Markdown file may be anything; one with a header is meant for agents.
            let is_item = place.owns_folder || for_agents || has_front_matter(&place);
            if !is_item || !seen.insert((place.real_folder.clone(), place.entry.clone())) {
                continue;
            }
            match reader.read(&place) {
                Ok(item) => source.items.push(item),
                Err(skipped) => source.skipped.push(*skipped),
            }
        }
    }
    source
}

/// Where to look in a folder, and for what. Of a client's own hidden folder, only where it keeps
/// skills and agents: beside them lie caches and copies that are not the user's.
fn roots(path: &Path, remarks: &mut Vec<Diagnostic>) -> Vec<(PathBuf, &'static [ItemKind])> {
    const BOTH: &[ItemKind] = &[ItemKind::Skill, ItemKind::Persona];
    const PERSONAS: &[ItemKind] = &[ItemKind::Persona];
    let existing = |names: &[&str]| {
        let folders = names.iter().map(|name| path.join(name));
        folders.filter(|folder| folder.is_dir()).collect::<Vec<_>>()
    };
    let (skills, agents) = (existing(&SKILL_FOLDERS), existing(&AGENT_FOLDERS));
    let agents = agents.into_iter().map(|folder| (folder, PERSONAS));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_clients = name.starts_with('.') && !(skills.is_empty() && agents.len() == 0);
    if !is_clients {
        let here = (path.to_path_buf(), BOTH);
        return std::iter::once(here).chain(agents).collect();
    }
    let message = "only this folder's own skills and agents were looked at";
    let remark = Diagnostic::warning(About::Path, message)
        .at_path(path_text(path))
        .with_hint("to import from another folder in it, name that one");
    remarks.push(remark);
    let skills = skills.into_iter().map(|folder| (folder, BOTH));
    skills.chain(agents).collect()
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
        .and_then(|(folder, entry)| folder.read(&entry, ALONE_BYTES).ok());
    start.is_some_and(|content| starts_with_fence(&content.bytes))
}

/// Whether a file begins as files with front matter do.
pub(super) fn starts_with_fence(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix("\u{FEFF}".as_bytes())
        .unwrap_or(bytes)
        .starts_with(b"---")
}

struct Reader {
    /// How many bytes may still be read.
    left: u64,
    limit: u64,
}

impl Reader {
    fn read(&mut self, place: &Place) -> Result<SourceItem, Box<Skipped>> {
        let shown_place = if place.owns_folder {
            path_text(&place.folder)
        } else {
            path_text(&place.path())
        };
        self.read_files(place, &shown_place)
            .map_err(|reasons| Box::new(Skipped::because(place.kind, &shown_place, reasons)))
    }

    fn read_files(
        &mut self,
        place: &Place,
        shown_place: &str,
    ) -> Result<SourceItem, Vec<Diagnostic>> {
        let (folder, entry) = place.open().map_err(|error| {
            let error = ReadError::from(error).diagnostic();
            vec![error.at_path(shown_place)]
        })?;
        let mut item = SourceItem {
            kind: place.kind,
            place: shown_place.to_owned(),
            home: place.home(),
            entry: entry.clone(),
            is_file: !place.owns_folder,
            files: Vec::new(),
            notes: Vec::new(),
        };
        let files = if place.owns_folder {
            let listing = folder.list();
            let refused = refused(&listing, shown_place);
            if !refused.is_empty() {
                return Err(refused);
            }
            item.notes = notes(&listing);
            listing.files
        } else {
            vec![entry]
        };
        let mut left_of_item = ITEM_BYTES;
        for file in files {
            let read = self.read_one(&folder, &file, left_of_item);
            let content = read.map_err(|fault| vec![fault.diagnostic(&item, &file)])?;
            left_of_item -= content.bytes.len();
            item.files.push((file, content));
        }
        Ok(item)
    }

    fn read_one(
        &mut self,
        folder: &ItemFolder,
        file: &str,
        left_of_item: usize,
    ) -> Result<BundleFile, FileFault> {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let content = folder
            .read(file, left.min(left_of_item))
            .map_err(|error| match error {
                ReadError::TooLarge { .. } if left < left_of_item => {
                    FileFault::SourceTooLarge { limit: self.limit }
                }
                ReadError::TooLarge { .. } => FileFault::ItemTooLarge,
                error => FileFault::Read(error),
            })?;
        self.left -= content.bytes.len() as u64;
        Ok(BundleFile {
            bytes: content.bytes.into(),
            executable: content.executable,
        })
    }
}

/// Why a file keeps its item from being read.
enum FileFault {
    Read(ReadError),
    ItemTooLarge,
    SourceTooLarge { limit: u64 },
}

impl FileFault {
    fn diagnostic(&self, item: &SourceItem, file: &str) -> Diagnostic {
        match self {
            Self::Read(error) => error.diagnostic().at_path(item.path_of(file)),
            Self::ItemTooLarge => too_large(&item.place),
            Self::SourceTooLarge { limit } => {
                let message = format!("more than {limit} bytes were to be read from this source");
                Diagnostic::error(About::File, message)
                    .at_path(&item.place)
                    .with_hint("import its parts one after the other")
            }
        }
    }
}

/// Whatever in a listing keeps the item from being taken whole.
fn refused(listing: &Listing, place: &str) -> Vec<Diagnostic> {
    let spoils = |why| {
        !matches!(
            why,
            WhyLeftOut::SkippedFolder | WhyLeftOut::Dangling | WhyLeftOut::Loop
        )
    };
    let spoiling = Listing {
        files: Vec::new(),
        left_out: listing
            .left_out
            .iter()
            .filter(|left| spoils(left.why))
            .cloned()
            .collect(),
    };
    let reasons = spoiling.diagnostics(place).into_iter();
    let errors = reasons.map(|reason| Diagnostic {
        severity: Severity::Error,
        ..reason
    });
    errors.collect()
}

/// What was left out of an item that is taken all the same.
fn notes(listing: &Listing) -> Vec<String> {
    let left_out = listing.left_out.iter();
    left_out
        .map(|left| format!("left out: `{}` ({})", shown(&left.path), left.why.as_str()))
        .collect()
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
    let content = match ItemFolder::open(parent)?.read(&real_name, ALONE_BYTES) {
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
