//! What setup would do: which content of each item is kept, and what becomes of each place where
//! it stands. Pure but for contents that are read from the registry to be compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use imprint_core::{ItemId, RevisionId, Timestamp};
use imprint_format::{Bundle, Diagnostic, Digest, ItemKind, ItemName};
use serde::Serialize;

use super::{connections::PlannedConnection, group::Why, survey::Survey, view::ClientView};
use crate::import::Skipped;

/// What setup would do, or what it did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SetupPlan {
    /// The clients that it looks after, by id, the best known first.
    pub clients: Vec<String>,
    /// The folders that were looked in.
    pub folders: Vec<PlannedFolder>,
    /// The items that were found.
    pub items: Vec<PlannedItem>,
    /// What becomes of each place where one of them stands.
    pub places: Vec<PlannedPlace>,
    /// What becomes of the clients' connections.
    pub connections: Vec<PlannedConnection>,
    /// What each client lists now, next to what it is to list.
    pub before: Vec<ClientView>,
    /// What can't be taken in, and stays as it is.
    pub left: Vec<Skipped>,
    /// What else there is to say about folders and links.
    pub remarks: Vec<Diagnostic>,
}

/// A folder that was looked in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedFolder {
    /// What is in it.
    pub kind: ItemKind,
    /// The folder, as its clients name it.
    pub folder: String,
    /// The installed clients that read it, by id.
    pub readers: Vec<String>,
    /// How many items stand in it, those that can't be taken in included.
    pub found: usize,
}

/// One item.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: ItemName,
    /// Its identity; of a new one, the identity that it gets.
    pub item: ItemId,
    /// The current revision where it is stored already.
    pub before: Option<RevisionId>,
    /// Its differing contents, the oldest first.
    pub variants: Vec<PlannedVariant>,
    /// The number in `variants` of the one that reaches every client.
    pub chosen: usize,
    /// Why that one.
    pub why: Why,
    /// What is put into the registry, in this order; the last stays current. Empty where all is
    /// stored already.
    #[serde(skip)]
    pub(crate) revisions: Vec<Bundle>,
}

/// One content of an item.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedVariant {
    /// The digest of its files.
    pub tree: Digest,
    /// When it was last changed.
    pub at: Timestamp,
    /// Where it stands.
    pub places: Vec<String>,
    /// Whether it is the stored item's current revision.
    pub is_stored: bool,
    /// What is changed or left out to keep it.
    pub notes: Vec<String>,
    /// Its files.
    #[serde(skip)]
    pub bundle: Bundle,
}

/// One place where an item stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedPlace {
    /// What stands there.
    pub kind: ItemKind,
    /// The item's name.
    pub name: ItemName,
    /// The item; `None` for a copy of ours of which nothing else was found.
    pub item: Option<ItemId>,
    /// The item's folder or file, as its client reaches it.
    pub path: String,
    /// What is moved where it is: the item, or the first link on the way to it.
    #[serde(skip)]
    pub(crate) top: PathBuf,
    /// The installed clients that read it, by id.
    pub readers: Vec<String>,
    /// What becomes of it.
    #[serde(flatten)]
    pub decision: Decision,
}

/// What becomes of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "decision")]
pub enum Decision {
    /// It is a copy of ours and stays one.
    Ours,
    /// It is a copy of ours that someone edited: left as it is, for `imprint adopt`.
    Edited,
    /// It is as we would write it: looked after from now on, not touched.
    Adopt,
    /// It is a link to what we would write: it stays.
    Linked,
    /// It differs from what we would write there: into the backup, and ours in its place.
    Replace,
    /// A client would list the item twice, or the wrong one: into the backup.
    Surplus,
    /// It stays as it is.
    Stay {
        /// Why.
        reason: String,
    },
}

impl Decision {
    /// Whether the place is moved into the backup.
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Replace | Self::Surplus)
    }
}

impl SetupPlan {
    /// Whether nothing would be taken in, looked after, moved or connected.
    pub fn is_empty(&self) -> bool {
        self.items.iter().all(|item| item.revisions.is_empty())
            && !self.connections.iter().any(|one| one.change.writes())
            && !self
                .places
                .iter()
                .any(|place| place.decision == Decision::Adopt || place.decision.is_move())
    }

    /// The items that would be new or get a new revision.
    pub fn taken_in(&self) -> impl Iterator<Item = &PlannedItem> {
        let items = self.items.iter();
        items.filter(|item| !item.revisions.is_empty())
    }

    /// The places of one kind of decision.
    pub fn places_that(
        &self,
        decided: impl Fn(&Decision) -> bool,
    ) -> impl Iterator<Item = &PlannedPlace> {
        let places = self.places.iter();
        places.filter(move |place| decided(&place.decision))
    }

    /// Whether everything that this plan would do was in another one, to which the user said yes.
    pub(crate) fn is_within(&self, agreed: &Self) -> bool {
        let does = |plan: &Self| -> BTreeSet<(String, String)> {
            let items = plan.taken_in().map(|item| {
                let trees = item.revisions.iter().map(Bundle::tree_digest);
                let trees: Vec<_> = trees.map(|tree| tree.to_string()).collect();
                (format!("{} {}", item.kind, item.name), trees.join(" "))
            });
            let touched = |decision: &Decision| *decision == Decision::Adopt || decision.is_move();
            let places = plan
                .places_that(touched)
                .map(|place| (place.path.clone(), format!("{:?}", place.decision)));
            let connections = plan
                .connections
                .iter()
                .filter(|one| one.change.writes())
                .map(|one| (one.client.clone(), format!("{:?}", one.change)));
            items.chain(places).chain(connections).collect()
        };
        does(self).is_subset(&does(agreed))
    }
}

/// The part of a plan that is about items, once everything is decided.
pub(crate) fn assemble(
    survey: Survey,
    items: Vec<PlannedItem>,
    places: Vec<PlannedPlace>,
) -> SetupPlan {
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    for place in &survey.places {
        *found.entry(place.folder).or_default() += 1;
    }
    let searched = survey.folders.iter().enumerate();
    let folders = searched
        .filter(|(_, folder)| folder.is_searched)
        .map(|(number, folder)| PlannedFolder {
            kind: folder.kind,
            folder: shown(&folder.folder),
            readers: folder.readers.iter().map(|id| (*id).to_owned()).collect(),
            found: found.get(&number).copied().unwrap_or_default(),
        });
    SetupPlan {
        folders: folders.collect(),
        items,
        places,
        remarks: survey.remarks,
        left: survey
            .places
            .into_iter()
            .filter_map(|place| place.content.err())
            .collect(),
        ..SetupPlan::default()
    }
}

/// A path that is Unicode text, which all places' are.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
