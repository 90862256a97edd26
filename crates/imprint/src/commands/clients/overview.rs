//! All clients in a table.

use imprint_clients::{
    inspect::{Channel, ConfigScope, ConfigState, Inspected, OverMcp, PlaceState},
    listing::WhyUnlisted,
};
use imprint_format::ItemKind;

use super::counted;
use crate::{home::shown, output::Output};

/// What is said of a client of which nobody established something.
const UNKNOWN: &str = "unknown";

pub(super) fn print(out: &Output, seen: &[Inspected], all: bool) {
    if seen.is_empty() {
        out.message("No client was found on this machine; `imprint clients --all` lists those that Imprint knows");
        return;
    }
    let header = [
        "CLIENT",
        "VERSION",
        "CONNECTED",
        "SKILLS FROM",
        "CATALOG THROUGH",
        "REMARKS",
    ];
    out.table(&header, seen.iter().map(row));
    if seen
        .iter()
        .any(|one| one.installed.is_some() && is_connectable(one))
    {
        out.message("`imprint connect --all` connects those that are not connected");
    }
    let more = if all {
        ""
    } else {
        "; `--all` lists those too that were not found here"
    };
    out.message(&format!(
        "`imprint clients NAME` tells all of one, and how it is known{more}"
    ));
}

fn is_connectable(one: &Inspected) -> bool {
    one.client.config.is_some() && one.connections().next().is_none()
}

fn row(one: &Inspected) -> Vec<String> {
    vec![
        one.id.to_owned(),
        version(one),
        connected(one).to_owned(),
        skills_from(one),
        catalog(&one.channel),
        remarks(one),
    ]
}

fn version(one: &Inspected) -> String {
    match (&one.version, &one.installed) {
        (Some(version), _) => version.text.clone(),
        (None, Some(_)) => UNKNOWN.to_owned(),
        (None, None) => "not found".to_owned(),
    }
}

fn connected(one: &Inspected) -> &'static str {
    let is_damaged = |state: &ConfigState| {
        matches!(
            state,
            ConfigState::Damaged { .. } | ConfigState::Unreadable { .. }
        )
    };
    let mut connections = one.connections().filter(|(_, seen)| !seen.ours.is_disabled);
    match connections.next() {
        Some((file, _)) if file.scope == ConfigScope::User => "yes",
        Some(_) => "in this project",
        None if one.connections().next().is_some() => "switched off",
        None if one.client.config.is_none() => "-",
        None if one.configs.iter().any(|file| is_damaged(&file.state)) => "file damaged",
        None if one.configs.iter().any(|file| !file.entries().is_empty()) => "name taken",
        None => "no",
    }
}

fn skills_from(one: &Inspected) -> String {
    let skills = one
        .places
        .iter()
        .filter(|place| place.kind == ItemKind::Skill);
    let there = skills.filter(|place| place.state != PlaceState::Missing);
    let folders: Vec<_> = there.map(|place| shown(&place.folder)).collect();
    if folders.is_empty() {
        "-".to_owned()
    } else {
        folders.join(", ")
    }
}

fn catalog(channel: &Channel) -> String {
    let over_mcp = match channel.over_mcp {
        OverMcp::Instructions => "instructions",
        OverMcp::ToolDescription => "tool description",
        OverMcp::Both => "instructions, tool",
    };
    let kinds: Vec<_> = channel
        .from_folders
        .iter()
        .map(|kind| format!("{kind}s"))
        .collect();
    if kinds.is_empty() {
        return over_mcp.to_owned();
    }
    format!("folders ({}), {over_mcp}", kinds.join(", "))
}

fn remarks(one: &Inspected) -> String {
    let mut remarks = Vec::new();
    let dangling = one
        .places
        .iter()
        .filter(|place| matches!(place.state, PlaceState::Dangling { .. }));
    remarks.extend(counted(dangling.count(), "folder is a dead link"));
    if let Some(skills) = &one.skills {
        let count =
            |is: fn(&WhyUnlisted) -> bool| one.left_out().filter(|left| is(&left.why)).count();
        let shadowed = count(|why| matches!(why, WhyUnlisted::Shadowed(_)));
        let rejected =
            count(|why| matches!(why, WhyUnlisted::Rejected(_) | WhyUnlisted::Unusable(_)));
        remarks.extend(counted(skills.repeated().len(), "listed twice"));
        remarks.extend(counted(shadowed, "shadowed"));
        remarks.extend(counted(rejected, "rejected"));
        remarks.extend(counted(
            skills.not_whole().count(),
            "without whole description",
        ));
    }
    remarks.join(", ")
}
