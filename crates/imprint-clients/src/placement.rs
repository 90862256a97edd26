//! Which folder gets which item: a pure decision over the items, the machine and the clients found
//! on it.
//!
//! `~/.agents/skills` always gets the skills. A client found here that reads none of the folders
//! chosen so far gets them in its own folder. Personas go into the folder of each client found
//! here that has one. A skill that only the user may start goes only where every client found here
//! that reads the folder keeps it from its model.

use std::path::{Path, PathBuf};

use imprint_core::{ItemId, Unplaced};
use imprint_format::ItemKind;

use crate::{
    client::Client,
    known::{known_clients, shared_skills},
    machine::Machine,
    persona::Dialect,
    source::SourceItem,
};

/// One folder and the items of one kind that it should hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder as its clients name it.
    pub folder: PathBuf,
    /// The folder behind all links: two targets with the same one are the same.
    pub real: PathBuf,
    /// What it holds.
    pub kind: ItemKind,
    /// How personas are written there; `None` for skills.
    pub dialect: Option<Dialect>,
    /// The clients that read it, by id, each with the folder as that client names it.
    pub readers: Vec<(&'static str, PathBuf)>,
    /// The items, in the order in which they were given.
    pub items: Vec<ItemId>,
}

/// Where everything goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The folders, the shared one first. None without items.
    pub targets: Vec<Target>,
    /// Items for which no folder is right.
    pub unplaced: Vec<Unplaced>,
}

/// What placing depends on beside the items.
pub struct Surroundings<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The clients found on it, in the order of the table.
    pub installed: &'a [&'static Client],
    /// A path with all links resolved as far as it exists.
    pub resolve: &'a dyn Fn(&Path) -> PathBuf,
}

/// Decides where these items go.
pub fn place(items: &[SourceItem], around: &Surroundings<'_>) -> Placement {
    let mut placement = Placement::default();
    let of = |kind, hidden| {
        let wanted =
            move |item: &&SourceItem| item.kind == kind && item.hidden_from_model == hidden;
        items.iter().filter(wanted).collect::<Vec<_>>()
    };
    place_skills(&of(ItemKind::Skill, false), around, &mut placement);
    place_hidden_skills(&of(ItemKind::Skill, true), around, &mut placement);
    place_personas(&of(ItemKind::Persona, false), around, &mut placement);
    for persona in of(ItemKind::Persona, true) {
        let why = "only the user may start it, which no client's agents folder can say";
        placement
            .unplaced
            .push(unplaced(persona, None, why.to_owned()));
    }
    placement
}

fn place_skills(skills: &[&SourceItem], around: &Surroundings<'_>, placement: &mut Placement) {
    if skills.is_empty() {
        return;
    }
    let mut chosen = vec![shared_skills(around.machine)];
    for client in around.installed {
        let folders = client.skill_folders(around.machine);
        if let Some(own) = folders.own
            && !folders
                .reads
                .iter()
                .any(|folder| around.among(folder, &chosen))
        {
            chosen.push(own);
        }
    }
    for folder in chosen {
        placement.targets.push(around.skill_target(folder, skills));
    }
}

fn place_hidden_skills(
    skills: &[&SourceItem],
    around: &Surroundings<'_>,
    placement: &mut Placement,
) {
    if skills.is_empty() {
        return;
    }
    let hidden = HiddenHomes::of(around);
    for skill in skills {
        placement.unplaced.extend(hidden.reasons(skill));
    }
    for own in hidden.free {
        let ids = skills.iter().map(|skill| skill.id);
        let real = (around.resolve)(&own);
        match placement
            .targets
            .iter_mut()
            .find(|target| target.real == real)
        {
            Some(target) => target.items.extend(ids),
            None => placement.targets.push(around.skill_target(own, skills)),
        }
    }
}

/// The own folders of clients found here that keep a hidden skill from their model.
#[derive(Default)]
struct HiddenHomes {
    /// Folders that no one else reads who would show it.
    free: Vec<PathBuf>,
    /// Clients whose folder another one reads, by id, with that one's name.
    blocked: Vec<(&'static str, &'static str)>,
}

impl HiddenHomes {
    fn of(around: &Surroundings<'_>) -> Self {
        let mut homes = Self::default();
        for client in around.installed.iter().filter(|c| c.facts.honours_hidden) {
            let Some(own) = client.skill_folders(around.machine).own else {
                continue;
            };
            match around.who_shows_hidden(&own) {
                Some(other) => homes.blocked.push((client.facts.id, other)),
                None if around.among(&own, &homes.free) => {}
                None => homes.free.push(own),
            }
        }
        homes
    }

    /// Why a skill is not where it could be.
    fn reasons(&self, skill: &SourceItem) -> Vec<Unplaced> {
        if self.free.is_empty() && self.blocked.is_empty() {
            let why = "only the user may start it, and no client found here keeps such a skill from its model in a folder of its own";
            return vec![unplaced(skill, None, why.to_owned())];
        }
        let reason = |(client, other): &(&str, &str)| {
            let why = format!(
                "only the user may start it, and {other}, which reads that folder too, would show it to its model"
            );
            unplaced(skill, Some(client), why)
        };
        self.blocked.iter().map(reason).collect()
    }
}

fn place_personas(personas: &[&SourceItem], around: &Surroundings<'_>, placement: &mut Placement) {
    if personas.is_empty() {
        return;
    }
    for client in around.installed {
        let Some(home) = &client.personas else {
            continue;
        };
        let folder = (home.folder)(around.machine);
        placement.targets.push(Target {
            real: (around.resolve)(&folder),
            readers: vec![(client.facts.id, folder.clone())],
            folder,
            kind: ItemKind::Persona,
            dialect: Some(home.dialect),
            items: personas.iter().map(|persona| persona.id).collect(),
        });
    }
}

impl Surroundings<'_> {
    fn among(&self, folder: &Path, folders: &[PathBuf]) -> bool {
        let real = (self.resolve)(folder);
        folders.iter().any(|other| (self.resolve)(other) == real)
    }

    /// A target for skills, with every client that reads the folder: one that isn't found here
    /// may still be, and when it connects, this is what it reads.
    fn skill_target(&self, folder: PathBuf, skills: &[&SourceItem]) -> Target {
        let readers = known_clients().iter().filter_map(|client| {
            let reads = client.skill_folders(self.machine).reads;
            let seen = reads
                .into_iter()
                .find(|read| self.among(read, std::slice::from_ref(&folder)))?;
            Some((client.facts.id, seen))
        });
        Target {
            readers: readers.collect(),
            real: (self.resolve)(&folder),
            kind: ItemKind::Skill,
            dialect: None,
            items: skills.iter().map(|skill| skill.id).collect(),
            folder,
        }
    }

    /// A client found here that would show a hidden skill in this folder to its model. In the
    /// shared folder there always is one: most clients that read it do.
    fn who_shows_hidden(&self, folder: &Path) -> Option<&'static str> {
        let folders = [folder.to_owned()];
        if self.among(&shared_skills(self.machine), &folders) {
            return Some("more than one client");
        }
        self.installed
            .iter()
            .filter(|client| !client.facts.honours_hidden)
            .find(|client| {
                let reads = client.skill_folders(self.machine).reads;
                reads.iter().any(|read| self.among(read, &folders))
            })
            .map(|client| client.facts.title)
    }
}

/// An entry of the report for an item without a place.
pub(crate) fn unplaced(item: &SourceItem, client: Option<&str>, why: String) -> Unplaced {
    Unplaced {
        item: item.id,
        kind: item.kind,
        name: item.name.as_str().to_owned(),
        client: client.map(str::to_owned),
        why,
    }
}

#[cfg(test)]
mod tests;
