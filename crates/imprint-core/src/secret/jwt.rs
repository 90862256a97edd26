//! JSON Web Tokens (RFC 7519) in their compact form: three parts of base64url.

use std::{borrow::Cow, ops::Range};

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
    let claims = part(text, next_part(bytes, header)?)?;
    let signature = part(text, next_part(bytes, claims)?)?;
    let [header, claims, signature] = [header, claims, signature].map(|range| (range.0, range.1));
    let end = signature.1;
    if end - signature.0 < SHORTEST_SIGNATURE || !Border::Word.closes(bytes, end) {
        return None;
    }
    json_object(&text[header.0..header.1])?
        .get("alg")?
        .as_str()?;
    let claims = json_object(&text[claims.0..claims.1])?;
    let signature = &text[signature.0..end];
    Some(Candidate {
        rule: "jwt",
        certainty: Certainty::Token,
        span: start..end,
        value: Cow::Borrowed(&text[start..end]),
        cleared: !entropy::is_random(signature)
            || placeholder::is_filler(signature)
            || samples::is_documented(signature)
            || is_public(&claims),
    })
}

type Part = (usize, usize);

fn part(text: &str, start: usize) -> Option<Part> {
    let length = BASE64URL.run(&text.as_bytes()[start..], LONGEST_PART);
    (length > ANCHOR.len()).then_some((start, start + length))
}

fn next_part(bytes: &[u8], (_, end): Part) -> Option<usize> {
    (bytes.get(end) == Some(&b'.')).then_some(end + 1)
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
        || (is("name", "John Doe") && is("sub", "1234567890"))
        || (is("iss", "supabase") && is("role", "anon"))
        || is("iss", "supabase-demo")
        || is("some", "payload")
}
