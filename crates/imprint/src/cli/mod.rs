//! The command line, as clap reads it. What a command does stands in `commands`.

mod audit;
mod clients;
mod examples;
mod items;
mod keys;
mod oauth;
mod proposals;
mod provision;
mod serve;
mod service;

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use self::{
    audit::AuditArgs,
    clients::{
        AdoptArgs, ClientsArgs, CollisionChoice, ConnectArgs, DisconnectArgs, DoctorArgs,
        ImportArgs, ScopeChoice, SetupArgs, WriteArgs,
    },
    items::{
        AcceptArgs, CreateArgs, DiffArgs, EditArgs, ExportArgs, FilesArgs, GuidelineAddArgs,
        GuidelineCommand, GuidelineEditArgs, HistoryArgs, ItemCommand, ListArgs, PinArgs,
        RemoveArgs, RenameArgs, RestoreArgs, ShowArgs, TextArgs, ValidateArgs,
    },
    keys::{KeyCommand, KeyCreateArgs, KeyListArgs, KeyRenameArgs, KeyRevokeArgs, KeyRotateArgs},
    oauth::{OauthApproveArgs, OauthCommand, OauthListArgs, OauthRevokeArgs},
    proposals::{ProposalArgs, ProposalCommand},
    provision::ProvisionArgs,
    serve::{DEFAULT_LISTEN, ServeArgs, ToolArgs},
    service::{ServiceCommand, ServiceInstallArgs},
};

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
    /// Keys for clients that come over HTTP: create, list, revoke, rotate, rename
    #[command(visible_alias = "key", after_help = examples::KEYS)]
    Keys {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Write skills and personas as plain files, for agents that can't see this disk
    #[command(after_help = examples::PROVISION)]
    Provision(ProvisionArgs),
    /// Show who did what: list, export, verify
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Clients that ask in your browser to be let in: approve, requests, list, revoke
    #[command(after_help = examples::OAUTH)]
    Oauth {
        #[command(subcommand)]
        command: OauthCommand,
    },
    /// List which clients connected, and when
    #[command(after_help = examples::SESSIONS)]
    Sessions(SessionsArgs),
    /// Serve one MCP client over standard input and output (clients start this themselves)
    #[command(after_help = examples::MCP)]
    Mcp(McpArgs),
    /// Serve clients over HTTP, keep the folders of your clients current, show what happens
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Run `imprint serve` in the background: install, start, stop, status, uninstall
    #[command(after_help = examples::SERVICE)]
    Service {
        #[command(subcommand)]
        command: ServiceCommand,
    },
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
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
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
