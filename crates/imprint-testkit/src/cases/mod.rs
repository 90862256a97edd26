//! The case driver: small inputs with the right answer, run against the real product.
//!
//! A folder holds one folder a case; `expect.json` says what the case is and what must come out.
//! Whatever a case says and this driver doesn't know is a failure, never a silent skip.

mod block;
mod catalog;
mod config;
mod config_form;
mod crash;
mod diagnostics;
mod discover;
mod edit;
mod edit_conflict;
mod install;
mod item;
mod limits;
mod mcp_http;
mod mcp_stdio;
mod path;
mod persona;
mod persona_render;
mod report;
mod run;
mod schema;
mod secret;
mod setup;
mod skill;
mod tree;
mod verdict;
mod yaml;

use std::{
    num::NonZero,
    panic,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

pub use limits::measure;
pub use report::{Failed, KindCount, Report};
pub(crate) use run::Run;
use run::Shared;
use schema::{Case, Setting, Spec};
pub use verdict::CaseError;
use verdict::Verdict;

use crate::{Product, Sandbox};

/// More threads than this wait for the disk and for each other.
const MAX_THREADS: usize = 4;

/// What to run, and against what.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of cases.
    pub folder: PathBuf,
    /// Only this kind.
    pub kind: Option<String>,
    /// The binary that is tested.
    pub product: Product,
    /// A program that, started with a case's folder, calls [`measure`]: this driver's own. Without
    /// it a case with a limit on memory fails.
    pub driver: Option<Driver>,
}

/// How to start this driver again for one case, in a process of its own.
#[derive(Clone, Debug)]
pub struct Driver {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before the case's folder.
    pub arguments: Vec<String>,
}

/// Runs the cases of a folder, in the order of their names whatever the order they end in.
pub fn run(options: &Options) -> Result<Report, CaseError> {
    if let Some(kind) = &options.kind
        && !schema::is_known_kind(kind)
    {
        return Err(CaseError::Schema(format!(
            "`{kind}` is no kind of the schema"
        )));
    }
    let folders = case_folders(&options.folder)?;
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Finished>>> = Mutex::new(folders.iter().map(|_| None).collect());
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads.min(MAX_THREADS) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(folder) = folders.get(at) else { break };
                    let finished = finish(folder, options);
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes[at] = finished;
                }
            });
        }
    });
    let outcomes = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let mut report = Report::default();
    for finished in outcomes.into_iter().flatten() {
        report.add(finished);
    }
    Ok(report)
}

/// One case that is done with.
#[derive(Debug)]
struct Finished {
    id: String,
    kind: String,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Passed,
    Failed(Vec<String>),
    Skipped,
    Unsupported,
}

/// The folders that hold a case each, sorted by name. Files beside them are not looked at.
fn case_folders(folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(CaseError::at(folder))? {
        let path = entry.map_err(CaseError::at(folder))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Runs one case; `None` when another kind was asked for.
fn finish(folder: &Path, options: &Options) -> Option<Finished> {
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let id = id.into_owned();
    let case = match Case::read(folder) {
        Ok(case) => case,
        Err(error) => {
            let kind = schema::kind_of(folder);
            let is_other = schema::is_known_kind(&kind)
                && options.kind.as_ref().is_some_and(|asked| *asked != kind);
            return (!is_other).then(|| Finished {
                id,
                kind,
                outcome: Outcome::Failed(vec![error.to_string()]),
            });
        }
    };
    if options.kind.as_ref().is_some_and(|kind| *kind != case.kind) {
        return None;
    }
    // A panic of the product is its failure in this case, not the driver's end.
    let outcome = match panic::catch_unwind(|| carry_out(&case, options)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Outcome::Failed(vec![error.to_string()]),
        Err(_) => Outcome::Failed(vec!["the product panicked (see above)".to_owned()]),
    };
    Some(Finished {
        id,
        kind: case.kind,
        outcome,
    })
}

fn carry_out(case: &Case, options: &Options) -> Result<Outcome, CaseError> {
    if matches!(case.spec, Spec::Unsupported) {
        return Ok(Outcome::Unsupported);
    }
    let shared = Shared::new(options.product.clone())?;
    let is_met = |sandbox: &Sandbox| {
        let home = sandbox.home();
        case.requires.iter().all(|what| setup::is_met(*what, &home))
    };
    if !is_met(&Sandbox::new().map_err(CaseError::at(Path::new("a temporary folder")))?) {
        return Ok(Outcome::Skipped);
    }
    if case.limits.max_extra_mib.is_some() && options.driver.is_none() {
        let fault = "a limit on memory needs a driver that can be started for one case";
        return Err(CaseError::Product(fault.to_owned()));
    }
    let mut verdict = limits::run(case, &Run::new(&shared, None)?, options.driver.as_ref())?;
    if let Some(setting) = case.run_also_with {
        let again = limits::run(case, &Run::new(&shared, Some(setting))?, None)?;
        verdict.absorb(setting.as_str(), again);
    }
    Ok(if verdict.differences.is_empty() {
        Outcome::Passed
    } else {
        Outcome::Failed(verdict.differences)
    })
}

/// Runs a case whose input is in place.
fn dispatch(case: &Case, run: &Run<'_>) -> Result<Verdict, CaseError> {
    match &case.spec {
        Spec::Skill(spec) => skill::run(case, spec, run),
        Spec::Discover(spec) => discover::run(case, spec, run),
        Spec::Install(spec) => install::run(case, spec, run),
        Spec::Path(spec) => path::run(spec, run),
        Spec::Config(spec) => config::run(case, spec, run),
        Spec::ConfigForm(spec) => config_form::run(spec),
        Spec::Persona(spec) => persona::run(case, spec, run),
        Spec::PersonaRender(spec) => persona_render::run(case, spec, run),
        Spec::Catalog(spec) => catalog::run(spec, run),
        Spec::Edit(spec) => edit::run(case, spec, run),
        Spec::EditConflict(spec) => edit_conflict::run(spec, run),
        Spec::Crash(spec) => crash::run(spec, run),
        Spec::Secret(spec) => secret::run(spec, run),
        Spec::McpStdio(spec) => mcp_stdio::run(case, spec, run),
        Spec::McpHttp(spec) => mcp_http::run(spec, run),
        Spec::Unsupported => Ok(Verdict::default()),
    }
}

impl Setting {
    const fn as_str(self) -> &'static str {
        match self {
            Self::VerboseLogging => "most verbose logging",
        }
    }
}

#[cfg(test)]
mod tests;
