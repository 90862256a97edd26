//! One item for each name.

use std::collections::HashMap;

use imprint_format::{About, Diagnostic, limits::ITEM_BYTES};

use super::{Discovery, Found, Shadowed};
use crate::{folder::ItemFolder, shown::path_text};

/// Of items in the order of precedence, the first of each name. A later one of the same content is
/// a mirror and needs no word; a different one is shadowed, with a warning.
pub(super) fn settle(items: Vec<Found>) -> Discovery {
    let mut discovery = Discovery::default();
    let mut winners: HashMap<String, usize> = HashMap::new();
    for item in items {
        let Some(&at) = winners.get(item.name()) else {
            winners.insert(item.name().to_owned(), discovery.found.len());
            discovery.found.push(item);
            continue;
        };
        let winner = &discovery.found[at];
        if is_mirror(winner, &item) {
            continue;
        }
        discovery.diagnostics.push(shadowed(winner, &item));
        let by = winner.path.clone();
        discovery.shadowed.push(Shadowed { item, by });
    }
    discovery
}

fn shadowed(winner: &Found, item: &Found) -> Diagnostic {
    let (used, hidden) = (path_text(&winner.path), path_text(&item.path));
    let name = path_text(item.name().as_ref());
    let message =
        format!("two different items are called `{name}`: `{used}` is used, not `{hidden}`");
    Diagnostic::warning(About::Name, message)
        .at_path(hidden)
        .with_hint("rename or remove one of them")
}

/// Whether two items have the same files with the same bytes.
fn is_mirror(one: &Found, other: &Found) -> bool {
    one.digest == other.digest
        && one.resources == other.resources
        && (one.resources.is_empty() || same_resources(one, other).unwrap_or(false))
}

/// Whether the files beside the entry files are equal; `None` where they can't be read or are more
/// than an item may hold.
fn same_resources(one: &Found, other: &Found) -> Option<bool> {
    let open = |item: &Found| ItemFolder::open(&item.folder).ok();
    let (one_folder, other_folder) = (open(one)?, open(other)?);
    let mut bytes = 0;
    for file in &one.resources {
        let size = one_folder.size_of(file).ok()?;
        if size != other_folder.size_of(file).ok()? {
            return Some(false);
        }
        bytes += size;
        if bytes > ITEM_BYTES as u64 {
            return None;
        }
    }
    for file in &one.resources {
        let one = one_folder.read(file, ITEM_BYTES).ok()?;
        if one != other_folder.read(file, ITEM_BYTES).ok()? {
            return Some(false);
        }
    }
    Some(true)
}
