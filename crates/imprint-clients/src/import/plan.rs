//! What becomes of each item, decided before anything is written.

use std::collections::HashSet;

use imprint_core::{
    Acceptance, ItemFilter, ItemState, ItemSummary, Registry, StoreError,
    secret::{Finding, scan_files, summary},
};
use imprint_format::{About, Bundle, Diagnostic, Digest, ItemKind, ItemName};
use serde::Serialize;

use super::{Skipped, Source, SourceItem, normalise::normalise};

/// What is stored already, as far as an import must know it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stored<'s> {
    /// All items. Removed ones take no part.
    pub items: &'s [ItemSummary],
    /// The findings that the user accepted.
    pub acceptances: &'s [Acceptance],
}

/// What would become of everything that was found. Pure data: nothing has happened yet.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImportPlan {
    /// Items of names that are free.
    pub new: Vec<Planned>,
    /// Items that are stored with the same files.
    pub same: Vec<Same>,
    /// Items whose name is taken by different content: by one that is stored, or by another of
    /// this import.
    pub collisions: Vec<Collision>,
    /// What can't be taken in, and why.
    pub skipped: Vec<Skipped>,
    /// What else there is to say about the sources.
    pub remarks: Vec<Diagnostic>,
}

/// An item that may be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// What it is.
    pub kind: ItemKind,
    /// The name under which it is kept.
    pub name: ItemName,
    /// Its description.
    pub description: String,
    /// Where it was found; more than one place for copies of the same content.
    pub places: Vec<String>,
    /// What is changed or left out to keep it.
    pub notes: Vec<String>,
    /// The digest of its files.
    pub tree: Digest,
    /// Its files.
    #[serde(skip)]
    pub bundle: Bundle,
}

/// An item that is stored already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Same {
    /// The stored item.
    pub item: ItemSummary,
    /// Where it was found.
    pub places: Vec<String>,
}

/// An item whose name is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collision {
    /// The item.
    pub item: Planned,
    /// What has its name.
    pub with: CollidesWith,
}

/// What has a name that an import would take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollidesWith {
    /// An item that is stored.
    Stored(ItemSummary),
    /// Another item of this import, found there.
    Imported(String),
}

impl ImportPlan {
    /// Whether carrying it out would change nothing, whatever is chosen for collisions.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.collisions.is_empty()
    }

    /// The place of content that is part of this plan or stored, to note one more copy.
    fn places_of(&mut self, item: &Planned) -> Option<&mut Vec<String>> {
        let same = |other: &Planned| other.kind == item.kind && other.tree == item.tree;
        let colliding = self
            .collisions
            .iter_mut()
            .map(|collision| &mut collision.item);
        let planned = self.new.iter_mut().chain(colliding);
        let stored = self.same.iter_mut();
        stored
            .filter(|stored| stored.item.kind == item.kind && stored.item.tree == item.tree)
            .map(|stored| &mut stored.places)
            .chain(
                planned
                    .filter(|other| same(other))
                    .map(|other| &mut other.places),
            )
            .next()
    }

    fn place(&mut self, item: Planned, stored: &Stored<'_>) {
        if let Some(places) = self.places_of(&item) {
            places.extend(item.places);
            return;
        }
        let has_name = |kind: ItemKind, name: &ItemName| kind == item.kind && *name == item.name;
        let holder = stored
            .items
            .iter()
            .find(|other| other.state != ItemState::Removed && has_name(other.kind, &other.name));
        let mut earlier = self.new.iter();
        let earlier = earlier.find(|other| has_name(other.kind, &other.name));
        let with = match (holder, earlier) {
            (Some(holder), _) if holder.tree == item.tree => {
                self.same.push(Same {
                    item: holder.clone(),
                    places: item.places,
                });
                return;
            }
            (Some(holder), _) => CollidesWith::Stored(holder.clone()),
            (None, Some(earlier)) => CollidesWith::Imported(earlier.places[0].clone()),
            (None, None) => {
                self.new.push(item);
                return;
            }
        };
        self.collisions.push(Collision { item, with });
    }
}

/// Decides what becomes of everything in the sources. An earlier source, and in a source an
/// earlier item, is the first to take a name.
pub fn plan_import(sources: &[Source], stored: &Stored<'_>) -> ImportPlan {
    let accepted: HashSet<Digest> = stored
        .acceptances
        .iter()
        .map(|acceptance| acceptance.fingerprint)
        .collect();
    let mut plan = ImportPlan::default();
    for source in sources {
        plan.skipped.extend(source.skipped.iter().cloned());
        plan.remarks.extend(source.remarks.iter().cloned());
        for item in &source.items {
            match judge(item, &accepted) {
                Ok(planned) => plan.place(planned, stored),
                Err(skipped) => plan.skipped.push(skipped),
            }
        }
    }
    plan
}

/// [`plan_import`] against what a registry holds now. Reads, and writes nothing.
pub async fn plan_for(registry: &Registry, sources: &[Source]) -> Result<ImportPlan, StoreError> {
    let (store, owner) = (registry.store(), registry.owner());
    let stored = Stored {
        items: &store.items(owner, &ItemFilter::default()).await?,
        acceptances: &store.acceptances(owner).await?,
    };
    Ok(plan_import(sources, &stored))
}

/// The item as it may be kept, or why it can't be.
pub(crate) fn judge(item: &SourceItem, accepted: &HashSet<Digest>) -> Result<Planned, Skipped> {
    // Before anything else, because what is wrong with an item is told in its own words.
    let findings = findings(item, accepted);
    if findings.is_empty() {
        normalise(item)
    } else {
        Err(secret(item, findings))
    }
}

fn findings(item: &SourceItem, accepted: &HashSet<Digest>) -> Vec<Finding> {
    let files = item.files.iter();
    let mut findings = scan_files(files.map(|(path, file)| (path.as_str(), &*file.bytes)));
    findings.retain(|finding| !accepted.contains(&finding.fingerprint));
    findings
}

fn secret(item: &SourceItem, findings: Vec<Finding>) -> Skipped {
    let reason = Diagnostic::error(About::File, summary(&findings))
        .at_path(&item.place)
        .with_hint("take it out of the file; if it is none, import again with `--accept` and its fingerprint, and `--reason`");
    Skipped {
        findings,
        ..Skipped::because(item.kind, &item.place, vec![reason])
    }
}
