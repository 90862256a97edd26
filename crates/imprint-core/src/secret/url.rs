//! Passwords in addresses (RFC 3986 userinfo): `scheme://user:password@host`.

use std::{borrow::Cow, ops::Range};

use super::{
    candidate::{Candidate, Certainty},
    charset::{BASE62, Charset},
    password,
};

pub(super) const ANCHOR: &str = "://";

/// Longer than any user and password that a client accepts.
const LONGEST_USERINFO: usize = 512;

/// The password in the address whose `://` stands at `anchor`.
pub(super) fn at<'t>(text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    const SCHEME: Charset = Charset::of("0-9A-Za-z+.-");
    let bytes = text.as_bytes();
    if SCHEME.run_back(&bytes[..anchor.start], 1) == 0 {
        return None;
    }
    let userinfo = userinfo(&bytes[anchor.end..])?;
    let userinfo = &text[anchor.end..anchor.end + userinfo];
    let (user, password) = userinfo.split_once(':')?;
    let start = anchor.end + user.len() + 1;
    let end = start + password.len();
    let host = &text[end + 1..];
    let is_host = BASE62.run(host.as_bytes(), 1) == 1 || host.starts_with(['[', '$', '{', '<']);
    // `image:tag@sha256:…` names a container image, `:pserver:name@host` a CVS repository.
    let is_other = host.starts_with("sha256:") || (user.is_empty() && password.contains(':'));
    if !is_host || is_other {
        return None;
    }
    let plain = unescaped(password);
    let is_sample = is_sample_host(host) && password::is_phrase(&plain);
    (password::is_of(user, &plain) && !is_sample)
        .then(|| Candidate::new("url-credentials", Certainty::Place, text, start..end))
}

/// Whether a host is one of documentation (RFC 2606) or this machine.
fn is_sample_host(host: &str) -> bool {
    let end = host.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-');
    let host = &host[..end.unwrap_or(host.len()).min(253)];
    [
        "localhost",
        "127.0.0.1",
        "example.com",
        "example.org",
        "example.net",
        ".example",
        ".test",
    ]
    .iter()
    .any(|sample| host.ends_with(sample))
}

/// The length of what stands before the last `@` of the authority.
fn userinfo(bytes: &[u8]) -> Option<usize> {
    let authority = bytes
        .iter()
        .take(LONGEST_USERINFO)
        .take_while(|byte| {
            !byte.is_ascii_whitespace()
                && !byte.is_ascii_control()
                && !b"/?#\"'`\\<>|".contains(byte)
        })
        .count();
    bytes[..authority].iter().rposition(|&byte| byte == b'@')
}

/// The text with its `%2F` read; what isn't text afterwards stays as it is.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let read = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match read {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}
