//! One request of a case, and what must come back.

use std::{collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Names,
    wire::{self, Incoming, Outgoing},
};
use crate::cases::{
    mcp_stdio::has,
    schema::OneOrMore,
    verdict::{CaseError, Verdict, shortened},
};

/// How long an answer may take where the case does not say.
const PATIENCE: Duration = Duration::from_secs(20);
/// Where the endpoint is.
const PATH: &str = "/mcp";
/// The header in which a session's id comes and goes.
const SESSION: &str = "mcp-session-id";

/// One step. What it does not name itself must be something that is expected.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    #[serde(default = "post")]
    method: String,
    path: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, OneOrMore<String>>,
    #[serde(default)]
    body: Value,
    /// Sent as it stands in place of a body.
    raw_body: Option<String>,
    /// Sent so often in place of a body.
    raw_repeat: Option<Repeated>,
    query: Option<String>,
    /// What is done before the request.
    pub(super) action: Option<Action>,
    /// The step is left out where the server has not given this.
    needs: Option<OneOrMore<String>>,
    /// What is kept of the answer for later steps.
    save: Option<Save>,
    /// Another outcome that is right as well.
    alternative: Option<Box<Alternative>>,
    #[serde(flatten)]
    expected: Map<String, Value>,
}

fn post() -> String {
    "POST".to_owned()
}

/// What a case can do to the server between requests.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Action {
    /// Another process takes the server's place.
    #[serde(alias = "restart-server", alias = "restart_server")]
    Restart,
    /// The key is taken back.
    #[serde(alias = "revoke", alias = "revoke_key")]
    RevokeKey,
}

/// A text many times over.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Repeated {
    /// `raw_body` so often.
    Times(usize),
    Pair(String, usize),
    Named {
        #[serde(
            alias = "chunk",
            alias = "of",
            alias = "unit",
            alias = "char",
            alias = "byte"
        )]
        text: String,
        #[serde(alias = "count", alias = "n", alias = "repeat")]
        times: usize,
        #[serde(default, alias = "before", alias = "head")]
        prefix: String,
        #[serde(default, alias = "after", alias = "tail")]
        suffix: String,
    },
}

/// What is kept of an answer.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Save {
    /// The session's id under this name.
    Session(String),
    /// Under each name the header, or `result.…`, that stands there.
    Named(BTreeMap<String, String>),
}

#[derive(Debug, Deserialize)]
struct Alternative {
    /// In words: what kind of server it is right for.
    #[serde(rename = "when")]
    _when: Option<String>,
    #[serde(flatten)]
    expected: Map<String, Value>,
}

/// What must come back.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    status: Option<OneOrMore<u16>>,
    error: Option<i64>,
    #[serde(default)]
    error_data_has: Map<String, Value>,
    #[serde(default)]
    result_has: Map<String, Value>,
    #[serde(default)]
    header_equals: BTreeMap<String, String>,
    #[serde(default)]
    header_lists: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    header_absent: Vec<String>,
    #[serde(default)]
    response_headers: Vec<String>,
    #[serde(default)]
    if_405_headers: Vec<String>,
    if_200_content_type: Option<String>,
    empty_body: Option<bool>,
    content_type: Option<String>,
    within_ms: Option<u64>,
}

impl Step {
    /// Sends the request and compares what comes back.
    pub(super) fn carry_out(
        &self,
        port: u16,
        names: &mut Names,
        verdict: &mut Verdict,
    ) -> Result<(), CaseError> {
        let needs = self.needs.iter().flat_map(OneOrMore::as_slice);
        if needs.into_iter().any(|name| !names.has(name)) {
            return Ok(());
        }
        let expected = Expected::read(&self.expected)?;
        let within = expected.within_ms.map_or(PATIENCE, Duration::from_millis);
        let answer = match wire::exchange(port, &self.request(names)?, within) {
            Ok(answer) => answer,
            Err(error) => {
                verdict.differs(format!("there was no answer: {error}"));
                return Ok(());
            }
        };
        self.keep(&answer, names);
        let mut own = Verdict::default();
        expected.compare(&answer, names, &mut own);
        if let Some(alternative) = &self.alternative
            && !own.differences.is_empty()
        {
            let mut other = Verdict::default();
            Expected::read(&alternative.expected)?.compare(&answer, names, &mut other);
            if other.differences.is_empty() {
                return Ok(());
            }
        }
        verdict.absorb(&self.method, own);
        Ok(())
    }

    fn request(&self, names: &Names) -> Result<Outgoing, CaseError> {
        let mut target = names.fill(self.path.as_deref().unwrap_or(PATH));
        if let Some(query) = &self.query {
            target.push('?');
            target.push_str(&names.fill(query));
        }
        let headers = self.headers.iter().flat_map(|(name, values)| {
            let values = values.as_slice().iter();
            values.map(|value| (name.clone(), names.fill(value)))
        });
        Ok(Outgoing {
            method: self.method.clone(),
            target,
            headers: headers.collect(),
            body: self.bytes(names)?,
        })
    }

    fn bytes(&self, names: &Names) -> Result<Option<Vec<u8>>, CaseError> {
        let raw = self.raw_body.as_deref().map(|text| names.fill(text));
        let text = match &self.raw_repeat {
            None => raw,
            Some(Repeated::Times(times)) => {
                let missing = || CaseError::Schema("`raw_repeat` repeats no `raw_body`".to_owned());
                Some(raw.ok_or_else(missing)?.repeat(*times))
            }
            Some(Repeated::Pair(text, times)) => Some(text.repeat(*times)),
            Some(Repeated::Named {
                text,
                times,
                prefix,
                suffix,
            }) => Some(format!("{prefix}{}{suffix}", text.repeat(*times))),
        };
        if let Some(text) = text {
            return Ok(Some(text.into_bytes()));
        }
        let body = (!self.body.is_null()).then(|| names.fill_in(&self.body));
        Ok(body.map(|body| body.to_string().into_bytes()))
    }

    fn keep(&self, answer: &Incoming, names: &mut Names) {
        let message = message(answer);
        let mut keep = |name: &str, from: &str| {
            let found = from.strip_prefix("result.").map_or_else(
                || answer.header(&from.trim_start_matches("header:").to_ascii_lowercase()),
                |path| {
                    let path = format!("/result/{}", path.replace('.', "/"));
                    let value = message.as_ref()?.pointer(&path)?;
                    Some(
                        value
                            .as_str()
                            .map_or_else(|| value.to_string(), str::to_owned),
                    )
                },
            );
            if let Some(value) = found {
                names.set(name, value);
            }
        };
        match &self.save {
            None => {}
            Some(Save::Session(name)) => keep(name, SESSION),
            Some(Save::Named(wanted)) => {
                for (name, from) in wanted {
                    keep(name, from);
                }
            }
        }
    }
}

impl Expected {
    fn read(members: &Map<String, Value>) -> Result<Self, CaseError> {
        serde_json::from_value(Value::Object(members.clone()))
            .map_err(|error| CaseError::Schema(format!("a step: {error}")))
    }

    fn compare(&self, answer: &Incoming, names: &Names, verdict: &mut Verdict) {
        self.compare_status(answer, verdict);
        self.compare_headers(answer, names, verdict);
        self.compare_body(answer, names, verdict);
        if let Some(within) = self.within_ms {
            verdict.holds(answer.after.as_millis() <= u128::from(within), || {
                format!("the answer took {:?}", answer.after)
            });
        }
    }

    fn compare_status(&self, answer: &Incoming, verdict: &mut Verdict) {
        let Some(allowed) = &self.status else {
            return;
        };
        verdict.holds(allowed.as_slice().contains(&answer.status), || {
            let body = String::from_utf8_lossy(&answer.body);
            format!(
                "status {}, not {:?}: {}",
                answer.status,
                allowed.as_slice(),
                shortened(&body)
            )
        });
    }

    fn compare_headers(&self, answer: &Incoming, names: &Names, verdict: &mut Verdict) {
        for (name, expected) in &self.header_equals {
            let found = answer.header(&name.to_ascii_lowercase());
            verdict.equal(name, &Some(names.fill(expected)), &found);
        }
        for (name, expected) in &self.header_lists {
            let found = answer
                .header(&name.to_ascii_lowercase())
                .unwrap_or_default();
            let listed: Vec<_> = found
                .split(',')
                .map(|one| one.trim().to_ascii_lowercase())
                .collect();
            for one in expected {
                verdict.holds(listed.contains(&one.to_ascii_lowercase()), || {
                    format!("{name} does not list {one}: {found}")
                });
            }
        }
        for name in &self.header_absent {
            let found = answer.header(&name.to_ascii_lowercase());
            verdict.holds(found.is_none(), || {
                format!("there is a header {name}: {found:?}")
            });
        }
        let on_405 = self.if_405_headers.iter().filter(|_| answer.status == 405);
        for name in self.response_headers.iter().chain(on_405) {
            verdict.holds(answer.header(&name.to_ascii_lowercase()).is_some(), || {
                format!("there is no header {name}")
            });
        }
        let on_200 = self
            .if_200_content_type
            .iter()
            .filter(|_| answer.status == 200);
        for kind in self.content_type.iter().chain(on_200) {
            let found = answer.header("content-type").unwrap_or_default();
            let essence = found.split(';').next().unwrap_or_default().trim();
            verdict.holds(essence.eq_ignore_ascii_case(kind), || {
                format!("content type {found}, not {kind}")
            });
        }
    }

    fn compare_body(&self, answer: &Incoming, names: &Names, verdict: &mut Verdict) {
        if let Some(empty) = self.empty_body {
            verdict.equal("empty body", &empty, &answer.body.is_empty());
        }
        let message = message(answer).unwrap_or_default();
        if self.error.is_some() {
            verdict.equal(
                "error code",
                &self.error,
                &message["error"]["code"].as_i64(),
            );
        }
        for (path, expected) in &self.error_data_has {
            let data = message["error"].get("data");
            has(verdict, "error.data", data, path, &names.fill_in(expected));
        }
        for (path, expected) in &self.result_has {
            let result = message.get("result");
            has(verdict, "result", result, path, &names.fill_in(expected));
        }
    }
}

/// The answer's message: the body, or the data of the last whole event.
fn message(answer: &Incoming) -> Option<Value> {
    if let Ok(message) = serde_json::from_slice(&answer.body) {
        return Some(message);
    }
    let text = String::from_utf8_lossy(&answer.body);
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok())
        .next_back()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(status: u16, kind: &str, body: &str) -> Incoming {
        Incoming {
            status,
            headers: vec![("content-type".to_owned(), kind.to_owned())],
            body: body.as_bytes().to_vec(),
            after: Duration::from_millis(3),
        }
    }

    fn differences(expected: Value, answer: &Incoming) -> Vec<String> {
        let Value::Object(members) = expected else {
            panic!("an object")
        };
        let mut verdict = Verdict::default();
        let expected = Expected::read(&members).unwrap();
        expected.compare(answer, &Names::default(), &mut verdict);
        verdict.differences
    }

    #[test]
    fn bodies_and_events_are_compared_alike() {
        let message = json!({ "id": 1, "result": { "resultType": "complete" } }).to_string();
        let event = format!(": hello\n\nevent: message\ndata: {message}\n\n");
        let expected = json!({ "status": [200, 204], "result_has": { "resultType": "complete" } });
        for one in [
            answer(200, "application/json; charset=utf-8", &message),
            answer(200, "text/event-stream", &event),
        ] {
            assert_eq!(differences(expected.clone(), &one), [""; 0]);
        }
        let wrong = json!({ "status": 400, "error": -32020, "content_type": "text/html",
                            "empty_body": true, "within_ms": 2 });
        let one = answer(200, "application/json", &message);
        assert_eq!(differences(wrong, &one).len(), 5);
    }

    #[test]
    fn what_a_step_says_and_nobody_knows_is_an_error() {
        let members = json!({ "status": 200, "colour": "red" });
        let Value::Object(members) = members else {
            panic!("an object")
        };
        assert!(Expected::read(&members).is_err());
    }

    #[test]
    fn bodies_are_repeated() {
        let step = |value: Value| -> Step { serde_json::from_value(value).unwrap() };
        let bytes = |value: Value| {
            let bytes = step(value).bytes(&Names::default()).unwrap();
            bytes.map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(
            bytes(json!({ "raw_body": "ab", "raw_repeat": 2 })).unwrap(),
            "abab"
        );
        assert_eq!(bytes(json!({ "raw_repeat": ["x", 3] })).unwrap(), "xxx");
        assert_eq!(
            bytes(json!({ "raw_repeat": { "text": "[", "times": 2 } })).unwrap(),
            "[["
        );
        assert_eq!(bytes(json!({ "body": null })), None);
        assert_eq!(bytes(json!({ "body": {} })).unwrap(), "{}");
    }
}
