//! A YAML text as a tree whose block mappings know the lines of their members.

use std::{collections::BTreeMap, ops::Range};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput};

use super::{
    super::{ConfigError, MAX_DEPTH, Value, layout},
    scalar,
};

/// How many values aliases may stand for, all together.
const ALIASED_VALUES: usize = 10_000;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) value: Value,
    /// A block scalar's is of no use: it starts at the content.
    pub(super) span: Range<usize>,
    /// Whether it has an anchor or a tag, or is an alias.
    pub(super) is_marked: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A null, written or not.
    Null,
    /// On one or more lines, in quotes or not.
    Scalar,
    /// A literal or folded scalar.
    BlockScalar,
    /// A mapping on lines of its own.
    Block(Vec<Pair>),
    /// A mapping in braces, with its length.
    Braces(usize),
    Sequence,
}

/// A member of a block mapping.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) key: Range<usize>,
    pub(super) value: Node,
}

/// The one document's value; `None` for a text without any.
pub(super) fn parse(text: &str) -> Result<Option<Node>, ConfigError> {
    let mut reader = Reader {
        text,
        parser: Parser::new_from_str(text),
        offsets: offsets(text),
        anchors: BTreeMap::new(),
        aliased: 0,
    };
    reader.document()
}

/// The byte offset of every character, because the parser counts characters; empty where both are
/// one.
fn offsets(text: &str) -> Vec<usize> {
    if text.is_ascii() {
        return Vec::new();
    }
    text.char_indices().map(|(at, _)| at).collect()
}

struct Reader<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    offsets: Vec<usize>,
    /// The values that have an anchor.
    anchors: BTreeMap<usize, Value>,
    /// How many values aliases stood for.
    aliased: usize,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<Option<Node>, ConfigError> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(_) if root.is_none() => {
                    let (event, span) = self.next()?;
                    root = Some(self.node(event, span, 0)?);
                }
                _ => return Err(self.fault(span.start, "a second document starts here")),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, ConfigError> {
        if depth > MAX_DEPTH {
            return Err(self.fault(span.start, &format!("more than {MAX_DEPTH} levels")));
        }
        let start = self.byte(span.start);
        let range = start..self.byte(span.end).max(start);
        let (anchor, tagged, mut node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = scalar_node(&text, style, range, tag.is_some());
                (anchor, tag.is_some(), node)
            }
            Event::Alias(anchor) => return self.alias(anchor, span, range),
            Event::SequenceStart(anchor, tag) => {
                (anchor, tag.is_some(), self.sequence(range, depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                (anchor, tag.is_some(), self.mapping(range, depth)?)
            }
            _ => return Err(self.fault(span.start, "a value is missing here")),
        };
        node.is_marked = tagged || anchor > 0;
        if anchor > 0 {
            self.anchors.insert(anchor, node.value.clone());
        }
        Ok(node)
    }

    fn alias(
        &mut self,
        anchor: usize,
        span: Span,
        range: Range<usize>,
    ) -> Result<Node, ConfigError> {
        let Some(value) = self.anchors.get(&anchor) else {
            return Err(self.fault(span.start, "the alias names nothing that is complete"));
        };
        self.aliased += count(value);
        if self.aliased > ALIASED_VALUES {
            return Err(self.fault(span.start, "too many aliases"));
        }
        Ok(Node {
            kind: Kind::Scalar,
            value: value.clone(),
            span: range,
            is_marked: true,
        })
    }

    fn sequence(&mut self, mut range: Range<usize>, depth: usize) -> Result<Node, ConfigError> {
        let mut values = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                range.end = self.byte(span.end).max(range.start);
                break;
            }
            values.push(self.node(event, span, depth + 1)?.value);
        }
        Ok(Node {
            kind: Kind::Sequence,
            value: Value::Array(values),
            span: range,
            is_marked: false,
        })
    }

    fn mapping(&mut self, mut range: Range<usize>, depth: usize) -> Result<Node, ConfigError> {
        let mut pairs = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                range.end = self.byte(span.end).max(range.start);
                break;
            }
            let key = self.node(event, span, depth + 1)?;
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            pairs.push(Pair {
                name: self.name(&key),
                key: key.span,
                value,
            });
        }
        let members = pairs.iter();
        let members = members.map(|pair| (pair.name.clone(), pair.value.value.clone()));
        let value = Value::Object(members.collect());
        let in_braces = self.text[range.start..].starts_with('{');
        Ok(Node {
            kind: if in_braces {
                Kind::Braces(pairs.len())
            } else {
                Kind::Block(pairs)
            },
            value,
            span: range,
            is_marked: false,
        })
    }

    /// A key as text: a scalar as it stands, anything else as it is written.
    fn name(&self, key: &Node) -> String {
        match &key.value {
            Value::String(text) => text.clone(),
            _ => self.text[key.span.clone()].trim().to_owned(),
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), ConfigError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(self.fault(*error.marker(), error.info())),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn byte(&self, at: Marker) -> usize {
        let byte = if self.offsets.is_empty() {
            Some(at.index())
        } else {
            self.offsets.get(at.index()).copied()
        };
        byte.unwrap_or(self.text.len()).min(self.text.len())
    }

    fn fault(&self, at: Marker, message: &str) -> ConfigError {
        ConfigError::unparsable(self.text, self.byte(at), message)
    }
}

fn scalar_node(text: &str, style: ScalarStyle, span: Range<usize>, tagged: bool) -> Node {
    let value = match style {
        ScalarStyle::Plain if !tagged => scalar::typed(text),
        _ => Value::String(text.to_owned()),
    };
    Node {
        kind: match style {
            _ if value.is_null() => Kind::Null,
            ScalarStyle::Literal | ScalarStyle::Folded => Kind::BlockScalar,
            _ => Kind::Scalar,
        },
        value,
        span,
        is_marked: false,
    }
}

/// How many values a value is.
fn count(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    };
    inner + 1
}

impl Pair {
    /// The byte behind the colon, when key and colon stand on one line that the key begins.
    pub(super) fn colon(&self, text: &str) -> Option<usize> {
        let behind = text[self.key.end..].trim_start_matches([' ', '\t']);
        let colon = text.len() - behind.len();
        (behind.starts_with(':') && layout::is_first_on_line(text, self.key.start))
            .then_some(colon + 1)
    }

    /// The column of the key in bytes, from 0.
    pub(super) fn column(&self, text: &str) -> usize {
        self.key.start - layout::line_start(text, self.key.start)
    }

    /// Where the member's last line ends, its line end not counted. Comments that are not indented
    /// more than the key belong to what follows. `limit` is where the next line that isn't inside
    /// the member starts.
    pub(super) fn stop(&self, text: &str, limit: usize) -> usize {
        let column = self.column(text);
        let mut stop = layout::line_stop(text, self.key.start);
        let mut at = next_line(text, stop);
        while at < limit {
            let line_stop = layout::line_stop(text, at);
            let line = &text[at..line_stop];
            let content = line.trim_start_matches([' ', '\t']);
            let is_comment = content.starts_with('#') && line.len() - content.len() <= column;
            if !content.trim().is_empty() && !is_comment {
                stop = line_stop;
            }
            at = next_line(text, line_stop);
        }
        stop
    }
}

/// Where the line behind a line's stop starts.
pub(super) fn next_line(text: &str, stop: usize) -> usize {
    text[stop..]
        .find('\n')
        .map_or(text.len(), |end| stop + end + 1)
}

/// Where the document ends whose root mapping starts at a byte: at a line of `...` or `---`, else
/// at the end of the text.
pub(super) fn document_end(text: &str, root: usize) -> usize {
    let mut at = next_line(text, root);
    while at < text.len() {
        let line = &text[at..layout::line_stop(text, at)];
        let is_mark = line
            .strip_prefix("...")
            .or_else(|| line.strip_prefix("---"));
        if is_mark.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return at;
        }
        at = next_line(text, at);
    }
    text.len()
}
