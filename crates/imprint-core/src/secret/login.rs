//! `user:password` outside of addresses: Go's `user:password@tcp(host)` and `curl -u`.

use std::ops::Range;

use super::{
    candidate::{Candidate, Certainty},
    charset::Charset,
    password,
};

/// What follows the pair in the data source names of Go's MySQL driver.
pub(super) const NETWORKS: [&str; 2] = ["@tcp(", "@unix("];
/// What precedes it in a `curl` command.
pub(super) const FLAGS: [&str; 2] = [" -u ", " --user "];

const PAIR: Charset = Charset::of("0-9A-Za-z!#$%&*+,./:;=?@^_{}~-");
const LONGEST_PAIR: usize = 256;
/// How far before its flag a `curl` stands, at most.
const LONGEST_COMMAND: usize = 400;

/// The pair before one of [`NETWORKS`].
pub(super) fn before_network<'t>(text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    let length = PAIR.run_back(&text.as_bytes()[..anchor.start], LONGEST_PAIR);
    of_pair(text, anchor.start - length..anchor.start)
}

/// The pair after one of [`FLAGS`] of a `curl` on the same line.
pub(super) fn after_flag<'t>(text: &'t str, anchor: &Range<usize>) -> Option<Candidate<'t>> {
    let bytes = text.as_bytes();
    let command = &bytes[anchor.start.saturating_sub(LONGEST_COMMAND)..anchor.start];
    let line = command.rsplit(|&byte| byte == b'\n').next()?;
    if !line.windows(4).any(|four| four == b"curl") {
        return None;
    }
    let quote = usize::from(matches!(bytes.get(anchor.end), Some(b'"' | b'\'')));
    let start = anchor.end + quote;
    of_pair(text, start..start + PAIR.run(&bytes[start..], LONGEST_PAIR))
}

fn of_pair(text: &str, pair: Range<usize>) -> Option<Candidate<'_>> {
    let (user, password) = text[pair.clone()].split_once(':')?;
    let span = pair.end - password.len()..pair.end;
    (password::is_of(user, password) && !password::is_phrase(password))
        .then(|| Candidate::new("login-password", Certainty::Place, text, span))
}
