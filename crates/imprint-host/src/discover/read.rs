//! Reading one item that was found: its header, and which files stand beside it.

use std::collections::HashMap;

use imprint_format::{About, Diagnostic, Digest, ItemPath, limits::TEXT_FILE_BYTES, read_header};

use super::{Found, Place, Scope};
use crate::shown::path_text;

/// The item at this place, or why it can't be used.
pub(super) fn read(scope: Scope, place: &Place) -> Result<Found, Vec<Diagnostic>> {
    let kind = place.kind;
    let path = place.path();
    let shown = path_text(&path);
    let (folder, entry) = match place.open() {
        Ok(opened) => opened,
        Err(error) => {
            let message = format!("the folder can't be read: {error}");
            return Err(vec![
                Diagnostic::error(About::Path, message).at_path(path_text(&place.folder)),
            ]);
        }
    };
    let content = folder
        .read(&entry, TEXT_FILE_BYTES)
        .map_err(|error| vec![error.diagnostic().at_path(&shown)])?;
    let home = place.home();
    let reading = read_header(kind, home.as_deref(), &content.bytes);
    let mut diagnostics = misnamed(place, &entry);
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

/// A warning about an entry file that is not spelled as clients look for it.
fn misnamed(place: &Place, entry: &str) -> Vec<Diagnostic> {
    let wanted = place.kind.entry_file();
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
