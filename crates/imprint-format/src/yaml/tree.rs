//! The tree of values out of the parser's events, within the limits.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle as ParserStyle, Span, StrInput};

use super::{
    Entry, NestedDuplicate, Root, ScalarStyle, Value, YamlError, YamlFault,
    place::{self, Place},
};
use crate::limits::{YAML_ALIASES, YAML_DEPTH};

/// A value that was built, with what the limits count.
struct Node {
    value: Value,
    kind: NodeKind,
    /// Byte range of the events; block scalars start at their content.
    span: Range<usize>,
    line: u32,
    /// Levels of sequences and mappings in it.
    height: usize,
    /// Aliases that were replaced in it, those inside replaced ones included.
    expansions: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    Scalar(ScalarStyle),
    /// Plain and without text: nothing stands there.
    Missing,
    Alias,
    Collection,
}

struct Anchored {
    value: Value,
    height: usize,
    expansions: usize,
}

pub(super) struct Builder<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    /// Byte offset of every character, because the parser counts characters.
    offsets: Vec<usize>,
    /// The anchors that some alias names; only their values are kept.
    aliased: BTreeSet<usize>,
    anchors: BTreeMap<usize, Anchored>,
    open_anchors: BTreeSet<usize>,
    expansions: usize,
    nested_duplicates: Vec<NestedDuplicate>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ends = std::iter::once(text.len());
        Self {
            text,
            parser: Parser::new_from_str(text),
            offsets: text.char_indices().map(|(at, _)| at).chain(ends).collect(),
            aliased: BTreeSet::new(),
            anchors: BTreeMap::new(),
            open_anchors: BTreeSet::new(),
            expansions: 0,
            nested_duplicates: Vec::new(),
        }
    }

    /// The one document's mapping.
    pub(super) fn root(mut self) -> Result<Root, YamlError> {
        self.aliased = aliased_anchors(self.text)?;
        let (mut event, mut span) = self.next()?;
        if event == Event::StreamStart {
            (event, span) = self.next()?;
        }
        if event == Event::StreamEnd {
            return Ok(Root::default());
        }
        if !matches!(event, Event::DocumentStart(_)) {
            return Err(syntax(span.start, "this is no YAML document"));
        }
        let root = self.root_mapping()?;
        self.end_of_stream()?;
        Ok(root)
    }

    fn root_mapping(&mut self) -> Result<Root, YamlError> {
        let (event, span) = self.next()?;
        let Event::MappingStart(anchor, _) = event else {
            return match event {
                Event::Scalar(text, ParserStyle::Plain, ..) if text.is_empty() => {
                    Ok(Root::default())
                }
                _ => Err(syntax(span.start, "this is no map of `key: value` lines")),
            };
        };
        self.open(anchor);
        let start = self.byte(span.start);
        let flow = self.text[start..].starts_with('{');
        let mut root = Root {
            flow,
            indent: if flow { 0 } else { span.start.col() },
            ..Root::default()
        };
        while let Some((key, value)) = self.pair(1)? {
            root.entries.push(self.entry(&key, value, root.indent));
        }
        root.nested_duplicates = std::mem::take(&mut self.nested_duplicates);
        Ok(root)
    }

    fn end_of_stream(&mut self) -> Result<(), YamlError> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentEnd, _) => {}
                (_, span) => {
                    return Err(syntax(span.start, "a second YAML document starts here"));
                }
            }
        }
    }

    fn entry(&self, key: &Node, value: Node, column: usize) -> Entry {
        let shape = match value.kind {
            NodeKind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded) => Place::Block { column },
            NodeKind::Scalar(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) => {
                Place::Quoted
            }
            NodeKind::Scalar(ScalarStyle::Plain) | NodeKind::Collection | NodeKind::Alias => {
                Place::Until(value.span.end)
            }
            NodeKind::Missing => Place::Nothing,
        };
        Entry {
            key: self.key_text(key),
            style: match value.kind {
                NodeKind::Scalar(style) => Some(style),
                NodeKind::Missing => Some(ScalarStyle::Plain),
                NodeKind::Alias | NodeKind::Collection => None,
            },
            span: place::value_span(self.text, key.span.end, shape),
            line: key.line,
            value: value.value,
        }
    }

    /// A key as text: a scalar's, else as it is written.
    fn key_text(&self, key: &Node) -> String {
        match &key.value {
            Value::Scalar(text) => text.clone(),
            Value::Sequence(_) | Value::Mapping(_) => self.text[key.span.clone()].trim().to_owned(),
        }
    }

    /// The next key and value of the mapping that is open, or its end.
    fn pair(&mut self, depth: usize) -> Result<Option<(Node, Node)>, YamlError> {
        let (event, span) = self.next()?;
        if event == Event::MappingEnd {
            return Ok(None);
        }
        let key = self.node(event, span, depth)?;
        let (event, span) = self.next()?;
        let value = self.node(event, span, depth)?;
        Ok(Some((key, value)))
    }

    /// A value below `depth` levels.
    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, YamlError> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let kind = match style_of(style) {
                    ScalarStyle::Plain if text.is_empty() => NodeKind::Missing,
                    style => NodeKind::Scalar(style),
                };
                let node = self.leaf(Value::Scalar(text.into_owned()), kind, span);
                self.open(anchor);
                self.close(anchor, &node);
                Ok(node)
            }
            Event::Alias(anchor) => self.alias(anchor, span, depth),
            Event::SequenceStart(anchor, _) => {
                within_depth(span.start, depth + 1)?;
                self.open(anchor);
                let node = self.sequence(span, depth + 1)?;
                self.close(anchor, &node);
                Ok(node)
            }
            Event::MappingStart(anchor, _) => {
                within_depth(span.start, depth + 1)?;
                self.open(anchor);
                let node = self.mapping(span, depth + 1)?;
                self.close(anchor, &node);
                Ok(node)
            }
            _ => Err(syntax(span.start, "a value is missing here")),
        }
    }

    fn sequence(&mut self, start: Span, depth: usize) -> Result<Node, YamlError> {
        let mut values = Vec::new();
        let mut node = self.leaf(Value::Sequence(Vec::new()), NodeKind::Collection, start);
        node.height = 1;
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                node.span.end = self.byte(span.end).max(node.span.start);
                break;
            }
            let value = self.node(event, span, depth)?;
            node.height = node.height.max(value.height + 1);
            node.expansions += value.expansions;
            values.push(value.value);
        }
        node.value = Value::Sequence(values);
        Ok(node)
    }

    fn mapping(&mut self, start: Span, depth: usize) -> Result<Node, YamlError> {
        let mut pairs = Vec::new();
        let mut node = self.leaf(Value::Mapping(Vec::new()), NodeKind::Collection, start);
        node.height = 1;
        while let Some((key, value)) = self.pair(depth)? {
            node.span.end = node.span.end.max(value.span.end);
            node.height = node.height.max(key.height.max(value.height) + 1);
            node.expansions += key.expansions + value.expansions;
            pairs.push((self.key_text(&key), value.value, key.line));
        }
        node.value = Value::Mapping(self.last_of_each(pairs));
        Ok(node)
    }

    /// The pairs without those whose key comes again, which are noted.
    fn last_of_each(&mut self, pairs: Vec<(String, Value, u32)>) -> Vec<(String, Value)> {
        let mut last = HashMap::new();
        for (at, (key, ..)) in pairs.iter().enumerate() {
            last.insert(key.clone(), at);
        }
        if last.len() < pairs.len() {
            let mut seen = HashMap::new();
            for (at, (key, _, line)) in pairs.iter().enumerate() {
                let times = seen.entry(key.as_str()).or_insert(0_usize);
                *times += 1;
                if *times > 1 && last.get(key) == Some(&at) {
                    self.nested_duplicates.push(NestedDuplicate {
                        key: key.clone(),
                        line: *line,
                    });
                }
            }
        }
        let kept = pairs.into_iter().enumerate();
        kept.filter(|(at, (key, ..))| last.get(key) == Some(at))
            .map(|(_, (key, value, _))| (key, value))
            .collect()
    }

    /// What an alias names. Its inner aliases count again, or doubling would grow unseen.
    fn alias(&mut self, anchor: usize, span: Span, depth: usize) -> Result<Node, YamlError> {
        if self.open_anchors.contains(&anchor) {
            return Err(limit(span.start, "an anchor holds itself".to_owned()));
        }
        let Some(named) = self.anchors.get(&anchor) else {
            return Err(syntax(span.start, "the alias names no anchor"));
        };
        let expansions = named.expansions + 1;
        self.expansions += expansions;
        if self.expansions > YAML_ALIASES {
            return Err(too_many_aliases(span.start));
        }
        within_depth(span.start, depth + named.height)?;
        let (value, height) = (named.value.clone(), named.height);
        let mut node = self.leaf(value, NodeKind::Alias, span);
        node.height = height;
        node.expansions = expansions;
        Ok(node)
    }

    fn leaf(&self, value: Value, kind: NodeKind, span: Span) -> Node {
        let start = self.byte(span.start);
        Node {
            value,
            kind,
            span: start..self.byte(span.end).max(start),
            line: line_of(span.start),
            height: 0,
            expansions: 0,
        }
    }

    fn open(&mut self, anchor: usize) {
        if anchor > 0 {
            self.open_anchors.insert(anchor);
        }
    }

    fn close(&mut self, anchor: usize, node: &Node) {
        if anchor == 0 {
            return;
        }
        self.open_anchors.remove(&anchor);
        if !self.aliased.contains(&anchor) {
            return;
        }
        self.anchors.insert(
            anchor,
            Anchored {
                value: node.value.clone(),
                height: node.height,
                expansions: node.expansions,
            },
        );
    }

    fn byte(&self, at: Marker) -> usize {
        self.offsets
            .get(at.index())
            .copied()
            .unwrap_or(self.text.len())
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), YamlError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(syntax(*error.marker(), error.info())),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }
}

/// The anchors that aliases name, counted before anything is built.
fn aliased_anchors(text: &str) -> Result<BTreeSet<usize>, YamlError> {
    let mut aliased = BTreeSet::new();
    if !text.contains('*') {
        return Ok(aliased);
    }
    let mut parser = Parser::new_from_str(text);
    let mut uses = 0;
    // An error shows again when the tree is built.
    while let Some(Ok((event, span))) = parser.next_event() {
        if let Event::Alias(anchor) = event {
            aliased.insert(anchor);
            uses += 1;
            if uses > YAML_ALIASES {
                return Err(too_many_aliases(span.start));
            }
        }
    }
    Ok(aliased)
}

fn too_many_aliases(at: Marker) -> YamlError {
    limit(at, format!("more than {YAML_ALIASES} aliases are used"))
}

fn within_depth(at: Marker, depth: usize) -> Result<(), YamlError> {
    if depth <= YAML_DEPTH {
        return Ok(());
    }
    let message = format!("values are nested more than {YAML_DEPTH} levels deep");
    Err(limit(at, message))
}

fn syntax(at: Marker, message: &str) -> YamlError {
    YamlError {
        line: line_of(at),
        message: message.to_owned(),
        fault: YamlFault::Syntax,
    }
}

fn limit(at: Marker, message: String) -> YamlError {
    YamlError {
        line: line_of(at),
        message,
        fault: YamlFault::Limit,
    }
}

fn line_of(at: Marker) -> u32 {
    u32::try_from(at.line()).unwrap_or(u32::MAX).max(1)
}

fn style_of(style: ParserStyle) -> ScalarStyle {
    match style {
        ParserStyle::Plain => ScalarStyle::Plain,
        ParserStyle::SingleQuoted => ScalarStyle::SingleQuoted,
        ParserStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
        ParserStyle::Literal => ScalarStyle::Literal,
        ParserStyle::Folded => ScalarStyle::Folded,
    }
}
