//! The strict rules for everything that we write.

use crate::{
    About, Bundle, Diagnostic, Document, ItemKind, ItemName, Severity,
    document::decode,
    header::read_parts,
    limits::COMPATIBILITY_CHARS,
    lines::lines,
    text::{clip, hidden_text, one_line},
    yaml::Value,
};

/// How much of a guideline's first line stands for it, in characters.
const GUIDELINE_DESCRIPTION_CHARS: usize = 250;

/// A header that passed the strict rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictHeader {
    /// The name.
    pub name: ItemName,
    /// 1 to 1,024 characters, trimmed. A guideline's is the first line of its text, cut to 250.
    pub description: String,
    /// `disable-model-invocation: true`.
    pub hidden_from_model: bool,
}

/// Checks an entry file against everything that may be written: valid YAML without repair, unique
/// keys, name and description within the specification, no hidden characters, UTF-8. All faults
/// are told, not the first alone. `folder` must equal the name where it is given. For a guideline
/// `folder` is its name.
///
/// Whatever [`crate::read_header`] warns of is a fault here. A byte order mark is none (it is
/// taken away before an item is kept), and keys that the specification doesn't know are the
/// clients' own.
pub fn validate(
    kind: ItemKind,
    folder: Option<&str>,
    bytes: &[u8],
) -> Result<StrictHeader, Vec<Diagnostic>> {
    if !kind.has_front_matter() {
        return validate_guideline(folder, bytes);
    }
    let (header, document, mut faults) = read_parts(kind, folder, bytes);
    if let Some(document) = &document {
        faults.extend(field_faults(document));
        faults.extend(hidden_characters(document));
    }
    let name = header.as_ref().map(|header| header.name.parse());
    match (header, name) {
        (Some(header), Some(Ok(name))) if faults.is_empty() => Ok(StrictHeader {
            name,
            description: header.description,
            hidden_from_model: header.hidden_from_model,
        }),
        _ => Err(as_errors(faults)),
    }
}

/// [`validate`] for the entry file of a bundle.
pub fn validate_bundle(
    folder: Option<&str>,
    bundle: &Bundle,
) -> Result<StrictHeader, Vec<Diagnostic>> {
    validate(bundle.kind(), folder, &bundle.entry().bytes)
}

fn validate_guideline(folder: Option<&str>, bytes: &[u8]) -> Result<StrictHeader, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let name = match folder.map(str::parse::<ItemName>) {
        Some(Ok(name)) => Some(name),
        Some(Err(fault)) => {
            faults.push(Diagnostic::error(About::Name, fault.to_string()));
            None
        }
        None => {
            faults.push(Diagnostic::error(About::Name, "a guideline needs a name"));
            None
        }
    };
    let text = decode(bytes).map_err(|fault| vec![fault])?;
    if let Some(hidden) = hidden_text(text) {
        faults.push(hidden_fault(&hidden, text, 0));
    }
    let described = lines(text, 0)
        .map(|line| one_line(line.of(text)))
        .find(|line| !line.is_empty());
    if described.is_none() {
        faults.push(Diagnostic::error(About::File, "a guideline can't be empty"));
    }
    match (name, described) {
        (Some(name), Some(first_line)) if faults.is_empty() => Ok(StrictHeader {
            name,
            description: clip(&first_line, GUIDELINE_DESCRIPTION_CHARS),
            hidden_from_model: false,
        }),
        _ => Err(faults),
    }
}

/// The specification's rules for fields that reading leaves alone.
fn field_faults(document: &Document) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for field in document.fields() {
        let fault = match (field.key.as_str(), &field.value) {
            ("compatibility", Value::Scalar(text)) => match text.trim().chars().count() {
                1..=COMPATIBILITY_CHARS => None,
                chars => Some(format!(
                    "`compatibility` has 1 to {COMPATIBILITY_CHARS} characters, this one has {chars}"
                )),
            },
            ("compatibility" | "license", Value::Sequence(_) | Value::Mapping(_)) => {
                Some(format!("`{}` is a list or map, not a text", field.key))
            }
            ("metadata", Value::Scalar(_) | Value::Sequence(_)) if !field.is_null() => {
                Some("`metadata` is no map of keys and values".to_owned())
            }
            _ => None,
        };
        let fault = fault.map(|message| Diagnostic::error(About::Frontmatter, message));
        faults.extend(fault.map(|fault| fault.at_line(field.line)));
    }
    faults
}

/// Hidden characters in the body, and in the front matter outside name and description, whose
/// faults are told as theirs.
fn hidden_characters(document: &Document) -> Vec<Diagnostic> {
    let text = document.text();
    let mut faults = Vec::new();
    if let Some(hidden) = hidden_text(document.body()) {
        faults.push(hidden_fault(&hidden, text, document.fences.rest));
    }
    for field in document.fields() {
        if matches!(field.key.as_str(), "name" | "description") {
            continue;
        }
        if let Some(hidden) = hidden_text(&field.key).or_else(|| hidden_in(&field.value)) {
            let message = format!("the front matter holds {hidden}");
            faults.push(Diagnostic::error(About::Frontmatter, message).at_line(field.line));
        }
    }
    faults
}

/// The first hidden text in a value.
fn hidden_in(value: &Value) -> Option<String> {
    match value {
        Value::Scalar(text) => hidden_text(text),
        Value::Sequence(values) => values.iter().find_map(hidden_in),
        Value::Mapping(pairs) => pairs
            .iter()
            .find_map(|(key, value)| hidden_text(key).or_else(|| hidden_in(value))),
    }
}

/// A fault about the first line from byte `from` on that holds hidden text.
fn hidden_fault(hidden: &str, text: &str, from: usize) -> Diagnostic {
    let message = format!("the text holds {hidden}");
    let fault = Diagnostic::error(About::File, message).with_hint("take it out");
    let line = lines(text, 0)
        .enumerate()
        .filter(|(_, line)| line.start >= from)
        .find(|(_, line)| hidden_text(line.of(text)).is_some());
    match line {
        Some((at, _)) => fault.at_line(u32::try_from(at + 1).unwrap_or(u32::MAX)),
        None => fault,
    }
}

fn as_errors(faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    faults
        .into_iter()
        .map(|fault| Diagnostic {
            severity: Severity::Error,
            ..fault
        })
        .collect()
}

#[cfg(test)]
mod tests;
