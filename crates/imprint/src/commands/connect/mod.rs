//! `imprint connect`: our server's entry in clients' configuration files.

mod clients;
pub(super) mod disconnect;
mod screen;
mod web;

pub(super) use self::clients::named;

use std::env;

use imprint_clients::{
    EnvironmentOf, HOME_VARIABLE, Launch, Machine, System,
    connect::{
        Change, ConnectError, Connections, FileFault, NoFile, Planned, Program, Scope, Wanted,
    },
};
use imprint_core::Clock as _;
use serde::Serialize;

use self::{
    clients::{Chosen, Place, Side},
    screen::Told,
};
use crate::{
    cli::{ConnectArgs, Global, ScopeChoice},
    commands::diff,
    failure::{Failure, FailureKind},
    home::{Home, shown, variable},
    output::Output,
    wiring::{SystemClock, machine},
};

/// What the commands of this noun work with.
struct Context {
    home: Home,
    machine: Machine,
}

impl Context {
    fn new(global: &Global) -> Result<Self, Failure> {
        Ok(Self {
            home: Home::find(global.home.as_deref())?,
            machine: machine(EnvironmentOf::User)?,
        })
    }

    fn connections(&self) -> Connections<'_> {
        Connections {
            home: self.home.root(),
            at: SystemClock.now(),
        }
    }

    /// How a client starts this program, in this home.
    fn launch(&self, program: &Program, chosen: &Chosen) -> Result<Launch, Failure> {
        let (ours, theirs) = chosen.side.systems();
        let launch = Launch::new(&program.path, chosen.client.facts.id, &ours, &theirs)
            .map_err(|error| Failure::failed(error.to_string()))?;
        Ok(match home_to_name(&self.home)? {
            None => launch,
            Some(home) => launch.with_variable(HOME_VARIABLE, &home),
        })
    }
}

/// The home as entries must name it; `None` where the program finds it by itself.
pub(super) fn home_to_name(home: &Home) -> Result<Option<String>, Failure> {
    if home.is_found_by_itself() {
        return Ok(None);
    }
    match home.root().to_str() {
        Some(home) => Ok(Some(home.to_owned())),
        None => Err(Failure::failed(format!(
            "`{}` can't be named in clients' files, because it is no Unicode",
            shown(home.root())
        ))
        .hint("name another folder with `--home` or `IMPRINT_HOME`")),
    }
}

/// The running program.
pub(super) fn running(machine: &Machine) -> Result<Program, Failure> {
    let running = env::current_exe()
        .map_err(|error| Failure::failed(format!("can't tell where this program is: {error}")))?;
    Program::of(&running, machine.search_path()).map_err(|error| Failure::failed(error.to_string()))
}

/// The running program, and a warning where its path won't last.
fn program(out: &Output, machine: &Machine) -> Result<Program, Failure> {
    let program = running(machine)?;
    if program.is_of_a_build {
        out.warning(&format!(
            "`{}` lies in the folder of a build: clients stop finding it once that is cleaned; \
             install Imprint and connect again",
            program.path
        ));
    }
    Ok(program)
}

/// What holds for an entry in every project.
const ABOUT_PROJECTS: &str = "its entry names this computer's Imprint, so keep the file out of \
     what you share, or let others connect for themselves";

/// Everything that `--json` gives.
#[derive(Serialize)]
struct Report {
    dry_run: bool,
    /// The program that clients start.
    program: Option<String>,
    clients: Vec<Told>,
}

pub(super) fn run(global: &Global, out: &Output, args: &ConnectArgs) -> Result<(), Failure> {
    if let Some(client) = web::WebClient::meant(args)? {
        return web::run(out, client, args);
    }
    let context = Context::new(global)?;
    let program = program(out, &context.machine)?;
    let chosen = clients::chosen(&context, out, args)?;
    let work = Work {
        context: &context,
        program: &program,
        args,
    };
    let mut failures = Vec::new();
    let mut told = Vec::new();
    for one in &chosen {
        match work.one(one) {
            Ok(one) => told.push(one),
            Err(failure) if chosen.len() == 1 => return Err(failure),
            Err(failure) => {
                told.push(Told::failed(one, &failure));
                failures.push((one.title(), failure));
            }
        }
    }
    let report = Report {
        dry_run: args.clients.dry_run,
        program: Some(program.path.clone()),
        clients: told,
    };
    out.data(&report, |out| screen::print(out, &report));
    if args.clients.all && !args.wsl {
        clients::tell_other_side(out);
    }
    clients::summed_up(failures, "connected")
}

struct Work<'a> {
    context: &'a Context,
    program: &'a Program,
    args: &'a ConnectArgs,
}

impl Work<'_> {
    /// Connects one client, or says what that would change.
    fn one(&self, chosen: &Chosen) -> Result<Told, Failure> {
        let launch = self.context.launch(self.program, chosen)?;
        let wanted = match self.wanted(chosen, &launch) {
            Ok(wanted) => wanted,
            // With `--all` a client without a file is no failure: nobody named it.
            Err(NoFile::Unknown | NoFile::NotInProjects) if self.args.clients.all => {
                return Ok(Told::by_hand(chosen, &launch));
            }
            Err(why) => return Err(no_file(chosen, why, &launch)),
        };
        let connections = self.context.connections();
        let (planned, backup) = if self.args.clients.dry_run {
            let planned = connections.plan(&wanted);
            (planned.map_err(|error| failure(chosen, &error))?, None)
        } else {
            let connected = connections.connect(&wanted);
            let connected = connected.map_err(|error| failure(chosen, &error))?;
            (connected.planned, connected.backup)
        };
        let told = Told::of(chosen, &wanted, &planned, backup.as_deref());
        Ok(match planned.change {
            Change::Add | Change::Update if !self.args.clients.dry_run => told.with_rest(chosen),
            _ => told,
        })
    }

    fn wanted(&self, chosen: &Chosen, launch: &Launch) -> Result<Wanted, NoFile> {
        let client = chosen.client;
        match (&chosen.side, self.args.scope) {
            (Side::There(elsewhere), _) => {
                Wanted::elsewhere(client, elsewhere, launch, chosen.is_installed)
            }
            (Side::Here(_), ScopeChoice::User) => {
                let machine = &self.context.machine;
                Wanted::of(client, machine, launch, Scope::User, chosen.is_installed)
            }
            (Side::Here(_), ScopeChoice::Project) => {
                let scope = chosen.project_scope(&self.context.machine)?;
                Wanted::of(
                    client,
                    &self.context.machine,
                    launch,
                    scope,
                    chosen.is_installed,
                )
            }
        }
    }
}

/// What to do where no file is known.
fn by_hand(launch: &Launch) -> String {
    format!(
        "where its settings take a command, give them `{} {}`",
        launch.command,
        launch.args.join(" ")
    )
}

/// Why a client has no file, and what to do instead.
fn no_file(chosen: &Chosen, why: NoFile, launch: &Launch) -> Failure {
    let title = chosen.title();
    match why {
        NoFile::Unknown => Failure::failed(format!("{title} {why}")).hint(by_hand(launch)),
        NoFile::NotInProjects => {
            let failure = Failure::failed(format!("{title} {why}"));
            let id = chosen.client.facts.id;
            failure.hint(format!("`imprint connect {id}` connects it for you alone"))
        }
        NoFile::NoProject => Failure::failed(format!("{title} {why}"))
            .hint("go into the folder of a project, then run the command again"),
        NoFile::NoPlace => Failure::new(FailureKind::NotFound, format!("{title} {why}"))
            .hint("install it and start it once, then run the command again"),
    }
}

/// A failure for people: what to do depends on what stood in the way.
fn failure(chosen: &Chosen, error: &ConnectError) -> Failure {
    let again = format!("run `imprint connect {}` again", chosen.client.facts.id);
    match error {
        ConnectError::Conflict { found, .. } => {
            Failure::new(FailureKind::Conflict, error.to_string()).hint(format!(
                "if you don't need it, take `{}` out of the file, or give it another name; then {again}",
                found.name
            ))
        }
        ConnectError::File {
            file,
            fault: FileFault::Missing,
        } => Failure::new(
            FailureKind::NotFound,
            format!(
                "{} was not found on this computer, so `{}` was not made",
                chosen.title(),
                file.display()
            ),
        )
        .hint(format!("install it and start it once, then {again}")),
        ConnectError::Config { .. } => {
            Failure::failed(error.to_string()).hint(format!("mend the file, then {again}"))
        }
        _ => Failure::failed(error.to_string()),
    }
}

impl Told {
    /// What a connected client got.
    fn of(
        chosen: &Chosen,
        wanted: &Wanted,
        planned: &Planned,
        backup: Option<&std::path::Path>,
    ) -> Self {
        let result = match &planned.change {
            Change::Add => "add",
            Change::Update => "update",
            Change::Unchanged => "unchanged",
            Change::SharedWith(_) => "shared",
        };
        let place = Place {
            file: &wanted.file,
            real: &planned.real,
            scope: &wanted.scope,
        };
        let mut told = Self::at(chosen.client, chosen.title(), result, &place);
        told.diff = diff::of_config(
            &wanted.file,
            wanted.syntax,
            planned.before.as_deref(),
            Some(&planned.after),
        );
        told.backup = backup.map(|path| path.display().to_string());
        told.note = match &planned.change {
            Change::SharedWith(other) => Some(format!(
                "it reads the entry that was written for {}",
                super::reach::title(other)
            )),
            _ if planned.was_dropped => Some(format!(
                "its entry was gone: {} or someone else had taken it out",
                chosen.client.facts.title
            )),
            _ => None,
        };
        told
    }

    /// With what the person must still do.
    fn with_rest(mut self, chosen: &Chosen) -> Self {
        let config = chosen.client.config.as_ref();
        self.own_command = config.and_then(|config| config.own_command);
        let in_project = self.project.is_some();
        let rest = config
            .into_iter()
            .flat_map(|config| config.still_to_do(in_project));
        self.still_to_do = rest.map(str::to_owned).collect();
        if in_project {
            self.still_to_do.push(ABOUT_PROJECTS.to_owned());
        }
        self
    }

    /// A client without a file that we know.
    fn by_hand(chosen: &Chosen, launch: &Launch) -> Self {
        let mut told = Self::without_file(chosen.client, chosen.title(), "no-file");
        told.note = Some(format!("it {}; {}", NoFile::Unknown, by_hand(launch)));
        told
    }

    fn failed(chosen: &Chosen, failure: &Failure) -> Self {
        let result = match failure.kind {
            FailureKind::Conflict => "conflict",
            FailureKind::NotFound => "not-installed",
            FailureKind::Failed | FailureKind::Usage => "refused",
        };
        let mut told = Self::without_file(chosen.client, chosen.title(), result);
        told.note = Some(failure.masked().message);
        told
    }
}

/// The system that this process runs on.
pub(super) fn system() -> System {
    System::current(variable("WSL_DISTRO_NAME").as_deref())
}
