//! The product's server, as a process.

use std::{
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::cases::{Run, verdict::CaseError};

/// How long a server may take to answer for the first time, and to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// The name of the key that a case uses.
const KEY_NAME: &str = "case";

/// A running server. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct Server {
    port: u16,
    origins: Vec<String>,
    process: Process,
    /// What the processes before wrote.
    log: Vec<u8>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    output: Vec<JoinHandle<Vec<u8>>>,
}

/// A key that allows everything but administration.
pub(super) fn make_key(run: &Run<'_>) -> Result<String, CaseError> {
    let mut command = run.command();
    command.args([
        "keys", "create", "--name", KEY_NAME, "--preset", "full", "--json",
    ]);
    let output = command
        .output()
        .map_err(CaseError::at(Path::new("imprint keys")))?;
    let made: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let key = made["key"].as_str().map(str::to_owned);
    key.ok_or_else(|| CaseError::Product("`imprint keys create` gave no key".to_owned()))
}

/// Takes the case's key back.
pub(super) fn revoke_key(run: &Run<'_>) -> Result<(), CaseError> {
    let mut command = run.command();
    command.args(["keys", "revoke", KEY_NAME, "--yes"]);
    let status = command
        .status()
        .map_err(CaseError::at(Path::new("imprint keys")))?;
    if status.success() {
        return Ok(());
    }
    Err(CaseError::Product(
        "`imprint keys revoke` failed".to_owned(),
    ))
}

impl Server {
    /// Starts a server on a free port and waits until it answers. Origins without a place for the
    /// port are named to it; the others are its own anyway.
    pub(super) fn start(run: &Run<'_>, origins: &[String]) -> Result<Self, CaseError> {
        let foreign = origins.iter().filter(|origin| !origin.contains("{port}"));
        let origins: Vec<_> = foreign.cloned().collect();
        let port = free_port()?;
        let process = Process::start(run, port, &origins)?;
        Ok(Self {
            port,
            origins,
            process,
            log: Vec::new(),
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Ends the server and starts another in its place.
    pub(super) fn restart(&mut self, run: &Run<'_>) -> Result<(), CaseError> {
        self.log.append(&mut self.process.stop()?);
        self.process = Process::start(run, self.port, &self.origins)?;
        Ok(())
    }

    /// Ends the server and gives all that it wrote.
    pub(super) fn stop(mut self) -> Result<Vec<u8>, CaseError> {
        self.log.append(&mut self.process.stop()?);
        Ok(self.log)
    }
}

impl Process {
    fn start(run: &Run<'_>, port: u16, origins: &[String]) -> Result<Self, CaseError> {
        let mut command = run.command();
        command.args(["serve", "--rate-limit", "60000", "--listen"]);
        command.arg(format!("127.0.0.1:{port}"));
        for origin in origins {
            command.args(["--allow-origin", origin]);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(CaseError::at(Path::new("imprint serve")))?;
        let mut output = Vec::new();
        output.extend(child.stdout.take().map(collect));
        output.extend(child.stderr.take().map(collect));
        let mut process = Self { child, output };
        process.wait_until_up(port)?;
        Ok(process)
    }

    fn wait_until_up(&mut self, port: u16) -> Result<(), CaseError> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE && !self.has_ended() {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
        let log = self.stop().unwrap_or_default();
        let log = String::from_utf8_lossy(&log).into_owned();
        Err(CaseError::Product(format!(
            "`imprint serve` did not start: {log}"
        )))
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Asks the process to end, as a system does, and gives all that it wrote.
    fn stop(&mut self) -> Result<Vec<u8>, CaseError> {
        ask_to_end(&mut self.child);
        let start = Instant::now();
        while !self.has_ended() {
            if start.elapsed() > PATIENCE {
                return Err(CaseError::Product(
                    "the server did not end when it was asked to".to_owned(),
                ));
            }
            thread::sleep(Duration::from_millis(5));
        }
        let written = self
            .output
            .drain(..)
            .filter_map(|reader| reader.join().ok());
        Ok(written.flatten().collect())
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    let process = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(process) = process {
        // It fails only for a process that is gone already.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut output: impl std::io::Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.by_ref().read_to_end(&mut bytes);
        bytes
    })
}

/// A port that nobody had a moment ago.
fn free_port() -> Result<u16, CaseError> {
    let listener = TcpListener::bind("127.0.0.1:0");
    let address = listener.and_then(|listener| listener.local_addr());
    Ok(address
        .map_err(CaseError::at(Path::new("a free port")))?
        .port())
}
