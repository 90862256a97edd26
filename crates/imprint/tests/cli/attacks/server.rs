//! A server that writes all the log it has, and requests to it, byte for byte.

use std::{
    cell::RefCell,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdout, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::{Value, json};

use crate::{User, oauth::Answer};

/// How long an answer may take before its test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A user with keys, and all the keys that were made.
pub(super) struct Owner {
    pub(super) user: User,
    keys: RefCell<Vec<String>>,
}

/// `imprint serve`. It is to be ended with [`Server::end`], which looks for keys; one that is
/// dropped is killed.
pub(super) struct Server<'u> {
    owner: &'u Owner,
    process: Child,
    /// Held open: a program whose screen is gone ends.
    screen: BufReader<ChildStdout>,
    log: Option<JoinHandle<Vec<u8>>>,
    pub(super) port: u16,
}

impl Owner {
    pub(super) fn new() -> Self {
        Self {
            user: User::new(),
            keys: RefCell::default(),
        }
    }

    pub(super) fn key(&self, name: &str, preset: &str) -> String {
        let made = self
            .user
            .json(&["keys", "create", "--name", name, "--preset", preset]);
        let key = made["key"].as_str().unwrap().to_owned();
        self.keys.borrow_mut().push(key.clone());
        key
    }

    /// A key that looks right and that nobody has here: another home's.
    pub(super) fn strange_key(&self) -> String {
        let key = Self::new().key("strange", "full");
        self.keys.borrow_mut().push(key.clone());
        key
    }

    /// Fails if a key stands in this text, without showing it.
    fn look_for_keys(&self, bytes: &[u8], place: &str) {
        for key in self.keys.borrow().iter() {
            let found = bytes
                .windows(key.len())
                .any(|window| window == key.as_bytes());
            assert!(!found, "a key stands in {place}");
        }
    }

    fn look_for_keys_below(&self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.look_for_keys_below(&path);
            } else if let Ok(bytes) = fs::read(&path) {
                self.look_for_keys(&bytes, &path.display().to_string());
            }
        }
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl<'u> Server<'u> {
    pub(super) fn start(owner: &'u Owner) -> Self {
        let mut process = owner
            .user
            .command(&["serve", "--listen", "127.0.0.1:0"])
            .envs([("IMPRINT_LOG", "trace"), ("RUST_LOG", "trace")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = process.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let mut written = Vec::new();
            log.read_to_end(&mut written).unwrap();
            written
        });
        let mut screen = BufReader::new(process.stdout.take().unwrap());
        let mut lines = screen.by_ref().lines().map(Result::unwrap);
        let port = lines.find_map(|line| {
            let address = line.strip_prefix("Address: http://127.0.0.1:")?;
            address.split('/').next()?.parse().ok()
        });
        Self {
            owner,
            process,
            screen,
            log: Some(log),
            port: port.unwrap(),
        }
    }

    /// Sends a request with these headers alone, but for the body's length.
    pub(super) fn send(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut socket = self.connect();
        let head = head(line, headers, body.len());
        socket.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let answer = Answer::read(&mut BufReader::new(socket));
        self.owner
            .look_for_keys(answer.head.as_bytes(), "a head of an answer");
        self.owner
            .look_for_keys(answer.body.as_bytes(), "an answer");
        answer
    }

    pub(super) fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A message to the endpoint with this `Authorization`.
    pub(super) fn tell(&self, authorization: &str, message: &Value) -> Answer {
        let host = self.host();
        let headers = [
            ("Host", host.as_str()),
            ("Authorization", authorization),
            ("Content-Type", "application/json"),
        ];
        self.send("POST /mcp", &headers, message.to_string().as_bytes())
    }

    /// The result of a request that a key allows.
    pub(super) fn result(&self, key: &str, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = self.tell(&format!("Bearer {key}"), &message);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["result"].clone()
    }

    pub(super) fn tools(&self, key: &str) -> Vec<String> {
        let tools = self.result(key, "tools/list", &json!({}));
        let tools = tools["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Asks it to end, as a system does.
    #[cfg(unix)]
    pub(super) fn ask_to_end(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        let process = Pid::from_raw(self.process.id().try_into().unwrap());
        kill_process(process.unwrap(), Signal::TERM).unwrap();
    }

    #[cfg(not(unix))]
    fn ask_to_end(&mut self) {
        self.process.kill().unwrap();
    }

    /// Ends it and fails if a key stands in what it wrote: its log, its screen, any file.
    pub(super) fn end(mut self) -> ExitStatus {
        self.ask_to_end();
        let mut screen = Vec::new();
        self.screen.read_to_end(&mut screen).unwrap();
        let status = self.process.wait().unwrap();
        let log = self.log.take().unwrap().join().unwrap();
        // A log without a request's line proves nothing.
        let text = String::from_utf8_lossy(&log);
        assert!(text.contains("imprint::http: answered"), "{text}");
        self.owner.look_for_keys(&log, "the log");
        self.owner.look_for_keys(&screen, "the screen");
        self.owner.look_for_keys_below(&self.owner.user.path(""));
        status
    }
}

/// The head of a request whose body has this length.
pub(super) fn head(line: &str, headers: &[(&str, &str)], length: usize) -> String {
    let headers: String = headers
        .iter()
        .map(|(name, value)| [name, ": ", value, "\r\n"].concat())
        .collect();
    format!("{line} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n")
}
