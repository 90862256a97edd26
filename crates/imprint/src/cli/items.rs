//! Arguments of the commands on skills, personas and guidelines.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{examples, proposals::ProposalArgs};

/// What can be done with a skill or persona.
#[derive(Debug, Subcommand)]
pub(crate) enum ItemCommand {
    /// List them
    #[command(visible_alias = "ls", after_help = examples::LIST)]
    List(ListArgs),
    /// Show one: its header, text and files
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Create one from a text, or from files
    #[command(after_help = examples::CREATE)]
    Create(CreateArgs),
    /// Change the description, the text or files; without options, in your editor
    #[command(after_help = examples::EDIT)]
    Edit(EditArgs),
    /// List, print, add or take out files beside the main one
    #[command(after_help = examples::FILES)]
    Files(FilesArgs),
    /// Use it again
    #[command(after_help = examples::ENABLE)]
    Enable(NameArg),
    /// Put it out of use; it stays here
    #[command(after_help = examples::DISABLE)]
    Disable(NameArg),
    /// Remove it; `restore` brings it back
    #[command(visible_alias = "rm", after_help = examples::REMOVE)]
    Remove(RemoveArgs),
    /// Bring a removed one back, or go back to an earlier revision
    #[command(after_help = examples::RESTORE)]
    Restore(RestoreArgs),
    /// List its revisions, newest first
    #[command(after_help = examples::HISTORY)]
    History(HistoryArgs),
    /// Show what changed between two revisions
    #[command(after_help = examples::DIFF)]
    Diff(DiffArgs),
    /// Give it another name
    #[command(after_help = examples::RENAME)]
    Rename(RenameArgs),
    /// List it before others, to clients too
    #[command(after_help = examples::PIN)]
    Pin(PinArgs),
    /// Check it against the rules, here or in a file or folder
    #[command(after_help = examples::VALIDATE)]
    Validate(ValidateArgs),
    /// Write it to a folder of your choice
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// What agents suggest: list, show, accept, reject
    #[command(after_help = examples::PROPOSALS)]
    Proposals(ProposalArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Removed ones too
    #[arg(long, short)]
    pub(crate) all: bool,
    /// Only what fits these words, best first
    #[arg(long, value_name = "WORDS")]
    pub(crate) query: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// Its name or id
    pub(crate) name: String,
    /// The revision: `head`, `~1` for the one before, or the first digits of its id
    #[arg(long, value_name = "REVISION", default_value = "head")]
    pub(crate) revision: String,
}

#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// Its name: lower-case letters, digits and hyphens
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// A file with the text (`-` for standard input), or a folder or archive with all its files
    #[arg(long, value_name = "PATH", conflicts_with = "instructions")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}

/// The texts of an item.
#[derive(Args, Debug)]
pub(crate) struct TextArgs {
    /// What it does and when to use it, at most 1,024 characters
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// The text that an agent follows, as Markdown; `-` reads standard input
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) instructions: Option<String>,
}

/// Accepting what the scan for credentials found.
#[derive(Args, Debug)]
pub(crate) struct AcceptArgs {
    /// Accept a finding of the scan for credentials, by the fingerprint that the refusal names
    #[arg(long, value_name = "FINGERPRINT", requires = "reason")]
    pub(crate) accept: Vec<String>,
    /// Why it may be kept; stays in the history
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub(crate) reason: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct EditArgs {
    /// Its name or id
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// A file with the new text (`-` for standard input); one with a header replaces the header too
    #[arg(long, value_name = "PATH", conflicts_with = "instructions")]
    pub(crate) from: Option<PathBuf>,
    /// Only if this is still the current revision (first digits of its id)
    #[arg(long, value_name = "REVISION")]
    pub(crate) expect: Option<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FilesArgs {
    /// Its name or id
    pub(crate) name: String,
    /// Print this file
    #[arg(long, value_name = "PATH", conflicts_with_all = ["add", "remove"])]
    pub(crate) print: Option<String>,
    /// Add or replace a file: `LOCAL`, or `LOCAL=PATH` for its place in the item
    #[arg(long, value_name = "LOCAL[=PATH]")]
    pub(crate) add: Vec<String>,
    /// Take this file out
    #[arg(long, value_name = "PATH")]
    pub(crate) remove: Vec<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}

#[derive(Args, Debug)]
pub(crate) struct NameArg {
    /// Its name or id
    pub(crate) name: String,
}

#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// Their names or ids
    #[arg(required = true)]
    pub(crate) names: Vec<String>,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct RestoreArgs {
    /// Its name or id
    pub(crate) name: String,
    /// Make the files of this revision the current ones
    #[arg(long, value_name = "REVISION")]
    pub(crate) revision: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// Its name or id
    pub(crate) name: String,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u64,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// Its name or id
    pub(crate) name: String,
    /// From this revision; the one before the current one when not given
    pub(crate) from: Option<String>,
    /// To this revision
    #[arg(default_value = "head")]
    pub(crate) to: String,
}

#[derive(Args, Debug)]
pub(crate) struct RenameArgs {
    /// Its name or id
    pub(crate) name: String,
    /// The new name
    pub(crate) to: String,
}

#[derive(Args, Debug)]
pub(crate) struct PinArgs {
    /// Its name or id
    pub(crate) name: String,
    /// Take the pin off
    #[arg(long)]
    pub(crate) off: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    /// A file or folder, or the name of an item; without one, all items
    pub(crate) what: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Their names or ids; without one, all
    pub(crate) names: Vec<String>,
    /// The folder to write to; made when it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) to: PathBuf,
    /// Replace what is there under the same name
    #[arg(long)]
    pub(crate) force: bool,
}

/// What can be done with guidelines.
#[derive(Debug, Subcommand)]
pub(crate) enum GuidelineCommand {
    /// List them in the order in which agents get them
    #[command(visible_alias = "ls", after_help = examples::GUIDELINES_LIST)]
    List(ListArgs),
    /// Show one whole
    #[command(after_help = examples::GUIDELINES_SHOW)]
    Show(ShowArgs),
    /// Add one
    #[command(after_help = examples::GUIDELINES_ADD)]
    Add(GuidelineAddArgs),
    /// Change one; without a text, in your editor
    #[command(after_help = examples::GUIDELINES_EDIT)]
    Edit(GuidelineEditArgs),
    /// Use one again
    #[command(after_help = examples::GUIDELINES_ENABLE)]
    Enable(NameArg),
    /// Put one out of use; it stays here
    #[command(after_help = examples::GUIDELINES_DISABLE)]
    Disable(NameArg),
    /// Remove some; `restore` brings them back
    #[command(visible_alias = "rm", after_help = examples::GUIDELINES_REMOVE)]
    Remove(RemoveArgs),
    /// Bring a removed one back, or go back to an earlier revision
    #[command(after_help = examples::GUIDELINES_RESTORE)]
    Restore(RestoreArgs),
    /// List its revisions, newest first
    #[command(after_help = examples::GUIDELINES_HISTORY)]
    History(HistoryArgs),
    /// Show what changed between two revisions
    #[command(after_help = examples::GUIDELINES_DIFF)]
    Diff(DiffArgs),
    /// Give it another name
    #[command(after_help = examples::GUIDELINES_RENAME)]
    Rename(RenameArgs),
    /// What agents suggest: list, show, accept, reject
    Proposals(ProposalArgs),
}

#[derive(Args, Debug)]
pub(crate) struct GuidelineAddArgs {
    /// The rule; `-` reads standard input
    pub(crate) text: String,
    /// Its name; made from the text when not given
    #[arg(long)]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GuidelineEditArgs {
    /// Its name or id
    pub(crate) name: String,
    /// The new text; `-` reads standard input
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
}
