//! The real binary.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::Sandbox;

/// The `imprint` binary that is tested.
#[derive(Clone, Debug)]
pub struct Product {
    binary: PathBuf,
}

impl Product {
    /// The product in this file.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
        }
    }

    /// The file.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The product in a sandbox, without arguments yet.
    pub fn command(&self, sandbox: &Sandbox) -> Command {
        sandbox.command(&self.binary)
    }
}

/// The most memory that a running process has held, in KiB, where the system tells.
pub fn peak_memory_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
