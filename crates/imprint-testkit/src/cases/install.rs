//! `install`: writing into a client's folder, and taking in from one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use imprint_clients::Machine;
use imprint_core::registry::{FileEdit, ItemEdit, NewItem};
use imprint_core::{
    Author, ClientFolders as _, FolderNote, FolderNoteKind, FolderReport, ItemRef, ItemState,
    Registry,
};
use imprint_format::{About, Bundle, BundleFile, Diagnostic, ItemKind, ItemPath};
use serde::Deserialize;

use super::{
    Run, diagnostics,
    schema::{Case, OneOrMore},
    setup::{below, make_folder, octal},
    tree::tree_of,
    verdict::{CaseError, Verdict},
};
use crate::tree::{Entry, Snapshot};

mod import;

/// What a case of this kind says. All paths of files are relative to `into`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InstallSpec {
    #[serde(default)]
    write_items: Vec<ItemFiles>,
    /// Names of items that we wrote and that the user then removed.
    #[serde(default)]
    remove_items: Vec<String>,
    /// A folder that is taken into the registry.
    import_folder: Option<String>,
    /// Where the items that are written come from; taken in before.
    source: Option<String>,
    /// The client's folder.
    into: Option<String>,
    /// What we wrote there last time, each with its content then.
    #[serde(default)]
    manifest_before: Vec<WrittenFile>,
    result: Option<InstallResult>,
    #[serde(default)]
    tree_unchanged: bool,
    files_after: Option<FilesAfter>,
    #[serde(default)]
    modes_after: BTreeMap<String, ExpectedMode>,
    #[serde(default)]
    file_must_still_contain: BTreeMap<String, String>,
    /// Texts that are in no file of the registry afterwards.
    nowhere_in_store: Option<OneOrMore<String>>,
}

/// An item with its files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemFiles {
    name: String,
    files: BTreeMap<String, String>,
    #[serde(default)]
    modes: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    path: String,
    content: String,
}

/// What it may come to; several with `-or-` between them.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct InstallResult(Vec<Ending>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Written,
    Unchanged,
    Removed,
    Conflict,
    /// Taken in: a folder that was named, or what stood in the way.
    Imported,
    Refused,
}

impl TryFrom<String> for InstallResult {
    type Error = CaseError;

    fn try_from(text: String) -> Result<Self, CaseError> {
        let endings = text.split("-or-").map(|word| match word {
            "written" => Ok(Ending::Written),
            "unchanged" => Ok(Ending::Unchanged),
            "removed" => Ok(Ending::Removed),
            "conflict" => Ok(Ending::Conflict),
            "imported" | "adopted" => Ok(Ending::Imported),
            "refused" => Ok(Ending::Refused),
            other => Err(CaseError::Schema(format!(
                "`{other}` is no result of the schema"
            ))),
        });
        endings.collect::<Result<_, _>>().map(Self)
    }
}

/// The files that are there afterwards: all of them, or each with its content (`null`: gone).
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FilesAfter {
    All(Vec<String>),
    Each(BTreeMap<String, Option<String>>),
}

/// Permissions that a file must have.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
enum ExpectedMode {
    Executable,
    NotExecutable,
    Exactly(u32),
}

impl TryFrom<String> for ExpectedMode {
    type Error = CaseError;

    fn try_from(text: String) -> Result<Self, CaseError> {
        match text.as_str() {
            "u+x" => Ok(Self::Executable),
            "not-x" => Ok(Self::NotExecutable),
            other => octal(other).map(Self::Exactly),
        }
    }
}

/// What the writing or taking in came to.
#[derive(Debug, Default)]
struct Came {
    said: Vec<Diagnostic>,
    /// Something of the user's was left alone where we would have written.
    conflict: bool,
    /// Something was taken into the registry.
    imported: bool,
    /// What the user is told, beside the diagnostics.
    output_bytes: usize,
}

pub(super) fn run(case: &Case, spec: &InstallSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let work = run.sandbox.work();
    let into = spec.into.as_deref().map(|into| below(&work, into));
    let into = into.transpose()?;
    if let Some(into) = &into {
        spec.write_before(case, into, run)?;
    }
    let before = tree_of(&work)?;
    let mut outcome = Came::default();
    if let Some(folder) = spec.import_folder.as_ref().or(spec.source.as_ref()) {
        outcome = import::import(&below(&work, folder)?, run)?;
    }
    if let Some(into) = &into {
        spec.change_registry(run)?;
        let report = pass(into, run)?;
        outcome.take_report(&report, into);
    }
    let after = tree_of(&work)?;
    let place = Place {
        prefix: prefix(&work, into.as_deref()),
        before: &before,
        after: &after,
    };
    spec.compare_result(&mut verdict, &outcome, &place);
    spec.compare_files(&mut verdict, &place);
    if spec.tree_unchanged {
        verdict.differences.extend(before.differences(&after));
    }
    for text in spec.nowhere_in_store.iter().flat_map(OneOrMore::as_slice) {
        for (path, bytes) in tree_of(&run.sandbox.data())?.files() {
            let found = contains(bytes, text.as_bytes());
            verdict.holds(!found, || {
                format!("`{path}` of the registry holds {text:?}")
            });
        }
    }
    diagnostics::compare(&mut verdict, &case.diagnostics, &outcome.said);
    verdict.output_bytes += outcome.output_bytes;
    Ok(verdict)
}

/// The machine on which a client reads this folder: that client's configuration folder is moved
/// to the one above it.
fn machine(into: &Path, run: &Run<'_>) -> Result<Machine, CaseError> {
    let kind = into.file_name().and_then(|name| name.to_str());
    match (kind, into.parent()) {
        (Some("skills" | "agents"), Some(client)) => Ok(run
            .sandbox
            .machine()
            .with_variable("CLAUDE_CONFIG_DIR", client)),
        _ => Err(CaseError::Schema(format!(
            "no client reads {}: `into` must end in `skills` or `agents`",
            into.display()
        ))),
    }
}

fn pass(into: &Path, run: &Run<'_>) -> Result<FolderReport, CaseError> {
    // The folder above shows that the client is there.
    if let Some(client) = into.parent() {
        make_folder(client)?;
    }
    let folders = run.sandbox.folders(machine(into, run)?);
    run.block_on(folders.write()).map_err(CaseError::product)
}

impl InstallSpec {
    /// Lets the product write what it wrote last time, then puts the case's own files in its
    /// place: the manifest says what we wrote, the folder what is there now.
    fn write_before(&self, case: &Case, into: &Path, run: &Run<'_>) -> Result<(), CaseError> {
        if self.manifest_before.is_empty() {
            return Ok(());
        }
        let mut items: BTreeMap<String, ItemFiles> = BTreeMap::new();
        for file in &self.manifest_before {
            let (name, path) = file.path.split_once('/').ok_or_else(|| {
                CaseError::Schema(format!("`{}` is in no item's folder", file.path))
            })?;
            let item = items.entry(name.to_owned()).or_insert_with(|| ItemFiles {
                name: name.to_owned(),
                files: BTreeMap::new(),
                modes: BTreeMap::new(),
            });
            item.files.insert(path.to_owned(), file.content.clone());
        }
        run.block_on(async {
            let registry = run.sandbox.registry();
            for item in items.values() {
                item.put(&registry).await?;
            }
            Ok::<_, CaseError>(())
        })?;
        empty(&run.sandbox.work())?;
        pass(into, run)?;
        empty(&run.sandbox.work())?;
        run.fill(case)
    }

    /// The items as they are now.
    fn change_registry(&self, run: &Run<'_>) -> Result<(), CaseError> {
        run.block_on(async {
            let registry = run.sandbox.registry();
            for item in &self.write_items {
                item.put(&registry).await?;
            }
            for name in &self.remove_items {
                let reference = skill(name);
                registry
                    .set_state(&reference, ItemState::Removed)
                    .await
                    .map_err(CaseError::product)?;
            }
            Ok(())
        })
    }

    fn compare_result(&self, verdict: &mut Verdict, came: &Came, place: &Place<'_>) {
        let changed = place.changed();
        let written = self.is_written(place);
        let removed = self.remove_items.iter().all(|name| place.is_gone(name));
        let is = |ending: &Ending| match ending {
            Ending::Written => written && changed && !came.conflict,
            Ending::Unchanged => !changed && !came.conflict,
            Ending::Removed => removed && !came.conflict,
            Ending::Conflict => came.conflict,
            Ending::Imported => came.imported,
            Ending::Refused => !came.imported && !changed,
        };
        let Some(InstallResult(endings)) = &self.result else {
            return;
        };
        verdict.holds(endings.iter().any(is), || {
            format!(
                "result: expected {endings:?}; written: {written}, removed: {removed}, changed: \
                 {changed}, conflict: {}, imported: {}",
                came.conflict, came.imported
            )
        });
    }

    fn is_written(&self, place: &Place<'_>) -> bool {
        self.write_items.iter().all(|item| {
            item.files.iter().all(|(path, text)| {
                let file = place.file(&format!("{}/{path}", item.name));
                file.is_some_and(|(bytes, _)| bytes == text.as_bytes())
            })
        })
    }

    fn compare_files(&self, verdict: &mut Verdict, place: &Place<'_>) {
        match &self.files_after {
            None => {}
            Some(FilesAfter::All(paths)) => {
                let mut expected: Vec<_> = paths.iter().map(String::as_str).collect();
                expected.sort_unstable();
                verdict.equal("files after", &expected, &place.paths());
            }
            Some(FilesAfter::Each(files)) => {
                for (path, text) in files {
                    let bytes = place.file(path).map(|(bytes, _)| bytes);
                    let what = format!("`{path}` after");
                    verdict.equal(&what, &text.as_deref().map(str::as_bytes), &bytes);
                }
            }
        }
        for (path, expected) in &self.modes_after {
            let mode = place.file(path).map(|(_, mode)| mode);
            let holds = mode.is_some_and(|mode| match expected {
                ExpectedMode::Executable => mode & 0o100 != 0,
                ExpectedMode::NotExecutable => mode & 0o111 == 0,
                ExpectedMode::Exactly(exactly) => mode == *exactly,
            });
            verdict.holds(holds, || {
                let mode = mode.map_or_else(|| "gone".to_owned(), |mode| format!("{mode:04o}"));
                format!("`{path}`: expected {expected:?}, is {mode}")
            });
        }
        for (path, text) in &self.file_must_still_contain {
            let file = place.file(path);
            let kept = file.is_some_and(|(bytes, _)| contains(bytes, text.as_bytes()));
            verdict.holds(kept, || {
                format!("`{path}` doesn't contain {text:?} any more")
            });
        }
    }
}

impl ItemFiles {
    /// Creates the item, or makes these its files.
    async fn put(&self, registry: &Registry) -> Result<(), CaseError> {
        let bundle = self.bundle()?;
        let Ok(item) = registry.resolve(&skill(&self.name), &[]).await else {
            let name = Some(self.name.parse().map_err(CaseError::product)?);
            let new = NewItem::Files { bundle, name };
            let created = registry.create(&Author::User, new).await;
            return created.map(drop).map_err(CaseError::product);
        };
        let before = registry.files_of(&item).await.map_err(CaseError::product)?;
        let gone = before.files().map(|(path, _)| path);
        let gone = gone.filter(|path| bundle.get(path).is_none());
        let put = bundle.files();
        let files = put
            .map(|(path, file)| FileEdit::Put(path.clone(), file.clone()))
            .chain(gone.map(|path| FileEdit::Remove(path.clone())))
            .collect();
        let edit = ItemEdit {
            files,
            ..ItemEdit::default()
        };
        let edited = registry.edit(&Author::User, &skill(&self.name), edit).await;
        edited.map(drop).map_err(CaseError::product)
    }

    fn bundle(&self) -> Result<Bundle, CaseError> {
        let files: Result<Vec<(ItemPath, BundleFile)>, CaseError> = self
            .files
            .iter()
            .map(|(path, text)| {
                let mode = self.modes.get(path).map_or(Ok(0o644), |mode| octal(mode))?;
                let file = BundleFile {
                    bytes: text.as_bytes().into(),
                    executable: mode & 0o100 != 0,
                };
                Ok((path.parse().map_err(CaseError::product)?, file))
            })
            .collect();
        Bundle::new(ItemKind::Skill, files?).map_err(CaseError::product)
    }
}

impl Came {
    fn take_report(&mut self, report: &FolderReport, into: &Path) {
        for note in &report.notes {
            if Path::new(&note.path).starts_with(into) {
                self.conflict |= note.what != FolderNoteKind::LeftOut;
                self.said.push(diagnostic(note));
            }
        }
    }
}

/// What a note says, in the words of the cases: an edited file is about the file, everything else
/// that stands in the way about the path.
fn diagnostic(note: &FolderNote) -> Diagnostic {
    let about = match note.what {
        FolderNoteKind::Edited => About::File,
        FolderNoteKind::LeftOut => About::Frontmatter,
        FolderNoteKind::Foreign | FolderNoteKind::Link | FolderNoteKind::Unwritable => About::Path,
    };
    Diagnostic::warning(about, note.message.clone()).at_path(note.path.clone())
}

/// The client's folder, before and after.
struct Place<'a> {
    /// Its path in the trees, with a slash behind it; empty for the case's whole folder.
    prefix: String,
    before: &'a Snapshot,
    after: &'a Snapshot,
}

impl Place<'_> {
    /// A file's bytes and mode. A path may also be given from the case's own folder.
    fn file(&self, path: &str) -> Option<(&[u8], u32)> {
        let inside = self.after.entry(&format!("{}{path}", self.prefix));
        match inside.or_else(|| self.after.entry(path))? {
            Entry::File { bytes, mode } => Some((bytes, *mode)),
            _ => None,
        }
    }

    fn paths(&self) -> Vec<&str> {
        let files = self.after.files();
        files
            .filter_map(|(path, _)| path.strip_prefix(self.prefix.as_str()))
            .collect()
    }

    fn is_gone(&self, name: &str) -> bool {
        self.after
            .entry(&format!("{}{name}", self.prefix))
            .is_none()
    }

    fn changed(&self) -> bool {
        self.before != self.after
    }
}

/// The folder behind all links: a linked folder of the user's is written through.
fn prefix(work: &Path, into: Option<&Path>) -> String {
    let real = into.and_then(|into| into.canonicalize().ok());
    let inside = real
        .as_deref()
        .or(into)
        .and_then(|into| into.strip_prefix(work).ok());
    inside.map_or_else(String::new, |inside| {
        format!("{}/", inside.to_string_lossy().replace('\\', "/"))
    })
}

fn skill(name: &str) -> ItemRef {
    ItemRef {
        kind: Some(ItemKind::Skill),
        name: name.to_owned(),
    }
}

/// Takes everything out of a folder.
fn empty(folder: &PathBuf) -> Result<(), CaseError> {
    std::fs::remove_dir_all(folder).map_err(CaseError::at(folder))?;
    make_folder(folder)
}

/// Whether bytes hold a text.
pub(super) fn contains(bytes: &[u8], text: &[u8]) -> bool {
    !text.is_empty() && bytes.windows(text.len()).any(|window| window == text)
}
