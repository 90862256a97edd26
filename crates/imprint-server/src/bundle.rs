//! A registry's skills and personas as plain files, for agents that can't see the user's disk.

use std::{collections::BTreeMap, io, sync::Arc};

use flate2::{Compression, GzBuilder};
use imprint_core::{
    ItemFilter, ItemState, Registry,
    registry::ContentError,
    served::{SKILL_FILE, as_skill},
};
use imprint_format::{ItemKind, ItemPath};
use tar::{EntryType, Header};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvisionedFile {
    /// Its content.
    pub bytes: Arc<[u8]>,
    /// Whether the owner may execute it.
    pub executable: bool,
}

/// The active skills and personas that an asker sees, as files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provision {
    /// By path, with slashes: `skills/NAME/…` and `personas/NAME/…`, each a folder with a `SKILL.md`.
    pub files: BTreeMap<String, ProvisionedFile>,
    /// Items that can't be served as skills, and why.
    pub left_out: Vec<(String, String)>,
}

/// Reads the active skills and personas. A persona comes as a skill that says that it is a role.
pub async fn provision(registry: &Registry) -> Result<Provision, ContentError> {
    let filter = ItemFilter {
        states: vec![ItemState::Active],
        ..ItemFilter::default()
    };
    let mut provision = Provision::default();
    for item in registry.store().items(registry.owner(), &filter).await? {
        if item.kind == ItemKind::Guideline {
            continue;
        }
        let revision = registry
            .store()
            .revision(registry.owner(), item.head)
            .await?;
        let revision = revision.ok_or(ContentError::NoRevision(item.head))?;
        let bundle = registry.bundle_of(&revision).await?;
        let entry = ItemPath::entry_of(item.kind);
        let served = as_skill(
            item.kind,
            &item.name,
            &revision.files,
            &bundle.entry().bytes,
        );
        let served = match served {
            Ok(served) => served,
            Err(why) => {
                let name = format!("{} {}", item.kind, item.name);
                provision.left_out.push((name, why.to_string()));
                continue;
            }
        };
        for (path, file) in bundle.files() {
            let is_entry = *path == entry;
            let name = if is_entry { SKILL_FILE } else { path.as_str() };
            let bytes = match &served.rendered {
                Some(text) if is_entry => text.as_bytes().into(),
                _ => Arc::clone(&file.bytes),
            };
            let path = format!("{}s/{}/{name}", item.kind, item.name);
            let executable = file.executable;
            provision
                .files
                .insert(path, ProvisionedFile { bytes, executable });
        }
    }
    Ok(provision)
}

impl Provision {
    /// All files in a compressed archive: the same bytes each time.
    pub fn tar_gz(&self) -> io::Result<Vec<u8>> {
        let gz = GzBuilder::new().write(Vec::new(), Compression::default());
        let mut archive = tar::Builder::new(gz);
        for (path, file) in &self.files {
            let mut header = Header::new_gnu();
            header.set_entry_type(EntryType::Regular);
            header.set_size(file.bytes.len() as u64);
            header.set_mode(if file.executable { 0o755 } else { 0o644 });
            header.set_mtime(0);
            archive.append_data(&mut header, path, &*file.bytes)?;
        }
        archive.into_inner()?.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn an_archive_is_the_same_each_time() {
        let file = |text: &str, executable| ProvisionedFile {
            bytes: text.as_bytes().into(),
            executable,
        };
        let provision = Provision {
            files: BTreeMap::from([
                ("skills/tea/SKILL.md".to_owned(), file("Boil.", false)),
                ("skills/tea/scripts/boil.sh".to_owned(), file("true", true)),
            ]),
            left_out: Vec::new(),
        };
        let bytes = provision.tar_gz().unwrap();
        assert_eq!(bytes, provision.tar_gz().unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let mut seen = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mode = entry.header().mode().unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            seen.push(format!("{mode:o} {path} {text}"));
        }
        assert_eq!(
            seen,
            [
                "644 skills/tea/SKILL.md Boil.",
                "755 skills/tea/scripts/boil.sh true"
            ]
        );
    }
}
