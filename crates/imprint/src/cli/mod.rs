//! The command line, as clap reads it. What a command does stands in `commands`.

mod examples;

use std::path::PathBuf;

use clap::{ArgGroup, Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use imprint_clients::import::OnCollision;

/// The kinds that share their commands: the noun of one is put for that of the other in examples.
const NOUNS: (&str, &str) = ("skills", "personas");

/// One home for the skills, personas and guidelines that make an AI agent yours
#[derive(Debug, Parser)]
#[command(name = "imprint", version, arg_required_else_help = true)]
#[command(after_help = examples::START)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The whole command, with the examples of skills told of personas where they stand for both.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommand(NOUNS.1, |personas| {
        personas.mut_subcommands(|verb| match verb.get_after_help() {
            None => verb,
            Some(examples) => {
                let examples = examples.to_string().replace(NOUNS.0, NOUNS.1);
                verb.after_help(examples)
            }
        })
    })
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
    /// Say more, and log more to standard error; repeat for more still
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
    /// Make everything that your clients have reach all of them, once; `--undo` puts it back
    #[command(after_help = examples::SETUP)]
    Setup(SetupArgs),
    /// Skills: list, show, create, edit, history, …
    #[command(visible_alias = "skill", after_help = examples::SKILLS)]
    Skills {
        #[command(subcommand)]
        command: ItemCommand,
    },
    /// Personas, the roles for subagents: list, show, create, edit, history, …
    #[command(visible_alias = "persona", after_help = examples::PERSONAS)]
    Personas {
        #[command(subcommand)]
        command: ItemCommand,
    },
    /// Guidelines, the rules that you give to all agents: list, add, edit, remove
    #[command(visible_alias = "guideline", after_help = examples::GUIDELINES)]
    Guidelines {
        #[command(subcommand)]
        command: GuidelineCommand,
    },
    /// Take in skills and personas from folders, a zip or a tar
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Take back what was edited or added by hand in your clients' folders
    #[command(after_help = examples::ADOPT)]
    Adopt(AdoptArgs),
    /// Let clients start Imprint's server: write it into their configuration files
    #[command(after_help = examples::CONNECT)]
    Connect(ConnectArgs),
    /// Take Imprint's server out of clients' configuration files
    #[command(after_help = examples::DISCONNECT)]
    Disconnect(DisconnectArgs),
    /// Write what is active into the folders that your clients read
    #[command(after_help = examples::WRITE)]
    Write(WriteArgs),
    /// Show your AI clients: version, connection, folders, what they list
    #[command(after_help = examples::CLIENTS)]
    Clients(ClientsArgs),
    /// Check the whole way from your clients' settings to their models
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    /// List which clients connected, and when
    #[command(after_help = examples::SESSIONS)]
    Sessions(SessionsArgs),
    /// Serve one MCP client over standard input and output (clients start this themselves)
    #[command(after_help = examples::MCP)]
    Mcp(McpArgs),
    /// Keep the folders of your clients current and show what happens
    #[command(after_help = examples::SERVE)]
    Serve,
    /// Settings: list, get, set, unset, path
    #[command(after_help = examples::CONFIG)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print a completion script for your shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the pages for `man` into a folder (packages are made with this)
    #[command(hide = true)]
    Manual {
        /// A folder that is there
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// See the whole idea in a throw-away home, with example skills
    #[command(after_help = examples::DEMO)]
    Demo(DemoArgs),
}

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

#[derive(Args, Debug)]
pub(crate) struct SessionsArgs {
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u64,
}

#[derive(Args, Debug)]
pub(crate) struct McpArgs {
    /// Which client starts this, for clients that don't say so themselves, such as `codex`
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
}

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
    #[command(after_help = examples::CONFIG_LIST)]
    List,
    /// Print one
    #[command(after_help = examples::CONFIG_GET)]
    Get {
        /// The setting
        key: String,
    },
    /// Change one
    #[command(after_help = examples::CONFIG_SET)]
    Set {
        /// The setting
        key: String,
        /// The new value; several with commas between
        value: String,
    },
    /// Back to the default
    #[command(after_help = examples::CONFIG_UNSET)]
    Unset {
        /// The setting
        key: String,
    },
    /// Print where everything is kept
    #[command(after_help = examples::CONFIG_PATH)]
    Path,
}
