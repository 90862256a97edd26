//! The audit, as clap reads what is wanted of it.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// Only what was done with this key: its name, first characters or id
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Only what this client did, as it calls itself
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
    /// Only what was done to this item, by its name or id
    #[arg(long, value_name = "ITEM")]
    pub(crate) item: Option<String>,
    /// Only this act, such as `item-changed`, `key-created`, `refused`
    #[arg(long, value_name = "ACT")]
    pub(crate) act: Option<String>,
    /// Only what is not older than this, such as `7d`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// At most so many rows, the latest
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) limit: usize,
    /// Write all rows to a file as lines of JSON, oldest first; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "client", "item", "act", "since", "verify"])]
    pub(crate) export: Option<PathBuf>,
    /// Check that no row is missing or was changed
    #[arg(long)]
    pub(crate) verify: bool,
}
