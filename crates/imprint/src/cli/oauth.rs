//! OAuth, as clap reads what is wanted of it.

use clap::{Args, Subcommand};
use imprint_core::Scope;

use super::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum OauthCommand {
    /// Let a client in whose request waits in your browser
    #[command(after_help = examples::OAUTH_APPROVE)]
    Approve(OauthApproveArgs),
    /// List the requests that wait for you
    #[command(after_help = examples::OAUTH_REQUESTS)]
    Requests,
    /// List the clients that you have let in
    #[command(after_help = examples::OAUTH_LIST)]
    List(OauthListArgs),
    /// Shut a client out again, at once
    #[command(after_help = examples::OAUTH_REVOKE)]
    Revoke(OauthRevokeArgs),
}

#[derive(Args, Debug)]
pub(crate) struct OauthApproveArgs {
    /// The code that the page in your browser shows, such as `KXQ7-2MPD`
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
    /// Allow these instead of what is chosen in the page; several with commas between
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    pub(crate) scopes: Vec<Scope>,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct OauthListArgs {
    /// Those that are revoked or expired too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct OauthRevokeArgs {
    /// The client's name, or the id that `imprint oauth list` shows
    #[arg(value_name = "CLIENT")]
    pub(crate) client: String,
    /// Don't ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}
