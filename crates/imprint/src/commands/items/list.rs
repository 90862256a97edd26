//! `list`: the items of a kind.

use imprint_core::{ItemFilter, ItemState, ItemSummary};
use imprint_format::ItemKind;

use crate::{
    cli::ListArgs,
    failure::Failure,
    output::{Output, count},
    time,
    wiring::App,
};

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: ListArgs,
) -> Result<(), Failure> {
    let states = if args.all {
        vec![]
    } else {
        vec![ItemState::Active, ItemState::Disabled]
    };
    let filter = ItemFilter {
        kind: Some(kind),
        states,
        ..ItemFilter::default()
    };
    let mut items = app
        .registry
        .store()
        .items(app.registry.owner(), &filter)
        .await?;
    if let Some(query) = &args.query {
        items = imprint_core::search(&items, query)
            .items
            .into_iter()
            .cloned()
            .collect();
    }
    out.data(&items, |out| {
        if items.is_empty() {
            out.message(&nothing(kind, args.query.as_deref()));
            return;
        }
        if out.is_narrow() {
            let rows = items.iter().map(|item| {
                let name = item.name.to_string();
                vec![name, state(item), item.description.clone()]
            });
            out.overview(&["NAME", "STATE", "DESCRIPTION"], rows);
        } else {
            let header = ["NAME", "STATE", "CHANGED", "DESCRIPTION"];
            out.overview(&header, items.iter().map(row));
        }
        out.message(&count(items.len(), kind.as_str()));
    });
    Ok(())
}

fn nothing(kind: ItemKind, query: Option<&str>) -> String {
    match (kind, query) {
        (_, Some(query)) => format!("No {kind} fits `{query}`"),
        (ItemKind::Guideline, None) => {
            "There are no guidelines yet; `imprint guidelines add \"…\"` adds the first".to_owned()
        }
        (ItemKind::Skill | ItemKind::Persona, None) => format!(
            "There are no {kind}s yet; `imprint {kind}s create` makes the first, \
             `imprint setup` takes in those that your clients have"
        ),
    }
}

fn row(item: &ItemSummary) -> Vec<String> {
    vec![
        item.name.to_string(),
        state(item),
        time::day(item.changed_at),
        item.description.clone(),
    ]
}

/// An item's state and what else decides whether a model hears of it.
pub(super) fn state(item: &ItemSummary) -> String {
    let mut state = item.state.as_str().to_owned();
    if item.pinned {
        state.push_str(", pinned");
    }
    if item.hidden_from_model {
        state.push_str(", by hand");
    }
    state
}
