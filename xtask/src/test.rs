//! `cargo xtask test`: everything that a change must pass, step by step.

mod counts;

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
    time::{Duration, Instant},
};

use counts::{Counts, CrateTests};

use crate::{
    cases::{self, CasesArgs},
    copies, interop, layers,
    setup::setup,
    task::{Done, TaskError},
    workspace::{self, cargo, run},
};

/// One step.
struct Step {
    name: &'static str,
    /// The command that runs it alone.
    alone: &'static str,
    run: fn() -> Result<Counts, TaskError>,
}

const STEPS: [Step; 10] = [
    Step {
        name: "set up",
        alone: "cargo xtask setup",
        run: || setup().map(|()| Counts::default()),
    },
    Step {
        name: "format",
        alone: "cargo fmt --all --check",
        run: || check(&["fmt", "--all", "--check"]),
    },
    Step {
        name: "lints",
        alone: "cargo clippy --workspace --all-targets -- -D warnings",
        run: || {
            check(&[
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ])
        },
    },
    Step {
        name: "tests of the crates",
        alone: "cargo test --workspace",
        run: crate_tests,
    },
    Step {
        name: "layers",
        alone: "cargo xtask layers",
        run: || layers::run().map(|()| Counts::one()),
    },
    Step {
        name: "copy of the cases",
        alone: "cargo xtask test",
        run: || copies::run().map(|()| Counts::one()),
    },
    Step {
        name: "cases",
        alone: "cargo xtask cases cases",
        run: run_cases,
    },
    Step {
        name: "real clients",
        alone: "cargo xtask interop",
        run: run_clients,
    },
    Step {
        name: "documentation",
        alone: "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps",
        run: documentation,
    },
    Step {
        name: "licences and sources",
        alone: "cargo deny check licenses bans sources",
        run: dependencies,
    },
];

/// Runs all steps in order and stops at the first that fails.
pub(crate) fn test() -> Done {
    let start = Instant::now();
    let mut all = Counts::default();
    for (at, step) in STEPS.iter().enumerate() {
        println!("== {}/{} {}", at + 1, STEPS.len(), step.name);
        let began = Instant::now();
        let outcome = (step.run)();
        let took = shown(began.elapsed());
        match outcome {
            Ok(counts) => {
                all.add(counts);
                println!("== {}: ok, {took}\n", step.name);
            }
            Err(error) => {
                all.failed = all.failed.max(1);
                println!("== {}: FAILED after {took}", step.name);
                println!("{error}");
                println!("   run it alone: {}\n", step.alone);
                all.print(start.elapsed());
                return Err(TaskError::Failed(format!("step `{}`", step.name)));
            }
        }
    }
    all.print(start.elapsed());
    Ok(())
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 60 {
        0 => format!("{:.1} s", time.as_secs_f64()),
        minutes => format!("{minutes} min {} s", seconds % 60),
    }
}

fn check(arguments: &[&str]) -> Result<Counts, TaskError> {
    run(cargo().args(arguments), &format!("cargo {}", arguments[0]))?;
    Ok(Counts::one())
}

/// `cargo test`, its output shown as it comes and its results counted.
fn crate_tests() -> Result<Counts, TaskError> {
    let mut child = cargo()
        .args(["test", "--workspace", "--quiet", "--no-fail-fast"])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(TaskError::io("cargo test"))?;
    let mut tests = CrateTests::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if tests.take(&line) {
                println!("{line}");
            }
        }
    }
    let status = child.wait().map_err(TaskError::io("cargo test"))?;
    println!(
        "{} passed, {} failed",
        tests.counts.passed, tests.counts.failed
    );
    if status.success() {
        return Ok(tests.counts);
    }
    Err(TaskError::Failed(format!("cargo test: {status}")))
}

/// The copy of the shared cases, and our own.
const CASES: [&str; 2] = ["cases", "cases-more"];

fn run_cases() -> Result<Counts, TaskError> {
    let mut all = Counts::default();
    for folder in CASES {
        all.add(run_cases_of(folder)?);
    }
    Ok(all)
}

fn run_cases_of(folder: &str) -> Result<Counts, TaskError> {
    let report = cases::report(&CasesArgs {
        folder: workspace::root().join(folder),
        kind: None,
        json: false,
    })?;
    print!("{report}");
    let failed = report.failed.len();
    let ran: usize = report.kinds.values().map(|kind| kind.ran).sum();
    if failed > 0 {
        return Err(TaskError::Failed(format!("{failed} of {ran} cases")));
    }
    Ok(Counts {
        passed: ran,
        failed: 0,
    })
}

fn run_clients() -> Result<Counts, TaskError> {
    let interop = interop::run()?;
    if !interop.failed.is_empty() {
        return Err(TaskError::Failed(interop.failed.join("\n")));
    }
    Ok(Counts {
        passed: interop.passed,
        failed: 0,
    })
}

fn documentation() -> Result<Counts, TaskError> {
    let mut command = cargo();
    command
        .env("RUSTDOCFLAGS", "-D warnings")
        .args(["doc", "--quiet", "--workspace", "--no-deps"]);
    run(&mut command, "cargo doc")?;
    Ok(Counts::one())
}

/// What `deny.toml` says, where `cargo-deny` is there. Its list of advisories is not asked for:
/// that needs a network.
fn dependencies() -> Result<Counts, TaskError> {
    let is_installed = cargo()
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !is_installed {
        println!("  passed over: `cargo install cargo-deny --locked` adds this check");
        return Ok(Counts::default());
    }
    check(&["deny", "--offline", "check", "licenses", "bans", "sources"])
}
