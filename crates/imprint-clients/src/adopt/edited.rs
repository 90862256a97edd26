//! Copies of ours that were edited by hand: what of them is new, and how it gets into the item.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use imprint_core::{
    Author, ItemRef, ItemState, ItemSummary, Registry,
    registry::{ContentError, EditError, Edited, FileEdit, ItemEdit},
};
use imprint_format::{
    About, Bundle, BundleFile, Diagnostic, Digest, ItemKind, ItemPath, validate_bundle,
};

use super::{EditedCopy, FileChange, OffersError};
use crate::{
    folders::Folders,
    import::{ImportLimits, SourceItem, mended_entry, read_source},
    known::known_clients,
    machine::Machine,
    persona::{Dialect, carry_back},
    write::ChangedCopy,
};

/// Why an edited copy was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// It can't be kept as it is.
    #[error("it can't be kept as it is")]
    Faulty {
        /// Everything that is wrong.
        faults: Vec<Diagnostic>,
    },
    /// The registry refuses it.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// Makes what an edited copy holds a new revision of its item, by the user. Refused where the item
/// has moved on since the offer was made. The copy itself is not touched: the next pass is told of
/// it by [`Folders::adopt`].
pub async fn take_edited(registry: &Registry, copy: &EditedCopy) -> Result<Edited, TakeError> {
    if !copy.faults.is_empty() {
        let faults = copy.faults.clone();
        return Err(TakeError::Faulty { faults });
    }
    let files = copy.changes.iter().map(|change| {
        let file = BundleFile {
            bytes: change.after.as_slice().into(),
            executable: change.executable,
        };
        FileEdit::Put(change.path.clone(), file)
    });
    let edit = ItemEdit {
        files: files.collect(),
        expected: Some(copy.item.head),
        ..ItemEdit::default()
    };
    let reference = ItemRef {
        kind: Some(copy.item.kind),
        name: copy.item.id.to_string(),
    };
    Ok(registry.edit(&Author::User, &reference, edit).await?)
}

/// All edited copies of items that are not removed.
pub(super) async fn edited_copies(
    folders: &Folders,
    registry: &Registry,
) -> Result<Vec<EditedCopy>, OffersError> {
    let mut copies = Vec::new();
    for changed in folders.changed_copies().await? {
        let store = registry.store();
        let Some(item) = store.item(registry.owner(), changed.item).await? else {
            continue;
        };
        if item.state == ItemState::Removed {
            continue;
        }
        let kept = match registry.files_of(&item).await {
            Ok(kept) => kept,
            Err(ContentError::Store(error)) => return Err(error.into()),
            Err(other) => {
                copies.push(faulty(item, changed.place, vec![damaged(&other)]));
                continue;
            }
        };
        let copy = edited_copy(item, &changed, &kept, folders.machine());
        copies.extend(copy.filter(|copy| !copy.changes.is_empty() || !copy.faults.is_empty()));
    }
    Ok(copies)
}

fn damaged(error: &ContentError) -> Diagnostic {
    Diagnostic::error(About::File, error.to_string())
}

/// What one copy holds that its item doesn't; `None` where the copy is gone.
fn edited_copy(
    item: ItemSummary,
    copy: &ChangedCopy,
    kept: &Bundle,
    machine: &Machine,
) -> Option<EditedCopy> {
    let read = read_source(&copy.place, &ImportLimits::default()).ok()?;
    let mut reader = CopyReader {
        kept,
        written: &copy.written,
        notes: Vec::new(),
    };
    let found = match (
        read.items.into_iter().next(),
        read.skipped.into_iter().next(),
    ) {
        (Some(found), _) => found,
        (None, Some(skipped)) => return Some(faulty(item, copy.place.clone(), skipped.reasons)),
        (None, None) => return None,
    };
    let files = match copy.kind {
        ItemKind::Skill => reader.skill(&found),
        _ => reader.persona(&found, dialect_at(&copy.place, machine)),
    };
    let changes = files.and_then(|files| {
        check(&item, kept, &files)?;
        Ok(files)
    });
    if let Ok(changes) = &changes
        && !changes.is_empty()
        && reader.moved_on()
    {
        let newer = "the item has a newer text than this copy was made from; where both changed a file, that of the copy replaces it (the other stays in the history)";
        reader.notes.push(newer.to_owned());
    }
    Some(match changes {
        Ok(changes) => EditedCopy {
            item,
            place: copy.place.clone(),
            changes,
            notes: reader.notes,
            faults: Vec::new(),
        },
        Err(faults) => faulty(item, copy.place.clone(), faults),
    })
}

fn faulty(item: ItemSummary, place: PathBuf, faults: Vec<Diagnostic>) -> EditedCopy {
    EditedCopy {
        item,
        place,
        changes: Vec::new(),
        notes: Vec::new(),
        faults,
    }
}

/// Whether the item may be kept with these files.
fn check(item: &ItemSummary, kept: &Bundle, files: &[FileChange]) -> Result<(), Vec<Diagnostic>> {
    let fault = |path: &ItemPath, error: &dyn std::error::Error| {
        vec![Diagnostic::error(About::File, error.to_string()).at_path(path.as_str())]
    };
    let mut bundle = kept.clone();
    for change in files {
        let file = BundleFile {
            bytes: change.after.as_slice().into(),
            executable: change.executable,
        };
        bundle = bundle
            .with_file(change.path.clone(), file)
            .map_err(|error| fault(&change.path, &error))?;
    }
    validate_bundle(Some(item.name.as_str()), &bundle).map(|_| ())
}

/// How personas are written in the folder of a file.
fn dialect_at(place: &Path, machine: &Machine) -> Option<Dialect> {
    let folder = place.parent()?;
    known_clients().iter().find_map(|client| {
        let personas = client.personas.as_ref()?;
        ((personas.folder)(machine) == folder).then_some(personas.dialect)
    })
}

/// Reads a copy against the item and against what we wrote.
struct CopyReader<'c> {
    kept: &'c Bundle,
    written: &'c BTreeMap<String, BTreeSet<Digest>>,
    notes: Vec<String>,
}

impl CopyReader<'_> {
    /// The files of a skill's folder that someone edited or added.
    fn skill(&mut self, found: &SourceItem) -> Result<Vec<FileChange>, Vec<Diagnostic>> {
        self.notes.extend(found.notes().iter().cloned());
        let mut changes = Vec::new();
        for (path, file) in found.files() {
            if self.is_as_written(path, &file.bytes) {
                continue;
            }
            let path: ItemPath = path.parse().map_err(|fault: imprint_format::PathFault| {
                vec![Diagnostic::error(About::Path, fault.to_string()).at_path(path)]
            })?;
            let bytes = if path == ItemPath::entry_of(ItemKind::Skill) {
                mended_entry(found, &mut self.notes)?
            } else {
                Arc::clone(&file.bytes)
            };
            changes.extend(self.change(path, &bytes, file.executable));
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(changes)
    }

    /// The persona with what someone changed in a client's form of it.
    fn persona(
        &mut self,
        found: &SourceItem,
        dialect: Option<Dialect>,
    ) -> Result<Vec<FileChange>, Vec<Diagnostic>> {
        let (Some(dialect), Some((_, file))) = (dialect, found.files().first()) else {
            let unknown = "no client is known to read personas there any more";
            return Err(vec![Diagnostic::error(About::File, unknown)]);
        };
        let back = carry_back(&self.kept.entry().bytes, &file.bytes, dialect)
            .map_err(|error| vec![Diagnostic::error(About::File, error.to_string())])?;
        self.notes.extend(back.notes);
        let entry = ItemPath::entry_of(ItemKind::Persona);
        let change = self.change(entry, back.text.as_bytes(), false);
        Ok(change.into_iter().collect())
    }

    fn is_as_written(&self, path: &str, bytes: &[u8]) -> bool {
        let digests = self.written.get(path);
        digests.is_some_and(|digests| digests.contains(&Digest::of(bytes)))
    }

    fn change(&self, path: ItemPath, after: &[u8], executable: bool) -> Option<FileChange> {
        let before = self.kept.get(&path);
        if before.is_some_and(|before| *before.bytes == *after) {
            return None;
        }
        Some(FileChange {
            before: before.map(|before| before.bytes.to_vec()),
            after: after.to_vec(),
            executable: executable || before.is_some_and(|before| before.executable),
            path,
        })
    }

    /// Whether the item's files differ from those that we wrote.
    fn moved_on(&self) -> bool {
        self.kept.files().any(|(path, file)| {
            let written = self.written.get(path.as_str());
            written.is_some_and(|digests| !digests.contains(&file.digest()))
        })
    }
}
