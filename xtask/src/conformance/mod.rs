//! `cargo xtask conformance`: the protocol's official suite against the real binary, and against
//! the same code with the suite's own fixtures around it.

mod authorization;
mod inspector;
mod proxy;
mod suite;

use std::{collections::BTreeMap, path::PathBuf};

use imprint_testkit::{Product, Sandbox, SeedSkill, Serving, serving};

use self::{proxy::Proxy, suite::Outcome};
use crate::{
    task::{Done, TaskError},
    workspace::{self, Profile},
};

/// The wires that the suite speaks.
const WIRES: [&str; 2] = ["2026-07-28", "2025-11-25"];
/// Scenarios that need nothing that the product does not have, with the wires that they run over.
const WITHOUT_FIXTURES: [(&str, &[&str]); 12] = [
    ("server-initialize", &["2025-11-25"]),
    ("server-session-lifecycle", &["2025-11-25"]),
    ("ping", &["2025-11-25"]),
    ("tools-list", &WIRES),
    ("resources-list", &WIRES),
    ("sep-2164-resource-not-found", &["2026-07-28"]),
    ("dns-rebinding-protection", &WIRES),
    ("http-header-validation", &["2026-07-28"]),
    ("server-sse-multiple-streams", &WIRES),
    ("sep-2640-skills-enumeration", &WIRES),
    ("sep-2640-skills-manifest", &WIRES),
    ("sep-2640-skills-directory", &WIRES),
];

/// Runs everything, or only what has `only` in its name.
pub(crate) fn run(only: Option<&str>) -> Done {
    let known = WITHOUT_FIXTURES
        .iter()
        .any(|(name, _)| only.is_none_or(|only| name.contains(only)));
    if !known {
        let fault = "no scenario that needs no fixture has that in its name";
        return Err(TaskError::Impossible(fault.to_owned()));
    }
    let mut failed = product(only)?;
    if only.is_none() {
        failed += WIRES.into_iter().map(fixtures).sum::<Result<usize, _>>()?;
        println!("authorization");
        failed += report("2026-07-28", &authorization::run(&Place::new()?)?);
        println!("the Inspector");
        failed += inspector::run(&Place::new()?)?;
    }
    match failed {
        0 => Ok(()),
        failed => Err(TaskError::Failed(format!("{failed} scenarios"))),
    }
}

/// The real binary on what needs no fixture.
fn product(only: Option<&str>) -> Result<usize, TaskError> {
    println!("the product");
    let place = Place::new()?;
    let mut command = place.product.command(&place.sandbox);
    command.args(["serve", "--rate-limit", "60000", "--listen"]);
    command.arg(format!("127.0.0.1:{}", place.port));
    let server = Serving::start(command, place.port).map_err(failed)?;
    let url = place.proxied()?;
    let mut bad = 0;
    for (scenario, wires) in WITHOUT_FIXTURES {
        if only.is_some_and(|only| !scenario.contains(only)) {
            continue;
        }
        for wire in wires {
            let arguments = [
                "server",
                "--url",
                &url,
                "--scenario",
                scenario,
                "--spec-version",
                wire,
                "--force",
            ];
            bad += report(wire, &suite::run(&arguments)?);
        }
    }
    server.stop().map_err(failed)?;
    Ok(bad)
}

/// The same handler and HTTP code with the suite's fixtures, on everything that a revision of the
/// protocol requires. The older one asks clients back, which takes rmcp's sessions.
fn fixtures(revision: &str) -> Result<usize, TaskError> {
    println!("with fixtures, {revision}");
    let place = Place::new()?;
    let binary = workspace::build("imprint-testkit", "conformance-server", Profile::Dev)?;
    let mut command = place.sandbox.command(&binary);
    command.arg(place.sandbox.data());
    command.arg(format!("127.0.0.1:{}", place.port));
    if revision != WIRES[0] {
        command.arg("--sessions");
    }
    let server = Serving::start(command, place.port).map_err(failed)?;
    let url = place.proxied()?;
    let outcomes = suite::run(&["server", "--url", &url, "--requirements", revision])?;
    server.stop().map_err(failed)?;
    let required = suite::scored(revision)?;
    let (scored, others): (BTreeMap<_, _>, BTreeMap<_, _>) = outcomes
        .into_iter()
        .partition(|(scenario, _)| required.contains(scenario));
    let unfit = others
        .values()
        .filter(|outcome| !outcome.failed.is_empty())
        .count();
    println!(
        "  not scored: {} scenarios, {unfit} of them with a failed check",
        others.len()
    );
    let mut bad = report(revision, &scored);
    for missing in required.iter().filter(|name| !scored.contains_key(*name)) {
        println!("  FAILED: {missing} ({revision}) did not run");
        bad += 1;
    }
    Ok(bad)
}

/// Prints a line a scenario, and one for all that it found wrong; gives how many failed.
fn report(wire: &str, outcomes: &BTreeMap<String, Outcome>) -> usize {
    for (scenario, outcome) in outcomes {
        let mark = if outcome.failed.is_empty() {
            "ok"
        } else {
            "FAILED"
        };
        let warned = match outcome.warned {
            0 => String::new(),
            warned => format!(", {warned} warned of"),
        };
        println!(
            "  {mark}: {scenario} ({wire}): {} passed, {} failed{warned}",
            outcome.passed,
            outcome.failed.len()
        );
        for fault in &outcome.failed {
            println!("      {fault}");
        }
    }
    outcomes
        .values()
        .filter(|outcome| !outcome.failed.is_empty())
        .count()
}

/// A throw-away machine with a registry whose first skill has a folder in it, and a key.
struct Place {
    product: Product,
    sandbox: Sandbox,
    port: u16,
    key: String,
}

impl Place {
    fn new() -> Result<Self, TaskError> {
        let binary: PathBuf = workspace::product(Profile::Dev)?;
        let product = Product::new(binary);
        let sandbox = Sandbox::new().map_err(TaskError::io("a temporary folder"))?;
        let skills = [SeedSkill::new(
            "brew-tea",
            "Times a pot of tea. Use when someone wants tea.",
        )];
        sandbox.plant(&skills).map_err(failed)?;
        let mut command = product.command(&sandbox);
        let with_folder = sandbox.work().join("an-archive/references");
        std::fs::create_dir_all(&with_folder)
            .and_then(|()| std::fs::write(with_folder.join("notes.md"), "# Notes\n"))
            .and_then(|()| {
                let entry = "---\nname: an-archive\ndescription: Keeps notes. Use to look one up.\n---\nRead the notes.\n";
                std::fs::write(sandbox.work().join("an-archive/SKILL.md"), entry)
            })
            .map_err(TaskError::io("a skill"))?;
        command
            .args(["import", "--yes"])
            .arg(sandbox.work().join("an-archive"));
        workspace::run(&mut command, "import a skill")?;
        let key = serving::make_key(&product, &sandbox, "conformance", "admin").map_err(failed)?;
        let port = serving::free_port().map_err(TaskError::io("a free port"))?;
        Ok(Self {
            product,
            sandbox,
            port,
            key,
        })
    }

    /// The endpoint's address for a client without a key.
    fn proxied(&self) -> Result<String, TaskError> {
        let proxy = Proxy::start(self.port, &self.key).map_err(TaskError::io("a proxy"))?;
        Ok(format!("http://127.0.0.1:{}/mcp", proxy.port()))
    }
}

fn failed(error: impl std::error::Error) -> TaskError {
    TaskError::Failed(error.to_string())
}
