//! `~/.agents`, the folder that many clients share: who reads it stands in their own files.

use std::path::PathBuf;

use crate::machine::Machine;

/// `~/.agents/skills`, which most clients read.
pub fn shared_skills(machine: &Machine) -> PathBuf {
    machine.home(&[".agents", "skills"])
}
