//! A TOML text as the statements that it is written in: table headers and `key = value` lines, each
//! with its place and the whole path of what it defines.

use std::ops::Range;

use toml_parser::{
    Source,
    parser::{Event, EventKind, RecursionGuard, parse_document},
};

use super::super::layout;

/// More levels than the parser of the values allows.
const LEVELS: u32 = 256;

/// A header or a `key = value` line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) kind: Kind,
    /// The path from the root of what it defines.
    pub(super) path: Vec<String>,
    /// From the first byte of the key or bracket to the last of the value or bracket.
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `[table]`
    Table,
    /// `[[list]]`
    List,
    /// `key = value`
    Pair,
}

/// A header with the pairs below it.
pub(super) struct Block<'s> {
    pub(super) header: &'s Statement,
    pub(super) pairs: &'s [Statement],
}

/// The statements of a text that the parser of the values has accepted.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events = Vec::with_capacity(tokens.len());
    parse_document(
        &tokens,
        &mut RecursionGuard::new(&mut events, LEVELS),
        &mut (),
    );
    let mut reader = Reader {
        source,
        statements: Vec::new(),
        table: Vec::new(),
        open: None,
        depth: 0,
    };
    for event in &events {
        reader.take(event);
    }
    reader.close();
    reader.statements
}

struct Reader<'t> {
    source: Source<'t>,
    statements: Vec<Statement>,
    /// The path of the header above.
    table: Vec<String>,
    /// The statement that isn't over yet.
    open: Option<Statement>,
    /// Open brackets and braces of a value.
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: &Event) {
        let span = event.span().start()..event.span().end();
        match event.kind() {
            EventKind::StdTableOpen => self.open(Kind::Table, span),
            EventKind::ArrayTableOpen => self.open(Kind::List, span),
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.extend(span.end);
                if let Some(header) = &self.open {
                    self.table.clone_from(&header.path);
                }
                self.close();
            }
            EventKind::SimpleKey if self.depth == 0 => {
                if self.open.is_none() {
                    self.open(Kind::Pair, span.clone());
                }
                let key = self.key(event);
                self.extend(span.end);
                if let Some(open) = &mut self.open {
                    open.path.push(key);
                }
            }
            EventKind::InlineTableOpen | EventKind::ArrayOpen => {
                self.depth += 1;
                self.extend(span.end);
            }
            EventKind::InlineTableClose | EventKind::ArrayClose => {
                self.depth = self.depth.saturating_sub(1);
                self.extend(span.end);
            }
            EventKind::Scalar => self.extend(span.end),
            EventKind::Newline if self.depth == 0 => self.close(),
            _ => {}
        }
    }

    fn open(&mut self, kind: Kind, range: Range<usize>) {
        self.close();
        let path = if kind == Kind::Pair {
            self.table.clone()
        } else {
            Vec::new()
        };
        self.open = Some(Statement { kind, path, range });
    }

    fn extend(&mut self, end: usize) {
        if let Some(open) = &mut self.open {
            open.range.end = open.range.end.max(end);
        }
    }

    fn close(&mut self) {
        self.statements.extend(self.open.take());
    }

    fn key(&self, event: &Event) -> String {
        let mut key = std::borrow::Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut key, &mut ());
        }
        key.into_owned()
    }
}

impl Statement {
    /// Whether it defines something at or below a path.
    pub(super) fn is_within(&self, path: &[&str]) -> bool {
        self.path.len() >= path.len() && self.path.iter().zip(path).all(|(a, b)| a == b)
    }

    /// Whether it defines just that path.
    pub(super) fn is_at(&self, path: &[&str]) -> bool {
        self.path.len() == path.len() && self.is_within(path)
    }

    pub(super) const fn is_header(&self) -> bool {
        matches!(self.kind, Kind::Table | Kind::List)
    }
}

/// The blocks of a text, without the pairs above the first header.
pub(super) fn blocks(statements: &[Statement]) -> impl Iterator<Item = Block<'_>> {
    let headers = (0..statements.len()).filter(|at| statements[*at].is_header());
    headers.map(|at| {
        let pairs = &statements[at + 1..];
        let count = pairs.iter().take_while(|next| !next.is_header()).count();
        Block {
            header: &statements[at],
            pairs: &pairs[..count],
        }
    })
}

impl Block<'_> {
    /// Its lines, from the start of the header's to the end of the last pair's, without that
    /// line's end.
    pub(super) fn lines(&self, text: &str) -> Range<usize> {
        let last = self.pairs.last().unwrap_or(self.header);
        let start = layout::line_start(text, self.header.range.start);
        start..layout::line_stop(text, last.range.end)
    }
}
