//! `cargo xtask reach`: real clients, driven without the internet against a scripted model, and
//! what of each item their models are told.

mod alone;
mod clients;
mod expect;
mod home;
mod install;
mod items;
mod model;
mod report;
mod run;
mod sighting;

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    setup::on_path,
    task::{Done, TaskError},
    workspace::{self, Profile},
};
use clients::{CLIENTS, RealClient};
use report::{Outcome, Report, Run};
use run::{Bench, Setting, measure};

/// How many skills there are unless the person says otherwise.
const SKILLS: [usize; 2] = [5, 60];

#[derive(Debug, Args)]
pub(crate) struct ReachArgs {
    /// Which clients, by their ids; all when none is named
    clients: Vec<String>,
    /// Print all that was measured as JSON
    #[arg(long)]
    json: bool,
    /// How many skills there are; can be given more than once [default: 5 and 60]
    #[arg(long = "items", value_name = "N")]
    skills: Vec<usize>,
}

/// What the process without the internet is told.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    clients: Vec<String>,
    #[arg(long)]
    product: PathBuf,
    #[arg(long)]
    installed: PathBuf,
    #[arg(long = "items")]
    skills: Vec<usize>,
}

/// Installs what is missing, measures, and fails if something is not as expected.
pub(crate) fn run(args: &ReachArgs) -> Done {
    let unknown = args
        .clients
        .iter()
        .find(|id| !CLIENTS.iter().any(|real| real.id == **id));
    if let Some(id) = unknown {
        let known: Vec<_> = CLIENTS.iter().map(|real| real.id).collect();
        return Err(TaskError::Impossible(format!(
            "there is no client `{id}`; those that can be driven are {}",
            known.join(", ")
        )));
    }
    let measuring = MeasureArgs {
        clients: args.clients.clone(),
        product: workspace::product(Profile::Dev)?,
        installed: install::install()?,
        skills: args.skills.clone(),
    };
    let report = if alone::is_possible() {
        let printed = alone::run_again(&measuring.words())?;
        serde_json::from_slice(&printed)
            .map_err(|error| TaskError::Impossible(format!("unreadable report: {error}")))?
    } else {
        eprintln!("reach: no network of its own can be had; proxies to nowhere must do");
        measure_all(&measuring, alone::AWAY)?
    };
    if args.json {
        println!("{}", json(&report)?);
    } else {
        print!("{}", report.text());
    }
    match report.failed() {
        0 => Ok(()),
        failed => Err(TaskError::Failed(format!(
            "{failed} of {} measurements are not as expected",
            report.runs.len()
        ))),
    }
}

/// Measures in this process, which has no internet, and prints the report as JSON.
pub(crate) fn measure_here(args: &MeasureArgs) -> Done {
    let mut report = measure_all(args, &[])?;
    report.isolated = true;
    println!("{}", json(&report)?);
    Ok(())
}

impl MeasureArgs {
    /// The command line that says the same.
    fn words(&self) -> Vec<String> {
        let mut words = vec![
            "measure-reach".to_owned(),
            format!("--product={}", self.product.display()),
            format!("--installed={}", self.installed.display()),
        ];
        words.extend(self.skills.iter().map(|count| format!("--items={count}")));
        words.extend(self.clients.iter().cloned());
        words
    }

    fn settings(&self) -> Vec<Setting> {
        let counts = match self.skills.as_slice() {
            [] => &SKILLS,
            given => given,
        };
        let settings = counts
            .iter()
            .flat_map(|&skills| [false, true].map(|folders| Setting { skills, folders }));
        settings.collect()
    }

    fn takes(&self, real: &RealClient) -> bool {
        self.clients.is_empty() || self.clients.iter().any(|id| id == real.id)
    }
}

fn measure_all(
    args: &MeasureArgs,
    away: &'static [(&'static str, &'static str)],
) -> Result<Report, TaskError> {
    let bench = Bench {
        product: args.product.clone(),
        installed: args.installed.clone(),
        kept: workspace::root().join("target/reach/runs"),
        path: search_path(),
        away,
    };
    let mut report = Report::default();
    for real in CLIENTS.iter().filter(|real| args.takes(real)) {
        let version = install::version(&args.installed, real.package)?;
        for setting in args.settings() {
            eprintln!(
                "reach: {} {version}, {}, {} skills, {}",
                real.id,
                real.model,
                setting.skills,
                setting.word()
            );
            let outcome = measure(&bench, real, &version, setting);
            report.runs.push(Run {
                client: real.id.to_owned(),
                version: version.clone(),
                model: real.model.to_owned(),
                setting,
                outcome: outcome.map_or_else(
                    |fault| Outcome::Failed(fault.to_string()),
                    Outcome::Measured,
                ),
            });
        }
    }
    Ok(report)
}

/// Where a client finds Node and the system's programs, and no other client.
fn search_path() -> OsString {
    let node = on_path("node").unwrap_or_default();
    let folders = node
        .parent()
        .into_iter()
        .chain([Path::new("/usr/bin"), Path::new("/bin")]);
    env::join_paths(folders).unwrap_or_default()
}

fn json(report: &Report) -> Result<String, TaskError> {
    serde_json::to_string_pretty(report)
        .map_err(|error| TaskError::Impossible(format!("write the report: {error}")))
}
