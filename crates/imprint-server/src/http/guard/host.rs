//! Which authority (`Host`) a request may name. A page that rebinds its own name to this machine
//! still sends that name.

use std::net::Ipv6Addr;

use http::{HeaderMap, Uri, header};
use thiserror::Error;

/// A host and port as a request names them, in one spelling: lower case, addresses canonical.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Authority {
    /// A name or an address; IPv6 in brackets.
    pub(crate) host: String,
    /// What stands after the colon. None when nothing does.
    pub(crate) port: Option<u16>,
}

impl Authority {
    /// The authority that `text` spells, all of it: no user, no path, no empty or padded port.
    ///
    /// Stricter than RFC 3986 on purpose: what no browser and no client sends (percent-encoding,
    /// sub-delimiters, zone ids) is refused rather than understood.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix('[') {
            let (address, rest) = rest.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            let host = format!("[{address}]");
            return Some(Self {
                host,
                port: port_after(rest)?,
            });
        }
        let (host, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
        if host.is_empty() || host.len() > 253 || !host.bytes().all(may_stand_in_a_name) {
            return None;
        }
        let host = host.to_ascii_lowercase();
        Some(Self {
            host,
            port: port_after(rest)?,
        })
    }

    /// Of a host that needs no check.
    pub(crate) fn new(host: impl Into<String>, port: Option<u16>) -> Self {
        Self {
            host: host.into(),
            port,
        }
    }
}

fn may_stand_in_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
}

/// The port that `rest` (`""` or `:PORT`) spells; the outer None when it spells none.
#[expect(
    clippy::option_option,
    reason = "no port is a valid port; a bad one is none at all"
)]
fn port_after(rest: &str) -> Option<Option<u16>> {
    if rest.is_empty() {
        return Some(None);
    }
    let digits = rest.strip_prefix(':')?;
    if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().map(Some)
}

/// Why no authority could be read from a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum HostFault {
    /// HTTP/1.0 allows that, and HTTP/1.1 does not.
    #[error("The request has no `Host` header")]
    Missing,
    /// Two readers could believe two different ones.
    #[error("The request has more than one `Host` header")]
    Several,
    /// Not HOST or HOST:PORT.
    #[error("The `Host` header is not a host and port")]
    Malformed,
    /// The request line (absolute form) and the header differ.
    #[error("The request's target names another host than its `Host` header")]
    Contradicted,
}

/// The one authority that a request names. A target in absolute form must name the same.
pub(crate) fn requested(target: &Uri, headers: &HeaderMap) -> Result<Authority, HostFault> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().ok_or(HostFault::Missing)?;
    if hosts.next().is_some() {
        return Err(HostFault::Several);
    }
    let host = host.to_str().map_err(|_| HostFault::Malformed)?;
    let host = Authority::parse(host).ok_or(HostFault::Malformed)?;
    let Some(authority) = target.authority() else {
        return Ok(host);
    };
    match Authority::parse(authority.as_str()) {
        Some(named) if named == host => Ok(host),
        Some(_) => Err(HostFault::Contradicted),
        None => Err(HostFault::Malformed),
    }
}
