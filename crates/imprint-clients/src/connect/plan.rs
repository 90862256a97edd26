//! What connecting a client changes in its file: pure, from the text that stands there now.

use std::path::PathBuf;

use super::{
    Wanted,
    entry::Entry,
    file::Found,
    record::{Connection, Origin},
};
use imprint_format::Digest;

use crate::config::{self, ConfigError, Made, Slot, Syntax, Value};

/// What connecting does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What becomes of the entry.
    pub change: Change,
    /// The file behind all links.
    pub real: PathBuf,
    /// Its text now; `None` when there is no file.
    pub before: Option<String>,
    /// Its text afterwards.
    pub after: String,
    /// Our entry was there, and the client, or someone else, took it out.
    pub was_dropped: bool,
}

/// What becomes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is added.
    Add,
    /// It is there and is brought up to date.
    Update,
    /// It is as it should be.
    Unchanged,
    /// Another client (by id) was connected through the same file, which both read.
    SharedWith(String),
}

/// Why there is nothing to write.
#[derive(Debug)]
pub(crate) enum Obstacle {
    Conflict(Box<Entry>),
    Config(ConfigError),
}

impl From<ConfigError> for Obstacle {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

/// A plan, and what the record will say of it.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) planned: Planned,
    pub(crate) made: Made,
    pub(crate) replaced: Option<Value>,
    /// `None`: as it is now, which is kept first.
    pub(crate) origin: Option<Origin>,
}

/// Plans an entry. `recorded` is what the record says of its place.
pub(crate) fn plan(
    found: &Found,
    wanted: &Wanted,
    recorded: Option<&Connection>,
) -> Result<Draft, Obstacle> {
    let path = wanted.path();
    let slot = wanted.slot(&path);
    let text = found.text.as_deref().unwrap_or_default();
    let Some(present) = config::get(text, &slot)? else {
        return add(found, wanted, &slot, recorded);
    };
    let entry = Entry::read(&wanted.name, &present);
    if !is_ours(&entry, &present, recorded) {
        return Err(Obstacle::Conflict(Box::new(entry)));
    }
    let shared = recorded.filter(|recorded| recorded.client != wanted.client);
    let written = recorded.map(|recorded| &recorded.entry);
    let after = match shared {
        Some(_) => text.to_owned(),
        None => update(text, &slot, &present, &wanted.entry, written)?,
    };
    let change = match shared {
        Some(other) => Change::SharedWith(other.client.clone()),
        None if after == text => Change::Unchanged,
        None => Change::Update,
    };
    let (made, replaced, origin) = match recorded {
        Some(recorded) => {
            let origin = origin_now(recorded, text);
            (
                recorded.made.clone(),
                recorded.replaced.clone(),
                Some(origin),
            )
        }
        None => (Made::of_member(&slot), Some(present), None),
    };
    Ok(Draft {
        planned: planned(change, found, after),
        made,
        replaced,
        origin,
    })
}

fn add(
    found: &Found,
    wanted: &Wanted,
    slot: &Slot<'_>,
    recorded: Option<&Connection>,
) -> Result<Draft, Obstacle> {
    let text = found.text.as_deref().unwrap_or_default();
    let put = config::put(text, slot, &wanted.entry)?;
    let mut planned = planned(Change::Add, found, put.text);
    planned.was_dropped = recorded.is_some_and(|recorded| recorded.writing.is_none());
    Ok(Draft {
        planned,
        made: put.made,
        replaced: None,
        origin: found.text.is_none().then_some(Origin::Absent),
    })
}

fn planned(change: Change, found: &Found, after: String) -> Planned {
    Planned {
        change,
        real: found.real.clone(),
        before: found.text.clone(),
        after,
        was_dropped: false,
    }
}

/// What gets the file back once our entry is replaced in a text that others may have edited.
fn origin_now(recorded: &Connection, text: &str) -> Origin {
    if recorded.wrote.contains(&Digest::of(text.as_bytes())) {
        return recorded.origin.clone();
    }
    Origin::Edited {
        was_absent: match recorded.origin {
            Origin::Absent => true,
            Origin::Backup { .. } => false,
            Origin::Edited { was_absent } => was_absent,
        },
    }
}

/// Whether what stands at our name is ours: by its form, or because every member that we wrote
/// still stands there.
pub(crate) fn is_ours(entry: &Entry, present: &Value, recorded: Option<&Connection>) -> bool {
    entry.ours || recorded.is_some_and(|recorded| recorded.still_stands(present))
}

impl Connection {
    /// Whether every member that we wrote stands in what is there now.
    pub(crate) fn still_stands(&self, present: &Value) -> bool {
        has_all(present, &self.entry)
    }
}

fn has_all(present: &Value, written: &Value) -> bool {
    match written.as_object() {
        None => present == written,
        Some(written) => written
            .iter()
            .all(|(key, value)| present.get(key).is_some_and(|found| has_all(found, value))),
    }
}

/// Sets what we write inside an entry, and takes out what we once wrote and don't any more. What
/// the user added stays, and so does a switch that the user turned.
fn update(
    text: &str,
    slot: &Slot<'_>,
    present: &Value,
    wanted: &Value,
    written: Option<&Value>,
) -> Result<String, ConfigError> {
    let (Some(present), Some(wanted)) = (present.as_object(), wanted.as_object()) else {
        return Ok(config::put(text, slot, wanted)?.text);
    };
    let mut text = text.to_owned();
    for (key, value) in wanted {
        let path: Vec<_> = slot.path.iter().copied().chain([key.as_str()]).collect();
        let slot = inner(slot.syntax, &path);
        text = match present.get(key) {
            Some(found) if found == value => continue,
            Some(Value::Bool(_)) if value.is_boolean() => continue,
            Some(found) if found.is_object() && value.is_object() => {
                let written = written.and_then(|written| written.get(key));
                update(&text, &slot, found, value, written)?
            }
            _ => config::put(&text, &slot, value)?.text,
        };
    }
    for (key, value) in written.and_then(Value::as_object).into_iter().flatten() {
        if !wanted.contains_key(key) && present.get(key) == Some(value) {
            let path: Vec<_> = slot.path.iter().copied().chain([key.as_str()]).collect();
            let slot = inner(slot.syntax, &path);
            text = config::take_out(&text, &slot, &Made::of_member(&slot))?;
        }
    }
    Ok(text)
}

const fn inner<'p>(syntax: Syntax, path: &'p [&'p str]) -> Slot<'p> {
    Slot { syntax, path }
}
