//! What is released: the facts that Cargo knows, and the date.

use std::{env, process::Command};

use cargo_metadata::{Metadata, Package};
use jiff::Timestamp;
use serde::Deserialize;

use crate::{task::TaskError, workspace};

/// Says which moment all files of the packages carry, in seconds since 1970
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
const EPOCH_VARIABLE: &str = "SOURCE_DATE_EPOCH";
/// The package whose facts count.
pub(super) const PACKAGE: &str = "imprint";

/// A release, as package systems describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Release {
    /// The name of the program and of its packages.
    pub(super) name: String,
    /// A semantic version.
    pub(super) version: String,
    /// One line.
    pub(super) summary: String,
    pub(super) license: String,
    pub(super) repository: String,
    pub(super) author: String,
    pub(super) keywords: Vec<String>,
    pub(super) texts: Texts,
    /// The moment that all files carry.
    pub(super) time: Timestamp,
}

/// What only packages need: `[package.metadata.dist]` in the manifest of the binary.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Texts {
    /// The name as people read it.
    pub(super) display_name: String,
    /// Who answers for the Debian package: `Name <address>`.
    pub(super) maintainer: String,
    /// What the program is, in paragraphs of lines that have at most 79 characters.
    pub(super) about: String,
}

impl Release {
    /// The release that the workspace as it stands makes.
    pub(super) fn read(metadata: &Metadata) -> Result<Self, TaskError> {
        let package = metadata
            .workspace_packages()
            .into_iter()
            .find(|package| package.name.as_str() == PACKAGE)
            .ok_or_else(|| missing("the package"))?;
        Self::of(package, moment()?)
    }

    fn of(package: &Package, time: Timestamp) -> Result<Self, TaskError> {
        let given = |text: &Option<String>, what| text.clone().ok_or_else(|| missing(what));
        let texts = Texts::deserialize(&package.metadata["dist"]).map_err(|error| {
            TaskError::Impossible(format!("`[package.metadata.dist]` of `{PACKAGE}`: {error}"))
        })?;
        Ok(Self {
            name: package.name.to_string(),
            version: package.version.to_string(),
            summary: given(&package.description, "`description`")?,
            license: given(&package.license, "`license`")?,
            repository: given(&package.repository, "`repository`")?,
            author: given(&package.authors.first().cloned(), "`authors`")?,
            keywords: package.keywords.clone(),
            texts,
            time,
        })
    }
}

fn missing(what: &str) -> TaskError {
    TaskError::Impossible(format!("{what} is missing in the manifest of `{PACKAGE}`"))
}

/// The moment that the files carry: the one that is asked for, else that of the last commit.
fn moment() -> Result<Timestamp, TaskError> {
    let seconds = match env::var(EPOCH_VARIABLE) {
        Ok(asked) => asked,
        Err(_) => last_commit().ok_or_else(|| {
            TaskError::Impossible(format!(
                "the date of the last commit can't be read: set {EPOCH_VARIABLE} to the seconds \
                 since 1970 that the files of the packages shall carry"
            ))
        })?,
    };
    let parsed = seconds.trim().parse().ok();
    parsed
        .filter(|seconds| *seconds >= 0)
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .ok_or_else(|| TaskError::Impossible(format!("{EPOCH_VARIABLE} is no number of seconds")))
}

fn last_commit() -> Option<String> {
    let mut git = Command::new("git");
    let log = git.args(["log", "-1", "--format=%ct"]);
    let output = log.current_dir(workspace::root()).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(said)
}

#[cfg(test)]
pub(super) fn sample() -> Release {
    let metadata = cargo_metadata::MetadataCommand::new()
        .current_dir(workspace::root())
        .no_deps()
        .exec()
        .unwrap();
    let packages = metadata.workspace_packages();
    let package = packages
        .iter()
        .find(|package| package.name.as_str() == PACKAGE);
    let time = Timestamp::from_second(1_780_000_000).unwrap();
    let release = Release::of(package.unwrap(), time).unwrap();
    // A snapshot must not change with each release.
    Release {
        version: "1.2.3".to_owned(),
        ..release
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_says_all_that_packages_need() {
        let release = sample();
        assert_eq!(release.name, "imprint");
        assert!(release.summary.chars().count() <= 80);
        assert!(release.texts.maintainer.ends_with('>'));
        let lines = release.texts.about.lines();
        assert!(lines.map(|line| line.chars().count()).all(|n| n <= 79));
    }
}
