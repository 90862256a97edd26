//! `show`: one item's header, text and files.

use std::path::Path;

use imprint_core::{ItemSummary, Revision, registry::Snapshot};
use imprint_format::{ItemKind, text};
use serde::Serialize;

use super::{item_ref, list::state, revision};
use crate::{
    cli::ShowArgs,
    failure::Failure,
    home::shown,
    output::{Output, count, dim},
    time,
    wiring::App,
};

#[derive(Serialize)]
struct Shown<'a> {
    item: &'a ItemSummary,
    revision: &'a Revision,
    text: Option<&'a str>,
    /// Where clients find it: folders of skills, files of personas.
    places: Vec<String>,
}

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: ShowArgs,
) -> Result<(), Failure> {
    let wanted = revision(&args.revision)?;
    let snapshot = app
        .registry
        .snapshot(&item_ref(kind, &args.name), &wanted)
        .await?;
    let Snapshot {
        item,
        revision,
        bundle,
    } = &snapshot;
    let shown = Shown {
        item,
        revision,
        text: bundle.entry().as_text(),
        places: app.folders.places_of(item.id).await,
    };
    out.data(&shown, |out| print(out, &shown));
    Ok(())
}

fn print(out: &Output, shown_item: &Shown<'_>) {
    let (item, revision) = (shown_item.item, shown_item.revision);
    out.heading(&format!("{} {}", item.kind, revision.name));
    out.line(&format!(
        "{}; revision {} by {}, {}",
        state(item),
        revision.id.short(),
        super::history::author(&revision.author),
        time::shown(revision.at),
    ));
    for place in &shown_item.places {
        out.styled(&dim(&shown(Path::new(place))));
    }
    out.line("");
    match shown_item.text {
        Some(entry) => out.line(entry.trim_end()),
        None => out.line("(not text)"),
    }
    let entry = item.kind.entry_file();
    let others = revision
        .files
        .iter()
        .filter(|file| file.path.as_str() != entry);
    for (number, file) in others.enumerate() {
        if number == 0 {
            out.line("");
            out.heading("Other files");
        }
        out.styled(&format!(
            "{}  {}",
            text::one_line(file.path.as_str()),
            dim(&count(size(file.size), "byte"))
        ));
    }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
