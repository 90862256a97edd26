//! Items as they should stand in a client's folder.

use std::collections::BTreeMap;

use imprint_format::{Diagnostic, Digest, ItemKind, read_header};

use super::entry::{Wanted, WantedFile};
use crate::{
    persona::{Dialect, Persona, Rendered, render},
    source::{ItemSource, SourceItem},
};

/// A skill's folder: its files as they are kept. Returns its name in the client's folder too.
pub(crate) fn skill(item: &SourceItem) -> (String, Wanted) {
    let name = item.name.as_str().to_owned();
    let files = item.files.iter().map(|file| {
        let wanted = WantedFile {
            digest: file.digest,
            executable: file.executable,
            rendered: None,
        };
        (format!("{name}/{}", file.path), wanted)
    });
    let wanted = Wanted {
        item: item.id,
        kind: item.kind,
        files: files.collect(),
        entry_file: format!("{name}/{}", ItemKind::Skill.entry_file()),
    };
    (name, wanted)
}

/// A persona for one client.
pub(crate) struct WantedPersona {
    /// Its file's name.
    pub(crate) name: String,
    pub(crate) wanted: Wanted,
    /// What the client's form has no room for.
    pub(crate) left_out: Vec<String>,
}

/// A persona's file in one client's form, or why there is none.
pub(crate) fn persona(
    item: &SourceItem,
    dialect: Dialect,
    source: &dyn ItemSource,
) -> Result<WantedPersona, String> {
    let rendered = rendered(item, dialect, source)?;
    if let Some(refused) = rendered.refused() {
        return Err(refused.message.clone());
    }
    let mut left_out: Vec<_> = rendered
        .diagnostics
        .into_iter()
        .map(|d| d.message)
        .collect();
    if item.files.len() > 1 {
        left_out
            .push("its other files have no place in an agent file; they are left out".to_owned());
    }
    let file = WantedFile {
        digest: Digest::of(&rendered.bytes),
        executable: false,
        rendered: Some(rendered.bytes.into()),
    };
    Ok(WantedPersona {
        wanted: Wanted {
            item: item.id,
            kind: item.kind,
            files: BTreeMap::from([(rendered.file_name.clone(), file)]),
            entry_file: rendered.file_name.clone(),
        },
        name: rendered.file_name,
        left_out,
    })
}

fn rendered(
    item: &SourceItem,
    dialect: Dialect,
    source: &dyn ItemSource,
) -> Result<Rendered, String> {
    let bytes = entry_bytes(item, source)?;
    let reading = read_header(item.kind, Some(item.name.as_str()), &bytes);
    let Some((header, document)) = reading.value else {
        let said = reading.diagnostics.first().map(Diagnostic::to_string);
        return Err(format!("it can't be read: {}", said.unwrap_or_default()));
    };
    let persona = Persona {
        header: &header,
        instructions: document.body(),
    };
    Ok(render(persona, dialect))
}

fn entry_bytes(item: &SourceItem, source: &dyn ItemSource) -> Result<std::sync::Arc<[u8]>, String> {
    let entry = item.kind.entry_file();
    let file = item.files.iter().find(|file| file.path.as_str() == entry);
    let file = file.ok_or_else(|| format!("its `{entry}` is missing"))?;
    match source.content(file.digest) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(format!("the content of its `{entry}` is missing")),
        Err(error) => Err(error.to_string()),
    }
}
