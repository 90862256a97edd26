//! Loading an item by its name: it gives the item's text or, where two kinds have the name, asks
//! for the kind.

use imprint_core::ItemSummary;
use serde::Deserialize;
use serde_json::json;

use super::facts::{Given, each};
use crate::{
    cases::{
        schema::OneOrMore,
        verdict::{CaseError, Verdict, shortened},
    },
    session::{McpSession, ToolAnswer},
};

/// What to load, by its name alone or with what must come.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Get {
    Name(String),
    Item(GetItem),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GetItem {
    name: String,
    kind: Option<String>,
    #[serde(alias = "answer", alias = "expect")]
    result: Option<GetResult>,
    #[serde(alias = "message_names")]
    must_contain: Option<OneOrMore<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GetResult {
    #[serde(alias = "ok")]
    Found,
    #[serde(
        alias = "asks-for-kind",
        alias = "asks-kind",
        alias = "error",
        alias = "refused"
    )]
    Ambiguous,
}

impl Get {
    /// Calls the tool and compares its answer.
    pub(super) fn compare(
        &self,
        verdict: &mut Verdict,
        given: &Given<'_>,
        session: &mut McpSession,
    ) -> Result<(), CaseError> {
        let item = match self {
            Self::Name(name) => GetItem {
                name: name.clone(),
                ..GetItem::default()
            },
            Self::Item(item) => item.clone(),
        };
        let mut arguments = json!({"action": "get", "name": item.name});
        if let Some(kind) = &item.kind {
            arguments["kind"] = kind.as_str().into();
        }
        let answer = session.call("skills", &arguments)?;
        item.judge(verdict, given, &answer);
        Ok(())
    }
}

impl GetItem {
    fn judge(&self, verdict: &mut Verdict, given: &Given<'_>, answer: &ToolAnswer) {
        let listed = given.listed.iter();
        let candidates: Vec<_> = listed.filter(|item| self.may_mean(item)).collect();
        let expected = self.result.unwrap_or(match candidates.len() {
            0 | 1 => GetResult::Found,
            _ => GetResult::Ambiguous,
        });
        let is_ambiguous = expected == GetResult::Ambiguous;
        verdict.equal("get fails", &is_ambiguous, &answer.is_error);
        verdict.holds(!is_ambiguous || candidates.len() > 1, || {
            format!("no two items are called `{}`", self.name)
        });
        for candidate in candidates.into_iter().filter(|_| is_ambiguous) {
            verdict.holds(answer.text.contains(candidate.kind.as_str()), || {
                format!(
                    "get names no {}: {}",
                    candidate.kind,
                    shortened(&answer.text)
                )
            });
        }
        for wanted in each(self.must_contain.as_ref()) {
            verdict.holds(answer.text.contains(wanted), || {
                format!("get doesn't say {wanted:?}: {}", shortened(&answer.text))
            });
        }
    }

    fn may_mean(&self, item: &ItemSummary) -> bool {
        let kind = self.kind.as_deref();
        item.name.as_str() == self.name && kind.is_none_or(|kind| item.kind.as_str() == kind)
    }
}
