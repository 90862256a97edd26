//! `mcp_stdio`: bytes into `imprint mcp`, lines out.

mod answers;
mod traffic;

use std::time::{Duration, Instant};

use imprint_core::ItemFilter;
use serde::Deserialize;
use serde_json::Value;

pub(super) use self::answers::has;
use self::{
    answers::{ExpectedAnswer, Unlisted},
    traffic::{Generated, WritePlan},
};
use super::{
    Run,
    schema::{Case, OneOrMore},
    verdict::{CaseError, Verdict, shortened},
};
use crate::{product::peak_memory_kib, session::McpSession};

/// How long the answers may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long it must be quiet after the last expected answer, so that one too many is seen.
const QUIET: Duration = Duration::from_millis(150);
/// The id of the ping that shows that the server is alive.
const PING_ID: &str = "case-driver-ping";

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpStdioSpec {
    #[serde(default)]
    answers: Vec<ExpectedAnswer>,
    unlisted_answers: Option<UnlistedAnswers>,
    #[serde(default)]
    unlisted_error_codes: Vec<i64>,
    unlisted_count: Option<usize>,
    #[serde(default)]
    unlisted_ids: Vec<Value>,
    #[serde(default)]
    stdout_only_json: bool,
    #[serde(default)]
    alive_after: bool,
    #[serde(default)]
    output_is_valid_utf8: bool,
    #[serde(default)]
    write_plan: WritePlan,
    /// Microseconds between writes; also in the write plan.
    pause_us: Option<u64>,
    /// Pads the last request of the input; also in a generated one.
    params_padding_bytes: Option<usize>,
    generate_after: Option<OneOrMore<Generated>>,
    exit: Option<Exit>,
    state_after: Option<StateAfter>,
    /// Also in the state.
    #[serde(default)]
    items_absent: Vec<String>,
    tool_description_max_chars: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum UnlistedAnswers {
    Forbidden,
    OnlyErrors,
    AllowedForIds,
}

/// How the process ends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exit {
    /// When its input is closed; else by itself.
    #[serde(default = "when_closed")]
    on_eof: bool,
    code: Option<i32>,
    within_ms: Option<u64>,
}

const fn when_closed() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateAfter {
    #[serde(default)]
    items_absent: Vec<String>,
}

/// What the server said.
#[derive(Debug, Default)]
struct Heard {
    lines: Vec<Vec<u8>>,
    answers: Vec<Value>,
    ping_answered: bool,
}

pub(super) fn run(case: &Case, spec: &McpStdioSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let mut command = run.command();
    command.arg("mcp");
    let mut session = McpSession::start(command)?;
    let bytes = spec.traffic(run)?;
    let mut heard = Heard::default();
    spec.write_plan.send(&mut session, &bytes, spec.pause_us)?;
    heard.listen(&mut session, spec, &mut verdict)?;
    if let Some(limit) = case.limits.max_extra_mib {
        check_memory(&mut verdict, run, &session, limit)?;
    }
    spec.end(&mut verdict, session, &mut heard)?;
    spec.check_output(&mut verdict, &heard);
    spec.check_answers(&mut verdict, &heard)?;
    spec.check_state(&mut verdict, run)?;
    Ok(verdict)
}

impl McpStdioSpec {
    fn traffic(&self, run: &Run<'_>) -> Result<Vec<u8>, CaseError> {
        let file = run.sandbox.work().join("client.jsonl");
        let mut bytes = std::fs::read(&file).map_err(CaseError::at(&file))?;
        if let Some(padding) = self.params_padding_bytes
            && self.generate_after.is_none()
        {
            bytes = traffic::pad_last_request(&bytes, padding)?;
        }
        for request in self.generate_after.iter().flat_map(OneOrMore::as_slice) {
            request.append(&mut bytes, self.params_padding_bytes);
        }
        Ok(bytes)
    }

    /// How many answers must come before it is worth to stop waiting.
    fn awaited(&self) -> usize {
        self.answers.len() + self.unlisted_count.unwrap_or_default()
    }

    fn end(
        &self,
        verdict: &mut Verdict,
        mut session: McpSession,
        heard: &mut Heard,
    ) -> Result<(), CaseError> {
        let exit = self.exit.as_ref();
        if let Some(exit) = exit.filter(|exit| !exit.on_eof) {
            let within = Duration::from_millis(exit.within_ms.unwrap_or(2_000));
            let start = Instant::now();
            while !session.has_ended()? && start.elapsed() < within {
                std::thread::sleep(Duration::from_millis(5));
            }
            verdict.holds(session.has_ended()?, || {
                "the server did not end by itself".to_owned()
            });
        }
        let within = exit.and_then(|exit| exit.within_ms).unwrap_or(5_000);
        let Some(ended) = session.close(Duration::from_millis(within))? else {
            verdict.differs(format!(
                "the server did not end within {within} ms after the end of its input"
            ));
            return Ok(());
        };
        for line in ended.lines {
            heard.take(line);
        }
        verdict.output_bytes += ended.log.len();
        if let Some(code) = exit.and_then(|exit| exit.code) {
            verdict.equal("exit code", &Some(code), &ended.status.code());
        }
        if self.output_is_valid_utf8 {
            verdict.holds(std::str::from_utf8(&ended.log).is_ok(), || {
                "the log is not UTF-8".to_owned()
            });
        }
        Ok(())
    }

    fn check_output(&self, verdict: &mut Verdict, heard: &Heard) {
        for line in &heard.lines {
            verdict.output_bytes += line.len();
            if self.output_is_valid_utf8 {
                verdict.holds(std::str::from_utf8(line).is_ok(), || {
                    "a line on stdout is not UTF-8".to_owned()
                });
            }
            if self.stdout_only_json {
                let message = serde_json::from_slice::<Value>(line);
                let is_message = message.is_ok_and(|message| message["jsonrpc"] == "2.0")
                    && line.ends_with(b"\n");
                verdict.holds(is_message, || {
                    let line = String::from_utf8_lossy(line);
                    format!("a line on stdout is no message: {}", shortened(&line))
                });
            }
        }
        if self.alive_after {
            verdict.holds(heard.ping_answered, || {
                "the ping afterwards was not answered".to_owned()
            });
        }
    }

    fn check_answers(&self, verdict: &mut Verdict, heard: &Heard) -> Result<(), CaseError> {
        let mut left: Vec<&Value> = heard.answers.iter().collect();
        for expected in &self.answers {
            let Some(at) = left.iter().position(|answer| expected.is_for(answer)) else {
                verdict.differs(format!("no answer with id {}", expected.id()));
                continue;
            };
            expected.compare(verdict, left.remove(at), self.tool_description_max_chars)?;
        }
        let unlisted = Unlisted {
            error_codes: &self.unlisted_error_codes,
            count: self.unlisted_count,
            ids: &self.unlisted_ids,
        };
        match self.unlisted_answers {
            None => unlisted.check_count(verdict, &left),
            Some(UnlistedAnswers::Forbidden) => Unlisted::forbid(verdict, &left),
            Some(UnlistedAnswers::OnlyErrors) => unlisted.allow_errors(verdict, &left),
            Some(UnlistedAnswers::AllowedForIds) => unlisted.allow_ids(verdict, &left),
        }
        Ok(())
    }

    fn check_state(&self, verdict: &mut Verdict, run: &Run<'_>) -> Result<(), CaseError> {
        let state = self.state_after.iter();
        let absent = state.flat_map(|state| &state.items_absent);
        let registry = run.sandbox.registry();
        for name in absent.chain(&self.items_absent) {
            let filter = ItemFilter {
                name: Some(name.clone()),
                ..ItemFilter::default()
            };
            let found = run.block_on(registry.store().items(registry.owner(), &filter))?;
            verdict.holds(found.is_empty(), || format!("there is an item `{name}`"));
        }
        Ok(())
    }
}

impl Heard {
    fn take(&mut self, line: Vec<u8>) {
        if let Ok(message) = serde_json::from_slice::<Value>(&line)
            && message.get("method").is_none()
        {
            if message["id"] == PING_ID {
                self.ping_answered = true;
            } else {
                self.answers.push(message);
            }
        }
        self.lines.push(line);
    }

    /// Waits for as many answers as are expected, then for the one to a ping, then until it is
    /// quiet.
    fn listen(
        &mut self,
        session: &mut McpSession,
        spec: &McpStdioSpec,
        verdict: &mut Verdict,
    ) -> Result<(), CaseError> {
        let deadline = Instant::now() + PATIENCE;
        self.listen_until(session, deadline, |heard| {
            heard.answers.len() >= spec.awaited()
        });
        if spec.alive_after {
            let ping =
                format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{PING_ID}\",\"method\":\"ping\"}}\n");
            let open = session.send(ping.as_bytes())?;
            verdict.holds(open, || "the server has closed its input".to_owned());
            let deadline = Instant::now() + PATIENCE;
            self.listen_until(session, deadline, |heard| heard.ping_answered);
        }
        self.listen_until(session, Instant::now() + QUIET, |_| false);
        Ok(())
    }

    fn listen_until(
        &mut self,
        session: &mut McpSession,
        deadline: Instant,
        is_enough: impl Fn(&Self) -> bool,
    ) {
        while !is_enough(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match session.next_line(left) {
                Some(line) => self.take(line),
                None => break,
            }
        }
    }
}

/// The peak of a server that was asked for nothing but a ping is the empty run.
fn check_memory(
    verdict: &mut Verdict,
    run: &Run<'_>,
    session: &McpSession,
    max_extra_mib: u64,
) -> Result<(), CaseError> {
    let peak = peak_memory_kib(session.process());
    let mut command = run.command();
    command.arg("mcp");
    let mut empty = McpSession::start(command)?;
    empty.request("ping", &Value::Null)?;
    if let (Some(peak), Some(base)) = (peak, peak_memory_kib(empty.process())) {
        let extra = peak.saturating_sub(base);
        verdict.holds(extra <= max_extra_mib * 1_024, || {
            format!("it took {extra} KiB more than an empty run")
        });
    }
    Ok(())
}
