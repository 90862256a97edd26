//! Keys, as clap reads what is wanted of them.

use clap::{Args, Subcommand, ValueEnum};
use imprint_core::{Preset, Scope};

use super::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key for a client that comes over HTTP; it is shown this once
    #[command(after_help = examples::KEYS_CREATE)]
    Create(KeyCreateArgs),
    /// List keys: what they allow, when they were used
    #[command(after_help = examples::KEYS_LIST)]
    List(KeyListArgs),
    /// Take a key back, at once
    #[command(after_help = examples::KEYS_REVOKE)]
    Revoke(KeyRevokeArgs),
    /// Make a successor of a key, which goes on for a while
    #[command(after_help = examples::KEYS_ROTATE)]
    Rotate(KeyRotateArgs),
    /// Give a key another name
    #[command(after_help = examples::KEYS_RENAME)]
    Rename(KeyRenameArgs),
}

#[derive(Args, Debug)]
pub(crate) struct KeyCreateArgs {
    /// What you call it, such as the client that gets it
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
    /// What it allows, such as `skills:read,memory:write`; several with commas between
    #[arg(
        long,
        value_name = "SCOPES",
        value_delimiter = ',',
        conflicts_with = "preset"
    )]
    pub(crate) scopes: Vec<Scope>,
    /// What it allows, in a word
    #[arg(long, value_name = "PRESET")]
    pub(crate) preset: Option<PresetChoice>,
    /// The client that it is for, such as `codex`
    #[arg(long, value_name = "CLIENT")]
    pub(crate) client: Option<String>,
    /// Only records of these projects, and general ones; several with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) project: Vec<String>,
    /// Only these skills and personas, and neither profile, memory nor guidelines
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) items: Vec<String>,
    /// Only skills and personas with one of these tags, and nothing else
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub(crate) tag: Vec<String>,
    /// How long it lasts, such as `90d`, `12h`; for ever if left out
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
}

/// Scopes that go well together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetChoice {
    /// Read everything, say whether the profile fits
    Read,
    /// Read, remember, make and change skills and personas
    Agent,
    /// Everything but keys, import and whatever takes a path
    Full,
    /// Everything
    Admin,
}

impl From<PresetChoice> for Preset {
    fn from(choice: PresetChoice) -> Self {
        match choice {
            PresetChoice::Read => Self::Read,
            PresetChoice::Agent => Self::Agent,
            PresetChoice::Full => Self::Full,
            PresetChoice::Admin => Self::Admin,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct KeyListArgs {
    /// Revoked and expired ones too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct KeyRevokeArgs {
    /// The key's name, its first characters or its id
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct KeyRotateArgs {
    /// The key's name, its first characters or its id
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// How long the old one goes on, such as `24h`; `0s` ends it at once
    #[arg(long, value_name = "TIME", default_value = "24h")]
    pub(crate) overlap: String,
}

#[derive(Args, Debug)]
pub(crate) struct KeyRenameArgs {
    /// The key's name, its first characters or its id
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}
