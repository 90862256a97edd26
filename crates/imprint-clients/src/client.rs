//! The description of one client: what the domain must know of it, where its files are, and how it
//! writes personas.

use std::path::{Path, PathBuf};

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};

use crate::{machine::Machine, persona::Dialect};

/// Everything that we know of one client.
#[derive(Debug)]
pub struct Client {
    /// Names and limits.
    pub facts: ClientFacts,
    /// How to see that it is installed; `None`: it is not looked for.
    pub presence: Option<Presence>,
    /// The user's skill folders that it reads.
    pub skills: Option<fn(&Machine) -> SkillFolders>,
    /// Where it reads the user's personas; `None`: from no folder that we write.
    pub personas: Option<PersonaFolder>,
}

/// What shows that a client is installed.
#[derive(Debug)]
pub struct Presence {
    /// Its configuration folder.
    pub config: fn(&Machine) -> PathBuf,
    /// Its programs, without ending.
    pub programs: &'static [&'static str],
}

/// The user's skill folders that a client reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillFolders {
    /// All of them.
    pub reads: Vec<PathBuf>,
    /// The one of them that is this client's own and that we may write.
    pub own: Option<PathBuf>,
}

/// Where a client reads the user's personas.
#[derive(Debug)]
pub struct PersonaFolder {
    /// The folder.
    pub folder: fn(&Machine) -> PathBuf,
    /// How its files are written.
    pub dialect: Dialect,
}

/// The facts of a client of which nothing is known but that it exists: no cut, no name.
pub(crate) const NOTHING_KNOWN: ClientFacts = ClientFacts {
    id: "",
    title: "",
    names: &[],
    name_prefixes: &[],
    instruction_cuts: &[],
    description_cuts: &[],
    instructions_reach_model: Reach::Unknown,
    result_chars: None,
    reads_our_folders: false,
    honours_hidden: false,
};

/// A tool's description of 9,000 characters was seen to arrive whole; longer ones were not tried.
pub(crate) const DESCRIPTION_ARRIVES: &[InstructionCut] = &[InstructionCut {
    from: "",
    cut: Cut::Utf16(9_000),
}];

impl Client {
    /// A client whose names and limits alone are known.
    pub(crate) const fn of_facts(facts: ClientFacts) -> Self {
        Self {
            facts,
            presence: None,
            skills: None,
            personas: None,
        }
    }

    /// Its skill folders on this machine.
    pub fn skill_folders(&self, machine: &Machine) -> SkillFolders {
        self.skills
            .map(|folders| folders(machine))
            .unwrap_or_default()
    }

    /// Whether it is installed: its configuration folder exists, or one of its programs is on
    /// `PATH`. `exists` tells whether something is at a path; `ours` whether we made that folder,
    /// which then shows nothing.
    pub fn is_installed(
        &self,
        machine: &Machine,
        exists: impl Fn(&Path) -> bool,
        ours: impl Fn(&Path) -> bool,
    ) -> bool {
        let Some(presence) = &self.presence else {
            return false;
        };
        let config = (presence.config)(machine);
        (exists(&config) && !ours(&config))
            || presence
                .programs
                .iter()
                .flat_map(|program| machine.program_files(program))
                .any(|file| exists(&file))
    }
}

/// `~/.agents/skills`, which most clients read.
pub fn shared_skills(machine: &Machine) -> PathBuf {
    machine.home(&[".agents", "skills"])
}
