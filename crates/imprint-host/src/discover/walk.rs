//! The scan of one root: which folders and files are items, read or not.

use std::{
    collections::{HashSet, VecDeque},
    ffi::OsString,
    fs::{self, FileType},
    io,
    path::{Path, PathBuf},
};

use imprint_format::{About, Diagnostic, ItemKind};

use super::{Limits, Place, is_skipped_folder, links::LinkTroubles, place::is_agent_file};
use crate::{folder::TargetFault, shown::path_text};

/// Where the items of one root stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Located {
    /// In the order of their paths.
    pub places: Vec<Place>,
    /// What is to be said about folders and links.
    pub diagnostics: Vec<Diagnostic>,
}

/// The items of these kinds in one root, by their places alone: no file is read, and nothing is
/// decided about names. What [`crate::discover`] finds at first. A folder that would be an item of
/// two kinds is one of the first of them.
pub fn locate(kinds: &[ItemKind], root: &Path, limits: &Limits) -> Located {
    // Breadth first, so that a bound cuts off what is deepest; real folders before links, so that
    // a folder which is there itself is not known by a link to it.
    let mut walk = Walk {
        kinds,
        limits,
        located: Located::default(),
        troubles: LinkTroubles::default(),
        folders: VecDeque::new(),
        links: VecDeque::new(),
        seen: HashSet::new(),
        looked_into: 0,
        entries: 0,
        cut: None,
    };
    match start(root) {
        Ok(Some(real)) => walk.run(Folder {
            shown: root.to_path_buf(),
            real,
            depth: 0,
        }),
        Ok(None) => {}
        Err(diagnostic) => walk.located.diagnostics.push(*diagnostic),
    }
    let mut located = walk.located;
    located.diagnostics.extend(walk.troubles.into_diagnostics());
    if let Some(bound) = walk.cut {
        located.diagnostics.push(bound.diagnostic(root, limits));
    }
    located
        .places
        .sort_by(|one, other| (&one.folder, &one.entry).cmp(&(&other.folder, &other.entry)));
    located
}

/// Where the root really is; `None` when there is nothing.
fn start(root: &Path) -> Result<Option<PathBuf>, Box<Diagnostic>> {
    let shown = path_text(root);
    let real = match fs::canonicalize(root) {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_link = fs::symlink_metadata(root).is_ok();
            let message = "the folder is a link to something that is not there";
            return if is_link {
                Err(Box::new(
                    Diagnostic::warning(About::Path, message).at_path(shown),
                ))
            } else {
                Ok(None)
            };
        }
        Err(error) => return Err(Box::new(unreadable(root, &error))),
    };
    if real.is_dir() {
        Ok(Some(real))
    } else {
        let message = "this is a file, not a folder";
        Err(Box::new(
            Diagnostic::error(About::Path, message).at_path(shown),
        ))
    }
}

fn unreadable(folder: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::error(About::Path, format!("the folder can't be read: {error}"))
        .at_path(path_text(folder))
        .with_hint("everything else was read")
}

/// A folder to look into, or a link that may lead to one.
struct Folder {
    shown: PathBuf,
    /// Where it really is; of a link, where the link itself is.
    real: PathBuf,
    depth: usize,
}

/// A bound at which the scan went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Depth,
    Entries,
    Folders,
}

impl Bound {
    fn diagnostic(self, root: &Path, limits: &Limits) -> Diagnostic {
        let message = match self {
            Self::Depth => format!("folders deeper than {} were not looked into", limits.depth),
            Self::Entries => format!(
                "there are more than {} files and folders here; the rest was not looked at",
                limits.entries
            ),
            Self::Folders => format!(
                "there are more than {} folders here; the rest was not looked into",
                limits.folders
            ),
        };
        Diagnostic::warning(About::Path, message)
            .at_path(path_text(root))
            .with_hint("name the folder that holds the skills itself")
    }
}

type Entry = (OsString, FileType);

struct Walk<'l> {
    kinds: &'l [ItemKind],
    limits: &'l Limits,
    located: Located,
    troubles: LinkTroubles,
    folders: VecDeque<Folder>,
    links: VecDeque<Folder>,
    /// The real paths of folders that were queued.
    seen: HashSet<PathBuf>,
    looked_into: usize,
    entries: usize,
    /// The widest bound that was reached.
    cut: Option<Bound>,
}

impl Walk<'_> {
    fn run(&mut self, root: Folder) {
        self.seen.insert(root.real.clone());
        self.folders.push_back(root);
        while let Some(folder) = self.next() {
            if self.looked_into == self.limits.folders {
                self.reach(Bound::Folders);
                return;
            }
            self.looked_into += 1;
            match self.read(&folder) {
                Ok(entries) => self.look_at(&folder, entries),
                Err(error) => {
                    let diagnostic = unreadable(&folder.shown, &error);
                    self.located.diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn reach(&mut self, bound: Bound) {
        self.cut = self.cut.max(Some(bound));
    }

    /// The next folder: real ones first, then what links lead to.
    fn next(&mut self) -> Option<Folder> {
        loop {
            if let Some(folder) = self.folders.pop_front() {
                return Some(folder);
            }
            let link = self.links.pop_front()?;
            if let Some(folder) = self.follow(link) {
                return Some(folder);
            }
        }
    }

    /// The folder that a link leads to, if it is one that was not seen yet.
    fn follow(&mut self, link: Folder) -> Option<Folder> {
        let target = match fs::canonicalize(&link.real) {
            Ok(target) => target,
            Err(error) => {
                self.troubles
                    .unresolved(&link.shown, TargetFault::of(&error));
                return None;
            }
        };
        if !target.is_dir() {
            return None;
        }
        if link.real.starts_with(&target) {
            self.troubles.leads_back(&link.shown);
            return None;
        }
        self.seen.insert(target.clone()).then_some(Folder {
            real: target,
            ..link
        })
    }

    /// A folder's entries in the order of their names, as many as the bound leaves.
    fn read(&mut self, folder: &Folder) -> io::Result<Vec<Entry>> {
        let left = self.limits.entries.saturating_sub(self.entries);
        if left == 0 {
            return Ok(self.entry_file_alone(folder));
        }
        let mut entries: Vec<Entry> = Vec::new();
        for entry in fs::read_dir(&folder.real)? {
            let entry = entry?;
            entries.push((entry.file_name(), entry.file_type()?));
            // The file system's order is not ours: keep the first by name, in bounded memory.
            if entries.len() > 2 * left.max(1_000) {
                keep_first(&mut entries, left + 1);
            }
        }
        keep_first(&mut entries, left + 1);
        if entries.len() > left {
            entries.truncate(left);
            self.reach(Bound::Entries);
        }
        self.entries += entries.len();
        Ok(entries)
    }

    /// Of a folder that may not be listed any more, the entry file.
    fn entry_file_alone(&mut self, folder: &Folder) -> Vec<Entry> {
        let names = self.kinds.iter().map(|kind| kind.entry_file());
        let found = names.filter_map(|name| {
            let metadata = fs::symlink_metadata(folder.real.join(name)).ok()?;
            Some((OsString::from(name), metadata.file_type()))
        });
        let found: Vec<Entry> = found.take(1).collect();
        if found.is_empty() {
            self.reach(Bound::Entries);
        }
        self.entries += found.len();
        found
    }

    fn look_at(&mut self, folder: &Folder, entries: Vec<Entry>) {
        let item = self.kinds.iter().find_map(|kind| {
            let entry = entry_file(*kind, &entries)?;
            Some((*kind, entry))
        });
        if let Some((kind, entry)) = item {
            self.entries -= entries.len();
            self.located.places.push(Place {
                kind,
                folder: folder.shown.clone(),
                real_folder: folder.real.clone(),
                entry,
                owns_folder: true,
            });
            return;
        }
        for (name, file_type) in entries {
            self.look_at_entry(folder, name, file_type);
        }
    }

    fn look_at_entry(&mut self, folder: &Folder, name: OsString, file_type: FileType) {
        let text = name.to_string_lossy();
        let may_be_agent = self.kinds.contains(&ItemKind::Persona) && folder.depth == 0;
        if may_be_agent && is_agent_file(&text) {
            self.located.places.push(Place {
                kind: ItemKind::Persona,
                folder: folder.shown.clone(),
                real_folder: folder.real.clone(),
                entry: name,
                owns_folder: false,
            });
            return;
        }
        let leads_on = file_type.is_dir() || file_type.is_symlink();
        if !leads_on || is_skipped_folder(&text) {
            return;
        }
        let child = Folder {
            shown: folder.shown.join(&name),
            real: folder.real.join(&name),
            depth: folder.depth + 1,
        };
        if file_type.is_symlink() {
            if child.depth <= self.limits.depth {
                self.links.push_back(child);
            }
        } else if child.depth > self.limits.depth {
            self.reach(Bound::Depth);
        } else if self.seen.insert(child.real.clone()) {
            self.folders.push_back(child);
        }
    }
}

fn keep_first(entries: &mut Vec<Entry>, count: usize) {
    entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    entries.truncate(count);
}

/// The entry file among a folder's entries: by its exact name, else in another case.
fn entry_file(kind: ItemKind, entries: &[Entry]) -> Option<OsString> {
    let wanted = kind.entry_file();
    let exact = entries.iter().find(|(name, _)| name == wanted);
    let any_case = || {
        let same = |name: &OsString| name.eq_ignore_ascii_case(wanted);
        entries
            .iter()
            .find(|(name, file_type)| same(name) && !file_type.is_dir())
    };
    exact.or_else(any_case).map(|(name, _)| name.clone())
}
