//! Names to addresses, of which none that isn't public is ever connected to.
//!
//! The connection goes to the very addresses that were judged here, so a name that changes its
//! mind between a look and a connection gains nothing.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::public_address::is_public;

/// Looks names up.
#[async_trait]
pub(super) trait Names: Send + Sync + fmt::Debug {
    /// The addresses of a name.
    async fn addresses(&self, name: &str) -> std::io::Result<Vec<IpAddr>>;
}

/// The system's way to look names up.
#[derive(Debug)]
pub(super) struct SystemNames;

#[async_trait]
impl Names for SystemNames {
    async fn addresses(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|socket| socket.ip()).collect())
    }
}

/// Other names, without those that lead anywhere but into the public network.
#[derive(Clone, Debug)]
pub(super) struct PublicNames(pub(super) Arc<dyn Names>);

/// A name leads to an address that isn't public, or to none.
#[derive(Debug, thiserror::Error)]
#[error("the name does not lead into the public network alone")]
struct NotPublic;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let names = Arc::clone(&self.0);
        Box::pin(async move {
            let found = names.addresses(name.as_str()).await?;
            // One that isn't public spoils all: a name of the public network has none.
            if found.is_empty() || !found.iter().all(|address| is_public(*address)) {
                return Err(NotPublic.into());
            }
            let sockets = found.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as Addrs)
        })
    }
}
