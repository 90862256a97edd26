//! `mcp_http`: requests to `imprint serve`, answers of HTTP and of the protocol.

mod server;
mod step;
mod wire;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use self::{
    server::Server,
    step::{Action, Step},
};
use super::{
    Run,
    verdict::{CaseError, Verdict},
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpHttpSpec {
    server: ServerSpec,
    steps: Vec<Step>,
    #[serde(default)]
    logs_must_not_contain: Vec<String>,
}

/// How the server is started.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerSpec {
    bind: Bind,
    auth: Auth,
    #[serde(default)]
    allowed_origins: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum Bind {
    #[serde(rename = "127.0.0.1")]
    Loopback,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Auth {
    Bearer,
}

/// What stands for `{name}` in a case.
#[derive(Debug, Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn set(&mut self, name: &str, value: String) {
        self.0.insert(name.to_owned(), value);
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text with what is known filled in.
    fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    }

    fn fill_in(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(values) => values.iter().map(|value| self.fill_in(value)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), self.fill_in(value)))
                .collect(),
            other => other.clone(),
        }
    }
}

pub(super) fn run(spec: &McpHttpSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let ServerSpec {
        bind: Bind::Loopback,
        auth: Auth::Bearer,
        allowed_origins,
    } = &spec.server;
    let mut verdict = Verdict::default();
    let mut names = Names::default();
    names.set("key", server::make_key(run)?);
    let mut server = Server::start(run, allowed_origins)?;
    names.set("port", server.port().to_string());
    for (index, step) in spec.steps.iter().enumerate() {
        let mut own = Verdict::default();
        if let Some(action) = step.action {
            match action {
                Action::Restart => server.restart(run)?,
                Action::RevokeKey => server::revoke_key(run)?,
            }
        }
        step.carry_out(server.port(), &mut names, &mut own)?;
        verdict.absorb(&format!("step {index}"), own);
    }
    let log = server.stop()?;
    verdict.output_bytes += log.len();
    let log = String::from_utf8_lossy(&log);
    for text in &spec.logs_must_not_contain {
        let text = names.fill(text);
        verdict.holds(!log.contains(&text), || {
            "what must not be in the log is there".to_owned()
        });
    }
    Ok(verdict)
}
