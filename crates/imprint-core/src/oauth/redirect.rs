//! Where a browser is sent back to with a code.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize, de};
use url::{Host, Url};

/// The most characters of an address.
const MOST_CHARS: usize = 2_000;

/// Schemes of editors that register no reverse domain name, as RFC 8252 asks for.
const EDITOR_SCHEMES: [&str; 5] = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed"];

/// An address that a browser may be sent back to: `https`, `http` on the loopback, or an
/// application's own scheme. Kept as it was written, because it is compared as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct RedirectUri(String);

/// The text is no address that a browser may be sent back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotARedirect {
    /// It is no absolute address of harmless characters and length.
    #[error("a redirect address is absolute, of at most {MOST_CHARS} ASCII characters")]
    Form,
    /// It has a fragment, or a name or password before its host.
    #[error("a redirect address has no fragment and no user name")]
    Parts,
    /// It has a scheme that no code is sent to.
    #[error(
        "a redirect address is `https`, `http` on the loopback, or an application's own scheme"
    )]
    Scheme,
}

impl RedirectUri {
    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a client that registered this one may be answered at `asked`: the same, character
    /// by character, but for the port of `http` loopback addresses, which a program that runs on
    /// the user's machine can't know beforehand (RFC 8252 §7.3).
    pub fn admits(&self, asked: &Self) -> bool {
        self == asked
            || loopback_parts(&self.0)
                .zip(loopback_parts(&asked.0))
                .is_some_and(|(registered, asked)| registered == asked)
    }

    /// Whether it leads to a program on the computer of whoever uses the browser.
    pub fn is_loopback(&self) -> bool {
        loopback_parts(&self.0).is_some()
    }

    /// The host in full, as a person must see it: in ASCII, with its port where it names one. For
    /// an application's own scheme, that.
    pub fn host(&self) -> String {
        let Ok(url) = Url::parse(&self.0) else {
            return String::new();
        };
        match (url.host_str(), url.scheme()) {
            (Some(host), "http" | "https") => match url.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            },
            (_, scheme) => format!("{scheme}:"),
        }
    }

    /// The address with more in its query.
    pub fn with(&self, more: &[(&str, &str)]) -> String {
        let joint = if !self.0.contains('?') {
            "?"
        } else if self.0.ends_with(['?', '&']) {
            ""
        } else {
            "&"
        };
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(more)
            .finish();
        format!("{}{joint}{query}", self.0)
    }
}

impl FromStr for RedirectUri {
    type Err = NotARedirect;

    fn from_str(text: &str) -> Result<Self, NotARedirect> {
        // Stricter than a browser, which reads `\` as `/` and drops tabs and line ends.
        let harmless = |byte: u8| byte.is_ascii_graphic() && !b"\\\"<>^`{|}".contains(&byte);
        if text.len() > MOST_CHARS || !text.bytes().all(harmless) {
            return Err(NotARedirect::Form);
        }
        let url = Url::parse(text).map_err(|_| NotARedirect::Form)?;
        if url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
            return Err(NotARedirect::Parts);
        }
        let allowed = match url.scheme() {
            "https" => text.starts_with("https://") && url.host_str().is_some(),
            "http" => loopback_parts(text).is_some() && is_loopback(&url),
            scheme => scheme.contains('.') || EDITOR_SCHEMES.contains(&scheme),
        };
        if !allowed {
            return Err(NotARedirect::Scheme);
        }
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for RedirectUri {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The host of an `http` loopback address, and what follows its port.
fn loopback_parts(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("http://")?;
    let host = ["127.0.0.1", "[::1]", "localhost"]
        .into_iter()
        .find(|host| rest.starts_with(host))?;
    let rest = &rest[host.len()..];
    let path = match rest.strip_prefix(':') {
        None => rest,
        Some(rest) => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            rest[..digits]
                .parse::<u16>()
                .ok()
                .filter(|port| *port > 0)?;
            &rest[digits..]
        }
    };
    (path.is_empty() || path.starts_with(['/', '?'])).then_some((host, path))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn admits(registered: &str, asked: &str) -> bool {
        let registered: RedirectUri = registered.parse().unwrap();
        asked.parse().is_ok_and(|asked| registered.admits(&asked))
    }

    #[test]
    fn only_the_same_address_is_admitted() {
        let registered = "https://claude.ai/api/mcp/auth_callback";
        assert!(admits(registered, registered));
        for other in [
            "https://claude.ai/api/mcp/auth_callback/",
            "https://claude.ai/api/mcp/auth_callback?x=1",
            "https://claude.ai:443/api/mcp/auth_callback",
            "https://CLAUDE.ai/api/mcp/auth_callback",
            "https://claude.ai/api/mcp/../mcp/auth_callback",
            "https://claude.ai.example.com/api/mcp/auth_callback",
            "http://claude.ai/api/mcp/auth_callback",
        ] {
            assert!(!admits(registered, other), "{other}");
        }
    }

    #[test]
    fn a_program_on_the_machine_may_come_with_any_port() {
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            let registered = format!("http://{host}:3118/callback");
            let asked = |rest: &str| admits(&registered, &format!("http://{host}{rest}"));
            assert!(asked(":52011/callback"), "{host}");
            assert!(asked("/callback"), "{host}");
            for rest in [
                ":52011/callback/",
                ":52011/",
                ":0/callback",
                ":70000/callback",
            ] {
                assert!(!asked(rest), "{host}{rest}");
            }
        }
        assert!(!admits("http://localhost/cb", "http://127.0.0.1/cb"));
        assert!(!admits("https://localhost:1/cb", "https://localhost:2/cb"));
    }

    #[test]
    fn addresses_that_lead_elsewhere_are_refused() {
        for text in [
            "",
            "/callback",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "http://example.com/cb",
            "http://127.0.0.1.example.com/cb",
            "http://localhost.example.com/cb",
            "http://localhost:80@example.com/cb",
            "http://127.0.0.1\\@example.com/",
            "http://2130706433/cb",
            "https://user@example.com/cb",
            "https://example.com/cb#x",
            "https:example.com/cb",
            "https://exa\tmple.com/cb",
            "https://exämple.com/cb",
            "evil:cb",
        ] {
            assert!(text.parse::<RedirectUri>().is_err(), "{text}");
        }
        for text in [
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "com.example.app:/cb",
        ] {
            assert!(text.parse::<RedirectUri>().is_ok(), "{text}");
        }
    }

    #[test]
    fn people_see_the_whole_host() {
        let host = |text: &str| text.parse::<RedirectUri>().unwrap().host();
        assert_eq!(host("https://claude.ai/x"), "claude.ai");
        assert_eq!(
            host("https://claude.ai.evil.example:8443/x"),
            "claude.ai.evil.example:8443"
        );
        assert_eq!(host("http://127.0.0.1:9/x"), "127.0.0.1:9");
        assert_eq!(host("cursor://x/y"), "cursor:");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_no_more_than_the_query_grows(text in "[ -~]{0,60}", state: String) {
            let Ok(redirect) = text.parse::<RedirectUri>() else { return Ok(()) };
            let answered = redirect.with(&[("code", "c"), ("state", &state)]);
            let (before, after) = (Url::parse(&text).unwrap(), Url::parse(&answered).unwrap());
            prop_assert_eq!(before.host_str(), after.host_str());
            prop_assert_eq!(before.path(), after.path());
            let sent = after.query_pairs().find(|(name, _)| name == "state").unwrap();
            prop_assert_eq!(sent.1, state);
        }
    }
}
