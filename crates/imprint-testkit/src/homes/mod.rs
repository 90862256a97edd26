//! Home folders as people have them, made from a seed: several clients with their configuration,
//! sixty skills over their folders, personas, and everything that is nobody else's business.
//!
//! One seed makes the same home everywhere: paths, bytes, modes, link targets and times. Links need
//! a system that has them; elsewhere nothing is made.

mod config;
mod dice;
mod disk;
mod foreign;
mod personas;
mod skills;
mod text;

use std::{
    io,
    path::{Path, PathBuf},
};

use imprint_format::ItemKind;

use dice::Dice;
use disk::Disk;

/// How many skills a home has, those that can't be taken included.
pub const SKILLS: usize = 60;

/// What was made. All paths are relative to `root`, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedHome {
    /// The home folder, links resolved.
    pub root: PathBuf,
    /// What it was made from.
    pub seed: u64,
    /// The clients that are installed.
    pub clients: Vec<GeneratedClient>,
    /// The folders in which clients find skills.
    pub skill_folders: Vec<GeneratedFolder>,
    /// Skills and personas that can be taken, by name within their kind.
    pub items: Vec<GeneratedItem>,
    /// What looks like an item and can't be taken.
    pub refused: Vec<RefusedPlace>,
    /// What else stands in clients' folders, and in folders that links lead to. All of it must
    /// stay as it is.
    pub foreign: Vec<String>,
}

/// An installed client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedClient {
    /// Its id.
    pub id: &'static str,
    /// Its configuration file.
    pub config: String,
    /// Where that file really is: elsewhere where it is a link.
    pub real_config: String,
    /// What is in it.
    pub state: ConfigState,
}

/// What is in a client's configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigState {
    /// Other servers and settings, well written.
    Sound,
    /// There, with an entry called `imprint` that is somebody else's.
    Taken,
    /// There, with no byte in it.
    Empty,
    /// There, and no text of its language.
    Broken,
    /// Not there.
    Missing,
}

/// A folder of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFolder {
    /// As clients name it.
    pub named: String,
    /// Where it really is: elsewhere where it is a link.
    pub real: String,
}

/// An item that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// Its different versions, the oldest first.
    pub variants: Vec<GeneratedVariant>,
}

/// One version of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedVariant {
    /// When its files were last written, in seconds since 1970: of copies the newest. No other
    /// version of the item has the same.
    pub modified: u64,
    /// The text of its entry file as its first place holds it.
    pub entry: Vec<u8>,
    /// Where clients find it.
    pub places: Vec<GeneratedPlace>,
}

/// A folder of a skill, or a file of a persona.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedPlace {
    /// Where.
    pub path: String,
    /// Whether it is a link.
    pub is_link: bool,
}

/// Something that looks like an item and can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPlace {
    /// What it would be.
    pub kind: ItemKind,
    /// Where.
    pub path: String,
    /// Why, in a word or two.
    pub why: &'static str,
}

/// Makes a home in a folder that is empty, or not there yet.
pub fn generate(seed: u64, into: &Path) -> io::Result<GeneratedHome> {
    let disk = Disk::new(into)?;
    let mut dice = Dice::new(seed);
    let mut home = GeneratedHome {
        root: disk.path("").components().collect(),
        seed,
        clients: Vec::new(),
        skill_folders: Vec::new(),
        items: Vec::new(),
        refused: Vec::new(),
        foreign: Vec::new(),
    };
    config::make(&mut home, &disk, &mut dice)?;
    skills::make(&mut home, &disk, &mut dice)?;
    personas::make(&mut home, &disk, &mut dice)?;
    foreign::make(&mut home, &disk, &mut dice)?;
    home.items
        .sort_by(|one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
    Ok(home)
}

impl GeneratedHome {
    /// The items of a kind.
    pub fn of_kind(&self, kind: ItemKind) -> impl Iterator<Item = &GeneratedItem> {
        self.items.iter().filter(move |item| item.kind == kind)
    }

    /// A path of this home.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

impl GeneratedItem {
    /// The version that was written last.
    pub fn newest(&self) -> Option<&GeneratedVariant> {
        self.variants.iter().max_by_key(|variant| variant.modified)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
