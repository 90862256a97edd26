//! What a case says of one item that was read, whichever its kind: shared by `skill` and `persona`.

use std::collections::BTreeMap;

use imprint_core::catalog::{BlockBudget, Catalog, Detail};
use imprint_core::{ItemId, ItemState, ItemSummary, LogPosition, RevisionId, Timestamp};
use imprint_format::{
    Diagnostic, Digest, Document, Header, ItemKind, parse_tools, safe_folder_name, suggest_name,
    yaml,
};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    block::Block,
    verdict::{CaseError, Verdict},
};

/// The right answers for one item. What is absent or `null` is not asserted.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ItemFacts {
    pub(super) accepted: Option<bool>,
    pub(super) lenient_accepted: Option<bool>,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) body_starts_with: Option<String>,
    pub(super) body_ends_with: Option<String>,
    #[serde(default)]
    pub(super) fields: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) must_keep_fields: Vec<String>,
    pub(super) suggested_name: Option<String>,
    pub(super) written_folder_must_match: Option<String>,
    pub(super) catalog_text: Option<String>,
    #[serde(default)]
    pub(super) catalog_text_contains_no: Vec<String>,
    #[serde(default)]
    pub(super) values_contain_no: Vec<String>,
    #[serde(default)]
    pub(super) output_is_valid_utf8: bool,
}

/// What the product made of an item's files.
#[derive(Debug)]
pub(super) struct ItemReading {
    /// What it is.
    pub(super) kind: ItemKind,
    /// What was read, unless the item was skipped.
    pub(super) value: Option<(Header, Document)>,
    /// What there was to say.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether the product would write it itself.
    pub(super) accepted: bool,
}

impl ItemFacts {
    /// Compares a reading with the right answers.
    pub(super) fn compare(
        &self,
        verdict: &mut Verdict,
        reading: &ItemReading,
    ) -> Result<(), CaseError> {
        if let Some(accepted) = self.accepted {
            verdict.equal("accepted", &accepted, &reading.accepted);
        }
        if let Some(usable) = self.lenient_accepted {
            verdict.equal("lenient_accepted", &usable, &reading.value.is_some());
        }
        let Some((header, document)) = &reading.value else {
            self.compare_absent(verdict);
            return Ok(());
        };
        if let Some(name) = &self.name {
            verdict.equal("name", name, &header.name);
        }
        if let Some(description) = &self.description {
            verdict.equal("description", description, &header.description);
        }
        self.compare_body(verdict, document);
        self.compare_fields(verdict, document);
        self.compare_kept_fields(verdict, document);
        self.compare_names(verdict, header)?;
        self.compare_catalog_text(verdict, reading.kind, header);
        self.compare_values(verdict, header, document);
        verdict.output_bytes += output_bytes(header, document, &reading.diagnostics);
        Ok(())
    }

    /// A skipped item has none of the values that are asserted.
    fn compare_absent(&self, verdict: &mut Verdict) {
        let asserted = self.name.is_some()
            || self.description.is_some()
            || self.body_starts_with.is_some()
            || self.body_ends_with.is_some()
            || self.catalog_text.is_some()
            || !self.fields.is_empty();
        verdict.holds(!asserted, || "the item was skipped".to_owned());
    }

    fn compare_body(&self, verdict: &mut Verdict, document: &Document) {
        let body = document.body();
        if let Some(start) = &self.body_starts_with {
            let head: String = body.chars().take(start.chars().count()).collect();
            verdict.equal("the body's start", start.as_str(), head.as_str());
        }
        if let Some(end) = &self.body_ends_with {
            verdict.holds(body.ends_with(end), || {
                format!("the body doesn't end with {end:?}")
            });
        }
    }

    fn compare_fields(&self, verdict: &mut Verdict, document: &Document) {
        for (key, expected) in self.fields.iter().filter(|(_, value)| !value.is_null()) {
            let actual = document.get(key).map(|value| normalised(key, value));
            let expected = Some(as_text(expected));
            verdict.equal(&format!("the field `{key}`"), &expected, &actual);
        }
    }

    /// A field is kept when it is there, and still says the same after an edit of another one.
    fn compare_kept_fields(&self, verdict: &mut Verdict, document: &Document) {
        if self.must_keep_fields.is_empty() {
            return;
        }
        let edited = match document.with_field("description", "Another text.") {
            Ok(edited) => edited,
            Err(error) => {
                verdict.differs(format!("the description can't be edited: {error}"));
                return;
            }
        };
        for key in &self.must_keep_fields {
            let before = document.get(key);
            verdict.holds(before.is_some(), || format!("the field `{key}` is lost"));
            verdict.equal(
                &format!("the field `{key}` after an edit"),
                &before,
                &edited.get(key),
            );
        }
    }

    fn compare_names(&self, verdict: &mut Verdict, header: &Header) -> Result<(), CaseError> {
        if let Some(expected) = &self.suggested_name {
            let suggested = suggest_name(&header.name).map(String::from);
            verdict.equal("the suggested name", &Some(expected.clone()), &suggested);
        }
        if let Some(pattern) = &self.written_folder_must_match {
            let folder = safe_folder_name(&header.name);
            verdict.holds(regex(pattern)?.is_match(folder.as_str()), || {
                format!("the folder `{folder}` doesn't match `{pattern}`")
            });
        }
        Ok(())
    }

    fn compare_catalog_text(&self, verdict: &mut Verdict, kind: ItemKind, header: &Header) {
        if self.catalog_text.is_none() && self.catalog_text_contains_no.is_empty() {
            return;
        }
        let text = catalog_text(kind, header);
        if let Some(expected) = &self.catalog_text {
            verdict.equal("the text in the catalog", &Some(expected.clone()), &text);
        }
        let text = text.unwrap_or_default();
        for unwanted in &self.catalog_text_contains_no {
            verdict.holds(!text.contains(unwanted), || {
                format!("the text in the catalog contains {unwanted:?}: {text:?}")
            });
        }
    }

    fn compare_values(&self, verdict: &mut Verdict, header: &Header, document: &Document) {
        let mut values = vec![header.name.clone(), header.description.clone()];
        let fields = document.fields();
        values.extend(fields.iter().flat_map(|field| texts(&field.value)));
        for unwanted in &self.values_contain_no {
            for value in values.iter().filter(|value| value.contains(unwanted)) {
                verdict.differs(format!("a value contains {unwanted:?}: {value:?}"));
            }
        }
    }
}

/// A pattern of a case. Authors write them for engines that look around, so this one does.
pub(super) struct Pattern(fancy_regex::Regex);

impl Pattern {
    /// Whether the text holds it. One that takes too many steps to find is not found.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text).unwrap_or(false)
    }
}

/// Reads a pattern.
pub(super) fn regex(pattern: &str) -> Result<Pattern, CaseError> {
    fancy_regex::Regex::new(pattern)
        .map(Pattern)
        .map_err(|error| CaseError::Schema(format!("`{pattern}`: {error}")))
}

/// The description as the block shows it to a model.
fn catalog_text(kind: ItemKind, header: &Header) -> Option<String> {
    let item = ItemSummary {
        id: ItemId(Uuid::nil()),
        kind,
        name: safe_folder_name(&header.name),
        description: header.description.clone(),
        state: ItemState::Active,
        pinned: false,
        hidden_from_model: false,
        loads: 0,
        head: RevisionId(Digest::of(b"")),
        tree: Digest::of(b""),
        created_at: Timestamp(0),
        changed_at: Timestamp(0),
        changed_in: LogPosition(0),
    };
    let budget = BlockBudget {
        units: usize::MAX,
        detail: Detail::Descriptions,
    };
    let text = Catalog::new([&item]).block(budget)?;
    let shown = Block::find(&text)?.described.pop()?;
    Some(shown.description)
}

/// A field as a case compares it: texts, lists and maps of texts; lists of tools as lists.
fn normalised(key: &str, value: &yaml::Value) -> Value {
    if matches!(key, "allowed-tools" | "tools")
        && let Some(tools) = parse_tools(value)
    {
        return tools.into();
    }
    match value {
        yaml::Value::Scalar(text) => text.as_str().into(),
        yaml::Value::Sequence(items) => items.iter().map(|item| normalised("", item)).collect(),
        yaml::Value::Mapping(pairs) => pairs
            .iter()
            .map(|(key, value)| (key.clone(), normalised("", value)))
            .collect(),
    }
}

/// An expected value with numbers and booleans as the text that stands for them in YAML.
fn as_text(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.to_string().into(),
        Value::Bool(flag) => flag.to_string().into(),
        Value::Array(items) => items.iter().map(as_text).collect(),
        Value::Object(pairs) => pairs
            .iter()
            .map(|(key, value)| (key.clone(), as_text(value)))
            .collect(),
        Value::Null | Value::String(_) => value.clone(),
    }
}

fn texts(value: &yaml::Value) -> Vec<String> {
    match value {
        yaml::Value::Scalar(text) => vec![text.clone()],
        yaml::Value::Sequence(items) => items.iter().flat_map(texts).collect(),
        yaml::Value::Mapping(pairs) => pairs
            .iter()
            .flat_map(|(key, value)| std::iter::once(key.clone()).chain(texts(value)))
            .collect(),
    }
}

/// Everything that a reading gives out: the values, the expanded fields, the remarks. The text of
/// the file is not counted: it is what came in.
fn output_bytes(header: &Header, document: &Document, diagnostics: &[Diagnostic]) -> usize {
    let fields: usize = document
        .fields()
        .iter()
        .flat_map(|field| texts(&field.value))
        .map(|text| text.len())
        .sum();
    let remarks: usize = diagnostics.iter().map(|one| one.to_string().len()).sum();
    header.name.len() + header.description.len() + fields + remarks
}
