//! One token format as data, and matching it at a place in a text.

use std::ops::Range;

use super::{
    base64, blob, border::Border, charset::Charset, checksum, entropy, placeholder, samples,
};

/// One piece of what follows an anchor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Run(Run),
    /// These bytes.
    Literal(&'static str),
}

/// So many bytes of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    set: Charset,
    min: usize,
    max: usize,
}

/// Exactly `length` bytes of `set`.
pub(super) const fn run(set: Charset, length: usize) -> Part {
    run_between(set, length, length)
}

/// `min` to `max` bytes of `set`.
pub(super) const fn run_between(set: Charset, min: usize, max: usize) -> Part {
    Part::Run(Run { set, min, max })
}

/// At least `min` bytes of `set`: for tokens that hold a document.
pub(super) const fn run_from(set: Charset, min: usize) -> Part {
    run_between(set, min, 8 * 1024)
}

/// What an issuer put into its tokens to recognise them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    None,
    /// GitHub's and npm's CRC-32, and ours.
    Crc32Base62,
    /// GitLab's CRC-32.
    Crc32Base36,
    /// A CRC-32 in hexadecimal digits after the last such character.
    Crc32Hex(char),
    Bech32,
    /// The part before the anchor is base64 of a decimal id; without it there is no token.
    Snowflake,
    /// The anchor is also how base64 of zeros or of a common word begins: there is no token where
    /// zeros go on, or where the lines above or below are base64 as well.
    NotBinary,
}

/// Which letters the random part must mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    /// Any letters: the shape says enough.
    Any,
    /// Two of lower case, upper case, digits.
    Two,
    /// Upper and lower case, or letters of one case and digits: for prefixes that
    /// also begin words.
    Scrambled,
}

/// A token format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// The finding's rule.
    pub(super) rule: &'static str,
    /// Literals of which a value holds one; the search looks for these.
    pub(super) anchors: &'static [&'static str],
    /// What stands before the anchor, where the anchor doesn't begin the value.
    before: Option<Run>,
    after: &'static [Part],
    border: Border,
    mix: Mix,
    check: Check,
    random: Random,
}

/// Which part of a value was drawn at random; the rest are ids, times and lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Random {
    AfterAnchor,
    BeforeAnchor,
    LastRun,
}

/// A format's verdict on a place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) span: Range<usize>,
    /// The shape is right, but it is a placeholder or a documented sample.
    pub(super) cleared: bool,
}

impl Format {
    /// A format whose values begin with one of `anchors`.
    pub(super) const fn new(
        rule: &'static str,
        anchors: &'static [&'static str],
        after: &'static [Part],
    ) -> Self {
        Self {
            rule,
            anchors,
            before: None,
            after,
            border: Border::Word,
            mix: Mix::Two,
            check: Check::None,
            random: Random::AfterAnchor,
        }
    }

    /// `min` to `max` bytes of `set` stand before the anchor.
    pub(super) const fn preceded_by(self, set: Charset, min: usize, max: usize) -> Self {
        Self {
            before: Some(Run { set, min, max }),
            ..self
        }
    }

    pub(super) const fn checked(self, check: Check) -> Self {
        Self { check, ..self }
    }

    pub(super) const fn mixing(self, mix: Mix) -> Self {
        Self { mix, ..self }
    }

    pub(super) const fn apart(self) -> Self {
        Self {
            border: Border::Apart,
            ..self
        }
    }

    pub(super) const fn random_in(self, random: Random) -> Self {
        Self { random, ..self }
    }

    /// What this format says of the place where one of its anchors stands.
    pub(super) fn match_at(&self, text: &str, anchor: Range<usize>) -> Option<Match> {
        let bytes = text.as_bytes();
        let mut starts = self.starts(bytes, anchor.start).peekable();
        starts.peek()?;
        let mut last_run = anchor.end;
        let end = self.end(bytes, anchor.end, self.after, &mut last_run)?;
        let start = starts.find(|&start| !self.is_ruled_out(text, &(start..end), anchor.start))?;
        let value = &text[start..end];
        let after = &text[anchor.end..end];
        let random = match self.random {
            Random::AfterAnchor => after,
            Random::BeforeAnchor => &text[start..anchor.start],
            Random::LastRun => &text[last_run..end],
        };
        let is_proven = self.is_proven(value, after);
        if !is_proven && (!self.mix.admits(random) || blob::holds(bytes, &(start..end))) {
            return None;
        }
        let is_filler = || !entropy::is_random(random) || placeholder::is_filler(random);
        Some(Match {
            span: start..end,
            cleared: (!is_proven && is_filler()) || samples::is_documented(value),
        })
    }

    /// Whether a value of this shape at `span` can't be what the format issues.
    fn is_ruled_out(&self, text: &str, span: &Range<usize>, anchor: usize) -> bool {
        match self.check {
            Check::Snowflake => !is_snowflake(&text[span.start..anchor]),
            Check::NotBinary => {
                text[span.clone()].contains("AAAAA") || blob::is_wrapped(text.as_bytes(), span)
            }
            _ => false,
        }
    }

    /// Whether a checksum proves the value, of which `after` follows the anchor.
    fn is_proven(&self, value: &str, after: &str) -> bool {
        match self.check {
            Check::None | Check::Snowflake | Check::NotBinary => false,
            Check::Crc32Base62 => after.len() == 36 && checksum::crc32_base62(after),
            Check::Crc32Base36 => checksum::crc32_base36(value),
            Check::Crc32Hex(separator) => checksum::crc32_hex(value, separator),
            Check::Bech32 => checksum::bech32(value),
        }
    }

    /// Where a value may begin whose anchor is at `anchor`, the farthest first.
    fn starts<'b>(
        &'b self,
        bytes: &'b [u8],
        anchor: usize,
    ) -> impl Iterator<Item = usize> + use<'b> {
        let lengths = self.before.map_or(0..=0, |Run { set, min, max }| {
            min..=set.run_back(&bytes[..anchor], max)
        });
        lengths
            .rev()
            .map(move |length| anchor - length)
            .filter(|&start| self.border.opens(bytes, start))
    }

    /// The end of a value whose remaining `parts` begin at `at`; sets where its last run begins.
    fn end(&self, bytes: &[u8], at: usize, parts: &[Part], last_run: &mut usize) -> Option<usize> {
        let Some((part, rest)) = parts.split_first() else {
            return self.border.closes(bytes, at).then_some(at);
        };
        let is_at = |text: &str, at: usize| {
            bytes.get(at) == text.as_bytes().first() && bytes[at..].starts_with(text.as_bytes())
        };
        match *part {
            Part::Literal(text) if !is_at(text, at) => None,
            Part::Literal(text) => self.end(bytes, at + text.len(), rest, last_run),
            Part::Run(Run { set, min, max }) => {
                let longest = set.run(&bytes[at..], max);
                if longest < min {
                    return None;
                }
                let length = match rest.first() {
                    // The run may hold the bytes of what follows it too.
                    Some(Part::Literal(text)) if set.contains(text.as_bytes()[0]) => (min
                        ..=longest)
                        .rev()
                        .find(|length| is_at(text, at + length))?,
                    Some(_) => longest,
                    // A full stop after a value is the sentence's.
                    None => (min..=longest).rev().find(|&length| {
                        let is_stop = length > min && bytes[at + length - 1] == b'.';
                        !is_stop && self.border.closes(bytes, at + length)
                    })?,
                };
                *last_run = at;
                self.end(bytes, at + length, rest, last_run)
            }
        }
    }
}

impl Mix {
    fn admits(self, text: &str) -> bool {
        /// A random text shows what it mixes well before.
        const ENOUGH: usize = 64;
        let (mut lower, mut upper, mut digits) = (0, 0, 0);
        for byte in text.bytes().take(ENOUGH) {
            match byte {
                b'a'..=b'z' => lower += 1,
                b'A'..=b'Z' => upper += 1,
                b'0'..=b'9' => digits += 1,
                _ => {}
            }
        }
        match self {
            Self::Any => true,
            Self::Two => [lower, upper, digits].iter().filter(|&&n| n > 0).count() >= 2,
            Self::Scrambled => (lower >= 3 && upper >= 3) || (lower.max(upper) >= 2 && digits >= 2),
        }
    }
}

/// Whether this is base64 of a Discord id: 17 to 20 decimal digits.
fn is_snowflake(text: &str) -> bool {
    base64::decode(text)
        .is_some_and(|id| (17..=20).contains(&id.len()) && id.iter().all(u8::is_ascii_digit))
}
