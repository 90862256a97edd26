//! From which web origin a request comes, compared by scheme, host and port.

use http::{HeaderMap, HeaderValue, header};
use thiserror::Error;
use url::Url;

use super::host::Authority;

/// A web origin (RFC 6454) with its port spelled out where the scheme has a usual one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    scheme: String,
    authority: Authority,
}

impl Origin {
    /// The origin that `text` spells: `scheme://host[:port]` and nothing more. `null` is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let mut letters = scheme.bytes();
        let known = letters.next()?.is_ascii_alphabetic()
            && letters
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        if !known {
            return None;
        }
        Some(Self::new(
            &scheme.to_ascii_lowercase(),
            Authority::parse(authority)?,
        ))
    }

    /// Of parts that need no check.
    pub(super) fn new(scheme: &str, mut authority: Authority) -> Self {
        authority.port = authority.port.or_else(|| usual_port(scheme));
        let scheme = scheme.to_owned();
        Self { scheme, authority }
    }

    /// The origin of a web address; None for one that has no host.
    pub(super) fn of(url: &Url) -> Option<Self> {
        // The parser has put names into their ASCII form and addresses into their canonical one.
        let authority = Authority::parse(url.host_str()?)?;
        let authority = Authority {
            port: url.port(),
            ..authority
        };
        Some(Self::new(url.scheme(), authority))
    }

    /// The ways in which a `Host` header names this origin's server.
    pub(super) fn authorities(&self) -> Vec<Authority> {
        let mut spellings = vec![self.authority.clone()];
        if self.authority.port == usual_port(&self.scheme) {
            spellings.push(Authority::new(self.authority.host.clone(), None));
        }
        spellings
    }
}

/// The port that a browser leaves out.
fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// Why no origin could be read from an `Origin` header that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum OriginFault {
    /// A sandboxed frame, a local file, a redirect across origins.
    #[error("The request comes from an origin that its browser does not name")]
    Null,
    /// Two readers could believe two different ones.
    #[error("The request has more than one `Origin` header")]
    Several,
    /// Not `scheme://host[:port]`.
    #[error("The `Origin` header is not a web origin")]
    Malformed,
}

/// The origin that a request names, with the bytes that named it. None for a program that is no
/// browser, and for most of what a browser fetches from its own origin.
pub(crate) fn sent(headers: &HeaderMap) -> Result<Option<(Origin, HeaderValue)>, OriginFault> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(value) = origins.next() else {
        return Ok(None);
    };
    if origins.next().is_some() {
        return Err(OriginFault::Several);
    }
    let text = value.to_str().map_err(|_| OriginFault::Malformed)?;
    if text.eq_ignore_ascii_case("null") {
        return Err(OriginFault::Null);
    }
    let origin = Origin::parse(text).ok_or(OriginFault::Malformed)?;
    Ok(Some((origin, value.clone())))
}
