//! The service that runs `imprint serve`, as clap reads what is wanted of it.

use clap::{Args, Subcommand};

use super::{ServeArgs, examples};

#[derive(Debug, Subcommand)]
pub(crate) enum ServiceCommand {
    /// Run `imprint serve` in the background from now on, whenever you log in
    #[command(after_help = examples::SERVICE_INSTALL)]
    Install(Box<ServiceInstallArgs>),
    /// Start it
    Start,
    /// Stop it until the next log-in or start
    Stop,
    /// Say whether it is installed and runs, where it answers, and what it logged last
    Status,
    /// Stop it and take it out; what Imprint keeps stays
    Uninstall,
}

#[derive(Args, Debug)]
pub(crate) struct ServiceInstallArgs {
    /// Only print what would be installed
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
}
