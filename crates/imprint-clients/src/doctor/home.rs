//! The Imprint home: the database, the settings, and what killed processes left.

use std::path::{Path, PathBuf};

use super::{Ailment, Examination, Finding};

/// The Imprint home as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeSeen {
    /// The home.
    pub root: PathBuf,
    /// What is wrong with the database, a line each; none: it is sound, or there is none.
    pub database: Vec<String>,
    /// Why the settings can't be read.
    pub settings: Option<String>,
    /// Why the record of connections can't be read.
    pub connections: Option<String>,
    /// Clients' files of which a change was begun and not finished.
    pub unfinished: Vec<PathBuf>,
    /// Temporary files of processes that were killed.
    pub leftovers: Vec<PathBuf>,
}

impl HomeSeen {
    /// A home in which nothing is amiss.
    pub fn sound(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            database: Vec::new(),
            settings: None,
            connections: None,
            unfinished: Vec::new(),
            leftovers: Vec::new(),
        }
    }
}

pub(super) fn findings(examination: &Examination<'_>) -> Vec<Finding> {
    let home = examination.home;
    let mut findings = Vec::new();
    if let Some(first) = home.database.first() {
        let more = match home.database.len() {
            1 => String::new(),
            all => format!(" and {} more", all - 1),
        };
        let what = format!("the database is damaged: {first}{more}");
        let finding = Finding::error(Ailment::DamagedDatabase, what);
        findings.push(finding.by_hand(format!(
            "keep a copy of `{}` and put a backup in its place; what clients' folders hold stays there, and no pass takes it away",
            home.root.join("imprint.db").display()
        )));
    }
    if let Some(why) = &home.settings {
        let what =
            format!("{why}; servers that clients start use the defaults and write no folder");
        let finding = Finding::error(Ailment::DamagedSettings, what);
        findings.push(finding.by_hand("mend the file, or move it away to start with the defaults"));
    }
    if let Some(why) = &home.connections {
        let finding = Finding::error(Ailment::DamagedRecord, why);
        findings.push(finding.by_hand(
            "move that file away: entries that start `imprint mcp` still count as Imprint's",
        ));
    }
    if !home.unfinished.is_empty() {
        let what = format!(
            "a change of {} was begun and not finished",
            quoted(&home.unfinished)
        );
        let finding = Finding::warning(Ailment::Unfinished, what);
        findings.push(finding.command("imprint connect --all"));
    }
    if !home.leftovers.is_empty() {
        let what = format!("a process that was killed left {}", quoted(&home.leftovers));
        findings.push(Finding::note(Ailment::Leftovers, what).command("imprint write"));
    }
    findings
}

fn quoted(paths: &[PathBuf]) -> String {
    let quoted: Vec<_> = paths
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::sample::Sample;

    #[test]
    fn a_sound_home_has_no_findings_and_each_damage_has_one() {
        let mut sample = Sample::connected();
        assert_eq!(findings(&sample.examination()), []);
        sample.home.database = vec!["page 7 is gone".to_owned(), "page 8 too".to_owned()];
        sample.home.settings = Some("`config.toml` is no valid TOML".to_owned());
        sample.home.connections = Some("`connections.json` is damaged".to_owned());
        sample.home.unfinished = vec!["/home/ada/.claude.json".into()];
        sample.home.leftovers = vec!["/home/ada/.imprint-written-x.tmp".into()];
        let found = findings(&sample.examination());
        let ailments: Vec<_> = found
            .iter()
            .map(|one| (one.id, one.is_to_be_mended()))
            .collect();
        assert_eq!(
            ailments,
            [
                (Ailment::DamagedDatabase, true),
                (Ailment::DamagedSettings, true),
                (Ailment::DamagedRecord, true),
                (Ailment::Unfinished, true),
                (Ailment::Leftovers, false),
            ]
        );
        assert!(
            found[0].what.contains("page 7 is gone and 1 more"),
            "{}",
            found[0].what
        );
    }
}
