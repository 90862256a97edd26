//! `config`: a server's entry in a client's configuration file, put there and taken out again.

use std::{collections::BTreeMap, fs, path::Path};

use imprint_clients::{
    config::{self, Made, Slot, Syntax},
    connect::{Aim, Change, ConnectError, Connections, Scope, Wanted},
};
use imprint_core::Timestamp;
use imprint_format::{About, Diagnostic};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Run, diagnostics,
    schema::Case,
    setup::{below, octal},
    tree::tree_of,
    verdict::{CaseError, Verdict},
};
use crate::tree::{Entry, Snapshot};

const CLIENT: &str = "a-client";

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigSpec {
    /// Below the case's folder, as are all paths here.
    file: String,
    dialect: Syntax,
    servers_key: String,
    entry: NamedEntry,
    action: Action,
    result: ConfigResult,
    /// The modes and links afterwards.
    #[serde(default)]
    fs_after: BTreeMap<String, String>,
    /// The path that is given to the product, where it isn't the file's own.
    write_through: Option<String>,
    /// The entry that stands there is one that we wrote.
    #[serde(default)]
    manifest_has_entry: bool,
}

#[derive(Debug, Deserialize)]
struct NamedEntry {
    name: String,
    /// Whatever the entry holds, in order.
    #[serde(flatten)]
    members: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Action {
    Add,
    Update,
    AddThenRemove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ConfigResult {
    Written,
    Unchanged,
    Refused,
    Conflict,
    WrittenTwice,
}

pub(super) fn run(case: &Case, spec: &ConfigSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let (work, home) = (run.sandbox.work(), run.sandbox.data());
    let connections = Connections {
        home: &home,
        at: Timestamp(1_750_000_000_000),
    };
    let wanted = spec.wanted(&work)?;
    if spec.manifest_has_entry {
        record_what_stands_there(&connections, &wanted)?;
    }
    let before = tree_of(&work)?;
    let (result, said) = act(spec.action, &connections, &wanted)?;
    let after = tree_of(&work)?;

    let mut verdict = Verdict::default();
    verdict.equal("result", &spec.result, &result);
    diagnostics::compare(&mut verdict, &case.diagnostics, &said);
    if result != ConfigResult::Written {
        for difference in before.differences(&after) {
            verdict.differs(difference);
        }
    }
    compare_files(&mut verdict, &case.folder.join("expected"), &before, &after)?;
    compare_modes(&mut verdict, &spec.fs_after, &after)?;
    Ok(verdict)
}

impl ConfigSpec {
    fn wanted(&self, work: &Path) -> Result<Wanted, CaseError> {
        Ok(Wanted {
            client: CLIENT.to_owned(),
            scope: Scope::User,
            file: below(work, self.write_through.as_ref().unwrap_or(&self.file))?,
            syntax: self.dialect,
            servers: vec![self.servers_key.clone()],
            name: self.entry.name.clone(),
            entry: Value::Object(self.entry.members.clone()),
            makes_folders: true,
        })
    }
}

/// What it came to, and what there was to say.
fn act(
    action: Action,
    connections: &Connections<'_>,
    wanted: &Wanted,
) -> Result<(ConfigResult, Vec<Diagnostic>), CaseError> {
    let connected = match connections.connect(wanted) {
        Ok(connected) => connected,
        Err(error @ ConnectError::Conflict { .. }) => {
            let said = Diagnostic::warning(About::Config, error.to_string());
            return Ok((ConfigResult::Conflict, vec![said]));
        }
        Err(error @ (ConnectError::Config { .. } | ConnectError::File { .. })) => {
            let said = Diagnostic::error(About::Config, error.to_string());
            return Ok((ConfigResult::Refused, vec![said]));
        }
        Err(error) => return Err(CaseError::product(error)),
    };
    let result = match connected.planned.change {
        Change::Unchanged | Change::SharedWith(_) => ConfigResult::Unchanged,
        Change::Add | Change::Update if action == Action::AddThenRemove => {
            remove(connections)?;
            ConfigResult::WrittenTwice
        }
        Change::Add | Change::Update => ConfigResult::Written,
    };
    Ok((result, Vec::new()))
}

fn remove(connections: &Connections<'_>) -> Result<(), CaseError> {
    let all = connections.leaving(CLIENT, None);
    for leaving in all.map_err(CaseError::product)? {
        let removed = connections.disconnect(&leaving, Aim::FirstBytes);
        removed.map_err(CaseError::product)?;
    }
    Ok(())
}

/// Has the record list the entry that stands in the file: it is written there once more. Of its
/// members, those are ours that the product writes now as well; the others are the user's.
fn record_what_stands_there(
    connections: &Connections<'_>,
    wanted: &Wanted,
) -> Result<(), CaseError> {
    let bytes = fs::read(&wanted.file).map_err(CaseError::at(&wanted.file))?;
    let text = String::from_utf8_lossy(&bytes);
    let path = wanted.servers.iter().chain([&wanted.name]);
    let path: Vec<_> = path.map(String::as_str).collect();
    let slot = Slot {
        syntax: wanted.syntax,
        path: &path,
    };
    let entry = config::get(&text, &slot).map_err(CaseError::product)?;
    let mut entry = entry.ok_or_else(|| CaseError::Schema("there is no entry yet".to_owned()))?;
    if let (Some(members), Some(wanted)) = (entry.as_object_mut(), wanted.entry.as_object()) {
        members.retain(|key, _| wanted.contains_key(key));
    }
    let without = config::take_out(&text, &slot, &Made::of_member(&slot));
    let write = |bytes: &[u8]| fs::write(&wanted.file, bytes).map_err(CaseError::at(&wanted.file));
    write(without.map_err(CaseError::product)?.as_bytes())?;
    let earlier = Wanted {
        entry,
        ..wanted.clone()
    };
    connections.connect(&earlier).map_err(CaseError::product)?;
    write(&bytes)
}

/// Every file of `expected/` is there with its bytes, and none beside those and the input's.
fn compare_files(
    verdict: &mut Verdict,
    expected: &Path,
    before: &Snapshot,
    after: &Snapshot,
) -> Result<(), CaseError> {
    let expected = tree_of(expected)?;
    for (path, bytes) in expected.files() {
        match after.entry(path) {
            Some(Entry::File { bytes: now, .. }) => verdict.same_bytes(path, bytes, now),
            _ => verdict.differs(format!("`{path}` is no file")),
        }
    }
    for (path, _) in after.entries() {
        let is_known = before.entry(path).is_some() || expected.entry(path).is_some();
        verdict.holds(is_known, || format!("`{path}` is new"));
    }
    Ok(())
}

fn compare_modes(
    verdict: &mut Verdict,
    expected: &BTreeMap<String, String>,
    after: &Snapshot,
) -> Result<(), CaseError> {
    for (path, what) in expected {
        let found = after.entry(path);
        match (found, what.as_str()) {
            (Some(Entry::Link(_)), "symlink") => {}
            (Some(Entry::File { mode, .. }), what) if what != "symlink" => {
                verdict.equal(&format!("the mode of `{path}`"), &octal(what)?, mode);
            }
            _ => verdict.differs(format!("`{path}` is not as `{what}` says")),
        }
    }
    Ok(())
}
