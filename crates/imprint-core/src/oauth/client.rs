//! Who asks to be let in.

use std::{fmt, str::FromStr};

use imprint_format::text;
use serde::{Deserialize, Serialize, de};
use url::Url;

use crate::{
    Timestamp,
    oauth::{RedirectUri, first_bits},
    secret::masked_in,
};

/// A registered client that was never let in is forgotten after so long, in milliseconds.
pub const UNUSED_CLIENT_MS: i64 = 24 * 60 * 60 * 1_000;
/// The most redirect addresses of a client.
pub const MOST_REDIRECTS: usize = 10;

/// The most characters of a client's name; longer ones are cut.
const NAME_CHARS: usize = 60;
/// The most characters of the address of a client's document.
const MOST_CHARS: usize = 500;
const REGISTERED: &str = "imprint-client-";

/// Who a client is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClientId {
    /// It registered itself here (RFC 7591) and was given these 32 hexadecimal digits.
    Registered(String),
    /// It describes itself in a document at this `https` address.
    Document(String),
}

/// The text is no client's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`client_id` is neither one that was given here nor the `https` address of a document")]
pub struct NotAClientId;

/// The name can't be shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`client_name` has no visible character")]
pub struct ClientNameError;

impl ClientId {
    /// The id of a client that registers itself.
    pub fn registered(entropy: [u8; 32]) -> Self {
        Self::Registered(format!("{:032x}", first_bits(entropy)))
    }
}

impl FromStr for ClientId {
    type Err = NotAClientId;

    fn from_str(text: &str) -> Result<Self, NotAClientId> {
        if let Some(digits) = text.strip_prefix(REGISTERED) {
            let formed = digits.len() == 32
                && digits
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
            return formed
                .then(|| Self::Registered(digits.to_owned()))
                .ok_or(NotAClientId);
        }
        if text.len() > MOST_CHARS || !text.starts_with("https://") {
            return Err(NotAClientId);
        }
        let url = Url::parse(text).map_err(|_| NotAClientId)?;
        let formed = url.as_str() == text
            && url.path().len() > 1
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        formed
            .then(|| Self::Document(text.to_owned()))
            .ok_or(NotAClientId)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registered(digits) => write!(f, "{REGISTERED}{digits}"),
            Self::Document(address) => f.write_str(address),
        }
    }
}

impl Serialize for ClientId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClientId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// A client, as it says of itself: a claim, but for the address of its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClient {
    /// Who it is.
    pub id: ClientId,
    /// What it calls itself: one visible line of at most 60 characters.
    pub name: String,
    /// Where browsers may be sent back to.
    pub redirects: Vec<RedirectUri>,
    /// When it registered, or when its document was read.
    pub created_at: Timestamp,
    /// When it was last let in.
    pub used_at: Option<Timestamp>,
}

impl OauthClient {
    /// A client's name as people are shown it. A client without one goes by its redirect's host.
    pub fn shown_name(
        name: Option<&str>,
        redirects: &[RedirectUri],
    ) -> Result<String, ClientNameError> {
        let fallback = || redirects.first().map(RedirectUri::host).unwrap_or_default();
        let name = name.map_or_else(fallback, str::to_owned);
        let line = text::one_line(&masked_in(&name));
        let shown = text::clip(line.trim(), NAME_CHARS);
        if shown.is_empty() {
            return Err(ClientNameError);
        }
        Ok(shown)
    }

    /// Whether its answers may go there.
    pub fn admits(&self, redirect: &RedirectUri) -> bool {
        self.redirects.iter().any(|own| own.admits(redirect))
    }

    /// Whether all its answers go to programs on the computer of whoever uses the browser: then
    /// any program there could have asked.
    pub fn is_only_local(&self) -> bool {
        self.redirects.iter().all(RedirectUri::is_loopback)
    }

    /// Whether nothing needs it any more: never let in, and too old to be still on its way.
    pub fn is_gone(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && now.0 - self.created_at.0 >= UNUSED_CLIENT_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = ClientId::registered([0xab; 32]);
        assert_eq!(id.to_string().parse(), Ok(id));
        let document = "https://claude.ai/oauth/claude-code-client-metadata";
        assert_eq!(
            document.parse(),
            Ok(ClientId::Document(document.to_owned()))
        );
        for text in [
            "",
            "imprint-client-xyz",
            "https://example.com",
            "https://example.com/",
            "http://example.com/client.json",
            "https://u@example.com/client.json",
            "https://example.com/client.json#x",
            "https://example.com/client.json?x",
            "https://example.com/a/../client.json",
            "https://EXAMPLE.com/client.json",
        ] {
            assert_eq!(text.parse::<ClientId>(), Err(NotAClientId), "{text}");
        }
    }

    #[test]
    fn names_are_one_visible_line() {
        let redirects = ["https://claude.ai/cb".parse().unwrap()];
        let shown = |name| OauthClient::shown_name(name, &redirects);
        assert_eq!(shown(None).unwrap(), "claude.ai");
        assert_eq!(shown(Some(" \n ")), Err(ClientNameError));
        assert_eq!(
            shown(Some("Cl\u{202e}aude\nTrusted"))
                .unwrap()
                .lines()
                .count(),
            1
        );
        assert_eq!(
            shown(Some(&"x".repeat(500))).unwrap().chars().count(),
            NAME_CHARS
        );
    }
}
