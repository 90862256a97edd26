//! Parsing what we wrote as others do: by YAML 1.2, and by YAML 1.1, which clients' parsers still
//! follow in part.
//!
//! No parser of YAML 1.1 is kept for Rust, so that version is stood in for: the structure comes
//! from a second, independent parser of events, and a plain scalar that YAML 1.1 resolves to
//! something that is no string becomes a marked value, which then equals nothing.

use regex::Regex;
use serde_json::{Map, Value};
use std::sync::LazyLock;
use yaml_rust2::{
    Event,
    parser::{EventReceiver, Parser},
    scanner::TScalarStyle,
};

/// The top-level mapping by the rules of YAML 1.2 (core schema).
pub(super) fn parse_1_2(text: &str) -> Result<Map<String, Value>, String> {
    match serde_saphyr::from_str::<Value>(text) {
        Ok(Value::Object(keys)) => Ok(keys),
        Ok(other) => Err(format!("no mapping but {other}")),
        Err(error) => Err(error.to_string()),
    }
}

/// The top-level mapping by the rules of YAML 1.1: `yes`, `12:30:00` and `2026-08-01` are no
/// strings there, and neither are `true` and `1`, which are the same in both versions.
pub(super) fn parse_1_1(text: &str) -> Result<Map<String, Value>, String> {
    let mut events = Events::default();
    Parser::new_from_str(text)
        .load(&mut events, false)
        .map_err(|error| error.to_string())?;
    match events.value {
        Some(Value::Object(keys)) => Ok(keys),
        other => Err(format!("no mapping but {other:?}")),
    }
}

/// What YAML 1.1 takes a plain scalar for, where that is no string (its types bool, null, int,
/// float, timestamp, merge and value; sexagesimal numbers included).
fn resolve_1_1(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ if is_word_1_1(text) || TYPED_1_1.is_match(text) => {
            let decimal = text.parse::<i64>().ok().filter(|_| !text.contains('_'));
            decimal.map_or_else(|| format!("(typed by YAML 1.1) {text}").into(), Value::from)
        }
        _ => text.into(),
    }
}

fn is_word_1_1(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = ["y", "n", "yes", "no", "on", "off", "<<", "="];
    words.contains(&lower.as_str())
}

static TYPED_1_1: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"^(?:",
        r"[-+]?0b[01_]+",
        r"|[-+]?0x[0-9a-fA-F_]+",
        r"|[-+]?[0-9][0-9_]*",
        r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?",
        r"|[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+]?[0-9]+)?",
        r"|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+",
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?",
        r")$"
    );
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
    Regex::new(pattern).expect("the pattern is well-formed")
});

/// Builds a value out of a parser's events.
#[derive(Debug, Default)]
struct Events {
    open: Vec<Open>,
    value: Option<Value>,
}

#[derive(Debug)]
enum Open {
    Sequence(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

impl Events {
    fn take(&mut self, value: Value) {
        match self.open.last_mut() {
            None => self.value = Some(value),
            Some(Open::Sequence(items)) => items.push(value),
            Some(Open::Mapping(keys, key)) => {
                if let Some(key) = key.take() {
                    keys.insert(key, value);
                } else {
                    let text = value.as_str().map(str::to_owned);
                    *key = Some(text.unwrap_or_else(|| value.to_string()));
                }
            }
        }
    }
}

impl EventReceiver for Events {
    fn on_event(&mut self, event: Event) {
        match event {
            Event::Scalar(text, TScalarStyle::Plain, ..) => {
                self.take(resolve_1_1(&text));
            }
            Event::Scalar(text, ..) => self.take(text.into()),
            Event::SequenceStart(..) => self.open.push(Open::Sequence(Vec::new())),
            Event::MappingStart(..) => self.open.push(Open::Mapping(Map::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence(items)) => self.take(items.into()),
                Some(Open::Mapping(keys, _)) => self.take(keys.into()),
                None => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_agree_on_quoted_and_harmless_values() {
        let text = "name: \"no\"\ntools: [\"Read\", Glob]\ndescription: Reads: plans\n";
        assert!(parse_1_2(text).is_err(), "a second colon needs quotes");
        let text = "name: \"no\"\ntools: [\"Read\", Glob]\nmap: {a: b}\n";
        assert_eq!(parse_1_1(text), parse_1_2(text));
    }

    #[test]
    fn yaml_1_1_types_words_dates_and_sexagesimal_numbers() {
        for typed in [
            "no",
            "On",
            "2026-08-01",
            "12:30:00",
            "0x1F",
            "1_000",
            ".5",
            "y",
            "=",
        ] {
            let text = format!("key: {typed}\n");
            let value = parse_1_1(&text).unwrap()["key"].clone();
            assert_ne!(value, Value::from(typed), "{typed}");
        }
        for string in ["none", "1.2.3", "v1", "0xg", "12:99", "a=b"] {
            let text = format!("key: {string}\n");
            assert_eq!(parse_1_1(&text).unwrap()["key"], string, "{string}");
        }
    }

    #[test]
    fn broken_yaml_is_refused_by_both() {
        for broken in ["a: [b", "\"a", "- a\nb: c\n"] {
            assert!(
                parse_1_1(broken).is_err() && parse_1_2(broken).is_err(),
                "{broken}"
            );
        }
    }
}
