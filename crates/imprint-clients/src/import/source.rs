//! What one path holds, read but not judged.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use imprint_core::secret::Finding;
use imprint_format::{About, BundleFile, Diagnostic, ItemKind, limits::ITEM_BYTES, text};
use imprint_host::{Limits, is_agent_file, path_text};
use serde::Serialize;

use super::{
    archive::{self, ArchiveFault, ArchiveForm},
    codex::is_codex_agent,
    folder, tree,
};

/// How much is read of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportLimits {
    /// How far folders are searched. The depth holds for archives too.
    pub scan: Limits,
    /// The most entries of an archive.
    pub archive_entries: usize,
    /// The most bytes that an archive may have, packed and unpacked.
    pub archive_bytes: u64,
    /// The most bytes that are read from a folder, over all its items.
    pub folder_bytes: u64,
}

impl Default for ImportLimits {
    /// 5,000 entries and 64 MiB for an archive, 512 MiB for a folder.
    fn default() -> Self {
        Self {
            scan: Limits::default(),
            archive_entries: 5_000,
            archive_bytes: 64 * 1024 * 1024,
            folder_bytes: 512 * 1024 * 1024,
        }
    }
}

/// What was found under one path.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The path, as people read it.
    pub path: String,
    /// Everything that looks like an item and could be read.
    pub items: Vec<SourceItem>,
    /// Everything that looks like an item and can't be taken.
    pub skipped: Vec<Skipped>,
    /// What else there is to say: bounds that were reached, links that lead nowhere.
    pub remarks: Vec<Diagnostic>,
}

/// An item as it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceItem {
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands: its folder, or its file where that is all there is.
    pub place: String,
    /// The name that stands for it outside its entry file.
    pub(super) home: Option<String>,
    /// The entry file among `files`.
    pub(super) entry: String,
    /// Whether `place` is the entry file itself.
    pub(super) is_file: bool,
    /// The files by their paths, as spelled there.
    pub(super) files: Vec<(String, BundleFile)>,
    /// What was left out of it.
    pub(super) notes: Vec<String>,
}

impl SourceItem {
    /// Its files by their paths, as spelled there.
    pub(crate) fn files(&self) -> &[(String, BundleFile)] {
        &self.files
    }

    /// What was left out of it.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A file of the item, as people find it.
    pub(super) fn path_of(&self, file: &str) -> String {
        if self.is_file {
            self.place.clone()
        } else {
            format!("{}/{}", self.place, shown(file))
        }
    }
}

/// Something that is not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// What it would be.
    pub kind: ItemKind,
    /// Where it stands.
    pub place: String,
    /// Why: at least one error.
    pub reasons: Vec<Diagnostic>,
    /// The credentials in it, when they are the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

impl Skipped {
    pub(super) fn because(kind: ItemKind, place: &str, reasons: Vec<Diagnostic>) -> Self {
        Self {
            kind,
            place: place.to_owned(),
            reasons,
            findings: Vec::new(),
        }
    }
}

/// Why nothing of a path was taken.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Nothing is there.
    #[error("`{path}` is not there")]
    NotFound {
        /// The path.
        path: String,
    },
    /// The system refuses.
    #[error("`{path}` can't be read: {message}")]
    Unreadable {
        /// The path.
        path: String,
        /// What the system says.
        message: String,
    },
    /// A file that is no item and no archive.
    #[error("`{path}` is no folder, no `.md` or `.toml` file and no zip or tar archive")]
    UnknownForm {
        /// The path.
        path: String,
    },
    /// An archive that is refused as a whole.
    #[error("the archive `{path}` is refused: {fault}")]
    Archive {
        /// The path.
        path: String,
        /// Why.
        fault: ArchiveFault,
    },
}

impl SourceError {
    /// The error as a diagnostic, for reports that list them.
    pub fn diagnostic(&self) -> Diagnostic {
        let (about, path, hint) = match self {
            Self::NotFound { path } | Self::Unreadable { path, .. } => (About::Path, path, None),
            Self::UnknownForm { path } => {
                let hint = "give a folder, a `SKILL.md`, an agent's `.md` file or an archive";
                (About::File, path, Some(hint))
            }
            Self::Archive { path, fault } => (fault.about(), path, Some(fault.hint())),
        };
        let diagnostic = Diagnostic::error(about, self.to_string()).at_path(path);
        match hint {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        }
    }

    fn of_io(path: &Path, error: &io::Error) -> Self {
        let path = path_text(path);
        if error.kind() == io::ErrorKind::NotFound {
            Self::NotFound { path }
        } else {
            let message = error.to_string();
            Self::Unreadable { path, message }
        }
    }
}

/// Reads what a path holds: a skill's folder, a folder of skills, a client's folder with `skills`
/// and `agents`, one `SKILL.md`, `PERSONA.md` or agent file (Codex's in TOML among them), a zip, a tar or a gzipped tar. What
/// kind of file it is, its bytes say, not its name.
pub fn read_source(path: &Path, limits: &ImportLimits) -> Result<Source, SourceError> {
    let metadata = std::fs::metadata(path).map_err(|error| SourceError::of_io(path, &error))?;
    let mut source = if metadata.is_dir() {
        folder::read_folder(path, limits)
    } else if metadata.is_file() {
        read_file(path, limits)?
    } else {
        let path = path_text(path);
        return Err(SourceError::UnknownForm { path });
    };
    source.path = path_text(path);
    if source.items.is_empty() && source.skipped.is_empty() {
        let nothing = Diagnostic::warning(About::Path, "there is no skill and no persona here")
            .at_path(&source.path)
            .with_hint("hidden folders are not looked into; to import from one, name it");
        source.remarks.push(nothing);
    }
    Ok(source)
}

fn read_file(path: &Path, limits: &ImportLimits) -> Result<Source, SourceError> {
    let unreadable = |error: io::Error| SourceError::of_io(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    (&mut file)
        .take(archive::MAGIC_BYTES)
        .read_to_end(&mut start)
        .map_err(unreadable)?;
    if let Some(form) = ArchiveForm::of(&start) {
        let shown = path_text(path);
        let unpacked = archive::unpack(file, form, limits).map_err(|fault| {
            let path = shown.clone();
            SourceError::Archive { path, fault }
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Ok(tree::items(&unpacked, &shown, &name, limits));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !is_agent_file(&name) && !is_codex_agent(&name) {
        let path = path_text(path);
        return Err(SourceError::UnknownForm { path });
    }
    folder::read_alone(path, &name).map_err(unreadable)
}

/// Text from a file's name within a sentence.
pub(super) fn shown(name: &str) -> String {
    text::clip(&text::visible(name).replace(['\n', '\t'], " "), 120)
}

/// What is wrong with an item that holds too much.
pub(super) fn too_large(place: &str) -> Diagnostic {
    let message = format!("its files have more than {ITEM_BYTES} bytes together");
    Diagnostic::error(About::File, message)
        .at_path(place)
        .with_hint("keep large data outside the item, and say in its text where it is")
}
