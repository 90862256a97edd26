//! What there is of each client on this machine: whether it is installed, where it is told of our
//! server, what it reads from which folder and what it lists of that. Reads files alone: it writes
//! nothing and starts nothing.

mod channel;
mod command;
mod config_file;
mod entry;
mod listed;
mod place;
mod presence;
mod room;
mod skills;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use imprint_core::{FolderReport, SessionRecord};
use serde::{Serialize, Serializer};

pub use channel::{Channel, OverMcp, peer};
pub use command::Leads;
pub use config_file::{ConfigScope, ConfigSeen, ConfigState, EntrySeen};
pub use entry::OurEntry;
pub use place::{Place, PlaceState};
pub use presence::{Installed, Version, VersionFrom};
pub(crate) use room::allowance;
pub use room::{MoreRoom, more_room};

use crate::{
    client::{Cell, Client, Evidence},
    connect::{Record, Scope},
    launch::SERVER_NAME,
    listing::{AgentListing, ClientListing, Unlisted, WhyUnlisted, read_agents},
    machine::Machine,
    write::{Manifest, is_only_ours},
};

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Survey<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The Imprint home, for what we made ourselves.
    pub home: &'a Path,
    /// The folder in which the user works, whose project's configuration files count too.
    pub current: Option<&'a Path>,
    /// This program's file.
    pub program: &'a Path,
    /// What the last writing pass reported.
    pub report: Option<&'a FolderReport>,
    /// The sessions that clients had, latest first.
    pub sessions: &'a [SessionRecord],
}

/// One client, as it stands on this machine.
#[derive(Clone, Debug, Serialize)]
pub struct Inspected {
    /// What is known of it anywhere.
    #[serde(skip)]
    pub client: &'static Client,
    /// Its id.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What shows that it is installed; `None`: nothing does.
    pub installed: Option<Installed>,
    /// Its version, where a file or a session tells.
    pub version: Option<Version>,
    /// Its configuration files with the entries that concern us.
    pub configs: Vec<ConfigSeen>,
    /// Whether our entry was once written into the user's file and not taken out by us.
    pub was_connected: bool,
    /// The folders from which it reads.
    pub places: Vec<Place>,
    /// How its model gets the catalog.
    pub channel: Channel,
    /// The skills that it lists; `None`: nobody established how it does.
    #[serde(serialize_with = "listed::skills")]
    pub skills: Option<ClientListing>,
    /// Skills that it leaves out because of another of their name, of which they are mere copies.
    #[serde(skip)]
    pub copies: BTreeSet<PathBuf>,
    /// Whether its own setting gives its list of skills more room than it has else.
    pub has_more_room: bool,
    /// How what is known of it is known: a row for each fact.
    pub evidence: Vec<Evidence>,
    /// The personas that it lists; `None`: it reads none that we know of.
    #[serde(serialize_with = "listed::personas")]
    pub personas: Option<AgentListing>,
}

/// Looks at these clients.
pub fn inspect(clients: &[&'static Client], survey: &Survey<'_>) -> Vec<Inspected> {
    let manifest = Manifest::read(survey.home)
        .ok()
        .flatten()
        .unwrap_or_default();
    let this = survey.program.canonicalize();
    let this = this.unwrap_or_else(|_| survey.program.to_owned());
    let record = Record::read(survey.home).ok();
    let around = config_file::Around {
        machine: survey.machine,
        current: survey.current,
        this: &this,
        record: record.as_ref(),
    };
    let ours = |folder: &Path| is_only_ours(folder, &manifest);
    let look_at = |client: &&'static Client| look_at(client, survey, &around, ours);
    clients.iter().map(look_at).collect()
}

/// Looks at one client; `ours` tells whether there is nothing in a folder but what we made.
fn look_at(
    client: &'static Client,
    survey: &Survey<'_>,
    around: &config_file::Around<'_>,
    ours: impl Fn(&Path) -> bool,
) -> Inspected {
    let installed = presence::installed(client, survey.machine, ours);
    let program = installed.as_ref().and_then(|seen| seen.program.as_deref());
    let version = presence::version(client, program, survey.sessions);
    let text = version.as_ref().map(|version| version.text.as_str());
    let skills = skills::skills(client, survey.machine);
    Inspected {
        client,
        id: client.facts.id,
        title: client.facts.title,
        configs: config_file::config_files(client, around),
        was_connected: around
            .record
            .is_some_and(|record| was_connected(client, record)),
        places: place::places(client, survey.machine, survey.report),
        channel: channel::channel(&client.facts, text, survey.report),
        skills: skills.listing,
        copies: skills.copies,
        has_more_room: skills.has_more_room,
        personas: read_agents(client, survey.machine),
        evidence: Cell::ALL.map(|cell| evidence(client, cell)).to_vec(),
        installed,
        version,
    }
}

/// How a fact of a client is known; a fact without a row is not established.
fn evidence(client: &Client, cell: Cell) -> Evidence {
    let mut rows = client.evidence.iter().copied();
    rows.find(|row| row.cell == cell)
        .unwrap_or(Evidence::missing(cell))
}

/// Whether the record lists an entry for the user in this client's file.
fn was_connected(client: &Client, record: &Record) -> bool {
    let mut listed = record.connections.iter();
    listed.any(|one| {
        one.client == client.facts.id && one.scope == Scope::User && one.name == SERVER_NAME
    })
}

impl Inspected {
    /// The skills that it leaves out, but for those that are mere copies of what it lists.
    pub fn left_out(&self) -> impl Iterator<Item = &Unlisted> {
        let all = self.skills.iter().flat_map(|skills| &skills.unlisted);
        all.filter(|one| {
            !matches!(one.why, WhyUnlisted::SameFolder(_)) && !self.copies.contains(&one.path)
        })
    }

    /// The entries that start Imprint, each with its file, those of the user first.
    pub fn connections(&self) -> impl Iterator<Item = (&ConfigSeen, &EntrySeen)> {
        let entries = self
            .configs
            .iter()
            .flat_map(|file| file.entries().iter().map(move |entry| (file, entry)));
        entries.filter(|(_, seen)| seen.ours.entry.ours)
    }

    /// Whether one of its files starts Imprint.
    pub fn is_connected(&self) -> bool {
        self.connections().any(|(_, seen)| !seen.ours.is_disabled)
    }
}

fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

#[expect(clippy::ref_option, reason = "serde hands the field itself over")]
fn as_optional_text<S: Serializer>(
    path: &Option<PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    path.as_ref()
        .map(|path| path.display().to_string())
        .serialize(serializer)
}
