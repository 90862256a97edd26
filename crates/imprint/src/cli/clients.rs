//! Arguments of the commands that look at clients or change their folders and files.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use imprint_clients::import::OnCollision;

use super::AcceptArgs;

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Folders, zips, tars or single files
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show what would be taken in, keep nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// What becomes of an item whose name is taken by another: it is left out, becomes a new
    /// revision of the other, or is kept as NAME-2
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    pub(crate) on_collision: CollisionChoice,
    /// Don't keep the copies current that it is taken in from
    #[arg(long)]
    pub(crate) leave_originals: bool,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}

#[derive(Args, Debug)]
pub(crate) struct AdoptArgs {
    /// Names of items, or places in clients' folders; without one, all that there is
    #[arg(value_name = "NAME|PATH")]
    pub(crate) what: Vec<String>,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show what there is, change nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// What becomes of an added item whose name is taken by another: it is left out, becomes a new
    /// revision of the other, or is kept as NAME-2
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    pub(crate) on_collision: CollisionChoice,
}

/// What to do with a name that is taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CollisionChoice {
    Skip,
    Replace,
    KeepBoth,
}

impl From<CollisionChoice> for OnCollision {
    fn from(choice: CollisionChoice) -> Self {
        match choice {
            CollisionChoice::Skip => Self::Skip,
            CollisionChoice::Replace => Self::Replace,
            CollisionChoice::KeepBoth => Self::KeepBoth,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ConnectArgs {
    #[command(flatten)]
    pub(crate) clients: WhichArgs,
    /// Also on the other side of WSL: from Windows in its distributions, from one on Windows
    #[arg(long)]
    pub(crate) wsl: bool,
    /// For you wherever you work, or for everyone who works in this project
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    pub(crate) scope: ScopeChoice,
    /// For clients on the web (claude-ai, chatgpt): the https address of `imprint serve`
    #[arg(long, value_name = "URL", conflicts_with_all = ["all", "wsl", "scope", "dry_run"])]
    pub(crate) public_url: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct DisconnectArgs {
    #[command(flatten)]
    pub(crate) clients: WhichArgs,
}

/// Which clients, and whether their files are written.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("which").required(true)))]
pub(crate) struct WhichArgs {
    /// Their ids, such as `claude-code`
    #[arg(value_name = "CLIENT", group = "which")]
    pub(crate) names: Vec<String>,
    /// All of them that are here
    #[arg(long, group = "which")]
    pub(crate) all: bool,
    /// Show what would change, write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
}

/// For whom an entry counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeChoice {
    User,
    Project,
}

#[derive(Args, Debug)]
pub(crate) struct SetupArgs {
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Show what would be done, change nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// Where items of one name differ, take this client's; else the one that was changed last
    #[arg(long, value_name = "CLIENT")]
    pub(crate) prefer: Option<String>,
    /// Where items of one name differ, keep the others too, as NAME-2
    #[arg(long)]
    pub(crate) keep_both: bool,
    /// Look after this client alone; repeat for more
    #[arg(long, value_name = "CLIENT")]
    pub(crate) client: Vec<String>,
    /// Leave the configuration files of the clients alone
    #[arg(long)]
    pub(crate) no_connect: bool,
    /// Put everything back as it was before the first setup
    #[arg(long, conflicts_with_all = ["prefer", "keep_both", "client", "no_connect"])]
    pub(crate) undo: bool,
}

#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// Show what would be done, write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ClientsArgs {
    /// Tell all of these, such as `codex`, and how each fact is known
    #[arg(value_name = "CLIENT")]
    pub(crate) clients: Vec<String>,
    /// All that Imprint knows, also those that were not found here
    #[arg(long, short, conflicts_with = "clients")]
    pub(crate) all: bool,
    /// Change the client's own setting that gives its list of skills more room
    #[arg(long, requires = "clients")]
    pub(crate) more_room: bool,
    /// With `--more-room`: show what would change, change nothing
    #[arg(long, short = 'n', requires = "more_room")]
    pub(crate) dry_run: bool,
    /// With `--more-room`: don't ask
    #[arg(long, short, requires = "more_room")]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Only these clients, such as `codex`
    #[arg(value_name = "CLIENT")]
    pub(crate) clients: Vec<String>,
}
