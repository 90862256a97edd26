//! Connecting the clients as part of a setup, and taking those connections back.

use std::{collections::BTreeSet, fs::File};

use serde::Serialize;

use super::{SetupError, engine::Engine, journal::JournalStep};
use crate::{
    client::Client,
    connect::{Aim, Change, ConnectError, NoFile, Removal, Scope, Wanted, Work},
    known::known_client,
    launch::{HOME_VARIABLE, Launch, System},
    machine::Machine,
    source::ItemSource as _,
};

/// How clients start this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectAs {
    /// The program's absolute path.
    pub program: String,
    /// The home that it is told; `None` where it finds it by itself.
    pub home: Option<String>,
    /// The system that it and its clients run on.
    pub system: System,
}

/// What becomes of one client's connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedConnection {
    /// The client, by id.
    pub client: String,
    /// What becomes of it.
    #[serde(flatten)]
    pub change: ConnectionChange,
}

/// What becomes of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "connection")]
pub enum ConnectionChange {
    /// The entry is added to this file.
    Add {
        /// The file, as the client names it.
        file: String,
    },
    /// The entry in this file is brought up to date.
    Update {
        /// The file, as the client names it.
        file: String,
    },
    /// The entry is there.
    Unchanged,
    /// It can't be connected so.
    Refused {
        /// Why.
        reason: String,
    },
}

/// A file out of which our entry was to be taken.
pub(crate) struct TakenBack {
    pub(crate) file: String,
    pub(crate) removal: Result<Removal, ConnectError>,
}

impl ConnectionChange {
    /// Whether a file is written.
    pub fn writes(&self) -> bool {
        matches!(self, Self::Add { .. } | Self::Update { .. })
    }
}

impl ConnectAs {
    fn wanted(&self, client: &Client, machine: &Machine) -> Result<Wanted, String> {
        let told = |no_file: NoFile| format!("it {no_file}");
        let launch = Launch::new(&self.program, client.facts.id, &self.system, &self.system)
            .map_err(|error| error.to_string())?;
        let launch = match &self.home {
            None => launch,
            Some(home) => launch.with_variable(HOME_VARIABLE, home),
        };
        Wanted::of(client, machine, &launch, Scope::User, true).map_err(told)
    }
}

impl Engine<'_> {
    /// What would become of each client's connection. Creates nothing.
    pub(crate) fn plan_connections(
        &self,
        clients: &[&'static Client],
        machine: &Machine,
        connect: Option<&ConnectAs>,
    ) -> Vec<PlannedConnection> {
        let Some(connect) = connect else {
            return Vec::new();
        };
        let planned = clients.iter().map(|client| {
            let wanted = connect.wanted(client, machine);
            let change = match wanted {
                Err(reason) => ConnectionChange::Refused { reason },
                Ok(wanted) => {
                    let file = wanted.file.display().to_string();
                    match self.connecting().plan(&wanted) {
                        Err(error) => ConnectionChange::Refused {
                            reason: error.to_string(),
                        },
                        Ok(planned) => match planned.change {
                            Change::Add => ConnectionChange::Add { file },
                            Change::Update => ConnectionChange::Update { file },
                            Change::Unchanged | Change::SharedWith(_) => {
                                ConnectionChange::Unchanged
                            }
                        },
                    }
                }
            };
            PlannedConnection {
                client: client.facts.id.to_owned(),
                change,
            }
        });
        planned.collect()
    }

    /// What the journal says of a connection before it is made: nothing where the client was
    /// connected before.
    pub(crate) fn connection_step(
        &self,
        planned: &PlannedConnection,
    ) -> Result<Option<JournalStep>, SetupError> {
        let listed = self.connecting().leaving(&planned.client, None)?;
        let was_connected = listed.iter().any(|one| *one.scope() == Scope::User);
        Ok((!was_connected).then(|| JournalStep::Connect {
            client: planned.client.clone(),
        }))
    }

    /// Makes one connection. The caller holds the lock.
    pub(crate) fn connect(
        &self,
        lock: &File,
        planned: &PlannedConnection,
        machine: &Machine,
        connect: &ConnectAs,
    ) -> Result<(), String> {
        let Some(client) = known_client(&planned.client) else {
            return Ok(());
        };
        let wanted = connect.wanted(client, machine)?;
        let connected = self.connecting().connect_holding(lock, &wanted);
        connected.map(drop).map_err(|error| error.to_string())
    }

    /// Takes back the connections that setups made. The caller holds the lock.
    pub(crate) fn disconnect(
        &self,
        lock: &File,
        steps: &[JournalStep],
    ) -> Result<Vec<TakenBack>, SetupError> {
        let clients: BTreeSet<&String> = steps
            .iter()
            .filter_map(|step| match step {
                JournalStep::Connect { client } => Some(client),
                _ => None,
            })
            .collect();
        let mut taken_back = Vec::new();
        for client in clients {
            for leaving in self.connecting().leaving(client, None)? {
                if *leaving.scope() != Scope::User {
                    continue;
                }
                let removal = self
                    .connecting()
                    .disconnect_holding(lock, &leaving, Aim::FirstBytes);
                taken_back.push(TakenBack {
                    file: leaving.file().display().to_string(),
                    removal,
                });
            }
        }
        Ok(taken_back)
    }

    pub(super) fn connecting(&self) -> Work<'_> {
        Work {
            home: self.home,
            at: self.source().now(),
            steps: self.steps,
        }
    }
}
