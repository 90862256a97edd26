//! `cargo xtask`: the project's tests, cases, benchmarks, checks and packages as commands.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to people through its output"
)]

mod bench;
mod cases;
mod clients;
mod conformance;
mod copies;
mod dist;
mod interop;
mod layers;
mod openapi;
mod reach;
mod setup;
mod soak;
mod task;
mod test;
mod workspace;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

use task::TaskError;

/// Tests, cases, benchmarks, checks and packages of the project
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything that a change must pass
    Test,
    /// Fetch what the tests need from outside; afterwards they need no network
    Setup,
    /// Run the cases of a folder against the real product
    #[command(after_help = "Example:\n  cargo xtask cases cases --kind skill")]
    Cases(cases::CasesArgs),
    /// Connect real protocol clients to the real binary
    Interop,
    /// Measure speed and memory, next to what they are compared with
    #[command(after_help = "Example:\n  cargo xtask bench handshake")]
    Bench(bench::BenchArgs),
    /// Serve clients that come, go, stall and break, and check that nothing is lost or kept
    Soak(soak::SoakArgs),
    /// Make the packages of a release for this machine: archive, Debian package, MCP bundle
    #[command(after_help = "They go to target/dist, with their checksums.")]
    Dist(dist::DistArgs),
    /// Write the page of the documentation that says what is known of each client
    Clients,
    /// Run the protocol's official suite against the real binary
    Conformance {
        /// Only scenarios with this in their name
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
    },
    /// Write docs/openapi.json from the REST API's own definitions
    Openapi,
    /// Drive real AI clients against a scripted model, and report what their models are told
    #[command(
        after_help = "It installs the clients from npm once; they then run without the \
                            internet. Every request is kept in target/reach/runs."
    )]
    Reach(reach::ReachArgs),
    /// Measure in this process, which has no internet (`reach` starts this itself)
    #[command(hide = true)]
    MeasureReach(reach::MeasureArgs),
    /// Check that the crates use each other only as the architecture says
    Layers,
    /// Run a benchmark in this process, which is one that was built for release
    #[command(hide = true)]
    RunBench(bench::RunArgs),
    /// Run one case and tell this process' peak memory (the case driver starts this itself)
    #[command(hide = true)]
    MeasureCase {
        /// The binary that is tested
        #[arg(long)]
        product: PathBuf,
        /// The case's folder; without it nothing is run
        case: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Test => test::test(),
        Command::Setup => setup::setup(),
        Command::Interop => interop::check(),
        Command::Cases(args) => cases::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Soak(args) => soak::run(&args),
        Command::Reach(args) => reach::run(&args),
        Command::MeasureReach(args) => reach::measure_here(&args),
        Command::RunBench(args) => bench::run_here(&args),
        Command::Dist(args) => dist::run(&args),
        Command::Clients => clients::run(),
        Command::Conformance { only } => conformance::run(only.as_deref()),
        Command::Openapi => openapi::run(),
        Command::Layers => layers::run(),
        Command::MeasureCase { product, case } => cases::measure(case.as_deref(), product),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(TaskError::Failed(message)) => {
            eprintln!("failed: {message}");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
