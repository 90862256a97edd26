//! The folders from which a client reads: what stands at each of their paths.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use imprint_core::FolderReport;
use imprint_format::ItemKind;
use serde::Serialize;

use super::as_text;
use crate::{client::Client, machine::Machine};

/// A folder from which a client reads one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What it reads there.
    pub kind: ItemKind,
    /// The folder, as the client names it.
    #[serde(serialize_with = "as_text")]
    pub folder: PathBuf,
    /// What is there.
    #[serde(flatten)]
    pub state: PlaceState,
    /// Whether the last writing pass kept it current.
    pub is_kept: bool,
}

/// What stands at a folder's path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum PlaceState {
    /// Nothing.
    Missing,
    /// A folder.
    Folder,
    /// A link, at it or on the way to it, to a folder elsewhere.
    Link {
        /// The folder behind all links.
        to: String,
    },
    /// A link, at it or on the way to it, that leads nowhere.
    Dangling {
        /// The link.
        link: String,
        /// What it names.
        to: String,
    },
    /// Something else.
    NoFolder,
    /// It can't be looked at.
    Unreadable {
        /// Why.
        why: String,
    },
}

/// The folders from which a client reads, the skills' first.
pub(super) fn places(
    client: &Client,
    machine: &Machine,
    report: Option<&FolderReport>,
) -> Vec<Place> {
    let skills = client.skill_folders(machine).reads;
    let skills = skills.into_iter().map(|folder| (ItemKind::Skill, folder));
    let personas = client.personas.as_ref().map(|home| (home.folder)(machine));
    let personas = personas
        .into_iter()
        .map(|folder| (ItemKind::Persona, folder));
    skills
        .chain(personas)
        .map(|(kind, folder)| Place {
            kind,
            state: look_at(&folder),
            is_kept: report.is_some_and(|report| is_kept(report, client, kind, &folder)),
            folder,
        })
        .collect()
}

fn is_kept(report: &FolderReport, client: &Client, kind: ItemKind, folder: &Path) -> bool {
    report.readers.iter().any(|reader| {
        reader.client == client.facts.id
            && reader.kind == kind
            && Path::new(&reader.folder) == folder
    })
}

/// What stands at a path.
fn look_at(path: &Path) -> PlaceState {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => match fs::canonicalize(path) {
            Ok(real) if real != path && link_on_the_way(path).is_some() => PlaceState::Link {
                to: real.display().to_string(),
            },
            _ => PlaceState::Folder,
        },
        Ok(_) => PlaceState::NoFolder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => match link_on_the_way(path) {
            Some((link, to)) if !link.exists() => PlaceState::Dangling {
                link: link.display().to_string(),
                to: to.display().to_string(),
            },
            _ => PlaceState::Missing,
        },
        Err(error) => PlaceState::Unreadable {
            why: error.to_string(),
        },
    }
}

/// The innermost part of a path that is a link, and what it names.
fn link_on_the_way(path: &Path) -> Option<(&Path, PathBuf)> {
    path.ancestors()
        .find_map(|part| Some((part, fs::read_link(part).ok()?)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_told_from_folders_and_from_nothing() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let at = |below: &str| home.join(below);
        fs::create_dir_all(at("skills/tea")).unwrap();
        fs::write(at("file"), "").unwrap();
        symlink(at("skills"), at("good")).unwrap();
        symlink("nowhere", at("bad")).unwrap();
        assert_eq!(look_at(&at("skills")), PlaceState::Folder);
        assert_eq!(look_at(&at("none/skills")), PlaceState::Missing);
        assert_eq!(look_at(&at("file")), PlaceState::NoFolder);
        let text = |below: &str| at(below).display().to_string();
        let link = |below: &str| PlaceState::Link { to: text(below) };
        assert_eq!(look_at(&at("good")), link("skills"));
        assert_eq!(look_at(&at("good/tea")), link("skills/tea"));
        assert_eq!(look_at(&at("good/none")), PlaceState::Missing);
        for below in ["bad", "bad/skills"] {
            let dangling = PlaceState::Dangling {
                link: text("bad"),
                to: "nowhere".to_owned(),
            };
            assert_eq!(look_at(&at(below)), dangling);
        }
    }
}
