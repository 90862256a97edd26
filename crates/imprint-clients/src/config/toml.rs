//! TOML: our table goes to the end of the text, pairs go below their header, and what leaves goes
//! line by line.

mod statements;
mod value;

use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Table, Value as TomlValue};

use self::statements::{Block, Kind, Statement, blocks, statements};
use super::{
    Before, ConfigError, Gap, Made, Put, Slot, Value, dotted,
    layout::{self, Splices},
};

/// The whole text as a value.
pub(super) fn read(text: &str, _slot: &Slot<'_>) -> Result<Value, ConfigError> {
    Ok(value::of_table(parse(text)?.as_table()))
}

fn parse(text: &str) -> Result<Document<&str>, ConfigError> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        ConfigError::unparsable(
            text,
            at,
            error.message().lines().collect::<Vec<_>>().join("; "),
        )
    })
}

pub(super) fn put(text: &str, slot: &Slot<'_>, new: &Value) -> Result<Put, ConfigError> {
    let document = parse(text)?;
    let edit = Edit {
        text,
        path: slot.path,
        new,
        line_end: layout::line_end(text),
        statements: statements(text),
    };
    match edit.room(document.as_table())? {
        Some(Stands::Value(found)) => edit.replace_value(found),
        Some(Stands::Table(found)) => edit.replace_table(found),
        None if text.trim().is_empty() => edit.start_document(),
        None if new.is_object() => edit.append_table(document.as_table()),
        None => edit.add_pair(document.as_table()),
    }
}

/// What stands at a path.
enum Stands<'d> {
    Value(&'d TomlValue),
    /// A table with headers or dotted keys, or a list of such.
    Table(&'d Item),
}

/// A value on its way into a text.
struct Edit<'a> {
    text: &'a str,
    path: &'a [&'a str],
    new: &'a Value,
    line_end: &'static str,
    statements: Vec<Statement>,
}

impl Edit<'_> {
    /// What stands at the path; `None` when there is room for it.
    fn room<'d>(&self, root: &'d Table) -> Result<Option<Stands<'d>>, ConfigError> {
        let mut table = root;
        for (at, name) in self.path.iter().enumerate() {
            let Some(item) = table.get(name) else {
                // Inside of dotted keys no header may follow, and nothing tells where a pair would.
                return match at.checked_sub(1).filter(|_| table.is_dotted()) {
                    Some(outer) => Err(self.in_the_way(outer, "is written with dotted keys")),
                    None => Ok(None),
                };
            };
            table = match item {
                Item::Value(found) if at + 1 == self.path.len() => {
                    return Ok(Some(Stands::Value(found)));
                }
                _ if at + 1 == self.path.len() => return Ok(Some(Stands::Table(item))),
                Item::Table(table) => table,
                Item::Value(TomlValue::InlineTable(inline)) => {
                    return self.room_in_braces(at, inline).map(Some);
                }
                Item::ArrayOfTables(_) => return Err(self.in_the_way(at, "is a list of tables")),
                _ => return Err(self.in_the_way(at, "is no table")),
            };
        }
        Ok(None)
    }

    /// Values in braces can be replaced, but nothing is added there.
    fn room_in_braces<'d>(
        &self,
        at: usize,
        inline: &'d InlineTable,
    ) -> Result<Stands<'d>, ConfigError> {
        let names = &self.path[at + 1..];
        let first = names.first().and_then(|name| inline.get(name));
        let found = names.iter().skip(1).fold(first, |found, name| {
            found.and_then(TomlValue::as_inline_table)?.get(name)
        });
        found
            .map(Stands::Value)
            .ok_or_else(|| self.in_the_way(at, "is written as an inline table"))
    }

    fn in_the_way(&self, at: usize, how: &str) -> ConfigError {
        ConfigError::no_room(format!("{} {how}", dotted(&self.path[..=at])))
    }

    fn replace_value(&self, found: &TomlValue) -> Result<Put, ConfigError> {
        let Some(range) = found.span() else {
            return Err(ConfigError::OtherChange);
        };
        let is_same = value::of_value(found) == *self.new;
        let text = if is_same {
            None
        } else {
            Some(value::inline(self.new)?)
        };
        Ok(self.replaced(range, text))
    }

    fn replace_table(&self, found: &Item) -> Result<Put, ConfigError> {
        let Some(range) = self.body_of_only_block() else {
            return Err(self.in_the_way(self.path.len() - 1, "is spread over several tables"));
        };
        let is_same = value::of_item(found) == *self.new;
        let text = if is_same { None } else { Some(self.pairs()?) };
        Ok(self.replaced(range, text))
    }

    fn replaced(&self, range: Range<usize>, with: Option<String>) -> Put {
        let before = Before::Value(self.text[range.clone()].to_owned());
        let mut splices = Splices::default();
        if let Some(with) = with {
            splices.replace(range, with);
        }
        Put {
            text: splices.apply(self.text),
            made: Made {
                at: self.path.len(),
                before,
                gap: None,
            },
        }
    }

    /// What stands below the header of the path, when no other statement adds to that table.
    fn body_of_only_block(&self) -> Option<Range<usize>> {
        let within = self.statements.iter().filter(|at| at.is_within(self.path));
        let block = blocks(&self.statements).find(|block| block.header.is_at(self.path))?;
        let is_only = within.count() == block.pairs.len() + 1;
        (is_only && block.header.kind == Kind::Table).then(|| body(self.text, &block))
    }

    /// The members of the new table, a line each, each line led by a line end.
    fn pairs(&self) -> Result<String, ConfigError> {
        let Some(members) = self.new.as_object() else {
            return Err(self.in_the_way(self.path.len() - 1, "is a table"));
        };
        let pairs = members.iter().map(|(name, value)| value::pair(name, value));
        let pairs = pairs.map(|pair| pair.map(|pair| format!("{}{pair}", self.line_end)));
        pairs.collect()
    }

    /// The header and the pairs of the new table, or of the table around a new pair.
    fn block(&self) -> Result<String, ConfigError> {
        let (name, parent) = match self.path.split_last() {
            Some((name, parent)) if !self.new.is_object() => (name, parent),
            _ => return Ok(format!("{}{}", value::header(self.path), self.pairs()?)),
        };
        let pair = value::pair(name, self.new)?;
        Ok(match parent {
            [] => pair,
            _ => format!("{}{}{pair}", value::header(parent), self.line_end),
        })
    }

    fn start_document(&self) -> Result<Put, ConfigError> {
        Ok(Put {
            text: format!("{}{}", self.block()?, self.line_end),
            made: Made {
                at: 0,
                before: Before::Document(self.text.to_owned()),
                gap: None,
            },
        })
    }

    /// Adds a block at the end after one blank line; a last line end stays the last.
    fn append_table(&self, root: &Table) -> Result<Put, ConfigError> {
        let base = layout::without_line_end(self.text);
        let end = self.line_end;
        let glue = if base.ends_with('\n') {
            end.to_owned()
        } else {
            end.repeat(2)
        };
        let text = format!("{base}{glue}{}{}", self.block()?, &self.text[base.len()..]);
        Ok(Put {
            text,
            made: Made {
                at: self.known(root),
                before: Before::Absent,
                gap: Some(Gap {
                    was: String::new(),
                    is: glue,
                }),
            },
        })
    }

    /// How many names of the path lead to something.
    fn known(&self, root: &Table) -> usize {
        let mut item = root.get(self.path[0]);
        let mut known = 0;
        while let Some(found) = item {
            known += 1;
            item = self.path.get(known).and_then(|name| found.get(name));
        }
        known
    }

    /// Adds a pair below the last one of its table.
    fn add_pair(&self, root: &Table) -> Result<Put, ConfigError> {
        let Some((name, parent)) = self.path.split_last() else {
            return Err(ConfigError::no_room("a whole document is never replaced"));
        };
        let pair = value::pair(name, self.new)?;
        let place = if parent.is_empty() {
            let top = self.statements.iter().take_while(|next| !next.is_header());
            top.last()
        } else {
            let mut blocks =
                blocks(&self.statements).filter(|block| block.header.kind == Kind::Table);
            let block = blocks.find(|block| block.header.is_at(parent));
            block.map(|block| block.pairs.last().unwrap_or(block.header))
        };
        let mut splices = Splices::default();
        match place {
            Some(statement) => {
                let stop = layout::line_stop(self.text, statement.range.end);
                splices.replace(stop..stop, format!("{}{pair}", self.line_end));
            }
            None if parent.is_empty() => splices.replace(0..0, format!("{pair}{}", self.line_end)),
            None => return self.append_table(root),
        }
        Ok(Put {
            text: splices.apply(self.text),
            made: Made {
                at: parent.len(),
                before: Before::Absent,
                gap: None,
            },
        })
    }
}

/// From the end of a block's header line to the end of its last pair.
fn body(text: &str, block: &Block<'_>) -> Range<usize> {
    let start = layout::line_stop(text, block.header.range.end);
    start..block.pairs.last().map_or(start, |pair| pair.range.end)
}

pub(super) fn take_out(text: &str, slot: &Slot<'_>, made: &Made) -> Result<String, ConfigError> {
    let document = parse(text)?;
    let statements = statements(text);
    let mut item = Some(document.as_item());
    for name in slot.path {
        item = item.and_then(|item| item.get(name));
    }
    let Some(item) = item else {
        return Ok(text.to_owned());
    };
    let removal = Removal {
        text,
        path: slot.path,
        made,
        statements,
    };
    match &made.before {
        Before::Value(before) if made.at == slot.path.len() => removal.bring_back(item, before),
        _ => removal.text(),
    }
}

/// A member on its way out of a text.
struct Removal<'a> {
    text: &'a str,
    path: &'a [&'a str],
    made: &'a Made,
    statements: Vec<Statement>,
}

impl Removal<'_> {
    fn bring_back(&self, item: &Item, before: &str) -> Result<String, ConfigError> {
        let block = blocks(&self.statements).find(|block| block.header.is_at(self.path));
        let range = match (item, block) {
            (Item::Value(found), _) => found.span(),
            (_, Some(block)) => Some(body(self.text, &block)),
            _ => None,
        };
        let Some(range) = range else {
            return Err(self.in_pieces());
        };
        let mut splices = Splices::default();
        splices.replace(range, before);
        Ok(splices.apply(self.text))
    }

    fn in_pieces(&self) -> ConfigError {
        ConfigError::no_room(format!("{} is part of another value", dotted(self.path)))
    }

    fn text(&self) -> Result<String, ConfigError> {
        let ranges = self.ranges();
        if ranges.is_empty() {
            return Err(self.in_pieces());
        }
        let mut splices = Splices::default();
        for range in ranges {
            splices.replace(range, "");
        }
        let taken = splices.apply(self.text);
        Ok(match &self.made.before {
            Before::Document(before) if taken.trim().is_empty() => before.clone(),
            _ => taken,
        })
    }

    /// The lines that go.
    fn ranges(&self) -> Vec<Range<usize>> {
        let around = self.block_around();
        let is_ours = |header: &Statement| header.is_within(self.path) || around == Some(header);
        let mut ranges = Vec::new();
        let mut pairs = Vec::<Range<usize>>::new();
        let mut below_ours = false;
        for statement in &self.statements {
            if statement.is_header() {
                below_ours = is_ours(statement);
            } else if statement.is_within(self.path) && !below_ours {
                let line = layout::line_start(self.text, statement.range.start)
                    ..layout::line_stop(self.text, statement.range.end);
                match pairs.last_mut() {
                    Some(last) if next_line(self.text, last.end) == line.start => {
                        last.end = line.end;
                    }
                    _ => pairs.push(line),
                }
            }
        }
        for block in blocks(&self.statements).filter(|block| is_ours(block.header)) {
            ranges.push(self.with_glue(block.lines(self.text)));
        }
        ranges.extend(pairs.into_iter().map(|lines| self.with_line_end(lines)));
        ranges
    }

    /// The header that was made for our pair, while no other pair stands below it.
    fn block_around(&self) -> Option<&Statement> {
        let (_, parent) = self.path.split_last()?;
        let was_made = self.made.gap.is_some() || self.made.at < parent.len();
        if !was_made || parent.is_empty() {
            return None;
        }
        let block = blocks(&self.statements).find(|block| block.header.is_at(parent))?;
        let [pair] = block.pairs else {
            return None;
        };
        pair.is_at(self.path).then_some(block.header)
    }

    /// The lines of a block with the blank line that was put before them, else with one before
    /// them that they alone made needful.
    fn with_glue(&self, lines: Range<usize>) -> Range<usize> {
        let (text, before) = (self.text, &self.text[..lines.start]);
        if let Some(gap) = &self.made.gap
            && before.ends_with(&gap.is)
        {
            return lines.start - gap.is.len()..lines.end;
        }
        let without_end = layout::without_line_end(before);
        if without_end.len() < before.len() {
            let is_blank_before = without_end.is_empty() || without_end.ends_with('\n');
            let stop = layout::without_line_end(without_end).len();
            let start = if is_blank_before {
                stop
            } else {
                without_end.len()
            };
            return start..lines.end;
        }
        lines.start..next_line(text, lines.end)
    }

    /// Lines with the line end before them, or, at the start of the text, with the one behind.
    fn with_line_end(&self, lines: Range<usize>) -> Range<usize> {
        if lines.start == 0 {
            return 0..next_line(self.text, lines.end);
        }
        layout::without_line_end(&self.text[..lines.start]).len()..lines.end
    }
}

/// Where the line behind a line's stop starts.
fn next_line(text: &str, stop: usize) -> usize {
    text[stop..]
        .find('\n')
        .map_or(text.len(), |end| stop + end + 1)
}
