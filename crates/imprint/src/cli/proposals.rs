//! What agents suggest and the user decides on, as clap reads it.

use clap::{Args, Subcommand};

use super::examples;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ProposalArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ProposalCommand>,
    /// Those that are decided, too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalCommand {
    /// Show what one would change
    #[command(after_help = examples::PROPOSALS_SHOW)]
    Show {
        /// Its id, or the last six characters of it
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Make it what the item is from now on
    #[command(after_help = examples::PROPOSALS_ACCEPT)]
    Accept {
        /// Its id, or the last six characters of it
        #[arg(value_name = "ID")]
        id: String,
        /// Don't show it and don't ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Lay it aside; it stays in the history
    #[command(after_help = examples::PROPOSALS_REJECT)]
    Reject {
        /// Its id, or the last six characters of it
        #[arg(value_name = "ID")]
        id: String,
    },
}
