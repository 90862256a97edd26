//! `persona`: one agent file, as other tools keep them.

use std::{fs, path::Path};

use imprint_format::{Bundle, ItemKind, read_header, validate};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Run, diagnostics,
    item::{ItemFacts, ItemReading},
    schema::Case,
    setup::below,
    verdict::{CaseError, Verdict},
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(super) struct PersonaSpec {
    own: PersonaFacts,
    facts: ItemFacts,
}

/// The keys that skills don't have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonaFacts {
    file: String,
    #[serde(default)]
    tools: ExpectedTools,
    model: Option<String>,
    color: Option<String>,
}

/// The tools; a `null` says something here.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Option<Vec<String>>")]
enum ExpectedTools {
    #[default]
    NotAsserted,
    /// Whatever the client allows, which is not the same as none.
    Omitted,
    Listed(Vec<String>),
}

impl From<Option<Vec<String>>> for ExpectedTools {
    fn from(tools: Option<Vec<String>>) -> Self {
        tools.map_or(Self::Omitted, Self::Listed)
    }
}

impl TryFrom<Map<String, Value>> for PersonaSpec {
    type Error = serde_json::Error;

    fn try_from(keys: Map<String, Value>) -> Result<Self, Self::Error> {
        let is_own = |key: &str| matches!(key, "file" | "tools" | "model" | "color");
        let (own, facts): (Map<_, _>, Map<_, _>) =
            keys.into_iter().partition(|(key, _)| is_own(key));
        Ok(Self {
            own: serde_json::from_value(Value::Object(own))?,
            facts: serde_json::from_value(Value::Object(facts))?,
        })
    }
}

pub(super) fn run(case: &Case, spec: &PersonaSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let file = below(&run.sandbox.work(), &spec.own.file)?;
    let reading = read(&file)?;
    diagnostics::compare(&mut verdict, &case.diagnostics, &reading.diagnostics);
    spec.facts.compare(&mut verdict, &reading)?;
    spec.own.compare(&mut verdict, &reading);
    Ok(verdict)
}

/// Reads the file as an import does.
fn read(file: &Path) -> Result<ItemReading, CaseError> {
    let bytes = fs::read(file).map_err(CaseError::at(file))?;
    let kind = ItemKind::Persona;
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let reading = read_header(kind, stem, &bytes);
    // A persona's name need not be its file's: it gets a folder of its own when it is kept.
    let accepted = std::str::from_utf8(&bytes).is_ok_and(|text| {
        Bundle::of_entry(kind, text).is_ok() && validate(kind, None, &bytes).is_ok()
    });
    Ok(ItemReading {
        kind,
        value: reading.value,
        diagnostics: reading.diagnostics,
        accepted,
    })
}

impl PersonaFacts {
    fn compare(&self, verdict: &mut Verdict, reading: &ItemReading) {
        let header = reading.value.as_ref().map(|(header, _)| header);
        let tools = header.and_then(|header| header.tools.as_ref());
        match &self.tools {
            ExpectedTools::NotAsserted => {}
            ExpectedTools::Omitted => verdict.equal("tools", &None, &tools),
            ExpectedTools::Listed(expected) => verdict.equal("tools", &Some(expected), &tools),
        }
        if self.model.is_some() {
            let actual = header.and_then(|header| header.model.clone());
            verdict.equal("model", &self.model, &actual);
        }
        if self.color.is_some() {
            let actual = header.and_then(|header| header.color.clone());
            verdict.equal("color", &self.color, &actual);
        }
    }
}
