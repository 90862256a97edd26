//! `show`: one item's header, text and files.

use imprint_core::{ItemSummary, Revision, registry::Snapshot};
use imprint_format::{Bundle, ItemKind, text};
use serde::Serialize;

use super::{item_ref, revision};
use crate::{
    cli::ShowArgs,
    failure::Failure,
    home::shown,
    output::{Output, dim},
    time,
    wiring::App,
};

#[derive(Serialize)]
struct Shown<'a> {
    item: &'a ItemSummary,
    revision: &'a Revision,
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
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
    let folder = imprint_core::ClientFolders::folder_of(&*app.folders, snapshot.item.id).await;
    let Snapshot {
        item,
        revision,
        bundle,
    } = &snapshot;
    let shown = Shown {
        item,
        revision,
        text: bundle.entry().as_text(),
        folder,
    };
    out.data(&shown, |out| print(out, &shown, bundle));
    Ok(())
}

fn print(out: &Output, shown_item: &Shown<'_>, bundle: &Bundle) {
    let (item, revision) = (shown_item.item, shown_item.revision);
    out.heading(&format!("{} {}", item.kind, revision.name));
    out.line(&format!(
        "{}, revision {} of {}, {}",
        item.state.as_str(),
        revision.id.short(),
        time::shown(revision.at),
        super::history::author(&revision.author),
    ));
    if let Some(folder) = &shown_item.folder {
        out.line(&format!("in {}", shown(std::path::Path::new(folder))));
    }
    out.line("");
    match shown_item.text {
        Some(entry) => out.line(entry.trim_end()),
        None => out.line("(not text)"),
    }
    if bundle.files().len() > 1 {
        out.line("");
        out.heading("Other files");
        for file in revision
            .files
            .iter()
            .filter(|file| file.path.as_str() != item.kind.entry_file())
        {
            out.styled(&format!(
                "{}  {}",
                text::one_line(file.path.as_str()),
                dim(&format!("{} bytes", file.size))
            ));
        }
    }
}
