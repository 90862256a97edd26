//! Looks at one entry of a client's folder, and at nothing else there.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use imprint_format::{Digest, ItemKind, is_archive_junk, limits::ITEM_BYTES};

use super::{
    disk::{Folder, Kind, is_temporary},
    entry::{Found, Wanted},
    manifest::Written,
};
use crate::home::read_bounded;

/// What an entry looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surveyed {
    pub(crate) found: Found,
    /// Files in a folder of ours that we neither wrote nor want.
    pub(crate) extra: Vec<String>,
    /// Temporary files in it that a killed pass left.
    pub(crate) leftovers: Vec<String>,
}

/// Looks at the entry called `name`. `real` is the folder that `folder` is a handle of.
pub(crate) fn survey(
    folder: &Folder<'_>,
    real: &Path,
    name: &str,
    wanted: Option<&Wanted>,
    ours: Option<&Written>,
) -> Surveyed {
    let kind = wanted.map(|w| w.kind).or(ours.map(|o| o.kind));
    let is_folder = kind == Some(ItemKind::Skill);
    let found = match folder.kind(name) {
        Err(error) => Found::Unreadable(error.to_string()),
        Ok(Kind::Absent) => Found::Absent,
        Ok(Kind::Link) => Found::Link {
            same: wanted.is_some_and(|wanted| leads_to_the_same(real, wanted)),
        },
        Ok(Kind::Folder) if is_folder => Found::Item(files(folder, wanted, ours)),
        Ok(Kind::File) if !is_folder => Found::Item(files(folder, wanted, ours)),
        Ok(Kind::Folder | Kind::File | Kind::Other) => Found::Other,
    };
    let mut surveyed = Surveyed {
        found,
        extra: Vec::new(),
        leftovers: Vec::new(),
    };
    if is_folder
        && let Some(ours) = ours
        && matches!(surveyed.found, Found::Item(_))
    {
        surveyed.look_further(folder.files_below(name), wanted, ours);
    }
    surveyed
}

impl Surveyed {
    fn look_further(
        &mut self,
        below: io::Result<Vec<String>>,
        wanted: Option<&Wanted>,
        ours: &Written,
    ) {
        let below = match below {
            Ok(below) => below,
            Err(error) => {
                self.found = Found::Unreadable(error.to_string());
                return;
            }
        };
        for path in below {
            // A link can stand where a folder of ours was.
            let known = ours
                .files
                .keys()
                .chain(wanted.into_iter().flat_map(|w| w.files.keys()))
                .any(|known| {
                    let rest = known.strip_prefix(path.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                });
            if is_temporary(&path) {
                self.leftovers.push(path);
            } else if !known && !is_left_by_programs(&path) {
                self.extra.push(path);
            }
        }
    }
}

/// The files that are wanted or ours, as they are.
fn files(
    folder: &Folder<'_>,
    wanted: Option<&Wanted>,
    ours: Option<&Written>,
) -> BTreeMap<String, super::entry::FoundFile> {
    let wanted = wanted.into_iter().flat_map(|wanted| wanted.files.keys());
    let ours = ours.into_iter().flat_map(|ours| ours.files.keys());
    let paths: BTreeSet<&String> = wanted.chain(ours).collect();
    paths
        .into_iter()
        .filter_map(|path| Some((path.clone(), folder.find(path)?)))
        .collect()
}

/// Whether a link leads to the very bytes that are wanted. Only reads.
fn leads_to_the_same(real: &Path, wanted: &Wanted) -> bool {
    wanted.files.iter().all(|(path, file)| {
        let mut place = real.to_owned();
        place.extend(path.split('/'));
        read_bounded(&place, ITEM_BYTES as u64).is_ok_and(|bytes| Digest::of(&bytes) == file.digest)
    })
}

/// What a script's run or a file browser leaves is no one's addition to a skill.
fn is_left_by_programs(path: &str) -> bool {
    path.split('/').any(|part| part == "__pycache__")
        || path
            .split_once('/')
            .is_some_and(|(_, below)| is_archive_junk(below))
}
