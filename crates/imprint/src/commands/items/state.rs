//! `enable`, `disable`, `remove`, `restore`, `pin`.

use imprint_core::{Author, ItemState, ItemSummary, registry::ChangeError};
use imprint_format::ItemKind;

use super::{
    change::{told_all, told_without_places},
    edit, item_ref, revision, told, unchanged,
};
use crate::{
    cli::{PinArgs, RemoveArgs, RestoreArgs},
    failure::{Failure, FailureKind},
    output::{Output, listed},
    wiring::App,
};

/// `enable` and `disable`.
pub(super) async fn set(
    app: &App,
    out: &Output,
    kind: ItemKind,
    name: &str,
    state: ItemState,
) -> Result<(), Failure> {
    let before = present(app, kind, name).await?;
    if before.state == state {
        unchanged(out, &before, &format!("is {} already", state.as_str()));
        return Ok(());
    }
    let item = app.registry.set_state(&(&before).into(), state).await?;
    let done = if state == ItemState::Active {
        format!("Enabled {kind} `{}`", item.name)
    } else {
        format!(
            "Disabled {kind} `{}`; `imprint {kind}s enable {}` brings it back",
            item.name, item.name
        )
    };
    told(app, out, &item, &done).await;
    Ok(())
}

/// Removes all of them or, when one does not exist, none.
pub(super) async fn remove(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: RemoveArgs,
) -> Result<(), Failure> {
    let mut items = Vec::new();
    for name in &args.names {
        items.push(present(app, kind, name).await?);
    }
    let names: Vec<_> = items
        .iter()
        .map(|item| format!("`{}`", item.name))
        .collect();
    let question = format!(
        "Remove {kind} {}? (`imprint {kind}s restore` brings it back)",
        listed(&names)
    );
    if !args.yes && out.can_ask() && !out.ask(&question) {
        out.message("Nothing was removed");
        return Ok(());
    }
    let mut removed = Vec::new();
    for item in &items {
        match app
            .registry
            .set_state(&item.into(), ItemState::Removed)
            .await
        {
            Ok(item) => removed.push(item),
            Err(error) => {
                let done = removed.iter().map(|item| format!("removed: {}", item.name));
                return Err(done.fold(Failure::from(error), Failure::detail));
            }
        }
    }
    let sentence = |item: &ItemSummary| {
        let name = &item.name;
        format!("Removed {kind} `{name}`; `imprint {kind}s restore {name}` brings it back")
    };
    let done: Vec<_> = removed.iter().map(sentence).collect();
    told_all(app, out, &removed, &done).await;
    Ok(())
}

pub(super) async fn restore(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: RestoreArgs,
) -> Result<(), Failure> {
    let item = item_ref(kind, &args.name);
    if let Some(wanted) = &args.revision {
        let wanted = revision(wanted)?;
        let edited = app.registry.restore(&Author::User, &item, &wanted).await?;
        edit::tell(app, out, &edited, "Restored").await;
        return Ok(());
    }
    let found = app.registry.resolve(&item, &[]).await?;
    if found.state != ItemState::Removed {
        let why = "is not removed; `--revision ~1` goes back to its revision before";
        unchanged(out, &found, why);
        return Ok(());
    }
    let item = app.registry.bring_back(&(&found).into()).await?;
    told(
        app,
        out,
        &item,
        &format!("Brought back {kind} `{}`", item.name),
    )
    .await;
    Ok(())
}

pub(super) async fn pin(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: PinArgs,
) -> Result<(), Failure> {
    let before = present(app, kind, &args.name).await?;
    let pinned = !args.off;
    if before.pinned == pinned {
        unchanged(
            out,
            &before,
            if pinned {
                "is pinned already"
            } else {
                "is not pinned"
            },
        );
        return Ok(());
    }
    let item = app.registry.set_pin(&(&before).into(), pinned).await?;
    let done = if pinned {
        format!("Pinned {kind} `{}`: it is listed before others", item.name)
    } else {
        format!("Unpinned {kind} `{}`", item.name)
    };
    told_without_places(app, out, &item, &done).await;
    Ok(())
}

/// The item of this name that is not removed; of a removed one a failure that says so.
async fn present(app: &App, kind: ItemKind, name: &str) -> Result<ItemSummary, Failure> {
    let found = app.registry.resolve(&item_ref(kind, name), &[]).await;
    let found = found.map_err(ChangeError::from)?;
    if found.state == ItemState::Removed {
        let message = format!("{kind} `{}` is removed", found.name);
        return Err(Failure::new(FailureKind::Conflict, message)
            .item_hint(format!("restore {}", found.name), "brings it back"));
    }
    Ok(found)
}
