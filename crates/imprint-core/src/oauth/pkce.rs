//! Proof Key for Code Exchange (RFC 7636), with S256 alone.

use imprint_format::Digest;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

/// The characters of base64url, in their order.
const BASE64URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// 32 bytes without padding.
const CHALLENGE_CHARS: usize = 43;

/// An S256 challenge: base64url of the SHA-256 of a verifier that only the client knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Challenge(String);

/// The challenge can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAChallenge {
    /// None was sent.
    #[error("`code_challenge` is missing")]
    Missing,
    /// It was made by another method. Absent means `plain`, which RFC 7636 allows and OAuth 2.1
    /// does not.
    #[error("`code_challenge_method` must be `S256`")]
    Method,
    /// It is not 43 characters of base64url.
    #[error("`code_challenge` must be 43 characters of base64url")]
    Form,
}

impl Challenge {
    /// A challenge as a client sends it.
    pub fn new(challenge: Option<&str>, method: Option<&str>) -> Result<Self, NotAChallenge> {
        let challenge = challenge.ok_or(NotAChallenge::Missing)?;
        if method != Some("S256") {
            return Err(NotAChallenge::Method);
        }
        let formed = challenge.len() == CHALLENGE_CHARS
            && challenge.bytes().all(|byte| BASE64URL.contains(&byte));
        if !formed {
            return Err(NotAChallenge::Form);
        }
        Ok(Self(challenge.to_owned()))
    }

    /// Whether it was made from this verifier (43 to 128 unreserved characters).
    pub fn is_met_by(&self, verifier: &str) -> bool {
        let formed = (43..=128).contains(&verifier.len())
            && verifier
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
        let made = base64url(Digest::of(verifier.as_bytes()).as_bytes());
        formed && bool::from(made.as_bytes().ct_eq(self.0.as_bytes()))
    }
}

fn base64url(bytes: &[u8; 32]) -> String {
    let mut text = String::with_capacity(CHALLENGE_CHARS);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            let index = bits >> (18 - 6 * place) & 63;
            text.push(char::from(BASE64URL[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_standard_holds() {
        let challenge = Challenge::new(Some(CHALLENGE), Some("S256")).unwrap();
        assert!(challenge.is_met_by(VERIFIER));
        assert!(!challenge.is_met_by(&VERIFIER.replace("dBjf", "dBjg")));
        assert!(!challenge.is_met_by(CHALLENGE));
        assert!(!challenge.is_met_by(""));
    }

    #[test]
    fn only_s256_is_taken() {
        let refused = |challenge, method| Challenge::new(challenge, method).unwrap_err();
        assert_eq!(refused(None, Some("S256")), NotAChallenge::Missing);
        assert_eq!(refused(Some(VERIFIER), None), NotAChallenge::Method);
        assert_eq!(
            refused(Some(VERIFIER), Some("plain")),
            NotAChallenge::Method
        );
        assert_eq!(refused(Some("short"), Some("S256")), NotAChallenge::Form);
        let padded = format!("{}=", &CHALLENGE[1..]);
        assert_eq!(refused(Some(&padded), Some("S256")), NotAChallenge::Form);
    }
}
