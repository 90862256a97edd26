//! What becomes of each place where an item stands. Pure but for contents that are read from the
//! registry to be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use imprint_core::{ItemId, StoreError, Timestamp};
use imprint_format::{Digest, ItemKind, ItemName};

use super::{
    plan::{Decision, PlannedItem, PlannedPlace, shown},
    survey::{LookedAt, Place, Standing, Survey},
};
use crate::{
    client::Client,
    known::known_client,
    machine::Machine,
    placement::{Placement, Surroundings, place},
    source::{ItemSource, SourceItem, SourceItems},
    write::{Wanted, resolve, wanted_persona, wanted_skill},
};

/// What the decisions depend on.
pub(crate) struct Deciding<'a> {
    pub(crate) survey: &'a Survey,
    pub(crate) items: &'a [PlannedItem],
    /// Names of items that are stored and disabled.
    pub(crate) disabled: &'a BTreeSet<(ItemKind, ItemName)>,
    /// The active items of the registry as it is.
    pub(crate) active: SourceItems,
    /// The contents that the registry has.
    pub(crate) source: &'a dyn ItemSource,
    pub(crate) machine: &'a Machine,
    pub(crate) installed: &'a [&'static Client],
}

/// Decides about every place whose content may be kept.
pub(crate) fn decide(deciding: &Deciding<'_>) -> Vec<PlannedPlace> {
    let aims = Aims::of(deciding);
    let places = &deciding.survey.places;
    let mut decisions: BTreeMap<usize, Decision> = BTreeMap::new();
    for (number, place) in places.iter().enumerate() {
        if let Some(decision) = aims.where_written(place, deciding) {
            decisions.insert(number, decision);
        }
    }
    let blocked = aims.blocked(deciding, &decisions);
    for (number, place) in places.iter().enumerate() {
        if place.content.is_ok() {
            decisions
                .entry(number)
                .or_insert_with(|| aims.elsewhere(place, deciding, &blocked));
        }
    }
    settle_links(places, &mut decisions);
    decisions
        .into_iter()
        .filter_map(|(number, decision)| planned(&places[number], decision, deciding))
        .collect()
}

fn planned(place: &Place, decision: Decision, deciding: &Deciding<'_>) -> Option<PlannedPlace> {
    let planned = place.content.as_ref().ok()?;
    let folder = deciding.survey.folder_of(place);
    let item = item_of(place, deciding);
    Some(PlannedPlace {
        kind: place.kind,
        name: planned.name.clone(),
        item: item.map(|item| item.item),
        path: shown(&place.path),
        top: place.top.clone(),
        readers: folder.readers.iter().map(|id| (*id).to_owned()).collect(),
        decision,
    })
}

fn item_of<'d>(place: &Place, deciding: &'d Deciding<'_>) -> Option<&'d PlannedItem> {
    let planned = place.content.as_ref().ok()?;
    let items = deciding.items.iter();
    let mut named = items.filter(|item| item.kind == place.kind && item.name == planned.name);
    named.next()
}

/// What a writing pass will want, once everything is taken in.
struct Aims {
    placement: Placement,
    /// By the folder behind all links, and the name in it.
    wanted: BTreeMap<(PathBuf, String), Wanted>,
}

impl Aims {
    fn of(deciding: &Deciding<'_>) -> Self {
        let taken: BTreeMap<ItemId, SourceItem> = deciding
            .items
            .iter()
            .filter(|item| !deciding.disabled.contains(&(item.kind, item.name.clone())))
            .map(|item| (item.item, item.as_source()))
            .collect();
        let kept = deciding.active.items.iter();
        let kept = kept.filter(|item| !taken.contains_key(&item.id)).cloned();
        let mut all: Vec<SourceItem> = kept.chain(taken.values().cloned()).collect();
        all.sort_by(|one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
        let around = Surroundings {
            machine: deciding.machine,
            installed: deciding.installed,
            resolve: &resolve,
        };
        let mut aims = Self {
            placement: place(&all, &around),
            wanted: BTreeMap::new(),
        };
        let source = Foreseen::of(deciding);
        let by_id: BTreeMap<ItemId, &SourceItem> = all.iter().map(|item| (item.id, item)).collect();
        for target in &aims.placement.targets {
            for item in target.items.iter().filter_map(|item| by_id.get(item)) {
                let wanted = match target.dialect {
                    None => Some(wanted_skill(item)),
                    Some(dialect) => wanted_persona(item, dialect, &source)
                        .ok()
                        .map(|persona| (persona.name, persona.wanted)),
                };
                if let Some((name, wanted)) = wanted {
                    let key = (target.real.clone(), name);
                    aims.wanted.entry(key).or_insert(wanted);
                }
            }
        }
        aims
    }

    /// What becomes of a place that is ours, can't be taken, or is where the pass writes the item.
    fn where_written(&self, place: &Place, deciding: &Deciding<'_>) -> Option<Decision> {
        place.content.as_ref().ok()?;
        match place.standing {
            Standing::Ours => return Some(Decision::Ours),
            Standing::Edited => return Some(Decision::Edited),
            Standing::Foreign => {}
        }
        let item = item_of(place, deciding)?;
        let name = deciding.survey.name_of(place)?;
        let folder = deciding.survey.folder_of(place);
        let wanted = self.wanted.get(&(folder.real.clone(), name.to_owned()))?;
        if wanted.item != item.item {
            return None;
        }
        Some(match holds(place, wanted, name) {
            true if place.links.is_empty() => Decision::Adopt,
            true if folder.readers.iter().all(|reader| follows_links(reader)) => Decision::Linked,
            true | false => Decision::Replace,
        })
    }

    /// What becomes of a place where the pass doesn't write the item: it goes where every client
    /// that reads it finds the item without it.
    fn elsewhere(
        &self,
        place: &Place,
        deciding: &Deciding<'_>,
        blocked: &BTreeSet<(PathBuf, String)>,
    ) -> Decision {
        let stay = |reason: String| Decision::Stay { reason };
        let Some(item) = item_of(place, deciding) else {
            return stay("it is no item of its own".to_owned());
        };
        if deciding.disabled.contains(&(item.kind, item.name.clone())) {
            return stay("the item is disabled in Imprint".to_owned());
        }
        let folder = deciding.survey.folder_of(place);
        let unserved = folder
            .readers
            .iter()
            .find(|reader| !self.serves(reader, item.item, blocked));
        match unserved {
            None => Decision::Surplus,
            Some(reader) => {
                let client = known_client(reader).map_or(*reader, |client| client.facts.title);
                stay(format!("{client} would find it nowhere else"))
            }
        }
    }

    /// Whether a client finds an item where the pass writes it.
    fn serves(&self, reader: &str, item: ItemId, blocked: &BTreeSet<(PathBuf, String)>) -> bool {
        let reads = |real: &Path| {
            let targets = self.placement.targets.iter();
            let mut here = targets.filter(|target| target.real == real);
            here.any(|target| target.readers.iter().any(|(client, _)| *client == reader))
        };
        self.wanted
            .iter()
            .any(|(key, wanted)| wanted.item == item && !blocked.contains(key) && reads(&key.0))
    }

    /// Places of the pass where something stands that stays and is not the item.
    fn blocked(
        &self,
        deciding: &Deciding<'_>,
        decisions: &BTreeMap<usize, Decision>,
    ) -> BTreeSet<(PathBuf, String)> {
        let survey = deciding.survey;
        let free: BTreeSet<(&Path, &str)> = decisions
            .keys()
            .filter_map(|number| {
                let place = &survey.places[*number];
                Some((&*survey.folder_of(place).real, survey.name_of(place)?))
            })
            .collect();
        let is_blocked = |(real, name): &&(PathBuf, String)| {
            let holds = |folder: &&LookedAt| {
                folder.real == *real
                    && folder.names.contains(Path::new(name).as_os_str())
                    && !folder.ours.contains(name)
            };
            survey.folders.iter().any(|folder| holds(&folder))
                && !free.contains(&(real.as_path(), name.as_str()))
        };
        self.wanted.keys().filter(is_blocked).cloned().collect()
    }
}

/// Whether a client finds an item over a link, as far as is known.
fn follows_links(client: &str) -> bool {
    let listing = known_client(client).and_then(|client| client.listing.as_ref());
    listing.is_none_or(|listing| listing.follows_links)
}

/// Whether a place holds the very files that are wanted, whatever else is in it.
fn holds(place: &Place, wanted: &Wanted, name: &str) -> bool {
    place.is_plain
        && wanted.files.iter().all(|(path, wants)| {
            let inside = match place.kind {
                ItemKind::Skill => path
                    .strip_prefix(name)
                    .map(|rest| rest.trim_start_matches('/')),
                _ => Some(path.as_str()),
            };
            let found = inside.and_then(|inside| place.files.get(inside));
            found == Some(&(wants.digest, wants.executable))
        })
}

/// What hangs together by links: a link whose target goes must go too, and what one link holds
/// goes as a whole or not at all.
fn settle_links(places: &[Place], decisions: &mut BTreeMap<usize, Decision>) {
    loop {
        let goes: BTreeSet<&Path> = decisions
            .iter()
            .filter(|(_, decision)| decision.is_move())
            .map(|(number, _)| places[*number].top.as_path())
            .collect();
        let leads_into_what_goes = |place: &Place| {
            let onward = place.links.iter().skip(1).chain([&place.real]);
            onward
                .into_iter()
                .any(|hop| goes.iter().any(|gone| hop.starts_with(gone)))
        };
        let mut changes: Vec<(usize, Decision)> = Vec::new();
        for (number, place) in places.iter().enumerate() {
            match decisions.get(&number) {
                Some(Decision::Linked) if leads_into_what_goes(place) => {
                    changes.push((number, Decision::Replace));
                }
                Some(decision) if decision.is_move() => {
                    if let Some(reason) = holds_it_back(number, places, decisions) {
                        changes.push((number, Decision::Stay { reason }));
                    }
                }
                _ => {}
            }
        }
        if changes.is_empty() {
            return;
        }
        decisions.extend(changes);
    }
}

/// Why a place can't go after all.
fn holds_it_back(
    number: usize,
    places: &[Place],
    decisions: &BTreeMap<usize, Decision>,
) -> Option<String> {
    let place = &places[number];
    for (other_number, other) in places.iter().enumerate() {
        if other_number == number {
            continue;
        }
        let decision = decisions.get(&other_number);
        let goes = decision.is_some_and(Decision::is_move);
        if other.top == place.top && !goes {
            return Some("other things are behind the same link that stay".to_owned());
        }
        let stays = matches!(decision, Some(Decision::Stay { .. }) | None);
        let onward = || other.links.iter().skip(1).chain([&other.real]);
        let depends = !other.links.is_empty() && onward().any(|hop| hop.starts_with(&place.top));
        if stays && depends && decisions.get(&number) == Some(&Decision::Surplus) {
            return Some(format!(
                "`{}` is a link to it, and stays",
                shown(&other.path)
            ));
        }
    }
    None
}

/// The contents that the registry will have.
struct Foreseen<'a> {
    contents: BTreeMap<Digest, Arc<[u8]>>,
    source: &'a dyn ItemSource,
}

impl<'a> Foreseen<'a> {
    fn of(deciding: &Deciding<'a>) -> Self {
        let bundles = deciding.items.iter().map(|item| &item.chosen().bundle);
        let files = bundles.flat_map(|bundle| bundle.files());
        Self {
            contents: files
                .map(|(_, file)| (file.digest(), Arc::clone(&file.bytes)))
                .collect(),
            source: deciding.source,
        }
    }
}

impl ItemSource for Foreseen<'_> {
    fn active(&self) -> Result<SourceItems, StoreError> {
        self.source.active()
    }

    fn holds(&self, item: ItemId) -> Result<bool, StoreError> {
        self.source.holds(item)
    }

    fn content(&self, digest: Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        match self.contents.get(&digest) {
            Some(bytes) => Ok(Some(Arc::clone(bytes))),
            None => self.source.content(digest),
        }
    }

    fn now(&self) -> Timestamp {
        self.source.now()
    }
}
