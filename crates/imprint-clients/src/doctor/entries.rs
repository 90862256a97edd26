//! A client's configuration files and our entries in them.

use std::{collections::BTreeSet, path::Path};

use super::{Ailment, Examination, Finding};
use crate::{
    inspect::{ConfigScope, ConfigSeen, ConfigState, EntrySeen, Inspected, Leads},
    launch::{DISTRO_VARIABLE, HOME_VARIABLE, SERVER_NAME},
};

pub(super) fn findings(inspected: &Inspected, examination: &Examination<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &inspected.configs {
        findings.extend(of_file(inspected, file));
    }
    for (file, seen) in inspected.connections() {
        let at = At {
            inspected,
            file,
            seen,
        };
        findings.extend(at.program());
        findings.extend(at.named_client());
        findings.extend(at.surroundings(examination));
    }
    findings.extend(two_entries(inspected));
    findings.extend(not_connected(inspected));
    findings
}

/// A file that can't be read, an entry of our name that isn't ours, paths that were mangled.
fn of_file(inspected: &Inspected, file: &ConfigSeen) -> Vec<Finding> {
    let shown = file.file.display();
    match &file.state {
        ConfigState::Missing => Vec::new(),
        ConfigState::Unreadable { why } | ConfigState::Damaged { why } => {
            let what = format!(
                "`{shown}` can't be read: {why}; {} may ignore all of it",
                inspected.title
            );
            let finding = Finding::error(Ailment::DamagedConfig, what)
                .by_hand("mend the file; Imprint changes no file that it can't read");
            vec![finding.of(inspected.id)]
        }
        ConfigState::Read {
            entries, mangled, ..
        } => {
            let foreign = entries.iter().filter(|seen| !seen.ours.entry.ours);
            let foreign = foreign.map(|seen| {
                let what = format!(
                    "the entry `{}` in `{shown}` is not Imprint's ({}), and Imprint replaces nothing that it didn't write",
                    seen.ours.entry.name,
                    seen.ours.entry
                );
                Finding::warning(Ailment::ForeignEntry, what)
                    .by_hand(format!("give that entry another name, then run `imprint connect {}`", inspected.id))
            });
            let mangled = mangled.iter().map(|name| {
                let what = format!(
                    "the entry `{name}` in `{shown}` has a control character in a path or an argument, as from a single backslash (`C:\\temp` is read as `C:`, a tab and `emp`)"
                );
                Finding::warning(Ailment::ControlCharacters, what)
                    .by_hand("write each backslash twice, or a slash in its place")
            });
            foreign
                .chain(mangled)
                .map(|finding| finding.of(inspected.id))
                .collect()
        }
    }
}

/// An entry, in its file, of a client.
struct At<'a> {
    inspected: &'a Inspected,
    file: &'a ConfigSeen,
    seen: &'a EntrySeen,
}

impl At<'_> {
    fn named(&self) -> String {
        format!(
            "the entry `{}` in `{}`",
            self.seen.ours.entry.name,
            self.file.file.display()
        )
    }

    /// What is mended by writing the entry anew.
    fn anew(&self, finding: Finding) -> Finding {
        let id = self.inspected.id;
        let finding = finding.of(id);
        match self.file.scope {
            ConfigScope::User => finding.command(format!("imprint connect {id}")),
            ConfigScope::Project => finding.command(format!("imprint connect {id} --scope project")),
            ConfigScope::Local => finding.by_hand(format!(
                "take that entry out of the file, where it counts for this project alone; `imprint connect {id}` makes one for all"
            )),
        }
    }

    fn program(&self) -> Option<Finding> {
        let entry = self.named();
        let command = self.seen.ours.entry.command.as_deref().unwrap_or_default();
        let finding = match self.seen.leads.as_ref()? {
            Leads::Here if self.seen.may_be_started(self.inspected.id) => return None,
            Leads::Here => {
                let args = self.seen.ours.entry.args.join(" ");
                let what = format!(
                    "{entry} starts this program with other arguments (`{args}`) than `imprint connect` writes, so it was not started"
                );
                Finding::note(Ailment::OtherArguments, what)
            }
            Leads::Nowhere => Finding::error(
                Ailment::MissingProgram,
                format!("{entry} starts `{command}`, which is not there; it was moved or removed"),
            ),
            Leads::Elsewhere { path } => Finding::warning(
                Ailment::OtherProgram,
                format!(
                    "{entry} starts another program than this one, perhaps an older one: `{}`; it was not started",
                    path.display()
                ),
            ),
            Leads::ByName { .. } => Finding::warning(
                Ailment::RelativeCommand,
                format!(
                    "{entry} names `{command}` without its folder, and a client that was not started from a shell has a short `PATH`"
                ),
            ),
            Leads::OverBridge => {
                let what = format!(
                    "{entry} starts Imprint on the other side of WSL (`{command}`); run `imprint doctor` there to check it"
                );
                return Some(Finding::note(Ailment::OverBridge, what).of(self.inspected.id));
            }
            Leads::OtherSystem => Finding::error(
                Ailment::OtherSystem,
                format!(
                    "{entry} starts `{command}`, a path of another system's form; {} runs on this one",
                    self.inspected.title
                ),
            ),
        };
        Some(self.anew(finding))
    }

    fn named_client(&self) -> Option<Finding> {
        let id = self.inspected.id;
        let title = self.inspected.title;
        match self.seen.ours.named_client() {
            Some(named) if named == id => None,
            Some(named) => {
                let what = format!(
                    "{} says `--client {named}`, but {title} reads that file",
                    self.named()
                );
                Some(self.anew(Finding::warning(Ailment::OtherClientNamed, what)))
            }
            // What it says of itself is enough, where that is known.
            None if !self.inspected.client.facts.names.is_empty() => None,
            None => {
                let what = format!(
                    "{} doesn't say `--client {id}`, and {title} doesn't say who it is, so it gets what an unknown client gets",
                    self.named()
                );
                Some(self.anew(Finding::warning(Ailment::NoClientNamed, what)))
            }
        }
    }

    /// The home that the entry uses, the bridge that it crosses, and whether it is in use.
    fn surroundings(&self, examination: &Examination<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let ours = &self.seen.ours;
        let set = ours.variables.get(HOME_VARIABLE).map(Path::new);
        let is_over_bridge = self.seen.leads == Some(Leads::OverBridge);
        let its_home = set.unwrap_or(examination.usual_home);
        if !is_over_bridge && its_home != examination.home.root {
            let what = format!(
                "{} serves from another home (`{}`) than this one (`{}`)",
                self.named(),
                its_home.display(),
                examination.home.root.display()
            );
            findings.push(self.anew(Finding::warning(Ailment::OtherHome, what)));
        }
        if is_over_bridge && !self.seen.marks_bridge() {
            let what = format!(
                "{} crosses the border of WSL without `{DISTRO_VARIABLE}`, so items would be left out that only the folders of the other side hold",
                self.named()
            );
            let finding = Finding::warning(Ailment::BridgeUnmarked, what).of(self.inspected.id);
            findings.push(finding.command(format!("imprint connect {} --wsl", self.inspected.id)));
        }
        if ours.is_disabled {
            let what = format!("{} is switched off", self.named());
            let finding = Finding::note(Ailment::DisabledEntry, what).of(self.inspected.id);
            findings.push(finding.by_hand(format!(
                "switch it on in {} if you want it",
                self.inspected.title
            )));
        }
        findings
    }
}

/// Two servers that offer the same tools cost the model room and may be asked in turn.
fn two_entries(inspected: &Inspected) -> Option<Finding> {
    let in_use: Vec<_> = inspected
        .connections()
        .filter(|(_, seen)| !seen.ours.is_disabled)
        .collect();
    if in_use.len() < 2 {
        return None;
    }
    let entries: Vec<_> = in_use
        .iter()
        .map(|(file, seen)| format!("`{}` in `{}`", seen.ours.entry.name, file.file.display()))
        .collect();
    let names: BTreeSet<_> = in_use
        .iter()
        .map(|(_, seen)| &seen.ours.entry.name)
        .collect();
    let all = entries.join(", ");
    // Entries of one name in files of different reach: most clients take the nearest alone.
    if names.len() == 1 {
        let what = format!(
            "more than one entry starts Imprint; {} takes one of them or each: {all}",
            inspected.title
        );
        return Some(Finding::note(Ailment::TwoEntries, what).of(inspected.id));
    }
    let what = format!(
        "{} entries start Imprint, so its tools are there more than once: {all}",
        entries.len()
    );
    let finding = Finding::warning(Ailment::TwoEntries, what).of(inspected.id);
    Some(finding.by_hand("take out all but one of them"))
}

fn not_connected(inspected: &Inspected) -> Option<Finding> {
    let id = inspected.id;
    if inspected.connections().next().is_some() || inspected.client.config.is_none() {
        return None;
    }
    let user = inspected
        .configs
        .iter()
        .find(|file| file.scope == ConfigScope::User)?;
    if !matches!(user.state, ConfigState::Missing | ConfigState::Read { .. }) {
        return None;
    }
    let is_taken = user
        .entries()
        .iter()
        .any(|seen| seen.ours.entry.name == SERVER_NAME);
    if is_taken {
        // The finding about the entry of that name says what to do first.
        return None;
    }
    if inspected.was_connected {
        let what = format!(
            "`{}` has lost Imprint's entry; {} or another program wrote the file anew",
            user.file.display(),
            inspected.title
        );
        return Some(
            Finding::warning(Ailment::LostEntry, what)
                .of(id)
                .command(format!("imprint connect {id}")),
        );
    }
    let what = format!("{} is installed and doesn't start Imprint", inspected.title);
    let finding = Finding::note(Ailment::NotConnected, what).of(id);
    Some(finding.command(format!("imprint connect {id}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::{
        Mend, Severity,
        sample::{Sample, config, entry},
    };

    fn told(sample: &Sample) -> Vec<(Ailment, Severity, Option<Mend>)> {
        let found = findings(&sample.inspected, &sample.examination());
        found
            .into_iter()
            .map(|one| (one.id, one.severity, one.mend))
            .collect()
    }

    fn connect() -> Mend {
        Mend::Command("imprint connect claude-code".to_owned())
    }

    fn only(sample: &Sample) -> (Ailment, Severity, Option<Mend>) {
        let mut told = told(sample);
        assert_eq!(told.len(), 1, "{told:?}");
        told.remove(0)
    }

    #[test]
    fn a_good_entry_is_no_finding() {
        assert_eq!(told(&Sample::connected()), []);
    }

    #[test]
    fn programs_that_are_not_this_one_are_told_apart() {
        use Severity::{Error, Warning};
        let elsewhere = Leads::Elsewhere {
            path: "/opt/old/imprint".into(),
        };
        for (leads, ailment, severity) in [
            (Leads::Nowhere, Ailment::MissingProgram, Error),
            (elsewhere, Ailment::OtherProgram, Warning),
            (
                Leads::ByName { leads_here: true },
                Ailment::RelativeCommand,
                Warning,
            ),
            (Leads::OtherSystem, Ailment::OtherSystem, Error),
        ] {
            let mut sample = Sample::connected();
            sample.entry().leads = Some(leads);
            assert_eq!(only(&sample), (ailment, severity, Some(connect())));
        }
    }

    #[test]
    fn two_entries_are_one_too_many() {
        let and = |name| {
            let mut sample = Sample::connected();
            let project = config(ConfigScope::Project, vec![entry(name)]);
            sample.inspected.configs.push(project);
            sample
        };
        assert_eq!(only(&and("mine")).1, Severity::Warning);
        assert_eq!(only(&and("imprint")).1, Severity::Note);
        let mut off = and("mine");
        let mut mine = entry("mine");
        mine.ours.is_disabled = true;
        off.inspected.configs[1] = config(ConfigScope::Project, vec![mine]);
        assert_eq!(only(&off).0, Ailment::DisabledEntry);
    }

    #[test]
    fn an_entry_for_another_client_or_home_is_told() {
        let mut sample = Sample::connected();
        sample.entry().ours.entry.args[2] = "codex".to_owned();
        let told_of: Vec<_> = told(&sample).iter().map(|one| one.0).collect();
        assert_eq!(
            told_of,
            [Ailment::OtherArguments, Ailment::OtherClientNamed]
        );
        let mut sample = Sample::connected();
        let variables = &mut sample.entry().ours.variables;
        variables.insert(HOME_VARIABLE.to_owned(), "/srv/other".to_owned());
        assert_eq!(only(&sample).0, Ailment::OtherHome);
        let mut sample = Sample::connected();
        sample.entry().ours.entry.args.truncate(1);
        assert_eq!(
            only(&sample).0,
            Ailment::OtherArguments,
            "its name is known"
        );
    }

    #[test]
    fn what_crosses_the_border_of_wsl_says_so() {
        let mut sample = Sample::connected();
        sample.entry().leads = Some(Leads::OverBridge);
        let told_of: Vec<_> = told(&sample).iter().map(|one| one.0).collect();
        assert_eq!(told_of, [Ailment::OverBridge, Ailment::BridgeUnmarked]);
        let mut marked = Sample::connected();
        marked.entry().leads = Some(Leads::OverBridge);
        let variables = &mut marked.entry().ours.variables;
        variables.insert(DISTRO_VARIABLE.to_owned(), "Ubuntu".to_owned());
        assert_eq!(only(&marked).0, Ailment::OverBridge);
        let mut in_args = Sample::connected();
        in_args.entry().leads = Some(Leads::OverBridge);
        let args = &mut in_args.entry().ours.entry.args;
        args.insert(0, format!("{DISTRO_VARIABLE}=Ubuntu"));
        assert_eq!(only(&in_args).0, Ailment::OverBridge);
    }

    #[test]
    fn a_client_without_entry_is_told_by_what_stands_there() {
        let without = |entries| {
            let mut sample = Sample::connected();
            sample.inspected.configs = vec![config(ConfigScope::User, entries)];
            sample
        };
        let mut sample = without(Vec::new());
        assert_eq!(
            only(&sample),
            (Ailment::NotConnected, Severity::Note, Some(connect()))
        );
        sample.inspected.was_connected = true;
        assert_eq!(
            only(&sample),
            (Ailment::LostEntry, Severity::Warning, Some(connect()))
        );
        let mut foreign = entry(SERVER_NAME);
        foreign.ours.entry.ours = false;
        foreign.leads = None;
        let mut taken = without(vec![foreign]);
        assert_eq!(only(&taken).0, Ailment::ForeignEntry);
        taken.inspected.was_connected = true;
        assert_eq!(only(&taken).0, Ailment::ForeignEntry);
    }

    #[test]
    fn a_damaged_file_and_mangled_paths_are_told() {
        let mut sample = Sample::connected();
        sample.inspected.configs[0].state = ConfigState::Damaged {
            why: "line 2, column 3: x".to_owned(),
        };
        assert_eq!(only(&sample).0, Ailment::DamagedConfig);
        let mut sample = Sample::connected();
        let ConfigState::Read { mangled, .. } = &mut sample.inspected.configs[0].state else {
            panic!("the sample is read");
        };
        mangled.push("files".to_owned());
        assert_eq!(only(&sample).0, Ailment::ControlCharacters);
    }
}
