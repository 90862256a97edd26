//! Links in clients' folders: what would have to be moved, where a link leads, and items that are
//! in one folder a second time by a link.

use std::{
    fs,
    path::{Path, PathBuf},
};

use imprint_host::{Limits, Place, is_skipped_folder};

use super::survey::LookedAt;

/// A link that leads to a link, and so on: longer chains lead nowhere on any system.
const MAX_CHAIN: usize = 40;

/// The first link on the way from a folder to what is below it, or that itself.
pub(super) fn top_of(folder: &Path, below: &Path) -> PathBuf {
    let mut path = folder.to_owned();
    for part in below {
        path.push(part);
        if path.is_symlink() {
            break;
        }
    }
    path
}

/// The links from a path on, one after the other, each as the system would look it up, and where
/// the last one leads; nothing where the path is no link.
pub(super) fn chain(path: &Path) -> Vec<PathBuf> {
    let mut links = Vec::new();
    let mut at = path.to_owned();
    while links.len() < MAX_CHAIN
        && let Ok(target) = fs::read_link(&at)
    {
        let target = at.parent().unwrap_or(Path::new("/")).join(target);
        let next = match (target.parent().map(fs::canonicalize), target.file_name()) {
            (Some(Ok(parent)), Some(name)) => parent.join(name),
            _ => break,
        };
        links.push(std::mem::replace(&mut at, next));
    }
    if !links.is_empty() {
        links.push(at);
    }
    links
}

/// Whether a file in an item's folder is reached without a link.
pub(super) fn is_plain(folder: &Path, file: &str) -> bool {
    let mut path = folder.to_owned();
    file.split('/').all(|part| {
        path.push(part);
        !path.is_symlink()
    })
}

/// The places of a folder that links in it lead to once more. A scan names each of them once.
pub(super) fn second_ways(folder: &LookedAt, places: &[Place], limits: &Limits) -> Vec<Place> {
    let mut found = Vec::new();
    let mut links = Vec::new();
    let mut left = limits.entries;
    collect(&folder.folder, limits.depth, &mut left, places, &mut links);
    for link in links {
        if places.iter().any(|place| place.folder.starts_with(&link)) {
            continue;
        }
        let Ok(target) = fs::canonicalize(&link) else {
            continue;
        };
        let around = link.parent().map(fs::canonicalize);
        if around.is_some_and(|around| around.is_ok_and(|around| around.starts_with(&target))) {
            // It leads back to a folder around it.
            continue;
        }
        for place in places {
            let Ok(below) = place.real_folder.strip_prefix(&target) else {
                continue;
            };
            let folder = if below.as_os_str().is_empty() {
                link.clone()
            } else {
                link.join(below)
            };
            found.push(Place {
                folder,
                ..place.clone()
            });
        }
    }
    found
}

/// The links in a folder and in the folders below it, those in items left out.
fn collect(
    folder: &Path,
    depth: usize,
    left: &mut usize,
    places: &[Place],
    links: &mut Vec<PathBuf>,
) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if *left == 0 || is_skipped_folder(&name) {
            continue;
        }
        *left -= 1;
        if path.is_symlink() {
            links.push(path);
        } else if depth > 1 && path.is_dir() && !places.iter().any(|place| place.folder == path) {
            collect(&path, depth - 1, left, places, links);
        }
    }
}
