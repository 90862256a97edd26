//! The description of one client: what the domain must know of it, where its files are, how it
//! lists what is in them, and how each of these facts is known.

use std::path::{Path, PathBuf};

use imprint_core::{ClientFacts, Cut, InstructionCut, Reach};
use serde::Serialize;

use crate::{config::Syntax, launch::Launch, machine::Machine, persona::Dialect};

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
    /// Where it keeps its servers; `None`: nobody established it, or no file does.
    pub config: Option<ConfigFile>,
    /// How it lists the skills that it finds; `None`: nobody established it.
    pub listing: Option<Listing>,
    /// How each fact above is known: one row a [`Cell`].
    pub evidence: &'static [Evidence],
}

/// How a client lists the skills of its folders to its model.
#[derive(Debug)]
pub struct Listing {
    /// Which name a skill goes by.
    pub named_by: NamedBy,
    /// What becomes of several skills of one name.
    pub same_name: SameName,
    /// Whether it finds skills in folders of folders.
    pub nested: bool,
    /// Whether it follows a link where a skill's folder should be.
    pub follows_links: bool,
    /// What it leaves out in silence, stricter than the specification's readers are.
    pub rejects: &'static [Reject],
    /// How much of the descriptions its model sees; `None`: nobody established it.
    pub budget: Option<Budget>,
}

/// Where a client takes a skill's name from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// Its header, or its folder where the header has none.
    Header,
    /// Its folder, whatever the header says.
    Folder,
}

/// What a client does with several skills of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameName {
    /// It lists each copy.
    Each,
    /// It lists one: that in the earliest of the folders, in the order of
    /// [`SkillFolders::reads`].
    First,
}

/// A skill that a client leaves out of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reject {
    /// Without `name`.
    NoName,
    /// Without `description`.
    NoDescription,
    /// Without front matter.
    NoHeader,
    /// With a header that is YAML only after mending: an unquoted `: ` in a value.
    UnquotedColon,
    /// With a byte order mark at the start.
    ByteOrderMark,
    /// With capitals, blanks or other characters that the specification doesn't allow in a name.
    NameStyle,
    /// With a name that differs from its folder's.
    NameNotFolder,
    /// With a name of more than 64 characters.
    LongName,
    /// With a description of more than so many characters.
    LongDescription(usize),
}

/// How much of the descriptions in its list a client's model sees.
#[derive(Debug)]
pub enum Budget {
    /// All of every description: no bound was met.
    Whole,
    /// None: it lists names alone.
    NamesOnly,
    /// Whole descriptions while the list fits; the other skills by name.
    WhileItFits(Allowance),
    /// All of them, each shortened until the list fits.
    Shortened(Allowance),
}

/// The room that a client gives its list of skills.
#[derive(Debug)]
pub struct Allowance {
    /// Characters for the whole list, with the smallest of the models that were seen.
    pub characters: usize,
    /// How many of them what the client ships with takes.
    pub taken: usize,
    /// How many an entry takes beside its name and its description: what stands around them.
    pub entry: usize,
    /// The most characters of one description.
    pub description: usize,
    /// The client's own setting that gives more room.
    pub setting: Option<RoomSetting>,
}

/// A setting of a client's that gives its list of skills more room.
#[derive(Debug)]
pub struct RoomSetting {
    /// The file.
    pub file: fn(&Machine) -> PathBuf,
    /// Its language.
    pub syntax: Syntax,
    /// The setting's path in it.
    pub path: &'static [&'static str],
    /// The value to offer, as JSON.
    pub value: &'static str,
    /// The characters that the list has then.
    pub characters: usize,
}

/// A fact of a client that someone established, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// How to see that it is installed.
    Presence,
    /// Which folders it reads skills from.
    Skills,
    /// How it lists them, and within which room.
    Listing,
    /// Where and how it reads personas.
    Personas,
    /// Its configuration file and the form of an entry.
    Config,
    /// What it calls itself in the handshake.
    Handshake,
    /// Whether instructions reach its model, and cut where.
    Instructions,
    /// How much of a tool's description reaches its model.
    ToolDescription,
    /// How much of one result reaches its model.
    Page,
}

impl Cell {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Presence,
        Self::Skills,
        Self::Listing,
        Self::Personas,
        Self::Config,
        Self::Handshake,
        Self::Instructions,
        Self::ToolDescription,
        Self::Page,
    ];

    /// Its name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Presence => "installed",
            Self::Skills => "skills",
            Self::Listing => "listing",
            Self::Personas => "personas",
            Self::Config => "configuration file",
            Self::Handshake => "handshake",
            Self::Instructions => "instructions",
            Self::ToolDescription => "tool description",
            Self::Page => "result",
        }
    }
}

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The fact.
    pub cell: Cell,
    /// The strongest kind of evidence for it.
    pub kind: EvidenceKind,
    /// The client's version that it holds for; empty where the evidence names none.
    pub version: &'static str,
    /// What else there is to say: where it was read, what was not tried.
    pub note: &'static str,
}

/// Kinds of evidence, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// The client was run and observed.
    Run,
    /// Read in its source or its shipped package.
    Source,
    /// Its manual or its own help.
    Manual,
    /// A public report.
    Report,
    /// A table of someone's installer.
    Table,
    /// Nobody established it: the cell is empty.
    NotEstablished,
}

impl EvidenceKind {
    /// Its name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Source => "source",
            Self::Manual => "manual",
            Self::Report => "report",
            Self::Table => "table",
            Self::NotEstablished => "not established",
        }
    }
}

impl Evidence {
    pub(crate) const fn of(cell: Cell, kind: EvidenceKind, version: &'static str) -> Self {
        Self {
            cell,
            kind,
            version,
            note: "",
        }
    }

    pub(crate) const fn noting(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// That nobody established this.
    pub(crate) const fn missing(cell: Cell) -> Self {
        Self::of(cell, EvidenceKind::NotEstablished, "")
    }
}

/// Begins what must be done where a project's file alone got the entry.
const IN_PROJECT: &str = "in a project";

/// A client's configuration file, and our entry in it.
#[derive(Debug)]
pub struct ConfigFile {
    /// Its language.
    pub syntax: Syntax,
    /// The path of the object that holds the servers.
    pub servers: &'static [&'static str],
    /// How an entry is spelled.
    pub form: fn(&Launch) -> serde_json::Value,
    /// The user's file: the first of these that exists counts, else the first whose folder exists,
    /// else the first. A component that ends in `*` stands for every name there that begins with
    /// what is before it, and for none where there is no such name.
    pub user: fn(&Machine) -> Vec<PathBuf>,
    /// The file in a project, below its folder; `None`: it has none, or nobody established it.
    pub project: Option<&'static [&'static str]>,
    /// Where the user's file holds servers for one project alone: the names that lead to them, for
    /// this project's folder. `None`: nowhere, or nobody established it.
    pub local: Option<fn(&str) -> Vec<String>>,
    /// The client's own command that adds a server, if it has one.
    pub own_command: Option<&'static str>,
    /// What the person must still do, a sentence each ([`Self::still_to_do`]). One that begins with
    /// `in a project` holds for a project's file alone.
    pub afterwards: &'static [&'static str],
}

/// What shows that a client is installed.
#[derive(Debug)]
pub struct Presence {
    /// Its configuration folders, each of which shows it. Patterns as in [`ConfigFile::user`].
    pub config: fn(&Machine) -> Vec<PathBuf>,
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

/// A client of which nothing is known but that it exists.
pub(crate) const UNKNOWN: Client = Client {
    facts: NOTHING_KNOWN,
    presence: None,
    skills: None,
    personas: None,
    config: None,
    listing: None,
    evidence: &[],
};

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

impl ConfigFile {
    /// What the person must still do once an entry was written, for the user or in a project.
    pub fn still_to_do(&self, in_project: bool) -> impl Iterator<Item = &'static str> {
        let all = self.afterwards.iter().copied();
        all.filter(move |sentence| in_project || !sentence.starts_with(IN_PROJECT))
    }
}

impl Client {
    /// Its skill folders on this machine.
    pub fn skill_folders(&self, machine: &Machine) -> SkillFolders {
        self.skills
            .map(|folders| folders(machine))
            .unwrap_or_default()
    }

    /// Whether it is installed: a configuration folder of its exists, or one of its programs is on
    /// `PATH`. `exists` tells whether something is at a path, which may be a pattern; `ours`
    /// whether we made that folder, which then shows nothing.
    pub fn is_installed(
        &self,
        machine: &Machine,
        exists: impl Fn(&Path) -> bool,
        ours: impl Fn(&Path) -> bool,
    ) -> bool {
        let Some(presence) = &self.presence else {
            return false;
        };
        let shows = |folder: &PathBuf| exists(folder) && !ours(folder);
        (presence.config)(machine).iter().any(shows)
            || presence
                .programs
                .iter()
                .flat_map(|program| machine.program_files(program))
                .any(|file| exists(&file))
    }
}
