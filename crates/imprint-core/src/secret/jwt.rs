//! JSON Web Tokens (RFC 7519) in their compact form: three parts of base64url.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    base64,
    border::Border,
    candidate::{Candidate, Certainty},
    charset::BASE64URL,
    entropy, placeholder, samples,
};

/// How a JSON object begins in base64.
pub(super) const ANCHOR: &str = "eyJ";

/// Longer parts belong to a document that is signed, not to a credential.
const LONGEST_PART: usize = 16 * 1024;
/// HMAC-SHA-256, the shortest signature in use, has 43 characters.
const SHORTEST_SIGNATURE: usize = 32;

/// The token that begins where [`ANCHOR`] stands.
pub(super) fn at<'t>(text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    let bytes = text.as_bytes();
    let start = anchor.start;
    // The second part of a token begins the same way.
    let is_later_part = start > 0 && bytes[start - 1] == b'.';
    if is_later_part || !Border::Apart.opens(bytes, start) {
        return None;
    }
    let header = part(text, start)?;
    let claims = part(text, after_dot(bytes, &header)?)?;
    let signature = part(text, after_dot(bytes, &claims)?)?;
    let end = signature.end;
    if signature.len() < SHORTEST_SIGNATURE || !Border::Word.closes(bytes, end) {
        return None;
    }
    json_object(&text[header])?.get("alg")?.as_str()?;
    let claims = json_object(&text[claims])?;
    let signature = &text[signature];
    Some(Candidate {
        cleared: !entropy::is_random(signature)
            || placeholder::is_filler(signature)
            || samples::is_documented(signature)
            || is_public(&claims),
        ..Candidate::new("jwt", Certainty::Token, text, start..end)
    })
}

fn part(text: &str, start: usize) -> Option<Range<usize>> {
    let length = BASE64URL.run(&text.as_bytes()[start..], LONGEST_PART);
    (length > ANCHOR.len()).then_some(start..start + length)
}

/// Where the part after `part` begins.
fn after_dot(bytes: &[u8], part: &Range<usize>) -> Option<usize> {
    (bytes.get(part.end) == Some(&b'.')).then_some(part.end + 1)
}

fn json_object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&base64::decode(part)?).ok()
}

/// Whether the claims are those of a sample or of a key that is meant to be public.
///
/// Supabase's `anon` key is shipped to browsers, and `supabase-demo` issues the keys that its
/// documentation prints; PyJWT's encodes `some: payload`; `example.com` and its siblings are
/// reserved for documentation (RFC 2606).
fn is_public(claims: &Map<String, Value>) -> bool {
    let is = |claim: &str, value: &str| claims.get(claim).and_then(Value::as_str) == Some(value);
    let names_example = claims.values().filter_map(Value::as_str).any(|text| {
        ["example.com", "example.org", "example.net"]
            .iter()
            .any(|domain| text.contains(domain))
    });
    names_example
        || is("sub", "1234567890")
        || (is("iss", "supabase") && is("role", "anon"))
        || is("iss", "supabase-demo")
        || is("some", "payload")
}
