//! A JSON text as the parser sees it: its tree with byte ranges, and the marks between the values.

use std::ops::Range;

pub(super) use jsonc_parser::ast::{ObjectProp as Member, Value as Node};
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions,
    ast::{NumberLit, Object},
    common::Ranged,
    parse_to_ast,
    tokens::Token,
};

use super::super::{ConfigError, MAX_DEPTH, Syntax, Value, dotted};

/// A text and what stands in it.
pub(super) struct Parsed<'t> {
    pub(super) text: &'t str,
    /// `None` for a text of blanks and comments alone.
    pub(super) root: Option<Node<'t>>,
    marks: Vec<Mark>,
}

/// A token or a comment.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) range: Range<usize>,
    pub(super) kind: MarkKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    Comma,
    LineComment,
    BlockComment,
    Other,
}

/// Where a path leads.
pub(super) enum Found<'p, 't> {
    /// To a member; all members on the way, itself last.
    Member(Vec<&'p Member<'t>>),
    /// To an object that has no member named `path[at]`.
    Room { at: usize, object: &'p Object<'t> },
    /// To a null below `at` names.
    Null { at: usize, range: Range<usize> },
    /// Nowhere: the document holds no value.
    Nowhere,
}

impl<'t> Parsed<'t> {
    pub(super) fn new(text: &'t str, syntax: Syntax) -> Result<Self, ConfigError> {
        refuse_depth(text)?;
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let parsed = parse_to_ast(text, &collect, &options(syntax == Syntax::Jsonc))
            .map_err(|error| ConfigError::unparsable(text, error.range().start, message(&error)))?;
        let tokens = parsed.tokens.unwrap_or_default();
        let strings = tokens
            .iter()
            .filter(|token| matches!(token.token, Token::String(_)));
        for string in strings {
            refuse_controls(text, syntax, string.range.start..string.range.end)?;
        }
        let marks = tokens.iter().map(|token| Mark {
            range: token.range.start..token.range.end,
            kind: match token.token {
                Token::Comma => MarkKind::Comma,
                Token::CommentLine(_) => MarkKind::LineComment,
                Token::CommentBlock(_) => MarkKind::BlockComment,
                _ => MarkKind::Other,
            },
        });
        let marks = marks.collect::<Vec<_>>();
        refuse_comments(text, syntax, &marks)?;
        Ok(Self {
            text,
            root: parsed.value,
            marks,
        })
    }

    /// Follows a path. A name that stands twice, or a value without members on the way, is no room.
    pub(super) fn find(&self, path: &[&str]) -> Result<Found<'_, 't>, ConfigError> {
        let Some(mut node) = self.root.as_ref() else {
            return Ok(Found::Nowhere);
        };
        let mut chain = Vec::with_capacity(path.len());
        for (at, name) in path.iter().enumerate() {
            let object = match node {
                Node::Object(object) => object,
                Node::NullKeyword(null) => {
                    let range = null.range.start..null.range.end;
                    return Ok(Found::Null { at, range });
                }
                _ => return Err(no_object(&path[..at])),
            };
            let mut named = object.properties.iter();
            let mut named = named
                .by_ref()
                .filter(|member| member.name.as_str() == *name);
            let Some(member) = named.next() else {
                return Ok(Found::Room { at, object });
            };
            if named.next().is_some() {
                let name = dotted(&path[..=at]);
                return Err(ConfigError::Ambiguous { name });
            }
            chain.push(member);
            node = &member.value;
        }
        Ok(Found::Member(chain))
    }

    /// The last mark that ends at or before a byte.
    pub(super) fn mark_before(&self, at: usize) -> Option<&Mark> {
        let next = self.marks.partition_point(|mark| mark.range.end <= at);
        next.checked_sub(1).and_then(|last| self.marks.get(last))
    }

    /// The first mark that starts at or after a byte and is no comment.
    pub(super) fn token_after(&self, at: usize) -> Option<&Mark> {
        let first = self.marks.partition_point(|mark| mark.range.start < at);
        let mut marks = self.marks[first..].iter();
        marks.find(|mark| !mark.kind.is_comment())
    }

    /// The comma between two bytes.
    pub(super) fn comma_in(&self, range: Range<usize>) -> Option<&Mark> {
        let token = self.token_after(range.start)?;
        (token.kind == MarkKind::Comma && token.range.end <= range.end).then_some(token)
    }

    /// The comments in a range, outside of a part of it.
    pub(super) fn comments_around(&self, range: Range<usize>, part: &Range<usize>) -> Vec<&'t str> {
        let first = self
            .marks
            .partition_point(|mark| mark.range.start < range.start);
        self.marks[first..]
            .iter()
            .take_while(|mark| mark.range.end <= range.end)
            .filter(|mark| mark.kind.is_comment())
            .filter(|mark| mark.range.end <= part.start || mark.range.start >= part.end)
            .map(|mark| &self.text[mark.range.clone()])
            .collect()
    }
}

impl MarkKind {
    pub(super) const fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// The byte range of a node.
pub(super) fn range_of(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// A node as a value. Of members of one name the last counts.
pub(super) fn value_of(node: &Node<'_>) -> Value {
    match node {
        Node::StringLit(text) => Value::String(text.value.clone().into_owned()),
        Node::NumberLit(number) => number_of(number),
        Node::BooleanLit(truth) => Value::Bool(truth.value),
        Node::NullKeyword(_) => Value::Null,
        Node::Array(array) => array.elements.iter().map(value_of).collect(),
        Node::Object(object) => {
            let members = object.properties.iter();
            let members =
                members.map(|member| (member.name.as_str().to_owned(), value_of(&member.value)));
            Value::Object(members.collect())
        }
    }
}

/// A number; one that no `f64` holds stands as its text.
fn number_of(number: &NumberLit<'_>) -> Value {
    serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned()))
}

fn no_object(path: &[&str]) -> ConfigError {
    ConfigError::no_room(if path.is_empty() {
        "the file holds no object".to_owned()
    } else {
        format!("{} is no object", dotted(path))
    })
}

fn options(with_comments: bool) -> ParseOptions {
    ParseOptions {
        // Comments are refused apart, so that they can be told from other trouble.
        allow_comments: true,
        allow_trailing_commas: with_comments,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn message(error: &jsonc_parser::errors::ParseError) -> String {
    let text = error.kind().to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

fn refuse_comments(text: &str, syntax: Syntax, marks: &[Mark]) -> Result<(), ConfigError> {
    let comment = marks.iter().find(|mark| mark.kind.is_comment());
    match comment {
        Some(comment) if syntax == Syntax::Json => Err(ConfigError::unparsable(
            text,
            comment.range.start,
            "this file may hold no comments, and here is one",
        )),
        _ => Ok(()),
    }
}

/// Refuses a string that the client would not read, but the parser does: one with a line end or, where
/// the client takes strict JSON, with any other control character that is not escaped.
fn refuse_controls(text: &str, syntax: Syntax, string: Range<usize>) -> Result<(), ConfigError> {
    let is_refused = |byte: u8| match syntax {
        Syntax::Jsonc => matches!(byte, b'\n' | b'\r'),
        _ => byte < b' ',
    };
    let control = text.as_bytes()[string.clone()]
        .iter()
        .position(|byte| is_refused(*byte));
    control.map_or(Ok(()), |at| {
        Err(ConfigError::unparsable(
            text,
            string.start + at,
            "a text holds a line end or another control character that is not escaped",
        ))
    })
}

/// Refuses deep nesting before the parser, which calls itself, sees it.
fn refuse_depth(text: &str) -> Result<(), ConfigError> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if in_string => drop(bytes.next()),
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let message = format!("more than {MAX_DEPTH} levels");
                    return Err(ConfigError::unparsable(text, at, message));
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}
