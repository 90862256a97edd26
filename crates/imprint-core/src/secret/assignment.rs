//! Values without a format of their own, told by the name they are given: `secret = <random>`,
//! `"apiKey": "<random>"`, `--token <random>`, `Authorization: Bearer <random>`.

use std::ops::Range;

use super::{
    base64,
    candidate::{Candidate, Certainty},
    charset::Charset,
    name::{self, Called},
    opaque, password, samples,
};

/// What a value without spaces may hold: all but quotes, brackets and separators.
const VALUE: Charset = Charset::of("0-9A-Za-z!#$%*+./:=?@^_~-");
const LONGEST_NAME: usize = 64;
/// Longer values are documents.
const LONGEST_VALUE: usize = 512;

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
    let name = name_around(text.as_bytes(), anchor);
    *after = name.end;
    let called = name::called(&text[phrase_start(text.as_bytes(), name.start)..name.end])?;
    let value = Value::after(text, &name)?;
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
                opaque::is_machine_made(found)
                    || (opaque::is_value(found) && password::is_strong(found)),
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

/// Where the word before a name begins, if a space joins it: `API key`, `next page token`.
fn phrase_start(bytes: &[u8], name: usize) -> usize {
    const WORD: Charset = Charset::of("0-9A-Za-z_");
    match bytes[..name].strip_suffix(b" ") {
        Some(before) => before.len() - WORD.run_back(before, LONGEST_NAME),
        None => name,
    }
}

/// How an `Authorization` header says what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Bearer,
    Basic,
}

struct Value {
    span: Range<usize>,
    scheme: Option<Scheme>,
    /// Not a call, the beginning of a sentence or a document, or cut off.
    is_whole: bool,
}

impl Value {
    fn after(text: &str, name: &Range<usize>) -> Option<Self> {
        let is_flag = text[name.clone()].starts_with("--");
        let start = after_separator(text, name.end, is_flag)?;
        let (quote, mut start) = skip_quote(text, start);
        let mut scheme = None;
        for (word, kind) in [
            ("Bearer ", Scheme::Bearer),
            ("bearer ", Scheme::Bearer),
            ("Token ", Scheme::Bearer),
            ("token ", Scheme::Bearer),
            ("Bot ", Scheme::Bearer),
            ("Basic ", Scheme::Basic),
            ("basic ", Scheme::Basic),
        ] {
            if text[start..].starts_with(word) {
                start += word.len();
                scheme = Some(kind);
                break;
            }
        }
        let length = VALUE.run(&text.as_bytes()[start..], LONGEST_VALUE + 1);
        let next = text.as_bytes().get(start + length);
        let is_call = matches!(next, Some(b'(' | b'[' | b'{'));
        let is_phrase = quote && matches!(next, Some(b' '));
        let is_elided = text[start + length..].starts_with('…');
        let is_whole = length <= LONGEST_VALUE && !is_call && !is_phrase && !is_elided;
        let trimmed = text[start..start + length].trim_end_matches(['.', ':', '!', '?']);
        Some(Self {
            span: start..start + trimmed.len(),
            scheme,
            is_whole,
        })
    }
}

/// Where a value begins whose name ends at `at`: after `=`, `:`, `:=`, `=>`, a type, `">`, a
/// comma between two strings, or a space after a flag.
fn after_separator(text: &str, at: usize, is_flag: bool) -> Option<usize> {
    let rest = &text[at..];
    let closed = rest.trim_start_matches(['"', '\'', '`', '\\', ']', ')']);
    let was_quoted = closed.len() < rest.len();
    let spaced = skip_blanks(closed);
    let value = if let Some(value) = spaced.strip_prefix(":=").or(spaced.strip_prefix("=>")) {
        value
    } else if let Some(value) = spaced.strip_prefix(':') {
        after_type(value).unwrap_or(value)
    } else if let Some(value) = spaced.strip_prefix('=') {
        value.trim_start_matches('=')
    } else if let Some(value) = closed.strip_prefix('>') {
        value
    } else if let Some(value) = spaced.strip_prefix(',').filter(|_| was_quoted) {
        skip_blanks(value)
            .starts_with(['"', '\''])
            .then_some(value)?
    } else if is_flag && spaced.len() < closed.len() {
        spaced
    } else {
        return None;
    };
    Some(text.len() - skip_blanks(value).len())
}

/// What follows the type in `name: &str = value`.
fn after_type(text: &str) -> Option<&str> {
    const TYPE: Charset = Charset::of("0-9A-Za-z_&<>?:' -");
    let length = TYPE.run(text.as_bytes(), 32);
    text[length..].strip_prefix('=').filter(|_| length > 1)
}

fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// Whether a quote opens at `at`, and where it ends.
fn skip_quote(text: &str, at: usize) -> (bool, usize) {
    let rest = &text[at..];
    let inner = rest.trim_start_matches(['"', '\'', '`', '\\']);
    (inner.len() < rest.len(), text.len() - inner.len())
}

/// Whether this is base64 of `user:password` with a password worth refusing.
fn is_basic(text: &str) -> bool {
    base64::decode(text)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .is_some_and(|pair| {
            pair.split_once(':')
                .is_some_and(|(user, password)| user != password && password::is_likely(password))
        })
}
