//! Secrets that open the HTTP address: API keys and OAuth tokens.
//!
//! One shape for all: a prefix that says what it is, 30 random base62 characters (178 bits) and
//! the CRC-32 of those in six more. So a malformed one is refused without asking a database, and
//! a leaked one is recognised by scanners.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use imprint_format::Digest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::secret::{BASE62, crc32_base62, crc32_base62_of};

const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;
/// How much of a token is shown at its beginning and at its end, in characters.
const SHOWN: (usize, usize) = (8, 4);

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// An API key that the user made.
    Key,
    /// What an OAuth client sends with each request.
    Access,
    /// What an OAuth client gets a new access token for.
    Refresh,
    /// What an OAuth client gets its first tokens for.
    Code,
}

impl TokenKind {
    const ALL: [Self; 4] = [Self::Key, Self::Access, Self::Refresh, Self::Code];

    /// What tokens begin with.
    pub fn prefixes() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::prefix)
    }

    /// What every token of the kind begins with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Key => "sak_",
            Self::Access => "sat_",
            Self::Refresh => "sar_",
            Self::Code => "sac_",
        }
    }
}

/// A token in clear. Its `Debug` form shows no more than lists do.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    kind: TokenKind,
    text: String,
}

impl Token {
    /// Characters of a whole token.
    pub const LENGTH: usize = 4 + RANDOM_CHARS + CHECKSUM_CHARS;

    /// A fresh token from 32 random bytes, which must come from the system's generator.
    pub fn mint(kind: TokenKind, entropy: [u8; 32]) -> Self {
        let random = base62(entropy);
        let checksum: String = crc32_base62_of(&random).map(char::from).iter().collect();
        Self {
            kind,
            text: format!("{}{random}{checksum}", kind.prefix()),
        }
    }

    /// What it is for.
    pub fn kind(&self) -> TokenKind {
        self.kind
    }

    /// The whole of it: for the one time that it is shown, and for nothing else.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// What is kept of it.
    pub fn digest(&self) -> TokenDigest {
        TokenDigest(Sha256::digest(&self.text).into())
    }

    /// Its first eight characters, for lists.
    pub fn start(&self) -> &str {
        &self.text[..SHOWN.0]
    }

    /// Its last four characters, for lists.
    pub fn end(&self) -> &str {
        &self.text[self.text.len() - SHOWN.1..]
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}…{})", self.start(), self.end())
    }
}

/// The text is no token: too short, too long, of other characters, or with a wrong checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no key or token of Imprint's")]
pub struct NotAToken;

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, NotAToken> {
        let mut kinds = TokenKind::ALL.into_iter();
        let kind = kinds
            .find(|kind| text.starts_with(kind.prefix()))
            .ok_or(NotAToken)?;
        let body = &text[kind.prefix().len()..];
        let whole = body.len() == RANDOM_CHARS + CHECKSUM_CHARS
            && body.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && crc32_base62(body);
        if !whole {
            return Err(NotAToken);
        }
        Ok(Self {
            kind,
            text: text.to_owned(),
        })
    }
}

/// SHA-256 of a token: what is kept. A token is random enough that neither salt nor a slow hash
/// adds anything. Compared in constant time.
#[derive(Clone, Copy)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// A digest that was kept.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for TokenDigest {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenDigest {}

impl Hash for TokenDigest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Serialize for TokenDigest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Digest::from_bytes(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TokenDigest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Digest::deserialize(deserializer).map(|digest| Self(*digest.as_bytes()))
    }
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(…)")
    }
}

/// The low 30 base62 digits of a number of 256 bits: each is as likely as the next to within
/// 2⁻⁷⁷.
fn base62(entropy: [u8; 32]) -> String {
    let mut number = entropy;
    let mut digits = String::with_capacity(RANDOM_CHARS);
    for _ in 0..RANDOM_CHARS {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            // The rest is below 62, so the quotient fits a byte.
            [.., *byte] = (value / 62).to_be_bytes();
            rest = value % 62;
        }
        digits.push(char::from(BASE62[rest as usize]));
    }
    digits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_token_has_the_shape_that_scanners_know() {
        let token = Token::mint(TokenKind::Key, [7; 32]);
        let text = token.reveal();
        assert_eq!(text.len(), 40);
        assert!(text.starts_with("sak_"), "{token:?}");
        assert_eq!(crate::secret::scan(text)[0].rule, "imprint-key");
        assert!(!format!("{token:?}").contains(&text[8..36]));
    }

    proptest! {
        #[test]
        fn a_minted_token_is_read_back(entropy: [u8; 32]) {
            for kind in TokenKind::ALL {
                let token = Token::mint(kind, entropy);
                prop_assert_eq!(token.reveal().parse::<Token>(), Ok(token));
            }
        }

        #[test]
        fn one_changed_character_is_noticed(entropy: [u8; 32], at in 4_usize..40) {
            let token = Token::mint(TokenKind::Access, entropy);
            let mut text = token.reveal().to_owned();
            let other = if &text[at..=at] == "x" { "y" } else { "x" };
            text.replace_range(at..=at, other);
            prop_assert_eq!(text.parse::<Token>(), Err(NotAToken));
        }

        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = text.parse::<Token>();
        }
    }
}
