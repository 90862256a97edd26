//! The exact bytes of a file, as text where they are one.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use imprint_core::served::as_skill;
use imprint_format::ItemName;
use rmcp::model::ResourceContents;

use super::{
    Extension, Trouble,
    entry::{Entry, ServedFile},
    media,
    uri::Place,
};
use crate::caller::Caller;

impl Extension {
    /// The content at this address, under the address as it was asked for.
    pub(crate) async fn read(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<ResourceContents, Trouble> {
        let Some(Place::Inside(kind, name, path)) = Place::parse(uri) else {
            return Err(Trouble::Unknown);
        };
        let entry = self.find(caller, kind, &name).await?;
        let file = entry.files.iter().find(|file| file.path == path);
        let file = file.ok_or(Trouble::Unknown)?;
        let registry = &caller.registry;
        let kept = registry.store().content(registry.owner(), file.kept);
        let kept = kept.await?.ok_or(Trouble::Unknown)?;
        let rendered = if file.rendered {
            Some(rendered(&entry, &name, &kept).ok_or(Trouble::Unknown)?)
        } else {
            None
        };
        let bytes = rendered.as_deref().map_or(&*kept, str::as_bytes);
        Ok(contents(uri, file, bytes))
    }
}

/// A persona's `SKILL.md`, made again as it was for the manifest.
fn rendered(entry: &Entry, name: &ItemName, kept: &[u8]) -> Option<String> {
    as_skill(entry.kind, name, &[], kept).ok()?.rendered
}

fn contents(uri: &str, file: &ServedFile, bytes: &[u8]) -> ResourceContents {
    let name = file.path.components().last().unwrap_or_default();
    let media_type = media::by_name(name);
    let text = std::str::from_utf8(bytes).ok();
    let text = text.filter(|text| media::is_textual(media_type) && !text.contains('\0'));
    match text {
        Some(text) => {
            ResourceContents::text(text, uri).with_mime_type(media_type.unwrap_or("text/plain"))
        }
        None => ResourceContents::blob(STANDARD.encode(bytes), uri)
            .with_mime_type(media_type.unwrap_or("application/octet-stream")),
    }
}
