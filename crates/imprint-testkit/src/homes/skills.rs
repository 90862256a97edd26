//! The skills of a home: where they stand, in how many versions, copied or linked.

use std::{io, path::PathBuf};

use imprint_format::ItemKind;

use super::{
    GeneratedFolder, GeneratedHome, GeneratedItem, GeneratedPlace, GeneratedVariant, RefusedPlace,
    SKILLS,
    dice::Dice,
    disk::{Disk, NewFile, relative},
    text::{self, Dress},
};

/// Where skills stand that clients only link to.
const ELSEWHERE: &str = "dotfiles/skills";
/// 14 November 2023: when the oldest files were written.
const BEGINNING: u64 = 1_700_000_000;
const DAY: u64 = 24 * 60 * 60;

/// How a skill stands in the folders.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// In one folder.
    Single(Dress),
    /// Several equal copies.
    Copies,
    /// In one folder, with links to it in others.
    Linked { absolute: bool },
    /// In a folder that no client reads, with links to it.
    Elsewhere,
    /// In one folder, a link to it in the second, and a link to that in the third.
    Chain,
    /// Copies that differ.
    Differing,
    /// Two versions in one folder, the older under another folder's name.
    Beside,
    /// In a folder whose name is not its own.
    Misnamed,
    /// A folder deeper than others.
    Nested,
}

/// Each shape so many times; what is missing to all skills can't be taken.
const SHAPES: [(Shape, usize); 16] = [
    (Shape::Single(Dress::Plain), 7),
    (Shape::Single(Dress::Crlf), 1),
    (Shape::Single(Dress::Mark), 1),
    (Shape::Single(Dress::Colon), 1),
    (Shape::Single(Dress::Hidden), 1),
    (Shape::Single(Dress::Scripts), 1),
    (Shape::Single(Dress::Git), 1),
    (Shape::Copies, 11),
    (Shape::Linked { absolute: false }, 7),
    (Shape::Linked { absolute: true }, 4),
    (Shape::Elsewhere, 5),
    (Shape::Chain, 2),
    (Shape::Differing, 7),
    (Shape::Beside, 1),
    (Shape::Misnamed, 1),
    (Shape::Nested, 1),
];

pub(super) fn make(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    make_folders(home, disk, dice)?;
    // A folder that is a link to another one shows what that one holds.
    let folders = home.skill_folders.iter();
    let folders: Vec<_> = folders
        .filter(|folder| folder.named == folder.real || folder.real != ".agents/skills")
        .cloned()
        .collect();
    let mut names = text::names(dice).into_iter().take(SKILLS);
    let mut shapes: Vec<Shape> = SHAPES
        .iter()
        .flat_map(|(shape, times)| vec![*shape; *times])
        .collect();
    dice.shuffle(&mut shapes);
    for (shape, name) in shapes.into_iter().zip(&mut names) {
        let item = Making {
            disk,
            dice,
            folders: &folders,
            name: &name,
            variants: Vec::new(),
        };
        home.items.push(item.make(shape)?);
    }
    for (at, name) in names.enumerate() {
        let folder = &dice.pick(&folders).named;
        home.refused.push(refused(disk, &name, at, folder)?);
    }
    Ok(())
}

/// The folders that the installed clients read, one of which may be a link as a whole.
fn make_folders(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    let own = home.clients.iter().filter_map(|client| match client.id {
        "claude-code" => Some(".claude/skills"),
        "codex" => Some(".codex/skills"),
        "gemini-cli" => Some(".gemini/skills"),
        "opencode" => Some(".config/opencode/skills"),
        "qwen-code" => Some(".qwen/skills"),
        "copilot-cli" => Some(".copilot/skills"),
        _ => None,
    });
    let named: Vec<_> = [".agents/skills"].into_iter().chain(own).collect();
    // Not the first two, so that three places are always there.
    let linked = dice.below(named.len() - 2) + 2;
    let target = *dice.pick(&[None, Some("dotfiles/all-skills"), Some(".agents/skills")]);
    for (at, named) in named.into_iter().enumerate() {
        let target = target.filter(|_| at == linked);
        let real = target.unwrap_or(named);
        disk.folder(real)?;
        if let Some(target) = target {
            let (around, _) = named.rsplit_once('/').unwrap_or(("", named));
            let target = if dice.one_in(2) {
                relative(around, target)
            } else {
                disk.path(target)
            };
            disk.link(named, &target)?;
        }
        home.skill_folders.push(GeneratedFolder {
            named: named.to_owned(),
            real: real.to_owned(),
        });
    }
    Ok(())
}

/// A skill in the making.
struct Making<'m> {
    disk: &'m Disk,
    dice: &'m mut Dice,
    folders: &'m [GeneratedFolder],
    name: &'m str,
    variants: Vec<GeneratedVariant>,
}

impl Making<'_> {
    fn make(mut self, shape: Shape) -> io::Result<GeneratedItem> {
        let count = 2 + self.dice.below(2);
        let folders = self.dice.some(count, self.folders);
        let here = &folders[0].named;
        let own = |folder: &GeneratedFolder| format!("{}/{}", folder.named, self.name);
        let all: Vec<_> = folders.iter().map(own).collect();
        match shape {
            Shape::Single(dress) => self.version(0, dress, &all[..1])?,
            Shape::Copies => self.version(0, self.some_dress(), &all)?,
            Shape::Linked { absolute } => {
                self.version(0, Dress::Plain, &all[..1])?;
                let real = format!("{}/{}", folders[0].real, self.name);
                self.links(&folders[1..], &real, absolute)?;
            }
            Shape::Elsewhere => {
                let real = format!("{ELSEWHERE}/{}", self.name);
                self.version(0, Dress::Scripts, std::slice::from_ref(&real))?;
                self.variants[0].places.clear();
                let absolute = self.dice.one_in(2);
                self.links(&folders, &real, absolute)?;
            }
            Shape::Chain => {
                let folders = self.dice.some(3, self.folders);
                self.version(0, Dress::Plain, &[own_place(&folders[0], self.name)])?;
                for two in folders.windows(2) {
                    let real = format!("{}/{}", two[0].real, self.name);
                    self.links(&two[1..], &real, false)?;
                }
            }
            Shape::Differing => {
                for (version, place) in all.iter().enumerate() {
                    self.version(version, Dress::Plain, std::slice::from_ref(place))?;
                }
            }
            Shape::Beside => {
                let older = format!("{here}/{}-copy", self.name);
                self.version(0, Dress::Plain, &[older])?;
                self.version(1, Dress::Plain, &all[..1])?;
            }
            Shape::Misnamed => {
                self.version(0, Dress::Plain, &[format!("{here}/my-{}", self.name)])?;
            }
            Shape::Nested => {
                self.version(0, Dress::Plain, &[format!("{here}/group/{}", self.name)])?;
            }
        }
        Ok(GeneratedItem {
            kind: ItemKind::Skill,
            name: self.name.to_owned(),
            variants: self.variants,
        })
    }

    /// Mostly with scripts, which have modes to keep, or plain: by the name, so that the dice fall
    /// the same for every shape.
    fn some_dress(&self) -> Dress {
        if self.name.len().is_multiple_of(2) {
            Dress::Scripts
        } else {
            Dress::Plain
        }
    }

    /// One version, copied to these places, each a little later than the one before.
    fn version(&mut self, version: usize, dress: Dress, places: &[String]) -> io::Result<()> {
        let files = text::skill(self.name, version, dress);
        let day = u64::try_from(version * 100 + self.dice.below(90)).unwrap_or(0);
        let mut modified = BEGINNING + day * DAY;
        for place in places {
            modified += 60;
            self.disk.files(place, &files, modified)?;
        }
        self.variants.push(GeneratedVariant {
            modified,
            entry: files[0].bytes.clone(),
            places: places.iter().map(|path| found(path, false)).collect(),
        });
        Ok(())
    }

    /// Links in these folders to the first version, which is at `real`.
    fn links(&mut self, folders: &[GeneratedFolder], real: &str, absolute: bool) -> io::Result<()> {
        for folder in folders {
            let place = own_place(folder, self.name);
            let target: PathBuf = if absolute {
                self.disk.path(real)
            } else {
                relative(&folder.real, real)
            };
            self.disk.link(&place, &target)?;
            self.variants[0].places.push(found(&place, true));
        }
        Ok(())
    }
}

fn own_place(folder: &GeneratedFolder, name: &str) -> String {
    format!("{}/{name}", folder.named)
}

fn found(path: &str, is_link: bool) -> GeneratedPlace {
    GeneratedPlace {
        path: path.to_owned(),
        is_link,
    }
}

/// A skill that can't be taken: each kind once before any comes again.
fn refused(disk: &Disk, name: &str, at: usize, folder: &str) -> io::Result<RefusedPlace> {
    let path = format!("{folder}/{name}");
    let entry = format!("{path}/SKILL.md");
    let kinds = text::broken(name);
    let why = if let Some((why, bytes)) = kinds.get(at) {
        disk.file(&NewFile::new(&entry, bytes.clone()))?;
        why
    } else {
        sealed(disk, name, &path)?
    };
    Ok(RefusedPlace {
        kind: ItemKind::Skill,
        path,
        why,
    })
}

/// A skill that the system keeps closed. Nothing keeps an administrator out, so for one its header
/// is no mapping instead.
fn sealed(disk: &Disk, name: &str, path: &str) -> io::Result<&'static str> {
    let sound = text::skill(name, 0, Dress::Plain);
    disk.files(path, &sound, BEGINNING)?;
    let entry = format!("{path}/SKILL.md");
    if disk.seal(&entry)? {
        return Ok("sealed");
    }
    disk.file(&NewFile::new(&entry, "---\n- no\n- mapping\n---\n"))?;
    Ok("no mapping")
}
