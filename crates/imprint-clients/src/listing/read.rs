//! The skills in one of a client's folders, read as clients do: every place on its own, links
//! included, whatever is wrong with it.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use imprint_format::{About, Diagnostic, Document, ItemKind, limits::TEXT_FILE_BYTES, read_header};
use imprint_host::{Limits, is_skipped_folder};

use super::{ClientListing, FolderContent, SkillPlace, SkillText, listing};
use crate::{
    client::{Client, Reject},
    machine::Machine,
};

const ENTRY: &str = "SKILL.md";

/// What a client lists on this machine from the user's folders; `None` where nobody established
/// its folders, or how it lists. Nothing is written.
pub fn read_listing(client: &Client, machine: &Machine) -> Option<ClientListing> {
    let folders = client.skills?(machine);
    let read = |folder: &PathBuf| read_skill_folder(folder, &Limits::default());
    let contents: Vec<_> = folders.reads.iter().map(read).collect();
    listing(client, &contents)
}

/// The skills in a folder, each place for itself: a link to a skill beside it is a place of its
/// own. A folder that is not there is empty; below a skill there are no others.
fn read_skill_folder(folder: &Path, limits: &Limits) -> FolderContent {
    let mut walk = Walk {
        limits,
        places: Vec::new(),
        around: Vec::new(),
        folders: 0,
        entries: 0,
    };
    walk.look_into(&Step {
        path: folder.to_owned(),
        depth: 0,
        over_link: false,
    });
    walk.places.sort_by(|one, other| one.path.cmp(&other.path));
    FolderContent {
        folder: folder.to_owned(),
        places: walk.places,
    }
}

/// A folder to look into.
struct Step {
    path: PathBuf,
    /// How many folders below the one that the client reads.
    depth: usize,
    /// Whether it, or a folder around it below that one, is a link.
    over_link: bool,
}

struct Walk<'l> {
    limits: &'l Limits,
    places: Vec<SkillPlace>,
    /// The real paths of the folders around the present one, against links in a circle.
    around: Vec<PathBuf>,
    folders: usize,
    entries: usize,
}

impl Walk<'_> {
    fn look_into(&mut self, step: &Step) {
        if self.folders == self.limits.folders {
            return;
        }
        self.folders += 1;
        let Ok(real) = fs::canonicalize(&step.path) else {
            return;
        };
        if self.around.contains(&real) {
            return;
        }
        let names = match self.names(&step.path) {
            Ok(names) => names,
            Err(_) if step.depth == 0 => return,
            // The folder may well be a skill that nobody can look into.
            Err(error) => return self.refused(step, real, &error),
        };
        if step.depth > 0 && self.is_skill(step, &real, &names) {
            return;
        }
        if step.depth < self.limits.depth {
            self.around.push(real);
            for name in names {
                self.look_at(step, &name);
            }
            self.around.pop();
        }
    }

    fn look_at(&mut self, step: &Step, name: &OsString) {
        let path = step.path.join(name);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        if !is_skipped_folder(&name.to_string_lossy()) && path.is_dir() {
            self.look_into(&Step {
                path,
                depth: step.depth + 1,
                over_link: step.over_link || is_link,
            });
        }
    }

    /// The names in a folder, in order, as many as the bound leaves.
    fn names(&mut self, folder: &Path) -> io::Result<Vec<OsString>> {
        let left = self.limits.entries.saturating_sub(self.entries);
        let entries = fs::read_dir(folder)?.take(left);
        let mut names = entries
            .map(|entry| Ok(entry?.file_name()))
            .collect::<io::Result<Vec<_>>>()?;
        self.entries += names.len();
        names.sort_unstable();
        Ok(names)
    }

    /// Takes a folder in if it is a skill.
    fn is_skill(&mut self, step: &Step, real: &Path, names: &[OsString]) -> bool {
        let text = if names.iter().any(|name| name == ENTRY) {
            // What stands beside the entry file counts for no bound.
            self.entries -= names.len();
            read_text(&step.path.join(ENTRY))
        } else if let Some(other) = names.iter().find(|name| name.eq_ignore_ascii_case(ENTRY)) {
            let other = other.to_string_lossy();
            Err(format!("the file is called `{other}`, not `{ENTRY}`"))
        } else {
            return false;
        };
        self.place(step, real.to_owned(), text);
        true
    }

    fn refused(&mut self, step: &Step, real: PathBuf, error: &io::Error) {
        self.place(
            step,
            real,
            Err(format!("the folder can't be read: {error}")),
        );
    }

    fn place(&mut self, step: &Step, real: PathBuf, text: Result<SkillText, String>) {
        self.places.push(SkillPlace {
            path: step.path.clone(),
            real,
            is_link: step.over_link,
            is_nested: step.depth > 1,
            text,
        });
    }
}

fn read_text(file: &Path) -> Result<SkillText, String> {
    let bytes = read_bounded(file).map_err(|error| format!("`{ENTRY}` can't be read: {error}"))?;
    skill_text(&bytes).map_err(|diagnostic| diagnostic.message)
}

/// A file's bytes, one more than may be read at most. Clients follow a link here too.
pub(super) fn read_bounded(file: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for its other end.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let most = u64::try_from(TEXT_FILE_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(file)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a `SKILL.md` of these bytes says, with what clients may reject it for; an error where none
/// of them can use it.
fn skill_text(bytes: &[u8]) -> Result<SkillText, Diagnostic> {
    let mut text = SkillText::default();
    let without_mark = bytes.strip_prefix("\u{FEFF}".as_bytes());
    if without_mark.is_some() {
        text.defects.push(Reject::ByteOrderMark);
    }
    let reading = Document::read(bytes);
    let Some(document) = reading.value else {
        let opens = without_mark.unwrap_or(bytes).starts_with(b"---");
        return match reading.diagnostics.into_iter().next() {
            Some(fault) if opens || fault.about != About::Frontmatter => Err(fault),
            _ => {
                text.defects.push(Reject::NoHeader);
                Ok(text)
            }
        };
    };
    if document.is_mended() {
        text.defects.push(Reject::UnquotedColon);
    }
    let written = |key: &str| {
        let field = document.field(key).filter(|field| !field.is_null())?;
        let value = field.value.as_str()?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    text.name = written("name");
    text.description = written("description");
    text.hidden = is_hidden(bytes);
    Ok(text)
}

/// Whether the header keeps the skill from the model. One without a description is not asked: a
/// header that can't be used says nothing.
fn is_hidden(bytes: &[u8]) -> bool {
    let reading = read_header(ItemKind::Skill, Some("skill"), bytes);
    reading
        .value
        .is_some_and(|(header, _)| header.hidden_from_model)
}

#[cfg(test)]
#[cfg(unix)]
#[path = "read_tests.rs"]
mod tests;
