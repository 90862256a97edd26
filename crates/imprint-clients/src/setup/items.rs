//! What is put into the registry for each group of variants. Pure.

use std::collections::BTreeMap;

use imprint_core::{FileRef, ItemId, ItemState, ItemSummary};
use imprint_format::{Bundle, Digest, ItemKind, ItemName, validate_bundle};

use super::{
    group::{Group, Stored, Variant, Why},
    plan::{PlannedItem, PlannedVariant, shown},
    survey::Survey,
};
use crate::{
    import::{renamed, with_suffix},
    source::SourceItem,
};

/// The highest number that is put behind a name that is taken.
const HIGHEST_SUFFIX: usize = 99;

/// What the registry holds, as far as names depend on it.
pub(crate) struct Registered<'a> {
    /// The items under the names that were found.
    pub(crate) stored: &'a BTreeMap<(ItemKind, ItemName), Stored>,
    /// All items that are not removed.
    pub(crate) items: &'a [ItemSummary],
}

/// The items of all groups; with `keep_both`, an item for each other variant too.
pub(crate) fn items(
    groups: &[Group],
    survey: &Survey,
    registered: &Registered<'_>,
    keep_both: bool,
    mut fresh: impl FnMut() -> ItemId,
) -> Vec<PlannedItem> {
    let mut items = Vec::new();
    for group in groups {
        let stored = registered.stored.get(&(group.kind, group.name.clone()));
        items.push(PlannedItem {
            kind: group.kind,
            name: group.name.clone(),
            item: stored.map_or_else(&mut fresh, |stored| stored.item.id),
            before: stored.map(|stored| stored.item.head),
            variants: variants(group, survey),
            chosen: group.chosen,
            why: group.why,
            revisions: revisions(group, stored, keep_both),
        });
    }
    if keep_both {
        let mut others = Vec::new();
        for group in groups {
            for (number, variant) in group.variants.iter().enumerate() {
                if number != group.chosen {
                    let name = free_name(group, variant, registered, &items, &others);
                    others.extend(
                        name.map(|(name, bundle)| other(group.kind, name, bundle, fresh())),
                    );
                }
            }
        }
        items.extend(others);
    }
    items
}

fn variants(group: &Group, survey: &Survey) -> Vec<PlannedVariant> {
    let variants = group.variants.iter().map(|variant| PlannedVariant {
        tree: variant.tree,
        at: variant.at,
        places: variant
            .places
            .iter()
            .map(|place| shown(&survey.places[*place].path))
            .collect(),
        is_stored: variant.is_head,
        notes: variant.notes.clone(),
        bundle: variant.bundle.clone(),
    });
    variants.collect()
}

/// What goes into the registry: the others, which become earlier revisions, then the chosen one.
/// What is in the item's history already is not put there again, and a disabled item is left as
/// it is.
fn revisions(group: &Group, stored: Option<&Stored>, keep_both: bool) -> Vec<Bundle> {
    if stored.is_some_and(|stored| stored.item.state == ItemState::Disabled) {
        return Vec::new();
    }
    let chosen = &group.variants[group.chosen];
    let is_known = |tree: Digest| stored.is_some_and(|stored| stored.trees.contains(&tree));
    let others = group.variants.iter().filter(|variant| {
        !keep_both && variant.tree != chosen.tree && !variant.is_head && !is_known(variant.tree)
    });
    let mut revisions: Vec<Bundle> = others.map(|variant| variant.bundle.clone()).collect();
    if !revisions.is_empty() || !chosen.is_head {
        revisions.push(chosen.bundle.clone());
    }
    revisions
}

fn other(kind: ItemKind, name: ItemName, bundle: Bundle, item: ItemId) -> PlannedItem {
    PlannedItem {
        kind,
        name,
        item,
        before: None,
        variants: vec![PlannedVariant {
            tree: bundle.tree_digest(),
            at: imprint_core::Timestamp::default(),
            places: Vec::new(),
            is_stored: false,
            notes: Vec::new(),
            bundle: bundle.clone(),
        }],
        chosen: 0,
        why: Why::Only,
        revisions: vec![bundle],
    }
}

/// A name for another variant, and its files under it; `None` where it is kept so already, or
/// can't be.
fn free_name(
    group: &Group,
    variant: &Variant,
    registered: &Registered<'_>,
    items: &[PlannedItem],
    others: &[PlannedItem],
) -> Option<(ItemName, Bundle)> {
    for suffix in 2..=HIGHEST_SUFFIX {
        let name = with_suffix(&group.name, suffix)?;
        let bundle = renamed(&variant.bundle, &name).ok()?;
        let has_name = |kind: ItemKind, other: &ItemName| kind == group.kind && *other == name;
        let holder = registered
            .items
            .iter()
            .find(|item| has_name(item.kind, &item.name));
        if holder.is_some_and(|holder| holder.tree == bundle.tree_digest()) {
            return None;
        }
        let planned = items.iter().chain(others);
        let is_planned = planned
            .into_iter()
            .any(|item| has_name(item.kind, &item.name));
        if holder.is_none() && !is_planned {
            return Some((name, bundle));
        }
    }
    None
}

impl PlannedItem {
    /// The content that reaches every client.
    pub fn chosen(&self) -> &PlannedVariant {
        &self.variants[self.chosen]
    }

    /// The item as it will be, for placing it.
    pub(crate) fn as_source(&self) -> SourceItem {
        let bundle = &self.chosen().bundle;
        let header = validate_bundle(None, bundle);
        let files = bundle.files().map(|(path, file)| FileRef {
            path: path.clone(),
            digest: file.digest(),
            size: file.bytes.len() as u64,
            executable: file.executable,
        });
        SourceItem {
            id: self.item,
            kind: self.kind,
            name: self.name.clone(),
            hidden_from_model: header.is_ok_and(|header| header.hidden_from_model),
            files: files.collect(),
        }
    }

    /// Whether it is not stored yet.
    pub fn is_new(&self) -> bool {
        self.before.is_none()
    }
}
