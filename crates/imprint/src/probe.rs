//! A real handshake with the server that a client's entry starts, as that client makes it.

use std::{
    io::ErrorKind,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use imprint_clients::doctor::Answers;
use imprint_core::{fit::Peer, secret::masked_in};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::commands::PROBE;

/// How long the whole may take. Clients wait longer, but nobody likes to.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How long the server may take to end once its input has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How much of what it logs is read where it doesn't answer.
const LOG_BYTES: u64 = 4 * 1024;
/// The protocol version that is asked for: what clients send today.
const PROTOCOL: &str = "2025-11-25";

/// The `PATH` of a program that was not started from a shell.
#[cfg(unix)]
const SHORT_PATH: &str = "/usr/bin:/bin:/usr/sbin:/sbin";

/// What clients on Windows pass on, beside what the entry sets.
#[cfg(windows)]
const PASSED_ON: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];
/// What clients pass on at least, beside what the entry sets.
#[cfg(unix)]
const PASSED_ON: &[&str] = &["HOME", "LOGNAME", "SHELL", "TERM", "USER"];

/// What is started, and as whom.
pub(crate) struct Probe<'a> {
    /// The program.
    pub(crate) command: &'a Path,
    /// Its arguments.
    pub(crate) args: &'a [String],
    /// The variables of ours that the entry sets.
    pub(crate) variables: Vec<(&'a str, &'a str)>,
    /// How the client introduces itself.
    pub(crate) peer: &'a Peer,
    /// How long the whole may take.
    pub(crate) patience: Duration,
}

/// What the server answered, or why it didn't, and how long that took. Nothing is recorded of it.
pub(crate) async fn probe(probe: &Probe<'_>) -> (Result<Answers, String>, Duration) {
    let begun = Instant::now();
    let answers = match start(probe) {
        Ok(child) => ask(child, probe).await,
        Err(error) => Err(format!("it can't be started: {error}")),
    };
    (answers, begun.elapsed())
}

/// Starts the server with what a client that was not started from a shell passes on.
fn start(probe: &Probe<'_>) -> std::io::Result<Child> {
    let mut command = Command::new(probe.command);
    command.args(probe.args).env_clear();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    #[cfg(unix)]
    command.env("PATH", SHORT_PATH);
    command
        .envs(probe.variables.iter().copied())
        .env(PROBE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

async fn ask(mut child: Child, probe: &Probe<'_>) -> Result<Answers, String> {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("its pipes are missing".to_owned());
    };
    let mut pipe = Pipe {
        input,
        output: BufReader::new(output).lines(),
    };
    let asked = timeout(probe.patience, pipe.handshake(probe.peer)).await;
    let answers = asked.unwrap_or_else(|_| {
        Err(format!(
            "no answer within {} seconds",
            probe.patience.as_secs_f32()
        ))
    });
    drop(pipe);
    let has_ended = timeout(LAST_WORDS, child.wait()).await.is_ok();
    match answers {
        Ok(answers) => Ok(answers),
        Err(why) if has_ended => Err(match last_words(&mut child).await {
            Some(said) => format!("{why}; it said: {said}"),
            None => why,
        }),
        Err(why) => Err(why),
    }
}

/// The first line that a server logged, credentials masked.
async fn last_words(child: &mut Child) -> Option<String> {
    let mut log = Vec::new();
    let errors = child.stderr.take()?;
    let read = errors.take(LOG_BYTES);
    let mut read = std::pin::pin!(read);
    timeout(LAST_WORDS, read.read_to_end(&mut log))
        .await
        .ok()?
        .ok()?;
    let log = String::from_utf8_lossy(&log);
    let first = log.lines().find(|line| !line.trim().is_empty())?;
    Some(masked_in(first).into_owned())
}

struct Pipe {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Pipe {
    async fn handshake(&mut self, peer: &Peer) -> Result<Answers, String> {
        let hello = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {
                "name": peer.name.as_deref().unwrap_or("imprint-doctor"),
                "version": peer.version.as_deref().unwrap_or_default(),
            },
        });
        let welcome = self.request(1, "initialize", &hello).await?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await?;
        let listed = self.request(2, "tools/list", &json!({})).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let tools = listed["tools"].as_array().map_or(&[][..], Vec::as_slice);
        let skills = tools.iter().find(|tool| tool["name"] == "skills");
        Ok(Answers {
            version: text(&welcome["serverInfo"]["version"]),
            instructions: text(&welcome["instructions"]),
            tools: tools.iter().map(|tool| text(&tool["name"])).collect(),
            skills_description: skills.map(|tool| text(&tool["description"])),
        })
    }

    async fn request(&mut self, id: u32, method: &str, params: &Value) -> Result<Value, String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        loop {
            let line = self.output.next_line().await;
            let line = line.map_err(|error| format!("its output can't be read: {error}"))?;
            let line = line.ok_or_else(|| format!("it ended before it answered `{method}`"))?;
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
                return Err("it wrote something to its output that is no message".to_owned());
            };
            if message["id"] == id {
                return match message["error"]["message"].as_str() {
                    Some(error) => Err(format!("it refused `{method}`: {}", masked_in(error))),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        match self.input.write_all(line.as_bytes()).await {
            // It has ended: what it wrote before tells more.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            sent => sent.map_err(|error| format!("it takes no input: {error}")),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// What comes of a server that is this script.
    async fn of(script: &str) -> Result<Answers, String> {
        let args = ["-c".to_owned(), script.to_owned()];
        let peer = Peer {
            name: Some("wren".to_owned()),
            ..Peer::default()
        };
        let asked = Probe {
            command: Path::new("/bin/sh"),
            args: &args,
            variables: vec![("IMPRINT_HOME", "/srv/imprint")],
            peer: &peer,
            patience: Duration::from_millis(1_500),
        };
        probe(&asked).await.0
    }

    #[tokio::test]
    async fn a_server_gets_what_a_short_environment_has() {
        let script = r#"read hello
            said="$IMPRINT_HOME ${CARGO_MANIFEST_DIR:-none} $IMPRINT_PROBE"
            case "$hello" in *wren*) ;; *) exit 1;; esac
            echo "{\"id\":1,\"result\":{\"instructions\":\"$said\",\"serverInfo\":{\"version\":\"7\"}}}"
            read welcome; read list
            echo '{"id":2,"result":{"tools":[{"name":"skills","description":"All."},{"name":"x"}]}}'"#;
        let answers = of(script).await.unwrap();
        assert_eq!(answers.instructions, "/srv/imprint none 1");
        assert_eq!((answers.version.as_str(), answers.tools.len()), ("7", 2));
        assert_eq!(answers.skills_description.as_deref(), Some("All."));
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_told_by_what_it_does() {
        let why = async |script| of(script).await.unwrap_err();
        assert_eq!(why("exec sleep 60").await, "no answer within 1.5 seconds");
        let ended = why("echo 'error: no home' >&2").await;
        assert_eq!(
            ended,
            "it ended before it answered `initialize`; it said: error: no home"
        );
        assert!(why("echo hello").await.contains("no message"));
        let refused = r#"echo '{"id":1,"error":{"message":"too old"}}'"#;
        assert_eq!(why(refused).await, "it refused `initialize`: too old");
    }
}
