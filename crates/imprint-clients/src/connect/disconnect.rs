//! Taking our entry out of a client's file.

use std::{
    fs::{self, File},
    path::PathBuf,
};

use imprint_format::Digest;

use super::{
    ConnectError, Scope, Wanted, Work,
    apply::{ATTEMPTS, Written, in_file},
    entry::Entry,
    file::{self, Found},
    plan::is_ours,
    record::{Connection, Origin, Record, RecordError},
};
use crate::{
    config::{self, ConfigError, MAX_BYTES, Made, Slot, Syntax},
    home::read_bounded,
    lock,
    steps::Step,
};

/// What a file is to be without our entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The file has no entry of ours, not even one that someone made by hand before.
    NoEntry,
    /// The file is as it was before we wrote it, as far as nobody else wrote it since.
    FirstBytes,
}

/// A place where a client has an entry of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    pub(crate) connection: Connection,
    /// Whether the record lists it.
    pub(crate) is_listed: bool,
}

/// What disconnecting does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// What becomes of the entry.
    pub removed: Removed,
    /// The file behind all links.
    pub real: PathBuf,
    /// Its text now; `None` when there is no file.
    pub before: Option<String>,
    /// Its text afterwards; `None` when the file goes or there is none.
    pub after: Option<String>,
    /// Where the old text is kept, once it is done.
    pub backup: Option<PathBuf>,
}

/// What becomes of an entry of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removed {
    /// The file has its first bytes again.
    FirstBytes,
    /// The file was made for the entry and goes with it.
    File,
    /// The entry alone is taken out: others have written the file since.
    Entry,
    /// It was gone already: the client, or someone else, took it out.
    Gone,
    /// What stands there now is not ours any more and stays.
    Foreign(Entry),
}

impl Leaving {
    /// How the file is written.
    pub fn syntax(&self) -> Syntax {
        self.connection.syntax
    }

    /// The client's id.
    pub fn client(&self) -> &str {
        &self.connection.client
    }

    /// For whom the entry counts.
    pub fn scope(&self) -> &Scope {
        &self.connection.scope
    }

    /// The entry's name in the file.
    pub fn name(&self) -> &str {
        &self.connection.name
    }

    /// The file as the client names it.
    pub fn file(&self) -> &std::path::Path {
        &self.connection.file
    }

    /// What disconnecting would do now. Creates nothing, takes no lock.
    pub fn plan(&self, aim: Aim) -> Result<Removal, ConnectError> {
        without(&look(&self.connection)?, &self.connection, aim)
    }
}

impl Work<'_> {
    /// Every place where a client has an entry of ours.
    pub(crate) fn leaving(
        &self,
        client: &str,
        user: Option<&Wanted>,
    ) -> Result<Vec<Leaving>, RecordError> {
        let record = Record::read(self.home)?;
        let listed = record.connections.iter();
        let mut all: Vec<Leaving> = listed
            .filter(|connection| connection.client == client)
            .map(|connection| Leaving {
                connection: connection.clone(),
                is_listed: true,
            })
            .collect();
        if let Some(user) = user
            && let Ok(found) = file::find(&user.file, false)
            && record.at(&found.real, &user.servers, &user.name).is_none()
            && stands_in(&found, user)
        {
            all.push(Leaving {
                connection: by_form(user, &found),
                is_listed: false,
            });
        }
        Ok(all)
    }

    /// Takes the entry out, and the folders that were made for its file.
    pub(crate) fn disconnect(&self, leaving: &Leaving, aim: Aim) -> Result<Removal, ConnectError> {
        let lock = lock::take(self.home)?;
        self.disconnect_holding(&lock, leaving, aim)
    }

    /// [`Self::disconnect`] by a caller that holds the lock.
    pub(crate) fn disconnect_holding(
        &self,
        _lock: &File,
        leaving: &Leaving,
        aim: Aim,
    ) -> Result<Removal, ConnectError> {
        let mut record = Record::read(self.home)?;
        self.settle(&mut record)?;
        for _ in 0..ATTEMPTS {
            // What the record says now: another process may have been here.
            let begun = &leaving.connection;
            let listed = record.at(&begun.real, &begun.servers, &begun.name);
            let connection = listed.unwrap_or(begun).clone();
            let found = look(&connection)?;
            let mut removal = without(&found, &connection, aim)?;
            if removal.is_idle() {
                self.forget(&connection, &mut record)?;
                return Ok(removal);
            }
            removal.backup = self.keep(&connection.client, &found)?;
            let mut attempt = record.clone();
            let after = removal.after.as_deref();
            let begun = connection.clone();
            if self.write(&found, begun, after, &mut attempt)? == Written::Done {
                self.forget(&connection, &mut attempt)?;
                return Ok(removal);
            }
        }
        Err(ConnectError::Unsteady {
            file: leaving.connection.file.clone(),
        })
    }

    /// Takes away the folders that were made, as far as they are empty, and drops a connection.
    fn forget(&self, connection: &Connection, record: &mut Record) -> Result<(), ConnectError> {
        for folder in connection.created.iter().rev() {
            self.steps
                .take(Step::RemoveFolder)
                .map_err(|source| ConnectError::Io {
                    path: folder.clone(),
                    source,
                })?;
            // Refused by the system while anything is in it.
            let _ = fs::remove_dir(folder);
        }
        let listed = record.connections.len();
        record.forget(connection);
        if record.connections.len() != listed {
            record.write(self.home, self.steps)?;
        }
        Ok(())
    }
}

/// The file that was written: the one behind the links of then, should they lead elsewhere now.
fn look(connection: &Connection) -> Result<Found, ConnectError> {
    file::find(&connection.real, true).map_err(|fault| in_file(&connection.file, fault))
}

/// Whether an entry that is ours by its form stands in a file.
fn stands_in(found: &Found, wanted: &Wanted) -> bool {
    let path = wanted.path();
    let text = found.text.as_deref().unwrap_or_default();
    let present = config::get(text, &wanted.slot(&path)).ok().flatten();
    present.is_some_and(|present| Entry::read(&wanted.name, &present).ours)
}

/// What the record would say of an entry that someone made by hand.
fn by_form(wanted: &Wanted, found: &Found) -> Connection {
    let path = wanted.path();
    let made = Made::of_member(&wanted.slot(&path));
    Connection::of(wanted, found, made, Origin::Edited { was_absent: false })
}

/// A file without our entry.
fn without(found: &Found, connection: &Connection, aim: Aim) -> Result<Removal, ConnectError> {
    let removal = |removed, after| Removal {
        removed,
        real: found.real.clone(),
        before: found.text.clone(),
        after,
        backup: None,
    };
    let Some(text) = &found.text else {
        return Ok(removal(Removed::Gone, None));
    };
    let in_config = |error| ConnectError::Config {
        file: connection.file.clone(),
        error,
    };
    let path = connection.path();
    let slot = Slot {
        syntax: connection.syntax,
        path: &path,
    };
    let Some(present) = config::get(text, &slot).map_err(in_config)? else {
        return Ok(removal(Removed::Gone, Some(text.clone())));
    };
    let entry = Entry::read(&connection.name, &present);
    if !is_ours(&entry, &present, Some(connection)) {
        return Ok(removal(Removed::Foreign(entry), Some(text.clone())));
    }
    if let Some(first) = first_bytes(text, connection, aim) {
        return Ok(match first {
            First::NoFile => removal(Removed::File, None),
            First::Text(first) => removal(Removed::FirstBytes, Some(first)),
        });
    }
    let after = taken_out(text, &slot, connection, aim).map_err(in_config)?;
    let was_absent = matches!(
        connection.origin,
        Origin::Edited { was_absent: true } | Origin::Absent
    );
    if was_absent && is_blank(&after) {
        return Ok(removal(Removed::File, None));
    }
    Ok(removal(Removed::Entry, Some(after)))
}

enum First {
    NoFile,
    Text(String),
}

/// What the file was before, where nobody else wrote it since and that is wanted.
fn first_bytes(text: &str, connection: &Connection, aim: Aim) -> Option<First> {
    if !connection.wrote.contains(&Digest::of(text.as_bytes())) {
        return None;
    }
    match &connection.origin {
        Origin::Absent => Some(First::NoFile),
        Origin::Backup { file, digest }
            if aim == Aim::FirstBytes || connection.replaced.is_none() =>
        {
            let bytes = read_bounded(file, MAX_BYTES as u64).ok()?;
            let bytes = (Digest::of(&bytes) == *digest).then_some(bytes)?;
            String::from_utf8(bytes).ok().map(First::Text)
        }
        Origin::Backup { .. } | Origin::Edited { .. } => None,
    }
}

/// The text without the entry, or with the one that was there before it.
fn taken_out(
    text: &str,
    slot: &Slot<'_>,
    connection: &Connection,
    aim: Aim,
) -> Result<String, ConfigError> {
    match &connection.replaced {
        Some(replaced) if aim == Aim::FirstBytes => Ok(config::put(text, slot, replaced)?.text),
        Some(_) => config::take_out(text, slot, &Made::of_member(slot)),
        None => config::take_out(text, slot, &connection.made),
    }
}

/// Whether a text says nothing: blank, or an empty object.
fn is_blank(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    let inside = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    inside.unwrap_or(text).trim().is_empty()
}

impl Connection {
    /// The names that lead to the entry, its own last.
    fn path(&self) -> Vec<&str> {
        let servers = self.servers.iter().map(String::as_str);
        servers.chain([self.name.as_str()]).collect()
    }
}

impl Removal {
    /// Whether no file is written.
    pub fn is_idle(&self) -> bool {
        matches!(self.removed, Removed::Gone | Removed::Foreign(_))
    }
}
