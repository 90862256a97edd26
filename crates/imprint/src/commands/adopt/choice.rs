//! Which offers are meant, and which get a yes.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use imprint_clients::{
    adopt::Offers,
    import::{ImportPlan, Planned},
};
use imprint_core::ItemId;
use imprint_format::ItemName;

use super::Wanted;
use crate::{
    cli::{AdoptArgs, CollisionChoice},
    failure::{Failure, FailureKind},
    home::shown,
    output::Output,
};

/// Keeps the offers that these names or places mean; all of them when there are none.
pub(super) fn narrow(offers: &mut Offers, what: &[String]) -> Result<(), Failure> {
    if what.is_empty() {
        return Ok(());
    }
    let mut met = BTreeSet::new();
    let mut meant = |name: &ItemName, places: &[String]| {
        let fits = |asked: &&String| {
            **asked == name.as_str() || places.iter().any(|place| is_place(asked, place))
        };
        let asked: Vec<_> = what.iter().filter(fits).collect();
        met.extend(asked.iter().map(|asked| (*asked).clone()));
        !asked.is_empty()
    };
    offers.edited.retain(|copy| {
        let place = copy.place.display().to_string();
        meant(&copy.item.name, &[place])
    });
    let added = &mut offers.added;
    added.new.retain(|item| meant(&item.name, &item.places));
    added
        .same
        .retain(|same| meant(&same.item.name, &same.places));
    added
        .collisions
        .retain(|collision| meant(&collision.item.name, &collision.item.places));
    added
        .skipped
        .retain(|skipped| what.iter().any(|asked| is_place(asked, &skipped.place)));
    let is_met = |asked: &&String| {
        met.contains(*asked) || added.skipped.iter().any(|s| is_place(asked, &s.place))
    };
    match what.iter().find(|asked| !is_met(asked)) {
        None => Ok(()),
        Some(asked) => Err(Failure::new(
            FailureKind::NotFound,
            format!("nothing by hand is found under `{asked}`"),
        )
        .hint("`imprint adopt --dry-run` lists what there is")),
    }
}

/// Whether what was asked for is this place or a folder above it.
fn is_place(asked: &str, place: &str) -> bool {
    let resolved =
        |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    resolved(Path::new(place)).starts_with(resolved(Path::new(asked)))
}

/// The offers that get a yes: all with `--yes`, else each that the user agrees to. Of copies that
/// were edited differently none is chosen unasked.
pub(super) fn wanted<'o>(
    out: &Output,
    args: &AdoptArgs,
    offers: &'o Offers,
) -> Result<Wanted<'o>, Failure> {
    if args.dry_run || is_nothing_to_take(offers, args.on_collision) {
        return Ok(Wanted::default());
    }
    if args.yes {
        let contested: BTreeSet<ItemId> = offers.contested().map(|copy| copy.item.id).collect();
        let edited = offers.edited.iter();
        return Ok(Wanted {
            edited: edited
                .filter(|copy| copy.faults.is_empty() && !contested.contains(&copy.item.id))
                .collect(),
            added: offers.added.clone(),
        });
    }
    out.needs_someone("`--yes` takes all of it back, `--dry-run` only looks")?;
    Ok(asked(out, args, offers))
}

fn is_nothing_to_take(offers: &Offers, choice: CollisionChoice) -> bool {
    let added = &offers.added;
    let colliding = match choice {
        CollisionChoice::Skip => 0,
        CollisionChoice::Replace | CollisionChoice::KeepBoth => added.collisions.len(),
    };
    offers.edited.iter().all(|copy| !copy.faults.is_empty())
        && added.new.len() + added.same.len() + colliding == 0
}

fn asked<'o>(out: &Output, args: &AdoptArgs, offers: &'o Offers) -> Wanted<'o> {
    let mut wanted = Wanted::default();
    let mut taken: BTreeSet<ItemId> = BTreeSet::new();
    for copy in offers.edited.iter().filter(|copy| copy.faults.is_empty()) {
        let question = format!(
            "Keep the text in {} as the newest of {} {}?",
            shown(&copy.place),
            copy.item.kind,
            copy.item.name
        );
        if !taken.contains(&copy.item.id) && out.ask(&question) {
            taken.insert(copy.item.id);
            wanted.edited.push(copy);
        }
    }
    let ask = |item: &Planned| {
        let from = item.places.first().map(Path::new).map(shown);
        let question = format!(
            "Take in {} {} from {}?",
            item.kind,
            item.name,
            from.unwrap_or_default()
        );
        out.ask(&question)
    };
    let added = &offers.added;
    let new = added.new.iter().filter(|item| ask(item));
    let mut plan = ImportPlan {
        new: new.cloned().collect(),
        same: added.same.clone(),
        ..ImportPlan::default()
    };
    if !matches!(args.on_collision, CollisionChoice::Skip) {
        let collisions = added.collisions.iter();
        let agreed = collisions.filter(|collision| ask(&collision.item));
        plan.collisions = agreed.cloned().collect();
    }
    wanted.added = plan;
    wanted
}
