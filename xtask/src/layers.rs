//! The layer check: which crate of ours may use which.
//!
//! A dependency is an arrow from user to used, and only the arrows of [`ALLOWED`] exist. What a
//! crate needs for its tests alone ([`ALLOWED_IN_TESTS`]) ships with nothing, so the rule is
//! looser there: the test kit, and a real store in place of the port.

use std::{collections::BTreeSet, fs};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::{
    task::{Done, TaskError},
    workspace,
};

/// Each crate, and the crates of ours that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "imprint",
        &[
            "imprint-server",
            "imprint-clients",
            "imprint-host",
            "imprint-sync",
            "imprint-store",
            "imprint-core",
            "imprint-format",
        ],
    ),
    (
        "imprint-server",
        &["imprint-core", "imprint-search", "imprint-format"],
    ),
    (
        "imprint-clients",
        &["imprint-core", "imprint-host", "imprint-format"],
    ),
    (
        "imprint-store",
        &["imprint-core", "imprint-search", "imprint-format"],
    ),
    ("imprint-sync", &["imprint-core", "imprint-format"]),
    ("imprint-core", &["imprint-search", "imprint-format"]),
    ("imprint-host", &["imprint-search", "imprint-format"]),
    ("imprint-search", &[]),
    ("imprint-format", &[]),
];
/// What each crate may use for its tests as well.
const ALLOWED_IN_TESTS: &[&str] = &["imprint-testkit", "imprint-store"];
/// Crates that ship with nothing: they may use any other, and be used by none but each other.
const TOOLS: &[&str] = &["imprint-testkit", "xtask"];
/// The file that describes the crates to people.
const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// One dependency between two crates of ours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    from: String,
    to: String,
    for_tests: bool,
}

/// Checks the workspace as it stands.
pub(crate) fn run() -> Done {
    let metadata = MetadataCommand::new()
        .current_dir(workspace::root())
        .no_deps()
        .exec()?;
    let crates = crates(&metadata);
    let mut faults = faults(&crates, &arrows(&metadata));
    let path = workspace::root().join(ARCHITECTURE);
    if let Ok(text) = fs::read_to_string(&path) {
        faults.extend(undescribed(&crates, &text));
    }
    if faults.is_empty() {
        println!(
            "layers: {} crates, all arrows are in the table",
            crates.len()
        );
        return Ok(());
    }
    Err(TaskError::Failed(faults.join("\n")))
}

fn crates(metadata: &Metadata) -> BTreeSet<String> {
    let packages = metadata.workspace_packages();
    packages
        .iter()
        .map(|package| package.name.to_string())
        .collect()
}

fn arrows(metadata: &Metadata) -> BTreeSet<Arrow> {
    let ours = crates(metadata);
    let packages = metadata.workspace_packages();
    let all = packages.iter().flat_map(|package| {
        package.dependencies.iter().map(|dependency| Arrow {
            from: package.name.to_string(),
            to: dependency.name.clone(),
            for_tests: dependency.kind == DependencyKind::Development,
        })
    });
    all.filter(|arrow| ours.contains(&arrow.to)).collect()
}

/// Each crate without a place in the table, and each arrow that is not in it.
fn faults(crates: &BTreeSet<String>, arrows: &BTreeSet<Arrow>) -> Vec<String> {
    let unknown = crates
        .iter()
        .filter(|name| allowed(name).is_none() && !TOOLS.contains(&name.as_str()))
        .map(|name| format!("`{name}` is not in the table of layers"));
    let forbidden = arrows
        .iter()
        .filter(|arrow| !is_allowed(arrow))
        .map(|Arrow { from, to, .. }| format!("`{from}` may not use `{to}`"));
    unknown.chain(forbidden).collect()
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    let row = ALLOWED.iter().find(|(user, _)| *user == name);
    row.map(|(_, used)| *used)
}

fn is_allowed(arrow: &Arrow) -> bool {
    let to = arrow.to.as_str();
    TOOLS.contains(&arrow.from.as_str())
        || (arrow.for_tests && ALLOWED_IN_TESTS.contains(&to))
        || allowed(&arrow.from).is_some_and(|used| used.contains(&to))
}

/// Each crate that the description for people doesn't name.
fn undescribed(crates: &BTreeSet<String>, text: &str) -> Vec<String> {
    crates
        .iter()
        .filter(|name| !text.contains(&format!("`{name}`")))
        .map(|name| format!("{ARCHITECTURE} doesn't describe `{name}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: &str, to: &str, for_tests: bool) -> BTreeSet<Arrow> {
        BTreeSet::from([Arrow {
            from: from.to_owned(),
            to: to.to_owned(),
            for_tests,
        }])
    }

    #[test]
    fn the_workspace_keeps_its_layers() {
        if let Err(error) = run() {
            panic!("{error}");
        }
    }

    #[test]
    fn arrows_point_one_way() {
        let none = BTreeSet::new();
        let fault = |from, to, for_tests| faults(&none, &arrow(from, to, for_tests));
        assert_eq!(fault("imprint-server", "imprint-core", false).len(), 0);
        assert_eq!(
            fault("imprint-core", "imprint-server", false),
            ["`imprint-core` may not use `imprint-server`"]
        );
        assert_eq!(fault("imprint-server", "imprint-store", false).len(), 1);
        assert_eq!(fault("imprint-server", "imprint-store", true).len(), 0);
        assert_eq!(fault("imprint-format", "imprint-core", true).len(), 1);
        assert_eq!(fault("imprint", "imprint-testkit", false).len(), 1);
        assert_eq!(fault("xtask", "imprint-clients", false).len(), 0);
    }

    #[test]
    fn a_new_crate_needs_a_place_and_a_description() {
        let crates = BTreeSet::from(["imprint-format".to_owned(), "imprint-extra".to_owned()]);
        assert_eq!(
            faults(&crates, &BTreeSet::new()),
            ["`imprint-extra` is not in the table of layers"]
        );
        assert_eq!(
            undescribed(&crates, "`imprint-format` reads files"),
            ["ARCHITECTURE.md doesn't describe `imprint-extra`"]
        );
    }
}
