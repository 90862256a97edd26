//! The one repair that is made: one-line values that people left unquoted are taken as they
//! stand (Agent Skills, client implementation guide).

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use crate::{
    lines::{Line, is_blank, lines},
    yaml::{Entry, Root, ScalarStyle, Value, YamlError, YamlFault, parse_mapping, parse_root},
};

/// A value that was taken as it stands, because its line is no YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) key: String,
    pub(crate) line: u32,
    /// The value with its quotes.
    pub(crate) span: Range<usize>,
}

impl Repair {
    /// The text that the value is taken for: one pair of equal outer quotes is no part of it.
    fn text<'t>(&self, header: &'t str) -> (&'t str, ScalarStyle) {
        let raw = &header[self.span.clone()];
        let inside = |quote| raw.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(text) = inside('"') {
            (text, ScalarStyle::DoubleQuoted)
        } else if let Some(text) = inside('\'') {
            (text, ScalarStyle::SingleQuoted)
        } else {
            (raw, ScalarStyle::Plain)
        }
    }
}

/// The root with every repairable line repaired; `None` when there is nothing to repair, an error
/// when that does not help.
pub(super) fn repaired(header: &str) -> Option<Result<(Root, Vec<Repair>), YamlError>> {
    let repairs = repairs(header);
    if repairs.is_empty() {
        return None;
    }
    let root = parse_root(&filled(header, &repairs)).and_then(|mut root| {
        put_texts(&mut root, header, &repairs)?;
        Ok(root)
    });
    Some(root.map(|root| (root, repairs)))
}

/// The header with each repaired value replaced by as many letters, and the tabs before it by
/// blanks, so that all places stay.
fn filled(header: &str, repairs: &[Repair]) -> String {
    let mut filled = String::with_capacity(header.len());
    let mut copied = 0;
    for repair in repairs {
        let before = &header[copied..repair.span.start];
        let key = before.trim_end_matches([' ', '\t']);
        filled.push_str(key);
        filled.push_str(&" ".repeat(before.len() - key.len()));
        filled.push_str(&"x".repeat(repair.span.len()));
        copied = repair.span.end;
    }
    filled.push_str(&header[copied..]);
    filled
}

fn put_texts(root: &mut Root, header: &str, repairs: &[Repair]) -> Result<(), YamlError> {
    let mut places: HashMap<Range<usize>, &mut Entry> = root
        .entries
        .iter_mut()
        .map(|entry| (entry.span.clone(), entry))
        .collect();
    for repair in repairs {
        let Some(entry) = places.get_mut(&repair.span) else {
            return Err(YamlError {
                line: repair.line,
                message: format!("the value of `{}` is no YAML", repair.key),
                fault: YamlFault::Syntax,
            });
        };
        let (text, style) = repair.text(header);
        entry.value = Value::Scalar(text.to_owned());
        entry.style = Some(style);
    }
    Ok(())
}

/// The one-line top-level values that do not parse alone.
fn repairs(header: &str) -> Vec<Repair> {
    let all: Vec<Line> = lines(header, 0).collect();
    let anchors = anchors(header);
    let mut repairs = Vec::new();
    for (at, line) in all.iter().enumerate() {
        let text = line.of(header);
        let Some((key, value)) = key_and_value(text) else {
            continue;
        };
        if is_continued(header, &all[at + 1..])
            || parses_alone(text)
            || is_alias_of(&text[value.clone()], &anchors)
        {
            continue;
        }
        repairs.push(Repair {
            key,
            line: u32::try_from(at + 1).unwrap_or(u32::MAX),
            span: line.start + value.start..line.start + value.end,
        });
    }
    repairs
}

/// The key of a top-level line and the place of its value, when both are there.
fn key_and_value(line: &str) -> Option<(String, Range<usize>)> {
    let (key, colon) = match line.chars().next()? {
        quote @ ('"' | '\'') => {
            let close = 1 + line[1..].find(quote)?;
            let gap = line[close + 1..].len() - line[close + 1..].trim_start().len();
            (&line[1..close], close + 1 + gap)
        }
        '#' | ' ' | '\t' | '[' | '{' => return None,
        '-' | '?' if line[1..].starts_with([' ', '\t']) => return None,
        _ => {
            let colon = colon_of(line)?;
            (line[..colon].trim_end(), colon)
        }
    };
    let behind = line[colon..].strip_prefix(':')?;
    let value = behind.trim_start_matches([' ', '\t']);
    if value.len() == behind.len() || key.is_empty() || value.trim_end().is_empty() {
        return None;
    }
    let start = line.len() - value.len();
    Some((
        key.to_owned(),
        start..start + value.trim_end_matches([' ', '\t']).len(),
    ))
}

/// The first colon with a blank behind it.
fn colon_of(line: &str) -> Option<usize> {
    line.match_indices(':')
        .map(|(at, _)| at)
        .find(|at| line[at + 1..].starts_with([' ', '\t']))
}

/// Whether the lines that follow belong to the value: the first that is neither blank nor a
/// comment is indented.
fn is_continued(header: &str, following: &[Line]) -> bool {
    let next = following
        .iter()
        .map(|line| line.of(header))
        .find(|text| !is_blank(text) && !text.trim_start().starts_with('#'));
    next.is_some_and(|text| text.starts_with([' ', '\t']))
}

fn parses_alone(line: &str) -> bool {
    parse_mapping(line).is_ok_and(|entries| entries.len() == 1)
}

/// The names behind `&`.
fn anchors(header: &str) -> HashSet<&str> {
    let names = header.split('&').skip(1).map(|behind| {
        let end = behind.find(char::is_whitespace);
        &behind[..end.unwrap_or(behind.len())]
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Whether a value is nothing but an alias, which means nothing on a line alone.
fn is_alias_of(value: &str, anchors: &HashSet<&str>) -> bool {
    value
        .strip_prefix('*')
        .is_some_and(|name| anchors.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key and text of what is repaired.
    fn repaired_texts(header: &str) -> Vec<(String, String)> {
        assert!(
            parse_root(header).is_err(),
            "nothing to repair in {header:?}"
        );
        let (root, repairs) = repaired(header).unwrap().unwrap();
        let text = |repair: &Repair| {
            let entry = root.entries.iter().find(|entry| entry.span == repair.span);
            entry.unwrap().value.as_str().unwrap().to_owned()
        };
        repairs
            .iter()
            .map(|repair| (repair.key.clone(), text(repair)))
            .collect()
    }

    #[track_caller]
    fn one(header: &str, key: &str, text: &str) {
        assert_eq!(
            repaired_texts(header),
            [(key.to_owned(), text.to_owned())],
            "{header:?}"
        );
    }

    #[test]
    fn broken_one_line_values_are_taken_as_they_stand() {
        one("a: Checks: totals\nb: c\n", "a", "Checks: totals");
        one(
            "a: `tar` and friends  \r\nb: c\r\n",
            "a",
            "`tar` and friends",
        );
        one("b: [x] [y]\na: c\n", "b", "[x] [y]");
        one("a: \"say \"hi\" now\"\n", "a", "say \"hi\" now");
        one("a: 'it's: so'\n", "a", "it's: so");
        one("a: \"\\d+\"\n", "a", "\\d+");
        one("\"a\" : x: y\n", "a", "x: y");
        one("a b: x: y\n", "a b", "x: y");
        one("a: *important* note\n", "a", "*important* note");
        one("a: x: y\n# note\n\n# note\nb: c", "a", "x: y");
        one("a: >- x: y\n", "a", ">- x: y");
        one("a: x\u{1b}[31m\n", "a", "x\u{1b}[31m");
        one("ä: ü: ö\nb: c", "ä", "ü: ö");
        // YAML allows a tab here, many of its parsers don't.
        one("a:\tx\nb: c", "a", "x");
        one("b: c\na: \t x: y\n", "a", "x: y");
    }

    #[test]
    fn what_parses_stays_as_it_is() {
        let header = "n: 007\na: x: y\nm:\n  k: v\nt: [a, b]\nd: &d text\ne: *d\n";
        assert_eq!(repaired_texts(header).len(), 1);
        let (root, _) = repaired(header).unwrap().unwrap();
        let value = |key: &str| &root.entries.iter().find(|e| e.key == key).unwrap().value;
        assert_eq!(value("n").as_str(), Some("007"));
        assert_eq!(value("e").as_str(), Some("text"));
        assert!(matches!(value("t"), Value::Sequence(_)));
    }

    #[test]
    fn continued_nested_and_keyless_lines_are_not_guessed_at() {
        assert!(repaired("a: x: y\n  z\n").is_none());
        assert!(repaired("m:\n  k: v: w\n").is_none());
        assert!(repaired("- a: b: c\n x\n").is_none());
        assert!(
            repaired("a: x. Examples:\n<example>\nuser: hi\n")
                .unwrap()
                .is_err()
        );
    }
}
