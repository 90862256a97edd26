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

pub(in crate::commands) async fn run(
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
            out.message(&nothing(kind, args.query.is_some()));
            return;
        }
        out.table(
            &["NAME", "STATE", "CHANGED", "DESCRIPTION"],
            items.iter().map(row),
        );
        out.message(&count(items.len(), kind.as_str()));
    });
    Ok(())
}

fn nothing(kind: ItemKind, asked: bool) -> String {
    if asked {
        return format!("No {kind} fits");
    }
    let first = match kind {
        ItemKind::Guideline => "`imprint guidelines add \"…\"` adds the first".to_owned(),
        ItemKind::Skill | ItemKind::Persona => {
            format!(
                "`imprint {kind}s create` makes the first, `imprint import` takes in those that you have"
            )
        }
    };
    format!("There are no {kind}s yet; {first}")
}

fn row(item: &ItemSummary) -> Vec<String> {
    let mut state = item.state.as_str().to_owned();
    if item.pinned {
        state.push_str(", pinned");
    }
    if item.hidden_from_model {
        state.push_str(", by hand only");
    }
    vec![
        item.name.to_string(),
        state,
        time::shown(item.changed_at),
        item.description.clone(),
    ]
}
