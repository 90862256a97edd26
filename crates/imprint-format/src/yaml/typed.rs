//! Values with their types, as a reader of YAML 1.2 takes them (core schema, section 10.3).

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{YamlError, YamlFault, parse_root};

/// A value with its type. As JSON it is what the value is in YAML; numbers that JSON doesn't have
/// are null.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// Nothing, `null` or `~`.
    Null,
    /// `true` or `false`; `yes` and `on` are texts since YAML 1.2.
    Bool(bool),
    /// A whole number of 64 bits; larger ones are [`Self::Float`].
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A text; whatever stands in quotes.
    Text(String),
    /// A sequence.
    List(Vec<Self>),
    /// A mapping, in order; of duplicate keys only the last. Keys are texts, as they are written.
    Map(Vec<(String, Self)>),
}

impl Typed {
    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for a sentence about it.
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a truth value",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

impl Serialize for Typed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => values.serialize(serializer),
            Self::Map(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for (key, value) in pairs {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The top-level mapping of a text with the types of its values. Refuses what
/// [`super::parse_mapping`] refuses, and keys that are lists or maps.
pub fn parse_typed(text: &str) -> Result<Vec<(String, Typed)>, YamlError> {
    // This one counts aliases and levels, so that nothing here need.
    parse_root(text)?;
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        anchors: HashMap::new(),
    };
    loop {
        match reader.next()? {
            Event::MappingStart(..) => return reader.pairs(),
            Event::Scalar(..) | Event::StreamEnd => return Ok(Vec::new()),
            _ => {}
        }
    }
}

/// A value, and how it is written if it is a scalar: a key is that.
#[derive(Clone)]
struct Node {
    value: Typed,
    written: Option<String>,
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    anchors: HashMap<usize, Node>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Event<'t>, YamlError> {
        match self.parser.next_event() {
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => Err(YamlError {
                line: u32::try_from(error.marker().line()).unwrap_or(u32::MAX),
                message: error.info().to_owned(),
                fault: YamlFault::Syntax,
            }),
            None => Ok(Event::StreamEnd),
        }
    }

    fn node(&mut self, event: Event<'t>) -> Result<Node, YamlError> {
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar(&text, style, tag.as_deref());
                let written = Some(text.into_owned());
                (anchor, Node { value, written })
            }
            Event::SequenceStart(anchor, _) => {
                let value = self.sequence()?;
                (
                    anchor,
                    Node {
                        value,
                        written: None,
                    },
                )
            }
            Event::MappingStart(anchor, _) => {
                let value = Typed::Map(self.pairs()?);
                (
                    anchor,
                    Node {
                        value,
                        written: None,
                    },
                )
            }
            Event::Alias(anchor) => {
                let named = self.anchors.get(&anchor).cloned();
                return named.ok_or_else(|| fault("the alias names no anchor"));
            }
            _ => return Err(fault("a value is missing here")),
        };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn sequence(&mut self) -> Result<Typed, YamlError> {
        let mut values = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Ok(Typed::List(values)),
                event => values.push(self.node(event)?.value),
            }
        }
    }

    fn pairs(&mut self) -> Result<Vec<(String, Typed)>, YamlError> {
        let mut pairs: Vec<(String, Typed)> = Vec::new();
        let mut places = HashMap::new();
        loop {
            let key = match self.next()? {
                Event::MappingEnd => break,
                event => self.node(event)?.written,
            };
            let key = key.ok_or_else(|| fault("a key is a list or map"))?;
            let event = self.next()?;
            let value = self.node(event)?.value;
            places.insert(key.clone(), pairs.len());
            pairs.push((key, value));
        }
        let mut at = 0;
        pairs.retain(|(key, _)| {
            at += 1;
            places.get(key) == Some(&(at - 1))
        });
        Ok(pairs)
    }
}

fn fault(message: &str) -> YamlError {
    YamlError {
        line: 1,
        message: message.to_owned(),
        fault: YamlFault::Syntax,
    }
}

/// A scalar by its tag; without one by its look, unless it stands in quotes or as a block.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Typed {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix != "str" => plain(text),
        None if style == ScalarStyle::Plain => plain(text),
        _ => Typed::Text(text.to_owned()),
    }
}

fn plain(text: &str) -> Typed {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Typed::Null,
        "true" | "True" | "TRUE" => Typed::Bool(true),
        "false" | "False" | "FALSE" => Typed::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Typed::Float(f64::NAN),
        _ => number(text).unwrap_or_else(|| Typed::Text(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Typed> {
    for (prefix, base) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
            return valid.then(|| in_base(digits, base));
        }
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        let negative = text.starts_with('-');
        return Some(Typed::Float(if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        }));
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.parse() {
            Ok(number) => Some(Typed::Integer(number)),
            Err(_) => text.parse().ok().map(Typed::Float),
        };
    }
    let exact = is_float(unsigned).then(|| text.parse().ok()).flatten();
    exact.map(Typed::Float)
}

fn in_base(digits: &str, base: u32) -> Typed {
    match i64::from_str_radix(digits, base) {
        Ok(number) => Typed::Integer(number),
        Err(_) => Typed::Float(digits.chars().fold(0.0, |sum, digit| {
            sum * f64::from(base) + f64::from(digit.to_digit(base).unwrap_or_default())
        })),
    }
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(unsigned: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let some = !whole.is_empty() || !fraction.is_empty();
    let exponent_fits = exponent.is_none_or(|exponent| {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !unsigned.is_empty() && digits(unsigned)
    });
    some && digits(whole) && digits(fraction) && exponent_fits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(written: &str) -> Typed {
        let mut pairs = parse_typed(&format!("key: {written}\n")).unwrap();
        pairs.pop().unwrap().1
    }

    #[test]
    fn plain_scalars_have_the_types_of_yaml_1_2() {
        for nothing in ["", "~", "null", "NULL"] {
            assert_eq!(value(nothing), Typed::Null, "{nothing}");
        }
        assert_eq!(value("True"), Typed::Bool(true));
        assert_eq!(value("-017"), Typed::Integer(-17));
        assert_eq!(value("0o17"), Typed::Integer(15));
        assert_eq!(value("0xfF"), Typed::Integer(255));
        assert_eq!(value("1."), Typed::Float(1.0));
        assert_eq!(value("-.5e+2"), Typed::Float(-50.0));
        assert_eq!(value("-.inf"), Typed::Float(f64::NEG_INFINITY));
        assert_eq!(
            value("9223372036854775808"),
            Typed::Float(9_223_372_036_854_775_808.0)
        );
        for text in [
            "yes",
            "on",
            "2026-08-01",
            "12:30",
            "1_000",
            "0b1",
            "0o8",
            "0x",
            ".",
            "1e",
            "+",
            "e5",
            "1.2.3",
            "nUll",
            "inf",
            "NaN",
        ] {
            assert_eq!(value(text), Typed::Text(text.to_owned()));
        }
    }

    #[test]
    fn quotes_blocks_and_tags_decide_before_the_look() {
        for text in ["'5'", "\"5\"", "!!str 5", "! 5", "|-\n  5", ">-\n  5"] {
            assert_eq!(value(text), Typed::Text("5".to_owned()), "{text}");
        }
        assert_eq!(value("!!int '5'"), Typed::Integer(5));
    }

    #[test]
    fn aliases_are_what_they_name_and_the_last_of_a_key_counts() {
        let pairs = parse_typed("a: &x [1, {b: no, b: ~}]\n5: *x\na: &y z\n*y : 1\n").unwrap();
        let list = Typed::List(vec![
            Typed::Integer(1),
            Typed::Map(vec![("b".to_owned(), Typed::Null)]),
        ]);
        let text = Typed::Text("z".to_owned());
        let expected = [("5", list), ("a", text), ("z", Typed::Integer(1))];
        assert_eq!(pairs, expected.map(|(key, value)| (key.to_owned(), value)));
    }

    #[test]
    fn what_is_no_mapping_of_texts_is_refused_and_nothing_is_nothing() {
        for bad in ["[a]: 1", "- a", "a: *b", "a: &a [*a]", "a: 'b"] {
            assert!(parse_typed(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_typed(""), Ok(Vec::new()));
        assert_eq!(parse_typed("# nothing\n"), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_the_untyped_reader_reads_it(text in "[a-c0-1:{}\\[\\], \n&*'\"~.-]{0,40}") {
            let typed = parse_typed(&text);
            match parse_root(&text) {
                Err(_) => prop_assert!(typed.is_err()),
                Ok(root) => if let Ok(typed) = typed {
                    for (key, value) in typed {
                        let entry = root.entries.iter().rfind(|entry| entry.key == key);
                        let entry = entry.expect("the same keys");
                        if let Some(text) = value.as_text() {
                            prop_assert_eq!(entry.value.as_str(), Some(text));
                        }
                    }
                },
            }
        }
    }
}
