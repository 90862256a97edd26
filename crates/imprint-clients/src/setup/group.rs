//! The items among what was found: one for each kind and name, with its differing variants. Pure.

use std::collections::{BTreeMap, BTreeSet};

use imprint_core::{ItemSummary, Timestamp};
use imprint_format::{Bundle, Digest, ItemKind, ItemName, read_header};
use serde::Serialize;

use super::survey::{Place, Standing, Survey};
use crate::{
    known::known_client,
    machine::Machine,
    persona::{Dialect, Persona, Rendered, render},
    write::resolve,
};

/// Everything of one kind and name.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) kind: ItemKind,
    pub(crate) name: ItemName,
    /// The oldest first.
    pub(crate) variants: Vec<Variant>,
    /// The one that reaches every client, by its number in `variants`.
    pub(crate) chosen: usize,
    pub(crate) why: Why,
}

/// One content.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) tree: Digest,
    pub(crate) bundle: Bundle,
    /// When it was last changed, as far as that can be told.
    pub(crate) at: Timestamp,
    /// What is changed or left out to keep it.
    pub(crate) notes: Vec<String>,
    /// Where it stands, by the numbers of the survey's places; none for what is only stored.
    pub(crate) places: Vec<usize>,
    /// Whether it is the stored item's current revision.
    pub(crate) is_head: bool,
}

/// Why a variant is the one that reaches every client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// There is no other.
    Only,
    /// It was changed last.
    Newest,
    /// It stands in the folder of the client that the user prefers.
    Preferred,
    /// It is stored, and both are to be kept.
    Stored,
}

/// What the registry holds under a name that was found.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) item: ItemSummary,
    pub(crate) bundle: Bundle,
    /// When its current revision was made.
    pub(crate) at: Timestamp,
    /// The trees of all its revisions.
    pub(crate) trees: BTreeSet<Digest>,
}

/// How to choose among variants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choosing<'a> {
    /// The client, by id, whose variant is taken where it has one.
    pub(crate) prefer: Option<&'a str>,
    /// Whether the others are to be kept as items of their own.
    pub(crate) keep_both: bool,
}

/// The kinds and names of what may be taken in.
pub(crate) fn names(survey: &Survey) -> BTreeSet<(ItemKind, ItemName)> {
    let taken = taken(survey);
    taken
        .map(|(_, place, planned)| (place.kind, planned.name.clone()))
        .collect()
}

/// What was found and is not ours, and may be kept.
fn taken(survey: &Survey) -> impl Iterator<Item = (usize, &Place, &crate::import::Planned)> {
    let places = survey.places.iter().enumerate();
    places
        .filter(|(_, place)| place.standing == Standing::Foreign)
        .filter_map(|(number, place)| Some((number, place, place.content.as_ref().ok()?)))
}

/// Groups what was found.
pub(crate) fn groups(
    survey: &Survey,
    stored: &BTreeMap<(ItemKind, ItemName), Stored>,
    choosing: &Choosing<'_>,
    machine: &Machine,
) -> Vec<Group> {
    let mut variants: BTreeMap<(ItemKind, ItemName), Vec<Variant>> = BTreeMap::new();
    for (number, place, planned) in taken(survey) {
        let of_name = variants
            .entry((place.kind, planned.name.clone()))
            .or_default();
        match of_name.iter_mut().find(|one| one.tree == planned.tree) {
            Some(variant) => {
                variant.places.push(number);
                variant.at = variant.at.max(place.modified);
            }
            None => of_name.push(Variant {
                tree: planned.tree,
                bundle: planned.bundle.clone(),
                at: place.modified,
                notes: planned.notes.clone(),
                places: vec![number],
                is_head: false,
            }),
        }
    }
    let groups = variants.into_iter().map(|((kind, name), mut variants)| {
        if let Some(stored) = stored.get(&(kind, name.clone())) {
            add_stored(&mut variants, stored);
        }
        if kind == ItemKind::Persona {
            join_renderings(&mut variants, survey);
        }
        // The sort is stable: of two equally old ones, that in the better known client's folder
        // is the newer.
        variants.reverse();
        variants.sort_by_key(|variant| variant.at);
        let (chosen, why) = choose(&variants, survey, choosing, machine);
        Group {
            kind,
            name,
            variants,
            chosen,
            why,
        }
    });
    groups.collect()
}

/// What stands in a folder too is as old as it is there: a revision says when it was taken in.
fn add_stored(variants: &mut Vec<Variant>, stored: &Stored) {
    match variants.iter_mut().find(|one| one.tree == stored.item.tree) {
        Some(variant) => variant.is_head = true,
        None => variants.push(Variant {
            tree: stored.item.tree,
            bundle: stored.bundle.clone(),
            at: stored.at,
            notes: Vec::new(),
            places: Vec::new(),
            is_head: true,
        }),
    }
}

/// A persona's file that is another variant in that client's own form is a copy of that variant.
fn join_renderings(variants: &mut Vec<Variant>, survey: &Survey) {
    let mut at = 0;
    while at < variants.len() {
        let is_rendering = |of: &Variant| {
            let mut places = variants[at].places.iter();
            !variants[at].is_head
                && of.tree != variants[at].tree
                && places.all(|place| is_rendered(&survey.places[*place], survey, &of.bundle))
        };
        match variants.iter().position(is_rendering) {
            None => at += 1,
            Some(of) => {
                let places = std::mem::take(&mut variants[at].places);
                variants[of].places.extend(places);
                variants.remove(at);
            }
        }
    }
}

fn is_rendered(place: &Place, survey: &Survey, bundle: &Bundle) -> bool {
    let rendered = survey
        .folder_of(place)
        .dialect
        .and_then(|dialect| rendered(bundle, dialect));
    rendered.is_some_and(|rendered| {
        let digest = Digest::of(&rendered.bytes);
        let mut files = place.files.values();
        files.len() == 1 && files.all(|(found, _)| *found == digest)
    })
}

/// A persona in a client's form, where that client would take it.
pub(crate) fn rendered(bundle: &Bundle, dialect: Dialect) -> Option<Rendered> {
    let reading = read_header(bundle.kind(), None, &bundle.entry().bytes);
    let (header, document) = reading.value?;
    let persona = Persona {
        header: &header,
        instructions: document.body(),
    };
    let rendered = render(persona, dialect);
    rendered.refused().is_none().then_some(rendered)
}

fn choose(
    variants: &[Variant],
    survey: &Survey,
    choosing: &Choosing<'_>,
    machine: &Machine,
) -> (usize, Why) {
    let newest = variants.len() - 1;
    if variants.len() == 1 {
        return (newest, Why::Only);
    }
    if choosing.keep_both
        && let Some(stored) = variants.iter().position(|variant| variant.is_head)
    {
        return (stored, Why::Stored);
    }
    let preferred = choosing
        .prefer
        .and_then(|client| preferred(variants, survey, client, machine));
    match preferred {
        Some(preferred) => (preferred, Why::Preferred),
        None => (newest, Why::Newest),
    }
}

/// The variant in the first of a client's folders that has one.
fn preferred(
    variants: &[Variant],
    survey: &Survey,
    client: &str,
    machine: &Machine,
) -> Option<usize> {
    let client = known_client(client)?;
    let mut reads = client.skill_folders(machine).reads;
    let personas = client.personas.iter();
    reads.extend(personas.map(|personas| (personas.folder)(machine)));
    reads.iter().find_map(|folder| {
        let real = resolve(folder);
        variants.iter().position(|variant| {
            let mut places = variant.places.iter();
            places.any(|place| survey.folder_of(&survey.places[*place]).real == real)
        })
    })
}
