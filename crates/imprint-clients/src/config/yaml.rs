//! YAML: members of block mappings, whole lines at a time. What is written in braces, or has an
//! anchor, is left alone.

mod scalar;
mod tree;

use std::ops::Range;

use self::tree::{Kind, Node, Pair, document_end, next_line, parse};
use super::{
    Before, ConfigError, Made, Put, Slot, Value, dotted,
    layout::{self, Splices},
    nested,
};

/// The whole text as a value. A path that is ambiguous in it is refused.
pub(super) fn read(text: &str, slot: &Slot<'_>) -> Result<Value, ConfigError> {
    let root = parse(text)?;
    if let Err(error @ ConfigError::Ambiguous { .. }) = find(text, root.as_ref(), slot.path) {
        return Err(error);
    }
    Ok(root.map_or(Value::Null, |root| root.value))
}

const UNUSUAL: &str = "is not written as plain `key: value` lines";

/// A member on a path, and where the first line behind it may start at the latest.
struct Step<'n> {
    pair: &'n Pair,
    /// All members of the mapping that it stands in.
    around: &'n [Pair],
    limit: usize,
}

/// Where a path leads.
enum Found<'n> {
    /// To a member, the last of these steps.
    Member(Vec<Step<'n>>),
    /// To a block mapping below `at` names, without a member named `path[at]`.
    Room {
        at: usize,
        pairs: &'n [Pair],
        limit: usize,
    },
    /// To the member of the last step, below `at` names, which holds null or `{}`.
    Empty { at: usize, steps: Vec<Step<'n>> },
    /// The document holds no value.
    Nowhere,
}

/// Follows a path.
fn find<'n>(text: &str, root: Option<&'n Node>, path: &[&str]) -> Result<Found<'n>, ConfigError> {
    let Some(mut node) = root else {
        return Ok(Found::Nowhere);
    };
    let mut limit = document_end(text, node.span.start);
    let mut steps = Vec::with_capacity(path.len());
    for (at, name) in path.iter().enumerate() {
        if node.is_marked {
            return Err(in_the_way(&path[..at], "has an anchor, an alias or a tag"));
        }
        let pairs = match &node.kind {
            Kind::Block(pairs) => pairs,
            Kind::Null if at == 0 => return Ok(Found::Nowhere),
            Kind::Null | Kind::Braces(0) if at > 0 => return Ok(Found::Empty { at, steps }),
            Kind::Braces(_) => return Err(in_the_way(&path[..at], "is written in braces")),
            Kind::Sequence => return Err(in_the_way(&path[..at], "is a list")),
            _ => return Err(in_the_way(&path[..at], "is no mapping")),
        };
        let mut named = pairs
            .iter()
            .enumerate()
            .filter(|(_, pair)| pair.name == *name);
        let Some((place, pair)) = named.next() else {
            return Ok(Found::Room { at, pairs, limit });
        };
        if named.next().is_some() {
            let name = dotted(&path[..=at]);
            return Err(ConfigError::Ambiguous { name });
        }
        if let Some(next) = pairs.get(place + 1) {
            limit = layout::line_start(text, next.key.start);
        }
        steps.push(Step {
            pair,
            around: pairs,
            limit,
        });
        node = &pair.value;
    }
    Ok(Found::Member(steps))
}

fn in_the_way(path: &[&str], how: &str) -> ConfigError {
    ConfigError::no_room(if path.is_empty() {
        format!("what the file holds {how}")
    } else {
        format!("{} {how}", dotted(path))
    })
}

pub(super) fn put(text: &str, slot: &Slot<'_>, value: &Value) -> Result<Put, ConfigError> {
    refuse_lone_returns(text)?;
    let root = parse(text)?;
    let edit = Edit {
        text,
        path: slot.path,
        value,
        line_end: layout::line_end(text),
        unit: " ".repeat(root.as_ref().and_then(|root| unit(text, root)).unwrap_or(2)),
    };
    match find(text, root.as_ref(), slot.path)? {
        Found::Member(steps) => edit.replace(&steps),
        Found::Room { at, pairs, limit } => edit.insert(at, pairs, limit),
        Found::Empty { at, steps } => edit.fill(at, &steps),
        Found::Nowhere => Ok(edit.start_document()),
    }
}

/// A carriage return alone ends a line in YAML, and in nothing else here: lines would be counted
/// in two ways.
fn refuse_lone_returns(text: &str) -> Result<(), ConfigError> {
    let mut returns = text.match_indices('\r');
    match returns.find(|(at, _)| !text[at + 1..].starts_with('\n')) {
        None => Ok(()),
        Some(_) => Err(ConfigError::no_room(
            "a line of the file ends in a carriage return alone",
        )),
    }
}

/// By how many blanks the first mapping in another is indented.
fn unit(text: &str, node: &Node) -> Option<usize> {
    let Kind::Block(pairs) = &node.kind else {
        return None;
    };
    pairs.iter().find_map(|pair| match &pair.value.kind {
        Kind::Block(inner) => {
            let inner = inner.first()?.column(text);
            inner.checked_sub(pair.column(text)).filter(|by| *by > 0)
        }
        _ => None,
    })
}

/// A value on its way into a text.
struct Edit<'a> {
    text: &'a str,
    path: &'a [&'a str],
    value: &'a Value,
    line_end: &'static str,
    unit: String,
}

impl Edit<'_> {
    /// Adds the member `path[at]` behind the lines of the last one.
    fn insert(&self, at: usize, pairs: &[Pair], limit: usize) -> Result<Put, ConfigError> {
        let Some(last) = pairs.last().filter(|last| last.colon(self.text).is_some()) else {
            return Err(self.unusual(at));
        };
        let indent = layout::indent(self.text, last.key.start);
        let name = self.path[at];
        let value = nested(&self.path[at + 1..], self.value);
        let member = scalar::member(name, &value, indent, &self.unit, self.line_end);
        let stop = last.stop(self.text, limit);
        let mut splices = Splices::default();
        splices.replace(stop..stop, format!("{}{member}", self.line_end));
        Ok(self.made(splices, at, Before::Absent))
    }

    /// Puts members below a key that has none.
    fn fill(&self, at: usize, steps: &[Step<'_>]) -> Result<Put, ConfigError> {
        let Some((step, held)) = self.value_of_last(steps) else {
            return Err(self.unusual(at));
        };
        let indent = layout::indent(self.text, step.pair.key.start);
        let value = nested(&self.path[at..], self.value);
        let members = scalar::behind_colon(&value, indent, &self.unit, self.line_end);
        let end = step.pair.stop(self.text, step.limit).max(held.end);
        let before = Before::Value(self.text[held.clone()].to_owned());
        let mut splices = Splices::default();
        splices.replace(held, "");
        splices.replace(end..end, members);
        Ok(self.made(splices, at, before))
    }

    fn replace(&self, steps: &[Step<'_>]) -> Result<Put, ConfigError> {
        let at = self.path.len();
        let Some((step, held)) = self.value_of_last(steps) else {
            return Err(self.unusual(at));
        };
        if step.pair.value.is_marked {
            return Err(in_the_way(self.path, "has an anchor, an alias or a tag"));
        }
        let before = &self.text[held.clone()];
        let mut splices = Splices::default();
        if step.pair.value.value != *self.value {
            let indent = layout::indent(self.text, step.pair.key.start);
            let value = scalar::behind_colon(self.value, indent, &self.unit, self.line_end);
            let blanks = &before[..before.len() - before.trim_start_matches([' ', '\t']).len()];
            // On one line the blanks behind the colon stay as they are.
            let value = match value.strip_prefix(' ') {
                Some(value) if !blanks.is_empty() => format!("{blanks}{value}"),
                _ => value,
            };
            splices.replace(held.clone(), value);
        }
        Ok(self.made(splices, at, Before::Value(before.to_owned())))
    }

    /// The last step, and the bytes of its value from the colon on.
    fn value_of_last<'s, 'n>(&self, steps: &'s [Step<'n>]) -> Option<(&'s Step<'n>, Range<usize>)> {
        let step = steps.last()?;
        Some((step, value_range(self.text, step)?))
    }

    fn unusual(&self, at: usize) -> ConfigError {
        in_the_way(&self.path[..at], UNUSUAL)
    }

    fn start_document(&self) -> Put {
        let (text, end) = (self.text, self.line_end);
        let kept = if text.trim().is_empty() { "" } else { text };
        let between = if kept.is_empty() || kept.ends_with('\n') {
            ""
        } else {
            end
        };
        let value = nested(&self.path[1..], self.value);
        let member = scalar::member(self.path[0], &value, "", &self.unit, end);
        Put {
            text: format!("{kept}{between}{member}{end}"),
            made: Made {
                at: 0,
                before: Before::Document(text.to_owned()),
                gap: None,
            },
        }
    }

    fn made(&self, splices: Splices, at: usize, before: Before) -> Put {
        Put {
            text: splices.apply(self.text),
            made: Made {
                at,
                before,
                gap: None,
            },
        }
    }
}

/// The bytes of a member's value, from behind the colon to its last byte, a comment behind a scalar
/// not counted.
fn value_range(text: &str, step: &Step<'_>) -> Option<Range<usize>> {
    let colon = step.pair.colon(text)?;
    let node = &step.pair.value;
    let end = match node.kind {
        Kind::Null if node.span.is_empty() => colon,
        Kind::Scalar => scalar_end(text, &node.span),
        Kind::Null | Kind::Braces(_) => node.span.end,
        Kind::Sequence if text[node.span.start..].starts_with('[') => node.span.end,
        Kind::BlockScalar | Kind::Block(_) | Kind::Sequence => step.pair.stop(text, step.limit),
    };
    let value = text.get(colon..end)?;
    Some(colon..colon + value.trim_end().len())
}

/// Where a scalar ends: the parser counts a comment behind a quoted one to it.
fn scalar_end(text: &str, span: &Range<usize>) -> usize {
    let scalar = &text[span.clone()];
    let Some(quote) = scalar.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        return span.end;
    };
    let mut bytes = scalar.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        let is_doubled = quote == '\'' && scalar[at + 1..].starts_with('\'');
        match byte {
            b'\\' if quote == '"' => drop(bytes.next()),
            b'\'' if is_doubled => drop(bytes.next()),
            _ if char::from(byte) == quote => return span.start + at + 1,
            _ => {}
        }
    }
    span.end
}

pub(super) fn take_out(text: &str, slot: &Slot<'_>, made: &Made) -> Result<String, ConfigError> {
    refuse_lone_returns(text)?;
    let root = parse(text)?;
    let Found::Member(steps) = find(text, root.as_ref(), slot.path)? else {
        return Ok(text.to_owned());
    };
    Removal { text, steps, made }
        .text()
        .ok_or_else(|| in_the_way(slot.path, UNUSUAL))
}

/// A member on its way out of a text.
struct Removal<'a> {
    text: &'a str,
    /// The members on the way to it, itself last.
    steps: Vec<Step<'a>>,
    made: &'a Made,
}

impl Removal<'_> {
    /// `None` when a member on the way is not written as lines are.
    fn text(&self) -> Option<String> {
        let (text, at) = (self.text, self.made.at);
        for step in &self.steps {
            step.pair.colon(text)?;
        }
        let mut cut = self.steps.len() - 1;
        while cut > at && self.steps[cut].around.len() == 1 {
            cut -= 1;
        }
        let is_alone = cut == at && self.steps[cut].around.len() == 1;
        let mut splices = Splices::default();
        match &self.made.before {
            Before::Value(before) if at == self.steps.len() => {
                splices.replace(value_range(text, self.steps.last()?)?, before.clone());
                return Some(splices.apply(text));
            }
            Before::Value(before) if is_alone && at > 0 => {
                let colon = self.steps[at - 1].pair.colon(text)?;
                splices.replace(colon..colon, before.clone());
            }
            _ => {}
        }
        splices.replace(self.lines(cut), "");
        let rest = splices.apply(text);
        Some(match &self.made.before {
            Before::Document(before) if is_alone && rest.trim() == before.trim() => before.clone(),
            _ => rest,
        })
    }

    /// The lines of a member with the line end before them, or, at the start of the text, with the
    /// one behind.
    fn lines(&self, cut: usize) -> Range<usize> {
        let (text, step) = (self.text, &self.steps[cut]);
        let start = layout::line_start(text, step.pair.key.start);
        let end = step.pair.stop(text, step.limit);
        if start == 0 {
            return 0..next_line(text, end);
        }
        layout::without_line_end(&text[..start]).len()..end
    }
}
