//! The files of an item's folder, and what is left out of it and why.

use std::{ffi::OsString, path::Path, path::PathBuf};

use cap_std::fs::FileType;
use imprint_format::{
    About, Diagnostic, is_archive_junk,
    limits::{ITEM_FILES, PATH_DEPTH},
    text,
};

use super::{ItemFolder, TargetFault};
use crate::{discover::is_skipped_folder, shown::named_few};

/// The most entries that are looked at in one item's folder.
const ENTRIES: usize = 20_000;

/// What stands in an item's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Regular files, relative to the folder with `/`, in the order of their paths. Files that
    /// systems leave behind (`.DS_Store` and the like) are dropped without a word.
    pub files: Vec<String>,
    /// Everything else, in the order in which it was met.
    pub left_out: Vec<LeftOut>,
}

/// Something in an item's folder that is none of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Relative to the folder, with `/`.
    pub path: String,
    /// Why.
    pub why: WhyLeftOut,
}

/// Why something is none of an item's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhyLeftOut {
    /// A hidden folder, or one of dependencies or caches.
    SkippedFolder,
    /// A link out of the folder.
    Escapes,
    /// A link to nothing.
    Dangling,
    /// A link that leads back to a folder around it.
    Loop,
    /// A pipe, socket or device.
    Special,
    /// The system refuses to show it.
    Unreadable,
    /// A name that is not Unicode.
    NotUnicode,
    /// Deeper than a path may be.
    TooDeep,
    /// The folder holds more than an item may.
    TooMany,
}

impl WhyLeftOut {
    /// What happened, for one path or several.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SkippedFolder => "hidden, or a folder of dependencies or caches",
            Self::Escapes => "a link out of the item's folder, which is not followed",
            Self::Dangling => "a link to something that is not there",
            Self::Loop => "a link back to a folder around it",
            Self::Special => "not a regular file",
            Self::Unreadable => "not readable",
            Self::NotUnicode => "a name that is not Unicode",
            Self::TooDeep => "deeper than a path in an item may be",
            Self::TooMany => "from here on, more than an item may hold",
        }
    }

    fn remark(self, message: String) -> Option<Diagnostic> {
        match self {
            Self::SkippedFolder => None,
            Self::Dangling | Self::Loop => Some(Diagnostic::warning(About::Path, message)),
            Self::TooDeep | Self::TooMany => Some(Diagnostic::warning(About::File, message)),
            Self::Escapes | Self::Special | Self::Unreadable | Self::NotUnicode => {
                Some(Diagnostic::error(About::Path, message))
            }
        }
    }
}

impl Listing {
    /// One diagnostic for each reason, at the first path that it holds for. `folder` stands before
    /// the paths. Skipped folders are no reason for one.
    pub fn diagnostics(&self, folder: &str) -> Vec<Diagnostic> {
        let mut reasons: Vec<_> = self.left_out.iter().map(|left| left.why).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let remarks = reasons.into_iter().filter_map(|why| {
            let same = self.left_out.iter().filter(|left| left.why == why);
            let paths: Vec<_> = same.map(|left| left.path.clone()).collect();
            let message = match paths.len() {
                1 => why.as_str().to_owned(),
                _ => format!("{}: {}", why.as_str(), named_few(&paths)),
            };
            let remark = why.remark(message)?;
            Some(remark.at_path(format!("{folder}/{}", paths[0])))
        });
        remarks.collect()
    }
}

pub(super) fn list(folder: &ItemFolder) -> Listing {
    let mut lister = Lister {
        folder,
        listing: Listing::default(),
        around: vec![PathBuf::new()],
        entries: 0,
    };
    lister.folder("", Path::new(""));
    lister.listing.files.sort_unstable();
    lister.listing
}

struct Lister<'f> {
    folder: &'f ItemFolder,
    listing: Listing,
    /// The real paths of the folders that the present one stands in, itself included.
    around: Vec<PathBuf>,
    entries: usize,
}

impl Lister<'_> {
    /// Lists the folder at `inside` (no links in it) as `shown`. `false`: enough was seen.
    fn folder(&mut self, shown: &str, inside: &Path) -> bool {
        let Some(entries) = self.entries(shown, inside) else {
            return self.entries < ENTRIES;
        };
        for (name, file_type) in entries {
            self.entries += 1;
            let Some(name) = name.to_str() else {
                let name = text::visible(&name.to_string_lossy());
                self.leave_out(joined(shown, &name), WhyLeftOut::NotUnicode);
                continue;
            };
            // Skipped folders are told of, whether systems leave them behind or people.
            let is_folder = file_type.is_dir() && is_skipped_folder(name);
            if is_archive_junk(name) && !is_folder {
                continue;
            }
            let shown = joined(shown, name);
            if self.listing.files.len() >= ITEM_FILES {
                self.leave_out(shown, WhyLeftOut::TooMany);
                return false;
            }
            if !self.entry(shown, name, &inside.join(name), file_type) {
                return false;
            }
        }
        true
    }

    /// The entries of a folder in the order of their names.
    fn entries(&mut self, shown: &str, inside: &Path) -> Option<Vec<(OsString, FileType)>> {
        let left = ENTRIES.saturating_sub(self.entries);
        let entries = self.folder.dir.read_dir(dot_if_empty(inside));
        let read = entries.and_then(|entries| {
            entries
                .take(left + 1)
                .map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))))
                .collect::<Result<Vec<_>, _>>()
        });
        match read {
            // Which entries come first is up to the file system: none of them, then.
            Ok(entries) if entries.len() > left => {
                self.entries = ENTRIES;
                self.leave_out(shown.to_owned(), WhyLeftOut::TooMany);
                None
            }
            Ok(mut entries) => {
                entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
                Some(entries)
            }
            Err(_) => {
                self.leave_out(shown.to_owned(), WhyLeftOut::Unreadable);
                None
            }
        }
    }

    fn entry(&mut self, shown: String, name: &str, inside: &Path, file_type: FileType) -> bool {
        if !file_type.is_symlink() {
            return self.item(shown, name, inside, file_type);
        }
        let resolved = self.folder.real_target(inside).and_then(|target| {
            let metadata = self.folder.dir.metadata(dot_if_empty(&target));
            let metadata = metadata.map_err(|error| TargetFault::of(&error))?;
            let file_type = metadata.file_type();
            Ok((target, file_type))
        });
        match resolved {
            Ok((target, file_type)) => self.item(shown, name, &target, file_type),
            Err(fault) => {
                self.leave_out(shown, why_of(fault));
                true
            }
        }
    }

    /// Takes in what stands at `inside`, links resolved.
    fn item(&mut self, shown: String, name: &str, inside: &Path, file_type: FileType) -> bool {
        if file_type.is_file() {
            self.listing.files.push(shown);
            return true;
        }
        let why = if !file_type.is_dir() {
            WhyLeftOut::Special
        } else if is_skipped_folder(name) {
            WhyLeftOut::SkippedFolder
        } else if self.around.iter().any(|around| around == inside) {
            WhyLeftOut::Loop
        } else if self.around.len() >= PATH_DEPTH {
            WhyLeftOut::TooDeep
        } else {
            self.around.push(inside.to_path_buf());
            let go_on = self.folder(&shown, inside);
            self.around.pop();
            return go_on;
        };
        self.leave_out(shown, why);
        true
    }

    fn leave_out(&mut self, path: String, why: WhyLeftOut) {
        self.listing.left_out.push(LeftOut { path, why });
    }
}

fn why_of(fault: TargetFault) -> WhyLeftOut {
    match fault {
        TargetFault::Outside => WhyLeftOut::Escapes,
        TargetFault::Missing => WhyLeftOut::Dangling,
        TargetFault::Circle => WhyLeftOut::Loop,
        TargetFault::Unreadable => WhyLeftOut::Unreadable,
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn dot_if_empty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}
