//! `config_form`: the command form that a client gets, by where it runs and where we do. Computed:
//! none of these systems is needed.

use std::path::Path;

use imprint_clients::{Launch, Os, System, is_ours, known_clients};
use serde::Deserialize;

use super::verdict::{CaseError, Verdict};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigFormSpec {
    table: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    we_run_on: SystemName,
    /// The client's folder as seen from here.
    client_profile: String,
    command_for: SystemName,
    may_use_cmd_c: bool,
    path_style: Option<PathStyle>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SystemName {
    Windows,
    Linux,
    MacOs,
    Wsl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PathStyle {
    Windows,
    Linux,
}

impl SystemName {
    /// Where we run, and our program there. A path with a blank: the form must not need a shell.
    fn ours(self) -> (System, &'static str) {
        match self {
            Self::Windows => (System::Windows, r"C:\Program Files\Imprint\imprint.exe"),
            Self::Linux => (System::Linux, "/opt/my tools/imprint"),
            Self::MacOs => (System::MacOs, "/Applications/My Tools/imprint"),
            Self::Wsl => (System::Wsl("Debian".to_owned()), "/opt/my tools/imprint"),
        }
    }

    const fn of(system: &System) -> Self {
        match system {
            System::Windows => Self::Windows,
            System::MacOs => Self::MacOs,
            System::Linux => Self::Linux,
            System::Wsl(_) => Self::Wsl,
        }
    }
}

pub(super) fn run(spec: &ConfigFormSpec) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    for row in &spec.table {
        let (ours, program) = row.we_run_on.ours();
        let theirs = ours.of_client(Path::new(&row.client_profile));
        let about = &row.client_profile;
        verdict.equal(about, &row.command_for, &SystemName::of(&theirs));
        for client in known_clients() {
            let launch = Launch::new(program, client.facts.id, &ours, &theirs)
                .map_err(CaseError::product)?;
            row.check(&launch, &theirs, &mut verdict);
            if let Some(config) = &client.config {
                let entry = (config.form)(&launch);
                verdict.holds(is_ours(&entry), || format!("{entry} isn't known as ours"));
            }
        }
    }
    Ok(verdict)
}

impl Row {
    fn check(&self, launch: &Launch, theirs: &System, verdict: &mut Verdict) {
        let command = &launch.command;
        let shell = command.to_ascii_lowercase();
        let shell = shell.ends_with("cmd") || shell.ends_with("cmd.exe");
        verdict.holds(self.may_use_cmd_c || !shell, || {
            format!("`{command}` for {}", self.client_profile)
        });
        let expected = self.path_style.unwrap_or(match theirs.os() {
            Os::Windows => PathStyle::Windows,
            Os::Linux | Os::MacOs => PathStyle::Linux,
        });
        let linux = command.starts_with('/') && !command.contains('\\');
        let style = if linux {
            PathStyle::Linux
        } else {
            PathStyle::Windows
        };
        verdict.equal(command, &expected, &style);
    }
}
