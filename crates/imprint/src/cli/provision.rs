//! Plain files for agents that can't see this disk, as clap reads what is wanted.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct ProvisionArgs {
    /// The folder to fill; it is made if it is not there
    #[arg(long, value_name = "DIR", required_unless_present = "tar")]
    pub(crate) to: Option<PathBuf>,
    /// Write a compressed archive in place of a folder; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub(crate) tar: Option<PathBuf>,
    /// Only these skills and personas; several with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) items: Vec<String>,
    /// Only skills and personas with one of these tags
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub(crate) tag: Vec<String>,
    /// Overwrite files that are there
    #[arg(long)]
    pub(crate) force: bool,
}
