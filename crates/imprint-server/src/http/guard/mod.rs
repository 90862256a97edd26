//! Keeps web pages out: `Host`, `Origin` and `Sec-Fetch-Site` are judged on every route, before any
//! key, body or handler; CORS headers go to listed origins alone.
//!
//! Defends against DNS rebinding and cross-site requests to loopback (the class of
//! GHSA-89vp-x53w-74fx). It answers no question of who asks: that takes a key.

mod cors;
mod fetch;
mod host;
mod origin;
#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, StatusCode};
use thiserror::Error;
use url::Url;

use self::{host::Authority, origin::Origin};
use super::problem::Problem;

/// Why a list of what may reach the server can't be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum AllowListError {
    /// Not `HOST` or `HOST:PORT`.
    #[error(
        "`{0}` is not a host: write `HOST` or `HOST:PORT`, without `http://` and without a path"
    )]
    Host(String),
    /// Not `scheme://host[:port]`.
    #[error("`{0}` is not an origin: write `https://HOST` or `https://HOST:PORT`, without a path")]
    Origin(String),
    /// The public address has no host.
    #[error("`{0}` is no public address: write `https://HOST`")]
    PublicUrl(String),
}

/// The authorities under which the server may be reached, and the web origins whose pages may.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct AllowList {
    lists: Arc<Lists>,
}

#[derive(Debug)]
struct Lists {
    hosts: HashSet<Authority>,
    origins: HashSet<Origin>,
}

impl AllowList {
    /// The names of loopback with the port of `listen` (the address really bound), that address
    /// itself when it is a particular one, the public URL's host and origin, and what the user
    /// added. An added host without a port is allowed at the port of `listen`, and with none.
    pub(crate) fn new(
        listen: SocketAddr,
        public_url: Option<&Url>,
        extra_hosts: &[String],
        extra_origins: &[String],
    ) -> Result<Self, AllowListError> {
        let port = Some(listen.port());
        let mut origins = own_origins(listen);
        if let Some(url) = public_url {
            let origin =
                Origin::of(url).ok_or_else(|| AllowListError::PublicUrl(url.to_string()))?;
            origins.insert(origin);
        }
        let mut hosts: HashSet<_> = origins.iter().flat_map(Origin::authorities).collect();
        for text in extra_hosts {
            let host = Authority::parse(text).ok_or_else(|| AllowListError::Host(text.clone()))?;
            if host.port.is_none() {
                hosts.insert(Authority::new(host.host.clone(), port));
            }
            hosts.insert(host);
        }
        for text in extra_origins {
            let origin = Origin::parse(text).ok_or_else(|| AllowListError::Origin(text.clone()))?;
            origins.insert(origin);
        }
        Ok(Self {
            lists: Arc::new(Lists { hosts, origins }),
        })
    }

    /// The listed origin that a request names, as it spelled it, if it names one; or why the
    /// request may not pass.
    fn admit(&self, request: &Request) -> Result<Option<HeaderValue>, Problem> {
        let host = host::requested(request.uri(), request.headers())
            .map_err(|fault| foreign_host(fault.to_string()))?;
        if !self.lists.hosts.contains(&host) {
            return Err(foreign_host(
                "The `Host` header names a host that is not allowed here",
            ));
        }
        let origin =
            origin::sent(request.headers()).map_err(|fault| foreign_origin(fault.to_string()))?;
        match origin {
            Some((origin, spelled)) if self.lists.origins.contains(&origin) => Ok(Some(spelled)),
            Some(_) => Err(foreign_origin(
                "The request comes from a web page that is not allowed",
            )),
            None if fetch::is_foreign(
                request.method(),
                request.uri().path(),
                request.headers(),
            ) =>
            {
                Err(foreign_origin("The request comes from another site's page"))
            }
            None => Ok(None),
        }
    }
}

/// Loopback's names, and the address listened on unless that is every address.
fn own_origins(listen: SocketAddr) -> HashSet<Origin> {
    let mut hosts = vec![
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        "[::1]".to_owned(),
    ];
    match listen.ip().to_canonical() {
        address if address.is_unspecified() => {}
        IpAddr::V4(address) => hosts.push(address.to_string()),
        IpAddr::V6(address) => hosts.push(format!("[{address}]")),
    }
    let authorities = hosts
        .into_iter()
        .map(|host| Authority::new(host, Some(listen.port())));
    authorities
        .map(|authority| Origin::new("http", authority))
        .collect()
}

fn foreign_host(detail: impl Into<String>) -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "foreign-host",
        "Host not allowed",
        detail,
    )
    .hint("Use the address that `imprint serve` shows, or start it with `--allow-host HOST`")
}

fn foreign_origin(detail: impl Into<String>) -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "foreign-origin",
        "Origin not allowed",
        detail,
    )
    .hint("If you trust that page, start `imprint serve` with `--allow-origin ORIGIN`")
}

/// The layer: refuses what may not pass, answers preflights, and marks what a listed origin may
/// read.
pub(crate) async fn guard(State(list): State<AllowList>, request: Request, next: Next) -> Response {
    let (mut response, origin) = match list.admit(&request) {
        Err(problem) => (problem.into_response(), None),
        Ok(Some(origin)) if cors::is_preflight(request.method(), request.headers()) => {
            (cors::preflight_answer(request.headers()), Some(origin))
        }
        Ok(origin) => (next.run(request).await, origin),
    };
    cors::mark(response.headers_mut(), origin);
    response
}
