//! `enable`, `disable`, `remove`, `restore`, `pin`.

use imprint_core::{Author, ItemState};
use imprint_format::ItemKind;

use super::{edit, item_ref, revision, told, told_all};
use crate::{
    cli::{PinArgs, RemoveArgs, RestoreArgs},
    failure::Failure,
    output::Output,
    wiring::App,
};

pub(super) async fn enable(
    app: &App,
    out: &Output,
    kind: ItemKind,
    name: &str,
) -> Result<(), Failure> {
    let item = app
        .registry
        .set_state(&item_ref(kind, name), ItemState::Active)
        .await?;
    told(app, out, &item, "Enabled").await;
    Ok(())
}

pub(super) async fn disable(
    app: &App,
    out: &Output,
    kind: ItemKind,
    name: &str,
) -> Result<(), Failure> {
    let item = app
        .registry
        .set_state(&item_ref(kind, name), ItemState::Disabled)
        .await?;
    told(app, out, &item, "Disabled").await;
    Ok(())
}

pub(in crate::commands) async fn remove(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: RemoveArgs,
) -> Result<(), Failure> {
    if !args.yes && out.can_ask() {
        let question = format!(
            "Remove {}? (`restore` brings it back)",
            args.names.join(", ")
        );
        if !inquire::Confirm::new(&question)
            .with_default(true)
            .prompt()
            .unwrap_or(false)
        {
            out.message("Nothing was removed");
            return Ok(());
        }
    }
    // A name that there isn't is told before the others are gone.
    for name in &args.names {
        app.registry.resolve(&item_ref(kind, name), &[]).await?;
    }
    let mut items = Vec::new();
    for name in &args.names {
        let removed = ItemState::Removed;
        match app.registry.set_state(&item_ref(kind, name), removed).await {
            Ok(item) => items.push(item),
            Err(error) => {
                let done = items.iter().map(|item| format!("removed: {}", item.name));
                return Err(done.fold(Failure::from(error), Failure::detail));
            }
        }
    }
    told_all(app, out, &items, "Removed").await;
    Ok(())
}

pub(in crate::commands) async fn restore(
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
    } else {
        let item = app.registry.bring_back(&item).await?;
        told(app, out, &item, "Brought back").await;
    }
    Ok(())
}

pub(super) async fn pin(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: PinArgs,
) -> Result<(), Failure> {
    let item = app
        .registry
        .set_pin(&item_ref(kind, &args.name), !args.off)
        .await?;
    told(
        app,
        out,
        &item,
        if args.off { "Unpinned" } else { "Pinned" },
    )
    .await;
    Ok(())
}
