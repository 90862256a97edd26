//! How `imprint serve` listens, and whom it lets in.

use std::net::SocketAddr;

use clap::Args;
use imprint_server::Toolsets;
use ipnet::IpNet;
use url::Url;

/// The address that is served unless another is named.
pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:4750";

#[derive(Args, Clone, Debug)]
pub(crate) struct ServeArgs {
    /// The address to serve; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = DEFAULT_LISTEN)]
    pub(crate) listen: SocketAddr,
    /// The https address under which a proxy or tunnel passes requests on; turns OAuth on
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<Url>,
    /// Another name under which requests may come, `HOST` or `HOST:PORT`; repeatable
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// A web origin whose pages may use the server, such as `https://app.example`; repeatable
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// A network of proxies that tell the caller's address, such as `10.0.0.0/8`; repeatable
    #[arg(long, value_name = "CIDR")]
    pub(crate) trusted_proxy: Vec<IpNet>,
    /// Requests that one key may make in a minute
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(6..))]
    pub(crate) rate_limit: u32,
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
}

/// Which tools clients get, over pipes and over HTTP.
#[derive(Args, Clone, Debug)]
pub(crate) struct ToolArgs {
    /// Offer these sets of tools: core, skills, guidelines, all; several with commas between
    #[arg(long, value_name = "SETS", default_value = "all")]
    pub(crate) toolsets: Toolsets,
    /// Offer nothing that changes anything, whatever keys allow
    #[arg(long)]
    pub(crate) read_only: bool,
}
