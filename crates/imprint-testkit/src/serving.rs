//! The product's server over HTTP, as a process.

use std::{
    io::{self, Read},
    net::{TcpListener, TcpStream},
    process::{Child, Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{Product, Sandbox};

/// How long a server may take to answer for the first time, and to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server. Dropping it ends the process.
#[derive(Debug)]
pub struct Serving {
    child: Child,
    output: Vec<JoinHandle<Vec<u8>>>,
}

/// Why a server can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ServingError {
    /// A program can't be started, or there is no free port.
    #[error("can't start the server: {0}")]
    Io(#[from] io::Error),
    /// The server ended, or did not answer in time; all that it wrote.
    #[error("the server did not start: {0}")]
    NotUp(String),
    /// It did not end when it was asked to.
    #[error("the server did not end within {PATIENCE:?}")]
    NotEnding,
    /// No key was made.
    #[error("`imprint keys create` gave no key: {0}")]
    NoKey(String),
}

/// How a server ended.
#[derive(Debug)]
pub struct Served {
    /// Its status.
    pub status: ExitStatus,
    /// All that it wrote to its output and its log.
    pub written: Vec<u8>,
}

impl Serving {
    /// Starts a server (`command` says all of it) and waits until it answers on this port of
    /// loopback.
    pub fn start(mut command: Command, port: u16) -> Result<Self, ServingError> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut output = Vec::new();
        output.extend(child.stdout.take().map(collect));
        output.extend(child.stderr.take().map(collect));
        let mut serving = Self { child, output };
        let start = Instant::now();
        while start.elapsed() < PATIENCE && !serving.has_ended() {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(serving);
            }
            thread::sleep(Duration::from_millis(10));
        }
        let served = serving.stop()?;
        let written = String::from_utf8_lossy(&served.written).into_owned();
        Err(ServingError::NotUp(written))
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Asks it to end, as a system does, and waits for that.
    pub fn stop(mut self) -> Result<Served, ServingError> {
        ask_to_end(&mut self.child);
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                let written = self
                    .output
                    .drain(..)
                    .filter_map(|reader| reader.join().ok());
                return Ok(Served {
                    status,
                    written: written.flatten().collect(),
                });
            }
            if start.elapsed() > PATIENCE {
                return Err(ServingError::NotEnding);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes a key with a preset, by the product itself.
pub fn make_key(
    product: &Product,
    sandbox: &Sandbox,
    name: &str,
    preset: &str,
) -> Result<String, ServingError> {
    let mut command = product.command(sandbox);
    command.args([
        "keys", "create", "--name", name, "--preset", preset, "--json",
    ]);
    let output = command.output()?;
    let made: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let key = made["key"].as_str().map(str::to_owned);
    key.ok_or_else(|| ServingError::NoKey(String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Lets this process have as many files open as the system allows it.
pub fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where it can't be raised, the old one stays.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// A port of loopback that nobody had a moment ago.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
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

fn collect(mut output: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.read_to_end(&mut bytes);
        bytes
    })
}
