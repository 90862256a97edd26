//! Making an item that others wrote into one that may be kept: only what has a single right answer
//! is changed, each change is noted, and everything else is refused with what to do.

use std::sync::Arc;

use imprint_format::{
    About, Bundle, BundleError, BundleFile, Diagnostic, Document, EditFieldError, Header, ItemKind,
    ItemName, ItemPath, PathFault, Severity, limits::DESCRIPTION_CHARS, read_header, suggest_name,
    validate_bundle,
};

use super::{
    Skipped, SourceItem,
    codex::{is_codex_agent, persona_text},
    plan::Planned,
    source::shown,
};

/// The byte order mark, an artefact of an editor.
const BOM: &str = "\u{FEFF}";

/// The item as it may be kept.
pub(super) fn normalise(item: &SourceItem) -> Result<Planned, Skipped> {
    normalised(item).map_err(|reasons| Skipped::because(item.kind, &item.place, reasons))
}

fn normalised(item: &SourceItem) -> Result<Planned, Vec<Diagnostic>> {
    let entry_path = item.path_of(&item.entry);
    let at_entry = |faults: Vec<Diagnostic>| -> Vec<Diagnostic> {
        let faults = faults.into_iter();
        faults.map(|fault| fault.at_path(&entry_path)).collect()
    };
    let (entry, others) = (entry_of(item)?, other_files(item)?);
    let mut notes = item.notes.clone();
    let wanted = item.kind.entry_file();
    if !item.is_file && item.entry != wanted {
        notes.push(format!("`{}` becomes `{wanted}`", shown(&item.entry)));
    }
    let written = as_markdown(item, entry, &mut notes).map_err(|fault| at_entry(vec![fault]))?;
    let text = mend(item.kind, item.home.as_deref(), &written, &mut notes).map_err(at_entry)?;
    let bundle = bundle_of(item, entry, text, others)?;
    let header = validate_bundle(None, &bundle).map_err(|faults| at_entry(advised(faults)))?;
    Ok(Planned {
        kind: item.kind,
        name: header.name,
        description: header.description,
        tree: bundle.tree_digest(),
        bundle,
        places: vec![item.place.clone()],
        notes,
    })
}

/// The entry file's bytes with what can be mended mended, each change noted.
pub(crate) fn mended_entry(
    item: &SourceItem,
    notes: &mut Vec<String>,
) -> Result<Arc<[u8]>, Vec<Diagnostic>> {
    let entry = entry_of(item)?;
    mend(item.kind, item.home.as_deref(), &entry.bytes, notes)
}

/// The entry file as it stands there.
fn entry_of(item: &SourceItem) -> Result<&BundleFile, Vec<Diagnostic>> {
    let mut files = item.files.iter();
    let entry = files.find(|(path, _)| *path == item.entry);
    entry.map(|(_, file)| file).ok_or_else(|| {
        let missing = BundleError::NoEntryFile(item.kind).to_string();
        vec![Diagnostic::error(About::File, missing).at_path(&item.place)]
    })
}

/// The entry file's text as an entry file, whatever client it was written for.
fn as_markdown(
    item: &SourceItem,
    entry: &BundleFile,
    notes: &mut Vec<String>,
) -> Result<Arc<[u8]>, Diagnostic> {
    if item.is_file && is_codex_agent(&item.entry) {
        return Ok(persona_text(&entry.bytes, notes)?.into_bytes().into());
    }
    Ok(Arc::clone(&entry.bytes))
}

/// The files beside the entry file, by their checked paths.
fn other_files(item: &SourceItem) -> Result<Vec<(ItemPath, BundleFile)>, Vec<Diagnostic>> {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for (path, file) in item.files.iter().filter(|(path, _)| *path != item.entry) {
        match path.parse() {
            Ok(path) => files.push((path, file.clone())),
            Err(fault) => faults.push(unportable(item, path, &fault)),
        }
    }
    if faults.is_empty() {
        Ok(files)
    } else {
        Err(faults)
    }
}

fn unportable(item: &SourceItem, path: &str, fault: &PathFault) -> Diagnostic {
    Diagnostic::error(About::Path, fault.to_string())
        .at_path(item.path_of(path))
        .with_hint("rename it: what is kept must fit on every system")
}

fn bundle_of(
    item: &SourceItem,
    entry: &BundleFile,
    text: Arc<[u8]>,
    others: Vec<(ItemPath, BundleFile)>,
) -> Result<Bundle, Vec<Diagnostic>> {
    let entry = BundleFile {
        bytes: text,
        executable: entry.executable,
    };
    let files = others
        .into_iter()
        .chain([(ItemPath::entry_of(item.kind), entry)]);
    Bundle::new(item.kind, files).map_err(|error| {
        let (about, path) = match &error {
            BundleError::Path { path, .. }
            | BundleError::Collision { added: path, .. }
            | BundleError::FileIsFolder { path } => (About::Path, Some(path)),
            BundleError::TextTooLarge { path, .. } => (About::File, Some(path)),
            _ => (About::File, None),
        };
        let place = path.map_or_else(|| item.place.clone(), |path| item.path_of(path));
        vec![Diagnostic::error(about, error.to_string()).at_path(place)]
    })
}

/// The entry file's bytes with what can be mended mended.
fn mend(
    kind: ItemKind,
    home: Option<&str>,
    bytes: &Arc<[u8]>,
    notes: &mut Vec<String>,
) -> Result<Arc<[u8]>, Vec<Diagnostic>> {
    let without_bom = bytes.strip_prefix(BOM.as_bytes());
    if without_bom.is_some() {
        notes.push("the byte order mark is dropped".to_owned());
    }
    let kept = without_bom.unwrap_or(bytes);
    let reading = read_header(kind, home, kept);
    let Some((header, document)) = reading.value else {
        let mut errors = reading.diagnostics;
        errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(errors);
    };
    let quoted = document
        .with_repairs_quoted()
        .map_err(|e| vec![uneditable(&e)])?;
    notes.extend(quoted_keys(&document, &quoted));
    let named = with_name(&quoted, &header, home, notes)?;
    if named.text().as_bytes() == &**bytes {
        return Ok(Arc::clone(bytes));
    }
    Ok(named.text().as_bytes().into())
}

/// The document under a name that may be kept.
fn with_name(
    document: &Document,
    header: &Header,
    home: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Document, Vec<Diagnostic>> {
    let name = match header.name.parse::<ItemName>() {
        Ok(name) => name,
        Err(fault) => suggest_name(&header.name).ok_or_else(|| {
            let hint = "give it a name of the letters a to z, digits and hyphens";
            vec![Diagnostic::error(About::Name, fault.to_string()).with_hint(hint)]
        })?,
    };
    let is_written = document
        .field("name")
        .is_some_and(|field| !field.is_null() && field.value.as_str().is_some_and(is_filled));
    if !is_written {
        notes.push(format!("the name `{name}` is added"));
    } else if name.as_str() != header.name {
        let old = shown(&header.name);
        notes.push(format!("the name `{old}` becomes `{name}`"));
    } else if let Some(home) = home.filter(|home| *home != name.as_str()) {
        let home = shown(home);
        notes.push(format!("it stands in `{home}` and is kept as `{name}`"));
    }
    document
        .with_field("name", name.as_str())
        .map_err(|error| vec![uneditable(&error)])
}

fn is_filled(text: &str) -> bool {
    !text.trim().is_empty()
}

fn uneditable(error: &EditFieldError) -> Diagnostic {
    Diagnostic::error(About::Frontmatter, error.to_string())
        .with_hint("write each field of the header as one line `key: \"value\"`")
}

/// Notes on the values that were put in quotes: those whose lines differ.
fn quoted_keys(before: &Document, after: &Document) -> Vec<String> {
    let line = |document: &Document, number: u32| {
        let lines = document.text().lines();
        let line = usize::try_from(number)
            .ok()
            .and_then(|at| at.checked_sub(1));
        line.and_then(|at| lines.map(str::to_owned).nth(at))
    };
    before
        .fields()
        .iter()
        .filter(|field| line(before, field.line) != line(after, field.line))
        .map(|field| {
            let key = shown(&field.key);
            format!("the value of `{key}` is put in quotes, because it is not valid YAML")
        })
        .collect()
}

/// The faults with advice where the rules alone don't tell what to do.
fn advised(faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let faults = faults.into_iter().map(|fault| {
        if fault.hint.is_some() || fault.about != About::Description {
            return fault;
        }
        fault.with_hint(format!(
            "write a description of at most {DESCRIPTION_CHARS} characters, all of them visible, \
             and import again; nothing is cut for you"
        ))
    });
    faults.collect()
}

/// The same item under another name.
pub(crate) fn renamed(bundle: &Bundle, name: &ItemName) -> Result<Bundle, RenameError> {
    let reading = Document::read(&bundle.entry().bytes);
    let document = reading.value.ok_or(RenameError::NoDocument)?;
    let text = document.with_field("name", name.as_str())?;
    let entry = BundleFile::plain(text.text().as_bytes());
    Ok(bundle.with_file(ItemPath::entry_of(bundle.kind()), entry)?)
}

/// Why an item can't have another name.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// The entry file has no header.
    #[error("the entry file has no header to put a name in")]
    NoDocument,
    /// The name can't be edited alone.
    #[error(transparent)]
    Field(#[from] EditFieldError),
    /// The files don't make an item any more.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}
