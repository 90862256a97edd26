//! `cargo xtask`: the project's tests, cases, benchmarks and checks as commands.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to people through its output"
)]

mod cases;
mod layers;
mod task;
mod workspace;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

use task::TaskError;

/// Tests, cases, benchmarks and checks of the project
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the cases of a folder against the real product
    #[command(after_help = "Example:\n  cargo xtask cases cases --kind skill")]
    Cases(cases::CasesArgs),
    /// Check that the crates use each other only as the architecture says
    Layers,
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
        Command::Cases(args) => cases::run(&args),
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
