//! Values without a format of their own, told by the name they are given: `secret = <random>`,
//! `"apiKey": "<random>"`, `--token <random>`, `Authorization: Bearer <random>`.

use std::ops::Range;

use super::{
    base64,
    candidate::{Candidate, Certainty},
    charset::Charset,
    name::{self, Called},
    opaque, password, samples,
    value::{Scheme, Value},
};

const LONGEST_NAME: usize = 64;

/// The value that is given to the name of which an anchor stands at `anchor`.
///
/// `after` is where the last name that was looked at ended: a name with two anchors counts once.
pub(super) fn at<'t>(
    text: &'t str,
    anchor: &Range<usize>,
    after: &mut usize,
) -> Option<Candidate<'t>> {
    if anchor.start < *after {
        return None;
    }
    let bytes = text.as_bytes();
    let name = name_around(bytes, anchor);
    *after = name.end;
    let phrase = &text[phrase_start(bytes, name.start)..name.end];
    let called = name::called(phrase)?;
    let is_spaced = is_spaced(&text[..name.start], &text[name.clone()]);
    let value = Value::after(text, name.end, is_spaced)?;
    *after = value.span.end;
    if !value.is_whole {
        return None;
    }
    let found = &text[value.span.clone()];
    let (rule, certainty, is_secret) = match value.scheme {
        Some(Scheme::Basic) => ("basic-auth", Certainty::Place, is_basic(found)),
        Some(Scheme::Bearer) => (
            "bearer-token",
            Certainty::Name,
            opaque::is_machine_made(found),
        ),
        None => match called {
            Called::Password => (
                "password-assignment",
                Certainty::Name,
                opaque::is_machine_made(found) || opaque::is_strong_password(found),
            ),
            Called::Secret => (
                "secret-assignment",
                Certainty::Name,
                opaque::is_machine_made(found),
            ),
            Called::Authorization => return None,
        },
    };
    (is_secret && !samples::is_documented(found))
        .then(|| Candidate::new(rule, certainty, text, value.span.clone()))
}

/// The identifier around an anchor. `.` joins on the left only: `stripe.secret_key`.
fn name_around(bytes: &[u8], anchor: &Range<usize>) -> Range<usize> {
    const BEFORE: Charset = Charset::of("0-9A-Za-z_.-");
    const AFTER: Charset = Charset::of("0-9A-Za-z_-");
    let before = BEFORE.run_back(&bytes[..anchor.start], LONGEST_NAME);
    let after = AFTER.run(&bytes[anchor.end..], LONGEST_NAME);
    anchor.start - before..anchor.end + after
}

/// Whether a space alone stands between the name and its value: after a flag, in a Dockerfile's
/// `ENV NAME value`, and in a `.netrc`'s `login NAME password value`.
fn is_spaced(before: &str, name: &str) -> bool {
    /// A line's beginning that is farther away says nothing of this name.
    const NEAR: usize = 96;
    let near = (before.len().saturating_sub(NEAR)..=before.len())
        .find_map(|at| before.get(at..))
        .unwrap_or_default();
    let mut words = near.split_whitespace();
    let (last, last_but_one) = (words.next_back(), words.next_back());
    name.starts_with("--") || last == Some("ENV") || last_but_one == Some("login")
}

/// Where the word before a name begins, if a space joins it: `API key`, `next page token`.
fn phrase_start(bytes: &[u8], name: usize) -> usize {
    const WORD: Charset = Charset::of("0-9A-Za-z_");
    match bytes[..name].strip_suffix(b" ") {
        Some(before) => before.len() - WORD.run_back(before, LONGEST_NAME),
        None => name,
    }
}

/// Whether this is base64 of `user:password` with a password worth refusing.
fn is_basic(text: &str) -> bool {
    base64::decode(text)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .is_some_and(|pair| {
            pair.split_once(':').is_some_and(|(user, password)| {
                password::is_of(user, password) && !password::is_phrase(password)
            })
        })
}
