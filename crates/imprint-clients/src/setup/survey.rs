//! What stands in the folders that the installed clients read, before anything is decided. Reads
//! the disk, and writes nothing.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use imprint_core::{ItemId, Timestamp};
use imprint_format::{BundleFile, Diagnostic, Digest, ItemKind};
use imprint_host::{Located, locate};

use super::links;
use crate::{
    client::Client,
    import::{self, ImportLimits, ItemReader, Planned, Skipped},
    known::shared_skills,
    machine::Machine,
    persona::Dialect,
    write::{Manifest, Written, resolve},
};

/// Everything that was found.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// The folders that were looked in, the shared one first.
    pub(crate) folders: Vec<LookedAt>,
    /// What looks like an item there, by folder and path.
    pub(crate) places: Vec<Place>,
    /// What else there is to say about folders and links.
    pub(crate) remarks: Vec<Diagnostic>,
}

/// One folder that clients read.
#[derive(Debug)]
pub(crate) struct LookedAt {
    pub(crate) kind: ItemKind,
    /// As the first of its clients names it.
    pub(crate) folder: PathBuf,
    /// Behind all links.
    pub(crate) real: PathBuf,
    /// How personas are written there; `None` for skills.
    pub(crate) dialect: Option<Dialect>,
    /// The installed clients that read it, by id.
    pub(crate) readers: Vec<&'static str>,
    /// Whether items are looked for in it: one of the clients that are asked for reads it.
    pub(crate) is_searched: bool,
    /// The names directly in it.
    pub(crate) names: BTreeSet<OsString>,
    /// Those of them that the manifest lists.
    pub(crate) ours: BTreeSet<String>,
}

/// One place where something looks like an item.
#[derive(Debug)]
pub(crate) struct Place {
    /// The folder, by its number in [`Survey::folders`].
    pub(crate) folder: usize,
    pub(crate) kind: ItemKind,
    /// The item's folder or file, as reached from the client's folder.
    pub(crate) path: PathBuf,
    /// What would have to be moved for the client to see it no more: the item, or the first link
    /// on the way to it. The client's own folder is given behind its links.
    pub(crate) top: PathBuf,
    /// Where the item is behind all links.
    pub(crate) real: PathBuf,
    /// The links from `top` on, one after the other; empty where `top` is no link.
    pub(crate) links: Vec<PathBuf>,
    /// When the newest of its files was changed.
    pub(crate) modified: Timestamp,
    pub(crate) standing: Standing,
    /// Its files as they stand there: digest and executable bit, by the path in the item.
    pub(crate) files: BTreeMap<String, (Digest, bool)>,
    /// Whether none of its files is behind a link in the item.
    pub(crate) is_plain: bool,
    /// The item as it may be kept, or why it can't be.
    pub(crate) content: Result<Planned, Skipped>,
}

/// Whose a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Not listed as written by us.
    Foreign,
    /// Written by us, and unchanged since.
    Ours,
    /// Written by us, and edited since.
    Edited,
}

/// What a survey depends on.
pub(crate) struct Around<'a> {
    pub(crate) machine: &'a Machine,
    /// The clients found on it.
    pub(crate) installed: &'a [&'static Client],
    /// Those whose folders are looked in.
    pub(crate) clients: &'a [&'static Client],
    pub(crate) manifest: &'a Manifest,
    /// Whether the registry holds an item that the manifest lists.
    pub(crate) is_held: &'a dyn Fn(ItemId) -> bool,
    /// Fingerprints of findings that the user accepted.
    pub(crate) accepted: &'a HashSet<Digest>,
}

impl Survey {
    /// Looks into every folder.
    pub(crate) fn of(around: &Around<'_>) -> Self {
        let limits = ImportLimits::default();
        let mut survey = Self::default();
        for folder in folders(around) {
            let located = if folder.is_searched {
                located(&folder, &limits)
            } else {
                Located::default()
            };
            survey.remarks.extend(located.diagnostics);
            let mut reader = ItemReader::new(limits.folder_bytes);
            let number = survey.folders.len();
            for place in &located.places {
                let place = look_at(number, &folder, place, &mut reader, around);
                survey.places.extend(place);
            }
            survey.folders.push(folder);
        }
        survey.drop_second_sight();
        survey
    }

    /// One place that is seen through two folders counts where it stands directly.
    fn drop_second_sight(&mut self) {
        let mut best: BTreeMap<(PathBuf, PathBuf), usize> = BTreeMap::new();
        for (number, place) in self.places.iter().enumerate() {
            let key = (place.top.clone(), place.real.clone());
            let kept = *best.entry(key.clone()).or_insert(number);
            if self.name_of(place).is_some() && self.name_of(&self.places[kept]).is_none() {
                best.insert(key, number);
            }
        }
        let kept: BTreeSet<usize> = best.into_values().collect();
        let mut number = 0;
        self.places.retain(|_| {
            number += 1;
            kept.contains(&(number - 1))
        });
    }

    /// The folder that a place is in.
    pub(crate) fn folder_of(&self, place: &Place) -> &LookedAt {
        &self.folders[place.folder]
    }

    /// A place's name in its client's folder, where it stands directly in that.
    pub(crate) fn name_of<'p>(&self, place: &'p Place) -> Option<&'p str> {
        let folder = self.folder_of(place);
        let direct = place.path.parent() == Some(&folder.folder);
        let name = place.top.file_name()?.to_str()?;
        (direct && place.top.parent() == Some(&folder.real)).then_some(name)
    }
}

/// The folders that clients read, the shared one first.
fn folders(around: &Around<'_>) -> Vec<LookedAt> {
    let machine = around.machine;
    let mut wanted = vec![(ItemKind::Skill, shared_skills(machine), None, None)];
    for client in around.installed {
        let reads = client.skill_folders(machine).reads.into_iter();
        wanted.extend(reads.map(|folder| (ItemKind::Skill, folder, None, Some(*client))));
        let personas = client.personas.iter();
        wanted.extend(personas.map(|personas| {
            let folder = (personas.folder)(machine);
            let dialect = Some(personas.dialect);
            (ItemKind::Persona, folder, dialect, Some(*client))
        }));
    }
    let mut found: Vec<LookedAt> = Vec::new();
    for (kind, folder, dialect, reader) in wanted {
        let real = resolve(&folder);
        let known = found
            .iter()
            .position(|one| one.kind == kind && one.real == real);
        let at = known.unwrap_or_else(|| {
            found.push(LookedAt {
                kind,
                names: names_in(&real),
                ours: listed_in(&real, around.manifest),
                folder,
                real,
                dialect,
                readers: Vec::new(),
                is_searched: false,
            });
            found.len() - 1
        });
        let Some(reader) = reader else {
            found[at].is_searched = true;
            continue;
        };
        let is_asked_for = |client: &&Client| client.facts.id == reader.facts.id;
        found[at].is_searched |= around.clients.iter().any(is_asked_for);
        if !found[at].readers.contains(&reader.facts.id) {
            found[at].readers.push(reader.facts.id);
        }
    }
    found
}

fn listed_in(real: &Path, manifest: &Manifest) -> BTreeSet<String> {
    let root = real.to_str().and_then(|real| manifest.roots.get(real));
    let entries = root.into_iter().flat_map(|root| root.entries.keys());
    entries.cloned().collect()
}

fn names_in(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .collect()
}

/// The places in one folder, those that are there a second time by a link included.
fn located(folder: &LookedAt, limits: &ImportLimits) -> Located {
    let mut located = locate(&[folder.kind], &folder.folder, &limits.scan);
    if folder.kind == ItemKind::Skill {
        let again = links::second_ways(folder, &located.places, &limits.scan);
        located.places.extend(again);
    } else {
        // Agent files alone: no client reads a folder for a persona.
        located.places.retain(|place| !place.owns_folder);
        if folder.dialect == Some(Dialect::Codex) {
            located.places = import::codex_agents(&folder.folder);
        }
    }
    located
}

/// Reads what is at one place. A place whose path is no Unicode text can't be spoken of, and is
/// left out.
fn look_at(
    number: usize,
    folder: &LookedAt,
    located: &imprint_host::Place,
    reader: &mut ItemReader,
    around: &Around<'_>,
) -> Option<Place> {
    let path = if located.owns_folder {
        located.folder.clone()
    } else {
        located.path()
    };
    path.to_str()?;
    let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    let top = links::top_of(&folder.real, path.strip_prefix(&folder.folder).ok()?);
    let item = reader.read(located);
    let entry = located.entry.to_string_lossy();
    let files = item.as_ref().map_or(&[][..], |item| item.files());
    let base = if located.owns_folder {
        real.as_path()
    } else {
        real.parent()?
    };
    let is_alone = !located.owns_folder;
    Some(Place {
        folder: number,
        kind: folder.kind,
        links: links::chain(&top),
        modified: modified(base, &real, files, is_alone),
        standing: standing(folder, &path, &top, files, around),
        is_plain: is_alone || files.iter().all(|(path, _)| links::is_plain(base, path)),
        files: files
            .iter()
            .map(|(path, file)| {
                let path = if is_alone { &*entry } else { path.as_str() };
                (path.to_owned(), (file.digest(), file.executable))
            })
            .collect(),
        content: match item {
            Ok(item) => import::judge(&item, around.accepted),
            Err(skipped) => Err(*skipped),
        },
        path,
        top,
        real,
    })
}

fn modified(base: &Path, real: &Path, files: &[(String, BundleFile)], is_alone: bool) -> Timestamp {
    let newest = files.iter().filter_map(|(path, _)| {
        let path = if is_alone {
            real.to_owned()
        } else {
            base.join(path)
        };
        let modified = fs::metadata(path).ok()?.modified().ok()?;
        let since = modified.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    });
    Timestamp(newest.max().unwrap_or_default())
}

/// Whether we wrote what is there. A copy of an item that the registry has lost is nobody's.
fn standing(
    folder: &LookedAt,
    path: &Path,
    top: &Path,
    files: &[(String, BundleFile)],
    around: &Around<'_>,
) -> Standing {
    let listed = || -> Option<&Written> {
        let root = around.manifest.roots.get(folder.real.to_str()?)?;
        let written = root.entries.get(top.file_name()?.to_str()?)?;
        let direct = top.parent() == Some(&folder.real);
        let is_ours = direct && !top.is_symlink() && !written.files.is_empty();
        (is_ours && (around.is_held)(written.item)).then_some(written)
    };
    let Some(listed) = listed() else {
        return Standing::Foreign;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_unchanged = |path: &String, digests: &BTreeSet<Digest>| {
        let inside = path
            .strip_prefix(&*name)
            .map_or(path.as_str(), |rest| rest.trim_start_matches('/'));
        let found = files
            .iter()
            .find(|(found, _)| folder.kind == ItemKind::Persona || found == inside);
        found.is_some_and(|(_, file)| digests.contains(&file.digest()))
    };
    let ours = listed
        .files
        .iter()
        .all(|(path, file)| is_unchanged(path, &file.digests));
    if ours {
        Standing::Ours
    } else {
        Standing::Edited
    }
}
