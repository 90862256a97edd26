//! A plain MCP client over the standard input and output of a process: bytes in, lines out.

use std::{
    collections::VecDeque,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// How long one answer may take. Far more than any takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// One running server and the pipe to it. Dropping it ends the process.
#[derive(Debug)]
pub struct McpSession {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    early: VecDeque<Value>,
    log: Option<JoinHandle<Vec<u8>>>,
    next_id: u64,
}

/// Why a session can't go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The process can't be started, or its pipe is broken.
    #[error("can't talk to the server: {0}")]
    Io(#[from] io::Error),
    /// No answer came.
    #[error("no answer to `{0}` within {PATIENCE:?}")]
    Silence(String),
    /// The server ended.
    #[error("the server ended before it answered `{0}`")]
    Ended(String),
    /// What came is no answer of the protocol.
    #[error("unexpected answer: {0}")]
    Unexpected(String),
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// All text of the answer, blocks joined by line ends.
    pub text: String,
    /// The structured part.
    pub structured: Option<Value>,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// How long it took from the end of its input.
    pub after: Duration,
    /// Lines that it still wrote.
    pub lines: Vec<Vec<u8>>,
    /// All that it logged.
    pub log: Vec<u8>,
}

impl McpSession {
    /// Starts a server.
    pub fn start(mut command: Command) -> Result<Self, SessionError> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the pipes are missing").into());
        };
        let (send, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                if send.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        let log = thread::spawn(move || {
            let mut log = Vec::new();
            let mut errors = errors;
            let _ = errors.read_to_end(&mut log);
            log
        });
        Ok(Self {
            child,
            input: Some(input),
            lines,
            early: VecDeque::new(),
            log: Some(log),
            next_id: 1,
        })
    }

    /// Sends bytes as they stand. `Ok(false)`: the server has closed its input.
    pub fn send(&mut self, bytes: &[u8]) -> Result<bool, SessionError> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        match input.write_all(bytes).and_then(|()| input.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            result => Ok(result.map(|()| true)?),
        }
    }

    /// Sends one message.
    pub fn send_message(&mut self, message: &Value) -> Result<(), SessionError> {
        self.send(format!("{message}\n").as_bytes())?;
        Ok(())
    }

    /// The next line that the server writes, its end included; `None` when none comes in time or
    /// the server has ended.
    pub fn next_line(&mut self, within: Duration) -> Option<Vec<u8>> {
        self.lines.recv_timeout(within).ok()
    }

    /// Sends a request and waits for its answer, result or error.
    pub fn request(&mut self, method: &str, params: &Value) -> Result<Value, SessionError> {
        let id = self.next_id;
        self.next_id += 1;
        self.send_message(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
        )?;
        self.answer_to(&json!(id), method)
    }

    fn answer_to(&mut self, id: &Value, method: &str) -> Result<Value, SessionError> {
        if let Some(at) = self.early.iter().position(|message| message["id"] == *id)
            && let Some(message) = self.early.remove(at)
        {
            return Ok(message);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => SessionError::Silence(method.to_owned()),
                RecvTimeoutError::Disconnected => SessionError::Ended(method.to_owned()),
            })?;
            let message: Value = serde_json::from_slice(&line).map_err(|_| {
                SessionError::Unexpected(String::from_utf8_lossy(&line).into_owned())
            })?;
            if message["id"] == *id && message.get("method").is_none() {
                return Ok(message);
            }
            self.early.push_back(message);
        }
    }

    /// The handshake of the `initialize` era; gives the result.
    pub fn initialize(&mut self, name: &str, version: &str) -> Result<Value, SessionError> {
        let answer = self.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": name, "version": version},
            }),
        )?;
        let result = result_of(answer)?;
        self.send_message(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(result)
    }

    /// Calls a tool in the `initialize` era.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<ToolAnswer, SessionError> {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        if let Some(error) = answer.get("error") {
            return Ok(ToolAnswer {
                is_error: true,
                text: error["message"].as_str().unwrap_or_default().to_owned(),
                structured: error.get("data").cloned(),
            });
        }
        let result = result_of(answer)?;
        let texts: Vec<_> = result["content"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|block| block["text"].as_str())
            .collect();
        Ok(ToolAnswer {
            is_error: result["isError"] == true,
            text: texts.join("\n"),
            structured: result.get("structuredContent").cloned(),
        })
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has ended by itself.
    pub fn has_ended(&mut self) -> Result<bool, SessionError> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Closes the input and waits for the end, at most so long; then the process is killed and
    /// there is no answer.
    pub fn close(mut self, within: Duration) -> Result<Option<Ended>, SessionError> {
        let start = Instant::now();
        self.input = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                let after = start.elapsed();
                let lines = std::iter::from_fn(|| self.next_line(Duration::from_secs(1))).collect();
                let log = self.log.take().and_then(|log| log.join().ok());
                return Ok(Some(Ended {
                    status,
                    after,
                    lines,
                    log: log.unwrap_or_default(),
                }));
            }
            if start.elapsed() > within {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for McpSession {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn result_of(answer: Value) -> Result<Value, SessionError> {
    match answer {
        Value::Object(mut answer) if answer.contains_key("result") => {
            Ok(answer.remove("result").unwrap_or_default())
        }
        other => Err(SessionError::Unexpected(other.to_string())),
    }
}
