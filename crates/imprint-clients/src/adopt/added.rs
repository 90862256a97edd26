//! Skills and personas that someone put into a client's folder.

use std::{collections::BTreeSet, path::PathBuf};

use imprint_core::{ItemId, Registry};

use super::OffersError;
use crate::{
    folders::Folders,
    import::{ImportOutcome, ImportPlan, OnCollision, Source, apply, plan_for},
    write::TakenIn,
};

/// What stands in clients' folders and is not ours, against what is stored. Copies of items in
/// `edited` are told of there.
pub(super) async fn added(
    folders: &Folders,
    registry: &Registry,
    edited: &[ItemId],
) -> Result<ImportPlan, OffersError> {
    let sources: Vec<Source> = folders.hand_made().await?;
    let mut plan = plan_for(registry, &sources).await?;
    plan.same.retain(|same| !edited.contains(&same.item.id));
    // That a folder holds nothing is no news here.
    plan.remarks.clear();
    Ok(plan)
}

/// Takes in what was added: new items under their names, and those whose name is taken as
/// `on_collision` says. Then the copies are looked after where passes write them.
pub async fn take_added(
    folders: &Folders,
    registry: &Registry,
    plan: &ImportPlan,
    on_collision: OnCollision,
) -> Result<ImportOutcome, OffersError> {
    let outcome = apply(registry, plan, on_collision).await;
    folders.adopt(outcome.taken_in()).await?;
    Ok(outcome)
}

impl ImportOutcome {
    /// What was taken in, and from where.
    pub fn taken_in(&self) -> Vec<TakenIn> {
        let kept = self.results.iter().filter_map(|result| {
            let item = result.done.item()?;
            Some((item.id, &result.places))
        });
        let places: BTreeSet<(ItemId, PathBuf)> = kept
            .flat_map(|(item, places)| {
                let places = places.iter();
                places.map(move |place| (item, PathBuf::from(place)))
            })
            .collect();
        let taken = places.into_iter();
        taken.map(|(item, place)| TakenIn { item, place }).collect()
    }
}
