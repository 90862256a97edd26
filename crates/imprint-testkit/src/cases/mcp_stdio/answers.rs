//! Comparing the server's answers with those that a case expects.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::cases::{
    item::regex,
    schema::OneOrMore,
    verdict::{CaseError, Verdict, shortened},
};

/// One answer that must come. Answers may come in any order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedAnswer {
    /// With type and value; `null`: null or absent.
    #[serde(default)]
    id: Value,
    /// `true`: a result, whatever it is; `false`: none; else this result.
    result: Option<Value>,
    #[serde(default)]
    result_has: Map<String, Value>,
    error: Option<i64>,
    #[serde(default)]
    error_any_of: Vec<i64>,
    #[serde(default)]
    error_data_has: Map<String, Value>,
    /// A protocol error, or a result that says that the tool failed.
    failed: Option<bool>,
    message_names: Option<OneOrMore<String>>,
    tool_names_match: Option<String>,
    tool_description_max_chars: Option<usize>,
}

impl ExpectedAnswer {
    /// The id that the answer must have.
    pub(super) fn id(&self) -> &Value {
        &self.id
    }

    /// Whether this is the answer that is meant.
    pub(super) fn is_for(&self, answer: &Value) -> bool {
        answer["id"] == self.id
    }

    /// Compares the answer; `max_description` is what the whole case allows.
    pub(super) fn compare(
        &self,
        verdict: &mut Verdict,
        answer: &Value,
        max_description: Option<usize>,
    ) -> Result<(), CaseError> {
        let mut own = Verdict::default();
        self.compare_result(&mut own, answer);
        self.compare_error(&mut own, answer);
        self.compare_failure(&mut own, answer);
        self.compare_tools(&mut own, answer, max_description)?;
        verdict.absorb(&format!("answer {}", self.id), own);
        Ok(())
    }

    fn compare_result(&self, verdict: &mut Verdict, answer: &Value) {
        let result = answer.get("result");
        match &self.result {
            None => {}
            Some(Value::Bool(expected)) => verdict.holds(result.is_some() == *expected, || {
                format!("unexpected: {}", shortened(&answer.to_string()))
            }),
            Some(expected) => verdict.equal("result", &Some(expected), &result),
        }
        for (path, expected) in &self.result_has {
            has(verdict, "result", result, path, expected);
        }
    }

    fn compare_error(&self, verdict: &mut Verdict, answer: &Value) {
        let code = answer["error"]["code"].as_i64();
        if self.error.is_some() {
            verdict.equal("error code", &self.error, &code);
        }
        if !self.error_any_of.is_empty() {
            let allowed = code.is_some_and(|code| self.error_any_of.contains(&code));
            verdict.holds(allowed, || {
                format!("error code {code:?}, not one of {:?}", self.error_any_of)
            });
        }
        for (path, expected) in &self.error_data_has {
            let data = answer["error"].get("data");
            has(verdict, "error.data", data, path, expected);
        }
    }

    fn compare_failure(&self, verdict: &mut Verdict, answer: &Value) {
        let failed = answer.get("error").is_some() || answer["result"]["isError"] == true;
        if let Some(expected) = self.failed {
            verdict.equal("failed", &expected, &failed);
        }
        let message = message_of(answer);
        for name in self.message_names.iter().flat_map(OneOrMore::as_slice) {
            verdict.holds(message.contains(name.as_str()), || {
                format!("the message doesn't name {name:?}: {}", shortened(&message))
            });
        }
    }

    fn compare_tools(
        &self,
        verdict: &mut Verdict,
        answer: &Value,
        max_description: Option<usize>,
    ) -> Result<(), CaseError> {
        let tools = answer["result"]["tools"].as_array();
        let pattern = self.tool_names_match.as_deref().map(regex).transpose()?;
        verdict.holds(pattern.is_none() || tools.is_some(), || {
            "there are no tools".to_owned()
        });
        let max_description = self.tool_description_max_chars.or(max_description);
        for tool in tools.into_iter().flatten() {
            let name = tool["name"].as_str().unwrap_or_default();
            if let Some(pattern) = &pattern {
                verdict.holds(pattern.is_match(name), || {
                    format!("the tool's name {name:?} doesn't match")
                });
            }
            let units = tool["description"].as_str().map_or(0, |description| {
                description.chars().map(char::len_utf16).sum::<usize>()
            });
            verdict.holds(max_description.is_none_or(|max| units <= max), || {
                format!("the description of `{name}` has {units} characters")
            });
        }
        Ok(())
    }
}

/// Answers that the case does not list.
#[derive(Debug)]
pub(super) struct Unlisted<'a> {
    pub(super) error_codes: &'a [i64],
    pub(super) count: Option<usize>,
    pub(super) ids: &'a [Value],
}

impl Unlisted<'_> {
    /// There may be none.
    pub(super) fn forbid(verdict: &mut Verdict, left: &[&Value]) {
        for answer in left {
            verdict.differs(format!(
                "unlisted answer {}",
                shortened(&answer.to_string())
            ));
        }
    }

    /// Errors with the given codes, as many as are given.
    pub(super) fn allow_errors(&self, verdict: &mut Verdict, left: &[&Value]) {
        for answer in left {
            let code = answer["error"]["code"].as_i64();
            let allowed = code.is_some_and(|code| {
                self.error_codes.is_empty() || self.error_codes.contains(&code)
            });
            verdict.holds(allowed, || {
                format!("unlisted answer {}", shortened(&answer.to_string()))
            });
        }
        self.check_count(verdict, left);
    }

    /// Any answer to one of the given ids.
    pub(super) fn allow_ids(&self, verdict: &mut Verdict, left: &[&Value]) {
        for answer in left {
            verdict.holds(self.ids.contains(&answer["id"]), || {
                format!("unlisted answer {}", shortened(&answer.to_string()))
            });
        }
        self.check_count(verdict, left);
    }

    /// As many as are given.
    pub(super) fn check_count(&self, verdict: &mut Verdict, left: &[&Value]) {
        if let Some(count) = self.count {
            verdict.equal("number of unlisted answers", &count, &left.len());
        }
    }
}

/// Everything in an answer that tells a model what went wrong.
fn message_of(answer: &Value) -> String {
    let error = answer["error"]["message"].as_str().map(str::to_owned);
    let texts = answer["result"]["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|block| block["text"].as_str().map(str::to_owned));
    error
        .into_iter()
        .chain(texts)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a value has something at a dotted path: `*` stands for anything, `contains:x` for a
/// list with `x` in it.
pub(in crate::cases) fn has(
    verdict: &mut Verdict,
    what: &str,
    value: Option<&Value>,
    path: &str,
    expected: &Value,
) {
    let actual = value.and_then(|value| at(value, path));
    let holds = match (expected.as_str(), actual) {
        (_, None) => false,
        (Some("*"), Some(actual)) => !actual.is_null(),
        (Some(text), Some(actual)) if text.starts_with("contains:") => {
            let wanted = &text["contains:".len()..];
            actual
                .as_array()
                .is_some_and(|items| items.iter().any(|item| is_text(item, wanted)))
        }
        (_, Some(actual)) => actual == expected,
    };
    verdict.holds(holds, || {
        let actual = actual.map_or_else(|| "nothing".to_owned(), Value::to_string);
        format!(
            "{what}.{path}: expected {expected}, got {}",
            shortened(&actual)
        )
    });
}

fn is_text(value: &Value, text: &str) -> bool {
    value
        .as_str()
        .map_or_else(|| *value == *text, |value| value == text)
}

/// The value at a dotted path. A key may itself hold dots: the longest one that exists is taken.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if let Some(found) = member(value, path) {
        return Some(found);
    }
    path.rmatch_indices('.').find_map(|(dot, _)| {
        let inner = member(value, &path[..dot])?;
        at(inner, &path[dot + 1..])
    })
}

fn member<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        _ => value.get(key),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differences(expected: Value, answer: &Value) -> Vec<String> {
        let expected: ExpectedAnswer = serde_json::from_value(expected).unwrap();
        let mut verdict = Verdict::default();
        expected.compare(&mut verdict, answer, None).unwrap();
        verdict.differences
    }

    #[test]
    fn paths_reach_into_results_even_through_keys_with_dots() {
        let result = json!({"a": {"b": [1, "x"]}, "_meta": {"io.x/y": {"name": "n"}}});
        assert_eq!(at(&result, "a.b.1"), Some(&json!("x")));
        assert_eq!(at(&result, "_meta.io.x/y.name"), Some(&json!("n")));
        assert_eq!(at(&result, "a.c"), None);
        let answer = json!({"id": 1, "result": result});
        let all = json!({"id": 1, "result_has": {"a": "*", "a.b": "contains:x", "a.b.0": 1}});
        assert_eq!(differences(all, &answer), Vec::<String>::new());
        let none = json!({"id": 1, "result_has": {"c": "*", "a.b": "contains:y", "a.b.0": "1"}});
        assert_eq!(differences(none, &answer).len(), 3);
    }

    #[test]
    fn ids_keep_type_and_value() {
        let expected =
            |id: Value| -> ExpectedAnswer { serde_json::from_value(json!({"id": id})).unwrap() };
        assert!(expected(json!(7)).is_for(&json!({"id": 7})));
        assert!(!expected(json!(7)).is_for(&json!({"id": "7"})));
        let big = 9_007_199_254_740_993_u64;
        assert!(!expected(json!(big)).is_for(&json!({"id": big - 1})));
        assert!(expected(Value::Null).is_for(&json!({"error": {}})));
        assert!(expected(Value::Null).is_for(&json!({"id": null})));
    }

    #[test]
    fn failures_are_protocol_errors_or_the_tools_own() {
        let wanted = json!({"id": 1, "failed": true, "message_names": ["tidy", "kind"]});
        let tool = json!({"id": 1, "result": {"isError": true,
            "content": [{"type": "text", "text": "name the kind of `tidy`"}]}});
        let protocol = json!({"id": 1, "error": {"code": -32602, "message": "tidy: which kind?"}});
        assert_eq!(differences(wanted.clone(), &tool), Vec::<String>::new());
        assert_eq!(differences(wanted.clone(), &protocol), Vec::<String>::new());
        assert_eq!(
            differences(wanted, &json!({"id": 1, "result": {}})).len(),
            3
        );
    }

    #[test]
    fn unlisted_answers_are_told() {
        let answer = json!({"id": 9, "error": {"code": -32600}});
        let unlisted = Unlisted {
            error_codes: &[-32600],
            count: Some(2),
            ids: &[json!(9)],
        };
        let count = |check: &dyn Fn(&mut Verdict)| {
            let mut verdict = Verdict::default();
            check(&mut verdict);
            verdict.differences.len()
        };
        assert_eq!(count(&|v| Unlisted::forbid(v, &[&answer])), 1);
        assert_eq!(
            count(&|v| unlisted.allow_errors(v, &[&answer])),
            1,
            "the count"
        );
        assert_eq!(count(&|v| unlisted.allow_ids(v, &[&answer, &answer])), 0);
    }
}
