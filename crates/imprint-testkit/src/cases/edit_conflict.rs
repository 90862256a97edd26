//! `edit_conflict`: two programs edit one item from one reading.

use std::collections::BTreeMap;

use imprint_core::registry::{NewItem, RevisionRef};
use imprint_core::{Author, ItemRef, Registry};
use imprint_format::{Bundle, Document, ItemKind};
use serde::Deserialize;
use serde_json::json;

use super::{
    Run,
    verdict::{CaseError, Verdict, shortened},
};
use crate::session::{McpSession, ToolAnswer};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditConflictSpec {
    steps: Vec<Step>,
    final_body: Option<String>,
    #[serde(default)]
    history_contains: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Which program.
    by: String,
    op: StepOp,
    /// What this reading is called.
    #[serde(rename = "as")]
    label: Option<String>,
    /// The reading that the edit starts from.
    base: Option<String>,
    text: Option<String>,
    result: Option<StepResult>,
    answer_names_current_version: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StepOp {
    Read,
    SetBody,
    SetDescription,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StepResult {
    Written,
    Unchanged,
    #[serde(alias = "refused")]
    RefusedStale,
}

pub(super) fn run(spec: &EditConflictSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let registry = run.sandbox.registry();
    let item = run.block_on(create(&registry, run))?;
    let mut programs = Programs {
        run,
        item: &item,
        sessions: BTreeMap::new(),
        readings: BTreeMap::new(),
    };
    for (at, step) in spec.steps.iter().enumerate() {
        let mut of_step = Verdict::default();
        programs.take(&mut of_step, step, &registry)?;
        verdict.absorb(&format!("step {}", at + 1), of_step);
    }
    run.block_on(spec.compare(&mut verdict, &registry, &item))?;
    Ok(verdict)
}

async fn create(registry: &Registry, run: &Run<'_>) -> Result<ItemRef, CaseError> {
    let file = run.sandbox.work().join("SKILL.md");
    let text = std::fs::read_to_string(&file).map_err(CaseError::at(&file))?;
    let bundle = Bundle::of_entry(ItemKind::Skill, &text).map_err(CaseError::product)?;
    let new = NewItem::Files { bundle, name: None };
    let item = registry.create(&Author::User, new).await;
    let item = item.map_err(CaseError::product)?;
    Ok(ItemRef {
        kind: Some(item.kind),
        name: item.name.to_string(),
    })
}

/// The programs, each a server process of its own on the same registry.
struct Programs<'a> {
    run: &'a Run<'a>,
    item: &'a ItemRef,
    sessions: BTreeMap<String, McpSession>,
    /// The revision of each reading, as the product named it.
    readings: BTreeMap<String, String>,
}

impl Programs<'_> {
    fn take(
        &mut self,
        verdict: &mut Verdict,
        step: &Step,
        registry: &Registry,
    ) -> Result<(), CaseError> {
        match step.op {
            StepOp::Read => self.read(step),
            StepOp::SetBody => self.edit(verdict, step, "instructions", registry),
            StepOp::SetDescription => self.edit(verdict, step, "description", registry),
        }
    }

    fn session(&mut self, by: &str) -> Result<&mut McpSession, CaseError> {
        if !self.sessions.contains_key(by) {
            let mut command = self.run.command();
            command.arg("mcp");
            let mut session = McpSession::start(command)?;
            session.initialize("case-client", "1")?;
            self.sessions.insert(by.to_owned(), session);
        }
        self.sessions
            .get_mut(by)
            .ok_or_else(|| CaseError::Schema(format!("there is no program `{by}`")))
    }

    fn read(&mut self, step: &Step) -> Result<(), CaseError> {
        let arguments = json!({"action": "get", "name": self.item.name});
        let answer = self.session(&step.by)?.call("skills", &arguments)?;
        let revision = revision_in(&answer).ok_or_else(|| {
            CaseError::Product(format!("no revision in {}", shortened(&answer.text)))
        })?;
        if let Some(label) = &step.label {
            self.readings.insert(label.clone(), revision);
        }
        Ok(())
    }

    fn edit(
        &mut self,
        verdict: &mut Verdict,
        step: &Step,
        field: &str,
        registry: &Registry,
    ) -> Result<(), CaseError> {
        let mut arguments = json!({"action": "edit", "name": self.item.name});
        arguments[field] = step.text.as_deref().unwrap_or_default().into();
        if let Some(base) = &step.base {
            let revision = self
                .readings
                .get(base)
                .ok_or_else(|| CaseError::Schema(format!("no reading is called `{base}`")))?;
            arguments["expected_revision"] = revision.as_str().into();
        }
        let before = self.head(registry)?;
        let answer = self.session(&step.by)?.call("skill_edit", &arguments)?;
        let after = self.head(registry)?;
        let result = match (answer.is_error, before == after) {
            (true, _) => StepResult::RefusedStale,
            (false, true) => StepResult::Unchanged,
            (false, false) => StepResult::Written,
        };
        if let Some(expected) = step.result {
            verdict.holds(expected == result, || {
                format!("expected {expected:?}: {}", shortened(&answer.text))
            });
        }
        verdict.holds(!answer.is_error || before == after, || {
            "the refused edit was made all the same".to_owned()
        });
        if let Some(expected) = step.answer_names_current_version {
            let names = answer.text.contains(&after);
            verdict.holds(names == expected, || {
                format!(
                    "the answer names {after}: {names}; {}",
                    shortened(&answer.text)
                )
            });
        }
        Ok(())
    }

    /// The current revision, as people are told it.
    fn head(&self, registry: &Registry) -> Result<String, CaseError> {
        let item = self.run.block_on(registry.resolve(self.item, &[]));
        Ok(item.map_err(CaseError::product)?.head.short())
    }
}

/// The revision that an answer names: in its structured part, else as `revision …` in its text.
fn revision_in(answer: &ToolAnswer) -> Option<String> {
    if let Some(structured) = &answer.structured
        && let Some(revision) = structured["revision"].as_str()
    {
        return Some(revision.to_owned());
    }
    let at = answer.text.to_ascii_lowercase().find("revision")?;
    let rest = answer.text[at + "revision".len()..].trim_start_matches([' ', ':', '=', '`', '"']);
    let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    (digits.len() >= 4).then_some(digits)
}

impl EditConflictSpec {
    async fn compare(
        &self,
        verdict: &mut Verdict,
        registry: &Registry,
        item: &ItemRef,
    ) -> Result<(), CaseError> {
        let history = registry.history(item, 0, 1_000).await;
        let history = history.map_err(CaseError::product)?;
        let mut bodies = Vec::new();
        for revision in &history {
            let revision = RevisionRef::Prefix(revision.id.to_string());
            let snapshot = registry.snapshot(item, &revision).await;
            let snapshot = snapshot.map_err(CaseError::product)?;
            bodies.push(body_of(&snapshot.bundle)?);
        }
        if let Some(expected) = &self.final_body {
            let last = bodies.first().map(String::as_str);
            verdict.equal("the body", &Some(expected.trim()), &last);
        }
        for expected in &self.history_contains {
            verdict.holds(bodies.iter().any(|body| body == expected.trim()), || {
                format!("no revision holds {expected:?}")
            });
        }
        Ok(())
    }
}

fn body_of(bundle: &Bundle) -> Result<String, CaseError> {
    let reading = Document::read(&bundle.entry().bytes);
    let document = reading.value.ok_or_else(|| {
        CaseError::Product(format!(
            "a revision can't be read: {:?}",
            reading.diagnostics
        ))
    })?;
    Ok(document.body().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_found_in_text_or_structure() {
        let mut answer = ToolAnswer {
            is_error: false,
            text: "skill `a`, revision 0123456789ab\n\nText.".to_owned(),
            structured: None,
        };
        assert_eq!(revision_in(&answer).as_deref(), Some("0123456789ab"));
        answer.text = "A revision of the plan.".to_owned();
        assert_eq!(revision_in(&answer), None);
        answer.structured = Some(json!({"revision": "abcd"}));
        assert_eq!(revision_in(&answer).as_deref(), Some("abcd"));
    }
}
