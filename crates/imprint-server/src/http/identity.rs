//! Who asks over HTTP: the bearer of a key or of an OAuth token, or nobody.

use http::{HeaderMap, Uri, header};
use imprint_core::{
    Access, GrantId, KeyId, KeyMaker, KeyRecord, KeyStanding, Registry, StoreError, Token,
    TokenKind, oauth::OauthGrant,
};
use percent_encoding::percent_decode_str;

/// Names of query parameters in which clients are known to send keys.
const KEY_PARAMETERS: [&str; 7] = [
    "access_token",
    "api_key",
    "apikey",
    "api-key",
    "authorization",
    "key",
    "token",
];

/// Whose request it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Principal {
    /// The bearer of a key.
    Key(KeyId),
    /// An OAuth client that the owner let in.
    Grant(GrantId),
}

impl Principal {
    /// The key, if it is one.
    pub(crate) const fn key(self) -> Option<KeyId> {
        match self {
            Self::Key(key) => Some(key),
            Self::Grant(_) => None,
        }
    }

    /// The grant, if it is one.
    pub(crate) const fn grant(self) -> Option<GrantId> {
        match self {
            Self::Key(_) => None,
            Self::Grant(grant) => Some(grant),
        }
    }
}

/// Who asks, and what they may do.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// Whose request it is.
    pub(crate) principal: Principal,
    /// The token that was shown, to look at it again while a stream is open.
    pub(crate) token: Token,
    /// What may be seen and done.
    pub(crate) access: Access,
    /// The client, as an id of the table, that the key was made for.
    pub(crate) client: Option<String>,
    /// Whether `imprint connect` put the key into a client's configuration on this machine.
    pub(crate) made_by_connect: bool,
}

impl Identity {
    fn of_key(key: &KeyRecord, token: Token) -> Self {
        Self {
            principal: Principal::Key(key.id),
            token,
            access: key.access(),
            client: key.client.clone(),
            made_by_connect: key.made_by == KeyMaker::Connect,
        }
    }

    /// Whoever holds an access token of a grant.
    pub(crate) fn of_grant(grant: &OauthGrant, token: Token) -> Self {
        Self {
            principal: Principal::Grant(grant.id),
            token,
            access: grant.access(),
            client: None,
            made_by_connect: false,
        }
    }
}

/// Why nobody is recognised.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotIdentified {
    /// No key was shown.
    #[error("a key is needed: send `Authorization: Bearer sak_…`")]
    Missing,
    /// What was shown is no key.
    #[error("this is no key of Imprint's; a key begins with `sak_` and has 40 characters")]
    Malformed,
    /// There is no such key.
    #[error("nobody has this key")]
    Unknown,
    /// The key is worth nothing any more.
    #[error("this key is {}", match .0 { KeyStanding::Revoked => "revoked", _ => "expired" })]
    Over(KeyStanding),
    /// The OAuth token is worth nothing.
    #[error("this token is not valid here, or not any more")]
    Token,
    /// A key stands in the address, where logs and histories keep it.
    #[error(
        "a key stands in the address of this request, where logs and browsers keep it: it counts \
         as leaked. Revoke it, and send the next one in the `Authorization` header alone"
    )]
    InAddress,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The token in the `Authorization` header. A malformed one is refused without a database.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<Token, NotIdentified> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(NotIdentified::Missing)?;
    if values.next().is_some() {
        return Err(NotIdentified::Malformed);
    }
    let text = value.to_str().map_err(|_| NotIdentified::Malformed)?;
    let (scheme, token) = text.trim().split_once(' ').unwrap_or((text, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(NotIdentified::Malformed);
    }
    token.trim().parse().map_err(|_| NotIdentified::Malformed)
}

/// Tokens, or what was meant to be one, in the address of a request.
#[derive(Debug, Default)]
pub(crate) struct InAddress {
    /// Whether a key, or a parameter that is meant to hold one, stands there.
    pub(crate) any: bool,
    /// Whole tokens.
    pub(crate) tokens: Vec<Token>,
}

/// Looks for tokens in the path and the query.
pub(crate) fn in_address(uri: &Uri) -> InAddress {
    let mut found = InAddress::default();
    let mut look_at = |text: &str| {
        let starts = TokenKind::prefixes().flat_map(|prefix| text.match_indices(prefix));
        for (at, _) in starts {
            found.any = true;
            let token = text.get(at..at + Token::LENGTH).map(str::parse);
            found.tokens.extend(token.and_then(Result::ok));
        }
    };
    look_at(&percent_decode_str(uri.path()).decode_utf8_lossy());
    let query = uri.query().unwrap_or_default();
    let mut named = false;
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        look_at(&name);
        look_at(&value);
        let name = name.to_ascii_lowercase();
        named |= KEY_PARAMETERS.contains(&name.as_str()) && !value.is_empty();
    }
    found.any |= named;
    found
}

/// The bearer of a key, as it stands now.
pub(crate) async fn of_key(registry: &Registry, token: Token) -> Result<Identity, NotIdentified> {
    let (store, owner) = (registry.store(), registry.owner());
    let key = store.key(owner, token.digest()).await?;
    let key = key.ok_or(NotIdentified::Unknown)?;
    match key.standing(registry.clock().now()) {
        KeyStanding::Live => Ok(Identity::of_key(&key, token)),
        over => Err(NotIdentified::Over(over)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> Token {
        Token::mint(TokenKind::Key, [5; 32])
    }

    fn headers(values: &[&str]) -> HeaderMap {
        let pairs = values.iter().map(|value| {
            let value = value.parse().unwrap();
            (header::AUTHORIZATION, value)
        });
        pairs.collect()
    }

    #[test]
    fn the_scheme_may_be_written_in_any_case() {
        for scheme in ["Bearer", "bearer", "BEARER", "Bearer "] {
            let value = format!("{scheme} {}", token().reveal());
            assert_eq!(bearer(&headers(&[&value])).unwrap(), token(), "{scheme}");
        }
    }

    #[test]
    fn what_is_no_key_is_told_apart_from_none() {
        let missing = bearer(&headers(&[]));
        assert!(matches!(missing, Err(NotIdentified::Missing)));
        let whole = format!("Bearer {}", token().reveal());
        for values in [
            vec![""],
            vec!["Bearer"],
            vec!["Bearer wrong"],
            vec![token().reveal()],
            vec![whole.as_str(), whole.as_str()],
        ] {
            let found = bearer(&headers(&values));
            assert!(matches!(found, Err(NotIdentified::Malformed)), "{values:?}");
        }
        let basic = format!("Basic {}", token().reveal());
        assert!(bearer(&headers(&[&basic])).is_err());
    }

    #[test]
    fn keys_in_addresses_are_seen() {
        let whole = token();
        let whole = whole.reveal();
        let encoded = whole.replace('_', "%5F");
        for (address, tokens) in [
            (format!("/mcp?key={whole}"), 1),
            (format!("/mcp?x={whole}"), 1),
            (format!("/mcp?a=b&access_token={encoded}"), 1),
            (format!("/mcp/{whole}"), 1),
            (format!("/mcp/{encoded}/x"), 1),
            (format!("/mcp?{whole}"), 1),
            ("/mcp?api_key=abc".to_owned(), 0),
            ("/mcp?token=sak_short".to_owned(), 0),
        ] {
            let found = in_address(&address.parse().unwrap());
            assert!(found.any, "{}", address.len());
            assert_eq!(found.tokens.len(), tokens, "{}", address.len());
        }
        for address in ["/mcp", "/mcp?cursor=abc", "/mcp?key=", "/api/v1/keys"] {
            assert!(!in_address(&address.parse().unwrap()).any, "{address}");
        }
    }
}
