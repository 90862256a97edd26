//! Finding the skills and personas in folders.

mod links;
mod place;
mod read;
mod settle;
mod walk;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use imprint_format::{About, Diagnostic, Digest, Header, ItemKind};

use crate::shown::path_text;
pub use place::{Place, agent_name, is_agent_file};
pub use walk::{Located, locate};

/// Whose folder a root is. A project's items win over the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// It came with a project.
    Project,
    /// It is the user's own.
    User,
}

/// A folder to look in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The folder. One that is not there is empty. One that is itself an item counts as that item.
    pub path: PathBuf,
    /// Whose it is.
    pub scope: Scope,
    /// Whether the user trusts the project. Without it nothing of a project's folder is read; the
    /// user's own folders need no trust.
    pub trusted: bool,
}

impl Root {
    /// A folder of the user's own.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            scope: Scope::User,
            trusted: true,
        }
    }

    /// A folder of a project.
    pub fn project(path: impl Into<PathBuf>, trusted: bool) -> Self {
        Self {
            path: path.into(),
            scope: Scope::Project,
            trusted,
        }
    }
}

/// How far a scan of one root goes. A scan that reaches a bound says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many folders below the root an item's folder may stand, itself counted.
    pub depth: usize,
    /// How many folders are looked into, those of items not counted beyond the folder itself.
    pub folders: usize,
    /// How many files and folders are looked at, those inside items not counted.
    pub entries: usize,
}

impl Default for Limits {
    /// Depth 6, 2,000 folders, 20,000 entries.
    fn default() -> Self {
        Self {
            depth: 6,
            folders: 2_000,
            entries: 20_000,
        }
    }
}

/// What stands in the folders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discovery {
    /// What can be used, each name once: projects' first, then the user's, each in the order of
    /// the roots and, in a root, of the paths.
    pub found: Vec<Found>,
    /// What would be usable, were its name not taken, in the same order.
    pub shadowed: Vec<Shadowed>,
    /// What is to be said about the scan and about everything that can't be used. An item that is
    /// found carries its own.
    pub diagnostics: Vec<Diagnostic>,
}

impl Discovery {
    /// All diagnostics, those of the found items included.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let of_items = self.found.iter().flat_map(|found| &found.diagnostics);
        self.diagnostics.iter().chain(of_items)
    }
}

/// An item that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: ItemKind,
    /// What it says about itself, read leniently.
    pub header: Header,
    /// Its entry file, as reached from the root as that was given.
    pub path: PathBuf,
    /// The folder that it stands in, links resolved. An agent file shares it with others.
    pub folder: PathBuf,
    /// Whose it is.
    pub scope: Scope,
    /// SHA-256 of the entry file.
    pub digest: Digest,
    /// The other files of its folder, relative with `/`, sorted, none of them read. An agent file
    /// has none.
    pub resources: Vec<String>,
    /// Warnings about the item, and errors about files of it that are left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl Found {
    /// Its name as written, or its folder's or file's where none is.
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// Its description in full.
    pub fn description(&self) -> &str {
        &self.header.description
    }
}

/// An item behind another of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The item.
    pub item: Found,
    /// The entry file of the one that is used.
    pub by: PathBuf,
}

/// The skills in these folders: every folder with a `SKILL.md`, at any depth within the limits.
/// Hidden folders, `node_modules` and the like are skipped, and below a skill there are no further
/// ones.
pub fn discover(roots: &[Root], limits: &Limits) -> Discovery {
    scan(ItemKind::Skill, roots, limits)
}

/// The personas in these folders: the `.md` files that stand directly in a root, and every folder
/// with a `PERSONA.md`.
pub fn discover_personas(roots: &[Root], limits: &Limits) -> Discovery {
    scan(ItemKind::Persona, roots, limits)
}

/// Whether a folder of this name below a root holds nothing of the user's making: it is hidden,
/// or holds dependencies or caches.
pub fn is_skipped_folder(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "node_modules" | "__pycache__")
}

fn scan(kind: ItemKind, roots: &[Root], limits: &Limits) -> Discovery {
    let mut by_precedence: Vec<&Root> = roots.iter().collect();
    by_precedence.sort_by_key(|root| root.scope);
    let mut diagnostics = Vec::new();
    let mut readable = Vec::new();
    let mut seen = HashSet::new();
    for root in by_precedence {
        if root.scope == Scope::Project && !root.trusted {
            diagnostics.push(untrusted(&root.path));
            continue;
        }
        let located = locate(&[kind], &root.path, limits);
        diagnostics.extend(located.diagnostics);
        for place in located.places {
            if !seen.insert(place.real_path()) {
                continue;
            }
            match read::read(root.scope, &place) {
                Ok(found) => readable.push(found),
                Err(why_not) => diagnostics.extend(why_not),
            }
        }
    }
    let mut discovery = settle::settle(readable);
    diagnostics.append(&mut discovery.diagnostics);
    discovery.diagnostics = diagnostics;
    discovery
}

fn untrusted(root: &Path) -> Diagnostic {
    let message = "the project is not trusted, so nothing in this folder is read";
    Diagnostic::warning(About::Trust, message)
        .at_path(path_text(root))
        .with_hint("look at what is in it, then trust the project to use its skills")
}

#[cfg(test)]
mod tests;
