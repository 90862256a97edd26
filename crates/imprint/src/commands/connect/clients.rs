//! Which clients a command means, and on which side of WSL's border they run.

use std::{env, path::Path};

use imprint_clients::{
    Client, Machine, System,
    connect::{NoFile, Scope, project_folder},
    installed, known_clients,
    wsl::{self, Elsewhere},
};

use super::{Context, system};
use crate::{
    cli::{ConnectArgs, ScopeChoice},
    failure::{Failure, FailureKind},
    output::{Output, listed},
};

/// A client that is meant.
pub(super) struct Chosen {
    pub(super) client: &'static Client,
    pub(super) is_installed: bool,
    pub(super) side: Side,
}

/// Where a client runs.
#[derive(Clone)]
pub(super) enum Side {
    /// Where we do.
    Here(System),
    /// On the other side of WSL's border.
    There(Elsewhere),
}

/// A file of a client's.
pub(super) struct Place<'a> {
    pub(super) file: &'a Path,
    pub(super) real: &'a Path,
    pub(super) scope: &'a Scope,
}

impl Side {
    /// Our system and the client's.
    pub(super) fn systems(&self) -> (System, System) {
        match self {
            Self::Here(ours) => (ours.clone(), ours.clone()),
            Self::There(elsewhere) => (elsewhere.ours().clone(), elsewhere.system.clone()),
        }
    }
}

impl Chosen {
    /// The client's name, and its system where that is not ours.
    pub(super) fn title(&self) -> String {
        let title = self.client.facts.title;
        match &self.side {
            Side::Here(_) => title.to_owned(),
            Side::There(elsewhere) => format!("{title} on {}", elsewhere.system),
        }
    }

    /// The project that the person is in, by the nearest repository or file of the client's.
    pub(super) fn project_scope(&self, machine: &Machine) -> Result<Scope, NoFile> {
        let config = self.client.config.as_ref().ok_or(NoFile::Unknown)?;
        let file = config.project.ok_or(NoFile::NotInProjects)?;
        let current = env::current_dir().map_err(|_| NoFile::NoProject)?;
        let home = machine.home(&[]);
        let folder = project_folder(&current, file, &home);
        if home.starts_with(&folder) {
            return Err(NoFile::NoProject);
        }
        Ok(Scope::Project(folder))
    }
}

/// The clients that the arguments name: those of these ids, or all that are installed.
pub(super) fn chosen(
    context: &Context,
    out: &Output,
    args: &ConnectArgs,
) -> Result<Vec<Chosen>, Failure> {
    let named = named(&args.clients.names)?;
    if args.wsl && args.scope == ScopeChoice::Project {
        return Err(
            Failure::usage("a project's file is the same on both sides of WSL's border")
                .hint("leave `--wsl` out"),
        );
    }
    let ours = system();
    let mut all = on_side(
        &named,
        &installed(context.home.root(), &context.machine),
        &Side::Here(ours.clone()),
        args.clients.all || args.wsl,
    );
    if args.wsl {
        for elsewhere in other_sides(out, &ours)? {
            let there = elsewhere.installed();
            all.extend(on_side(&named, &there, &Side::There(elsewhere), true));
        }
    }
    if all.is_empty() {
        return Err(Failure::new(
            FailureKind::NotFound,
            "none of these clients was found on this computer",
        )
        .hint(known("")));
    }
    Ok(all)
}

/// The clients of one side: those that are named, or all; only installed ones where so asked.
fn on_side(
    named: &[&'static Client],
    installed: &[&'static Client],
    side: &Side,
    only_installed: bool,
) -> Vec<Chosen> {
    let is_installed = |client: &Client| {
        installed
            .iter()
            .any(|found| found.facts.id == client.facts.id)
    };
    let meant = if named.is_empty() { installed } else { named };
    meant
        .iter()
        .map(|client| Chosen {
            client,
            is_installed: is_installed(client),
            side: side.clone(),
        })
        .filter(|chosen| chosen.is_installed || !only_installed)
        .collect()
}

/// The clients of these names: ids, or names as people write them.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static Client>, Failure> {
    let mut all: Vec<&'static Client> = Vec::new();
    for name in names {
        let client = known_clients()
            .iter()
            .find(|client| {
                [client.facts.id, client.facts.title]
                    .iter()
                    .any(|known| plain(known) == plain(name))
            })
            .ok_or_else(|| {
                Failure::new(
                    FailureKind::NotFound,
                    format!("there is no client `{name}`"),
                )
                .hint(known(name))
            })?;
        if !all.iter().any(|one| one.facts.id == client.facts.id) {
            all.push(client);
        }
    }
    Ok(all)
}

/// The ids that `name` may stand for: those it is a part of, else all.
fn known(name: &str) -> String {
    let part = plain(name);
    let meant: Vec<_> = known_clients()
        .iter()
        .map(|client| client.facts.id)
        .filter(|id| !part.is_empty() && plain(id).contains(&part))
        .collect();
    if !meant.is_empty() {
        return format!("did you mean {}?", meant.join(" or "));
    }
    let ids: Vec<_> = known_clients()
        .iter()
        .filter(|client| client.config.is_some())
        .map(|client| client.facts.id)
        .collect();
    format!("those with a configuration file are {}", listed(&ids))
}

/// A name without capitals and without what stands between its words.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The other sides of WSL's border: from Windows each distribution, from inside one Windows.
fn other_sides(out: &Output, ours: &System) -> Result<Vec<Elsewhere>, Failure> {
    let failed = |error: wsl::WslError| {
        Failure::failed(error.to_string())
            .hint("without `--wsl` the clients of this side are connected")
    };
    let mut sides = Vec::new();
    match ours {
        System::Windows => {
            for distro in wsl::distributions(ours, &wsl::run).map_err(failed)? {
                match Elsewhere::distribution(&distro, &wsl::run) {
                    Ok(elsewhere) => sides.push(elsewhere),
                    // One that doesn't start must not keep the others from being connected.
                    Err(error) => {
                        out.warning(&format!("{error}; its clients are left as they are"));
                    }
                }
            }
        }
        System::Wsl(distro) => {
            sides.push(Elsewhere::windows(distro, &wsl::run).map_err(failed)?);
        }
        System::Linux | System::MacOs => {}
    }
    if sides.is_empty() {
        return Err(Failure::failed("there is no other side of WSL here").hint("leave `--wsl` out"));
    }
    Ok(sides)
}

/// That the other side of WSL's border was left out.
pub(super) fn tell_other_side(out: &Output) {
    let ours = system();
    let there = match &ours {
        System::Windows => match wsl::distributions(&ours, &wsl::run) {
            Ok(distros) if !distros.is_empty() => format!("clients inside {}", listed(&distros)),
            _ => return,
        },
        System::Wsl(_) => "clients on Windows".to_owned(),
        System::Linux | System::MacOs => return,
    };
    out.message(&format!(
        "{there} were left as they are; `--wsl` reaches them too"
    ));
}

/// The one failure that there is.
pub(super) fn alone(failures: Vec<(String, Failure)>) -> Result<(), Failure> {
    failures
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, failure)| Err(failure))
}

/// A failure for all that failed, each of which is told already.
pub(super) fn summed_up(failures: Vec<(String, Failure)>, done: &str) -> Result<(), Failure> {
    let Some((_, first)) = failures.first() else {
        return Ok(());
    };
    let titles: Vec<_> = failures.iter().map(|(title, _)| title.as_str()).collect();
    let verb = if titles.len() == 1 { "was" } else { "were" };
    let message = format!("{} {verb} not {done}", listed(&titles));
    let mut sum = Failure::new(first.kind, message);
    for (_, failure) in failures {
        sum.hints.extend(failure.hints);
    }
    Err(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_known_by_what_people_call_them() {
        let id = |name: &str| named(&[name.to_owned()]).map(|found| found[0].facts.id);
        for name in ["vs-code", "vscode", "VS Code", "Visual Studio Code"] {
            if let Ok(found) = id(name) {
                assert_eq!(found, "vs-code", "{name}");
            }
        }
        assert_eq!(id("claude code").unwrap(), "claude-code");
        assert_eq!(id("Claude-Code").unwrap(), "claude-code");
        let twice = named(&["codex".to_owned(), "Codex".to_owned()]).unwrap();
        assert_eq!(twice.len(), 1);
        assert!(id("nobody").is_err());
    }
}
