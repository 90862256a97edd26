//! Reading one item that was found: its header, and which files stand beside it.

use std::{collections::HashMap, io};

use imprint_format::{
    About, Diagnostic, Digest, ItemKind, ItemPath, limits::TEXT_FILE_BYTES, read_header,
};

use super::{Found, Scope, walk::Place};
use crate::{
    folder::{ItemFolder, ReadError},
    shown::path_text,
};

/// The item at this place, or why it can't be used.
pub(super) fn read(kind: ItemKind, scope: Scope, place: &Place) -> Result<Found, Vec<Diagnostic>> {
    let path = place.folder.join(&place.entry);
    let shown = path_text(&path);
    let folder = match open(place) {
        Ok(folder) => folder,
        Err(error) => {
            let message = format!("the folder can't be read: {error}");
            return Err(vec![
                Diagnostic::error(About::Path, message).at_path(path_text(&place.folder)),
            ]);
        }
    };
    let entry = place.entry_name();
    let content = folder
        .read(&entry, TEXT_FILE_BYTES)
        .map_err(|error| vec![entry_refused(&error).at_path(&shown)])?;
    let home = place.home();
    let reading = read_header(kind, home.as_deref(), &content.bytes);
    let mut diagnostics = misnamed(kind, place, &entry);
    diagnostics.extend(reading.diagnostics);
    let mut diagnostics: Vec<_> = diagnostics
        .into_iter()
        .map(|diagnostic| diagnostic.at_path(&shown))
        .collect();
    let Some((header, _)) = reading.value else {
        return Err(diagnostics);
    };
    let mut resources = Vec::new();
    if place.owns_folder {
        let listing = folder.list();
        let at = path_text(&place.folder);
        diagnostics.extend(listing.diagnostics(&at));
        diagnostics.extend(unportable(&listing.files, &at));
        resources = listing.files;
        resources.retain(|file| *file != entry);
    }
    Ok(Found {
        kind,
        header,
        path,
        folder: folder.real_path().to_path_buf(),
        scope,
        digest: Digest::of(&content.bytes),
        resources,
        diagnostics,
    })
}

/// The folder to read from: an agent file may be a link to anywhere, a file in a skill may not.
fn open(place: &Place) -> io::Result<ItemFolder> {
    if place.owns_folder {
        return ItemFolder::open(&place.real_folder);
    }
    let real = place.real_entry();
    ItemFolder::open(real.parent().unwrap_or(&place.real_folder))
}

impl Place {
    /// The entry file's name where it really is.
    fn entry_name(&self) -> String {
        let real = if self.owns_folder {
            None
        } else {
            self.real_entry().file_name().map(ToOwned::to_owned)
        };
        let name = real.unwrap_or_else(|| self.entry.clone());
        name.to_string_lossy().into_owned()
    }

    /// The name that stands for the item outside its file.
    fn home(&self) -> Option<String> {
        let name = if self.owns_folder {
            self.folder
                .file_name()
                .or_else(|| self.real_folder.file_name())
        } else {
            Some(self.entry.as_os_str())
        };
        let name = name?.to_string_lossy();
        if self.owns_folder {
            return Some(name.into_owned());
        }
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        // Copilot's files are called `NAME.agent.md`.
        Some(stem.strip_suffix(".agent").unwrap_or(stem).to_owned())
    }
}

/// Why the entry file was not read.
fn entry_refused(error: &ReadError) -> Diagnostic {
    match error {
        ReadError::Escapes => Diagnostic::error(
            About::Path,
            "the file is a link out of its folder, which is not followed",
        )
        .with_hint("link the whole folder instead, or copy the file"),
        ReadError::TooLarge { limit } => {
            Diagnostic::error(About::File, format!("the file has more than {limit} bytes"))
                .with_hint("move the long parts into files beside it")
        }
        ReadError::NotRegular => Diagnostic::error(About::File, "this is not a regular file"),
        ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound => Diagnostic::error(
            About::Path,
            "the file is a link to something that is not there",
        ),
        ReadError::Io(error) => {
            Diagnostic::error(About::Path, format!("the file can't be read: {error}"))
        }
    }
}

/// A warning about an entry file that is not spelled as clients look for it.
fn misnamed(kind: ItemKind, place: &Place, entry: &str) -> Vec<Diagnostic> {
    let wanted = kind.entry_file();
    if !place.owns_folder || entry == wanted {
        return Vec::new();
    }
    let message = format!("the file is called `{entry}`, not `{wanted}`");
    let warning = Diagnostic::warning(About::File, message)
        .with_hint("rename it; most clients look for the exact name");
    vec![warning]
}

/// Warnings about files that some systems can't hold beside each other, or at all.
fn unportable(files: &[String], folder: &str) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut taken: HashMap<String, &str> = HashMap::new();
    for file in files {
        let warning = match file.parse::<ItemPath>() {
            Err(fault) => fault.to_string(),
            Ok(path) => match taken.insert(path.collision_key(), file) {
                Some(other) => format!("`{other}` and `{file}` are the same file on some systems"),
                None => continue,
            },
        };
        warnings
            .push(Diagnostic::warning(About::Path, warning).at_path(format!("{folder}/{file}")));
    }
    warnings
}
