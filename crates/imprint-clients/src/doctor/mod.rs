//! What is wrong between the registry and a client's model, why, and what mends it: pure decisions
//! over what was seen on this machine.

mod entries;
mod extension;
mod folders;
mod handshake;
mod home;
mod listing;
#[cfg(test)]
mod sample;
mod sessions;

use std::path::Path;

use imprint_core::{FolderReport, SessionRecord};
use serde::Serialize;

pub use handshake::{Answers, Handshake};
pub use home::HomeSeen;
pub use listing::KeptItem;

use crate::{inspect::Inspected, machine::Os, write::Planned};

/// Something to be mended, or to be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is, for scripts.
    pub id: Ailment,
    /// How much it matters.
    pub severity: Severity,
    /// The client that it concerns, by id; `None`: all of them.
    pub client: Option<&'static str>,
    /// What is wrong, and why that matters.
    pub what: String,
    /// What mends it.
    pub mend: Option<Mend>,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Something doesn't reach a client at all.
    Error,
    /// Something is to be mended.
    Warning,
    /// Good to know; nothing need be done.
    Note,
}

/// What mends a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mend {
    /// A command.
    Command(String),
    /// Something that only the user can do.
    ByHand(String),
}

/// Kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(
    missing_docs,
    reason = "the files of this module say what each of them is"
)]
pub enum Ailment {
    DamagedConfig,
    NotConnected,
    LostEntry,
    ForeignEntry,
    DisabledEntry,
    TwoEntries,
    MissingProgram,
    OtherProgram,
    OtherArguments,
    RelativeCommand,
    OtherSystem,
    ControlCharacters,
    NoClientNamed,
    OtherClientNamed,
    OtherHome,
    OverBridge,
    BridgeUnmarked,
    ContradictingSession,
    NoAnswer,
    OtherAnswer,
    SlowAnswer,
    DanglingFolder,
    NoFolder,
    EditedCopy,
    LeftAlone,
    Unplaced,
    NotWritten,
    Leftovers,
    ListedTwice,
    Shadowed,
    Rejected,
    DescriptionLost,
    InPages,
    Unserved,
    DamagedDatabase,
    DamagedSettings,
    DamagedRecord,
    Unfinished,
    NoPass,
}

/// Everything that findings are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Examination<'a> {
    /// The clients.
    pub inspected: &'a [Inspected],
    /// The system.
    pub os: Os,
    /// The Imprint home, and what is amiss in it.
    pub home: &'a HomeSeen,
    /// The home that a server without settings of its own uses.
    pub usual_home: &'a Path,
    /// The sessions that clients had, latest first.
    pub sessions: &'a [SessionRecord],
    /// What the last writing pass reported.
    pub report: Option<&'a FolderReport>,
    /// What a writing pass would do now, or why there can be none.
    pub planned: &'a Result<Planned, String>,
    /// The active items.
    pub items: &'a [KeptItem],
    /// What the servers answered that were started.
    pub handshakes: &'a [Handshake],
}

/// Draws all findings, the worst first, those of one client together.
pub fn examine(examination: &Examination<'_>) -> Vec<Finding> {
    let mut findings = home::findings(examination);
    findings.extend(folders::of_the_pass(examination));
    for inspected in examination.inspected {
        if inspected.installed.is_none() && !inspected.is_connected() {
            continue;
        }
        findings.extend(entries::findings(inspected, examination));
        findings.extend(folders::findings(inspected));
        findings.extend(listing::findings(inspected, examination));
    }
    findings.extend(extension::findings(examination.items));
    findings.extend(sessions::findings(examination.sessions));
    findings.extend(handshake::findings(examination.handshakes));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

impl Finding {
    /// Whether something is to be mended.
    pub fn is_to_be_mended(&self) -> bool {
        self.severity != Severity::Note
    }

    fn error(id: Ailment, what: impl Into<String>) -> Self {
        Self::new(id, Severity::Error, what)
    }

    fn warning(id: Ailment, what: impl Into<String>) -> Self {
        Self::new(id, Severity::Warning, what)
    }

    fn note(id: Ailment, what: impl Into<String>) -> Self {
        Self::new(id, Severity::Note, what)
    }

    fn new(id: Ailment, severity: Severity, what: impl Into<String>) -> Self {
        Self {
            id,
            severity,
            client: None,
            what: what.into(),
            mend: None,
        }
    }

    fn of(mut self, client: &'static str) -> Self {
        self.client = Some(client);
        self
    }

    fn command(mut self, command: impl Into<String>) -> Self {
        self.mend = Some(Mend::Command(command.into()));
        self
    }

    fn by_hand(mut self, what: impl Into<String>) -> Self {
        self.mend = Some(Mend::ByHand(what.into()));
        self
    }
}
