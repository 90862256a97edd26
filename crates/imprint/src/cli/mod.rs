//! The command line, as clap reads it. What a command does stands in `commands`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 4 not found, 5 conflict";

/// One home for the skills, personas and guidelines that make an AI agent yours
///
/// Imprint keeps them on this machine, with every version, and makes each reach every AI client
/// that you use: through the folders that clients read, and over MCP.
#[derive(Debug, Parser)]
#[command(
    name = "imprint",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
#[command(after_help = EXIT_CODES, after_long_help = concat!(
    "Start here:\n",
    "  imprint demo                       see the whole idea in a throw-away home\n",
    "  imprint import ~/.claude/skills    take in the skills that you have\n",
    "  imprint serve                      keep the folders of your clients current\n\n",
    "A client that speaks MCP starts `imprint mcp` itself: name that command in its settings.\n\n",
    "Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 4 not found, 5 conflict",
))]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Print data as JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print data and warnings only
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Log more (to standard error); repeat for more still
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
    /// The folder in which Imprint keeps everything
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "IMPRINT_HOME",
        hide_env_values = true
    )]
    pub(crate) home: Option<PathBuf>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Skills: list, show, create, edit, history, …
    #[command(visible_alias = "skill", after_help = SKILLS_EXAMPLES)]
    Skills {
        #[command(subcommand)]
        command: ItemCommand,
    },
    /// Personas, the roles for subagents: list, show, create, edit, history, …
    #[command(visible_alias = "persona", after_help = PERSONAS_EXAMPLES)]
    Personas {
        #[command(subcommand)]
        command: ItemCommand,
    },
    /// Guidelines, the rules that you give to all agents: list, add, edit, remove
    #[command(visible_alias = "guideline", after_help = GUIDELINES_EXAMPLES)]
    Guidelines {
        #[command(subcommand)]
        command: GuidelineCommand,
    },
    /// Take in skills and personas from folders, a zip or a tar
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArgs),
    /// Write what is active into the folders that your clients read
    #[command(after_help = WRITE_EXAMPLES)]
    Write(WriteArgs),
    /// List which clients connected, and when
    #[command(after_help = "Example:\n  imprint sessions --limit 5")]
    Sessions(SessionsArgs),
    /// Serve one MCP client over standard input and output (clients start this themselves)
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Keep the folders of your clients current and show what happens
    #[command(after_help = "Example:\n  imprint serve      (Ctrl-C ends it)")]
    Serve(ServeArgs),
    /// Settings: list, get, set, unset, path
    #[command(after_help = CONFIG_EXAMPLES)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print a completion script for your shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// See the whole idea in a throw-away home, with example skills
    #[command(after_help = "Example:\n  imprint demo --keep      (leaves the home for a look)")]
    Demo(DemoArgs),
}

const SKILLS_EXAMPLES: &str = "\
Examples:
  imprint skills list
  imprint skills create tidy-json --description \"Formats JSON. Use when …\" --from notes.md
  imprint skills edit tidy-json                      (opens $EDITOR)
  imprint skills diff tidy-json ~2
  imprint skills restore tidy-json --revision ~1";
const PERSONAS_EXAMPLES: &str = "\
Examples:
  imprint personas create plan-reader --description \"Reads plans\" --instructions \"You read …\"
  imprint personas list --json";
const GUIDELINES_EXAMPLES: &str = "\
Examples:
  imprint guidelines add \"Answer in metric units.\"
  imprint guidelines edit answer-in-metric-units";
const IMPORT_EXAMPLES: &str = "\
Examples:
  imprint import ~/.claude                      skills and personas of Claude Code
  imprint import skills.zip --dry-run           show what is in it, keep nothing
  imprint import a/ b/ --yes --on-collision keep-both";
const WRITE_EXAMPLES: &str = "\
Examples:
  imprint write
  imprint write --dry-run";
const MCP_EXAMPLES: &str = "\
In a client's settings:
  {\"mcpServers\": {\"imprint\": {\"command\": \"imprint\", \"args\": [\"mcp\"]}}}";
const CONFIG_EXAMPLES: &str = "\
Examples:
  imprint config list
  imprint config set folders.skip cursor,qwen-code";
const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  imprint completions bash > ~/.local/share/bash-completion/completions/imprint
  imprint completions zsh > \"${fpath[1]}/_imprint\"";

/// What can be done with a skill or persona.
#[derive(Debug, Subcommand)]
pub(crate) enum ItemCommand {
    /// List them
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Show one: its header, text and files
    Show(ShowArgs),
    /// Create one from a text, or from files
    Create(CreateArgs),
    /// Change the description, the text or files; without options, in your editor
    Edit(EditArgs),
    /// List, print, add or take out files beside the main one
    Files(FilesArgs),
    /// Use it again
    Enable(NameArg),
    /// Put it out of use; it stays here
    Disable(NameArg),
    /// Remove it; `restore` brings it back
    #[command(visible_alias = "rm")]
    Remove(RemoveArgs),
    /// Bring a removed one back, or go back to an earlier revision
    Restore(RestoreArgs),
    /// List its revisions, newest first
    History(HistoryArgs),
    /// Show what changed between two revisions
    Diff(DiffArgs),
    /// Give it another name
    Rename(RenameArgs),
    /// List it before others, to clients too
    Pin(PinArgs),
    /// Check it against the rules, here or in a file or folder
    Validate(ValidateArgs),
    /// Write it to a folder of your choice
    Export(ExportArgs),
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
    /// A file with the new text (`-` for standard input)
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
    /// From this revision
    #[arg(default_value = "~1")]
    pub(crate) from: String,
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
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Add one
    Add(GuidelineAddArgs),
    /// Change one; without a text, in your editor
    Edit(GuidelineEditArgs),
    /// Remove one; `restore` brings it back
    #[command(visible_alias = "rm")]
    Remove(RemoveArgs),
    /// Bring a removed one back
    Restore(RestoreArgs),
    /// List its revisions
    History(HistoryArgs),
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
    /// What to do with a name that is taken by something else
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    pub(crate) on_collision: CollisionChoice,
}

/// What to do with a name that is taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CollisionChoice {
    /// Leave what is here
    Skip,
    /// A new revision of what is here
    Replace,
    /// Take it in as NAME-2
    KeepBoth,
}

#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// Show what would be done, write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SessionsArgs {
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u64,
}

#[derive(Args, Debug)]
pub(crate) struct McpArgs {
    /// Which client starts this, for clients that don't say so themselves
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {}

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Leave the throw-away home for a look
    #[arg(long)]
    pub(crate) keep: bool,
}

/// What can be done with settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List all settings with their values
    List,
    /// Print one
    Get {
        /// The setting
        key: String,
    },
    /// Change one
    Set {
        /// The setting
        key: String,
        /// The new value; several with commas between
        value: String,
    },
    /// Back to the default
    Unset {
        /// The setting
        key: String,
    },
    /// Print where everything is kept
    Path,
}
