//! The server's public address, and which of its parts a token is for.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Where MCP answers; below these are the same service, narrowed.
const MCP_PATHS: [&str; 2] = ["/mcp", "/api/agent/v1/mcp"];

/// The address under which others reach this server: scheme, host and port, nothing after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(Url);

/// The text is no public address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPublicUrl {
    /// It is no address.
    #[error("this is no address such as `https://imprint.example.com`")]
    Form,
    /// It goes over the network in clear.
    #[error("a public address begins with `https://`")]
    Insecure,
    /// It has a path, a query or a user name.
    #[error("a public address ends after its host and port")]
    Parts,
}

impl PublicUrl {
    /// The address without a slash at its end: the issuer's identifier.
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// The address of a path, which begins with a slash.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.as_str())
    }

    /// Its host and, where it isn't the usual one, port: what a `Host` header says.
    pub fn authority(&self) -> &str {
        self.0.authority()
    }

    /// Whether browsers reach it encrypted.
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether it leads nowhere but to the machine that asks.
    pub fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => false,
        }
    }

    /// The resource that a client means; MCP's usual address when it names none.
    pub fn resource(&self, asked: Option<&str>) -> Result<Resource, NotOurResource> {
        let Some(asked) = asked else {
            return Ok(Resource(self.at(MCP_PATHS[0])));
        };
        let url = Url::parse(asked).map_err(|_| NotOurResource)?;
        let ours = url.origin() == self.0.origin()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !ours {
            return Err(NotOurResource);
        }
        self.resource_at(url.path()).ok_or(NotOurResource)
    }

    /// The server as a whole.
    pub fn whole(&self) -> Resource {
        Resource(self.as_str().to_owned())
    }

    /// The resource at a path, if it is one: the server as a whole, or MCP.
    pub fn resource_at(&self, path: &str) -> Option<Resource> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let is_mcp = MCP_PATHS.iter().any(|mcp| is_at_or_below(path, mcp));
        (path.is_empty() || is_mcp).then(|| Resource(self.at(path)))
    }
}

/// Whether a path is `root` or something below it.
fn is_at_or_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl FromStr for PublicUrl {
    type Err = NotAPublicUrl;

    /// Takes `https`, and `http` for loopback addresses, where a browser on the same machine can
    /// try everything out.
    fn from_str(text: &str) -> Result<Self, NotAPublicUrl> {
        let url = Url::parse(text).map_err(|_| NotAPublicUrl::Form)?;
        let bare = matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        match url.scheme() {
            "https" | "http" if url.host_str().is_none() => return Err(NotAPublicUrl::Form),
            "https" | "http" => {}
            _ => return Err(NotAPublicUrl::Form),
        }
        if !bare {
            return Err(NotAPublicUrl::Parts);
        }
        let public = Self(url);
        if !public.is_https() && !public.is_loopback() {
            return Err(NotAPublicUrl::Insecure);
        }
        Ok(public)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a token is for (RFC 8707): an address of this server, in one form, without a slash at its
/// end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Resource(String);

/// The resource is none of this server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the resource is none of this server's")]
pub struct NotOurResource;

impl Resource {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a token for this one may be used at `other`: the same, or something below it.
    pub fn covers(&self, other: &Self) -> bool {
        is_at_or_below(&other.0, &self.0)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public() -> PublicUrl {
        "https://imprint.example.com/".parse().unwrap()
    }

    #[test]
    fn a_public_address_is_encrypted_and_bare() {
        let refused = |text: &str| text.parse::<PublicUrl>().unwrap_err();
        assert_eq!(refused("imprint.example.com"), NotAPublicUrl::Form);
        assert_eq!(refused("ftp://example.com"), NotAPublicUrl::Form);
        assert_eq!(refused("http://example.com"), NotAPublicUrl::Insecure);
        assert_eq!(refused("http://192.168.1.2"), NotAPublicUrl::Insecure);
        assert_eq!(refused("https://example.com/mcp"), NotAPublicUrl::Parts);
        assert_eq!(refused("https://u:p@example.com"), NotAPublicUrl::Parts);
        for (text, shown) in [
            ("https://Example.com:443/", "https://example.com"),
            ("https://example.com:8443", "https://example.com:8443"),
            ("http://127.0.0.1:4750", "http://127.0.0.1:4750"),
            ("http://[::1]:4750", "http://[::1]:4750"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().as_str(), shown);
        }
    }

    #[test]
    fn only_addresses_of_this_server_are_resources() {
        let resource = |text| public().resource(text).map(|resource| resource.0);
        let mcp = Ok("https://imprint.example.com/mcp".to_owned());
        assert_eq!(resource(None), mcp);
        assert_eq!(resource(Some("https://IMPRINT.example.com:443/mcp/")), mcp);
        assert!(resource(Some("https://imprint.example.com")).is_ok());
        assert!(resource(Some("https://imprint.example.com/mcp/x/core/readonly")).is_ok());
        for other in [
            "",
            "mcp",
            "http://imprint.example.com/mcp",
            "https://imprint.example.com:8443/mcp",
            "https://other.example.com/mcp",
            "https://imprint.example.com/mcpx",
            "https://imprint.example.com/oauth/token",
            "https://imprint.example.com/mcp?x",
            "https://imprint.example.com/mcp#x",
            "https://imprint.example.com@evil.example/mcp",
        ] {
            assert_eq!(resource(Some(other)), Err(NotOurResource), "{other}");
        }
    }

    #[test]
    fn a_resource_covers_what_is_below_it_and_no_more() {
        let at = |path| public().resource_at(path).unwrap();
        assert!(at("").covers(&at("/mcp")));
        assert!(at("/mcp").covers(&at("/mcp")));
        assert!(at("/mcp").covers(&at("/mcp/readonly")));
        assert!(!at("/mcp/readonly").covers(&at("/mcp")));
        assert!(!at("/mcp").covers(&at("/api/agent/v1/mcp")));
        assert!(!at("/mcp").covers(&at("")));
    }
}
