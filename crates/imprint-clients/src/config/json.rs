//! JSON, with comments or without: the parser gives byte ranges, the edits are splices of them.

mod parsed;
mod style;

use std::ops::Range;

use jsonc_parser::ast::Object;

use self::{
    parsed::{Found, MarkKind, Member, Node, Parsed, range_of, value_of},
    style::Style,
};
use super::{
    Before, ConfigError, Gap, Made, Put, Slot, Value,
    layout::{self, Splices},
    nested,
};

/// The whole text as a value. A path that is ambiguous in it is refused.
pub(super) fn read(text: &str, slot: &Slot<'_>) -> Result<Value, ConfigError> {
    let parsed = Parsed::new(text, slot.syntax)?;
    if let Err(error @ ConfigError::Ambiguous { .. }) = parsed.find(slot.path) {
        return Err(error);
    }
    Ok(parsed.root.as_ref().map_or(Value::Null, value_of))
}

pub(super) fn put(text: &str, slot: &Slot<'_>, value: &Value) -> Result<Put, ConfigError> {
    let parsed = Parsed::new(text, slot.syntax)?;
    let edit = Edit {
        style: Style::of(&parsed),
        parsed: &parsed,
        slot,
        value,
    };
    Ok(match parsed.find(slot.path)? {
        Found::Member(chain) => edit.replace(&chain),
        Found::Room { at, object } => edit.insert(at, object),
        Found::Null { at, range } => edit.fill(at, range),
        Found::Nowhere => edit.start_document(),
    })
}

/// A value on its way into a text.
struct Edit<'p, 't> {
    parsed: &'p Parsed<'t>,
    style: Style<'t>,
    slot: &'p Slot<'p>,
    value: &'p Value,
}

impl<'t> Edit<'_, 't> {
    fn replace(&self, chain: &[&Member<'t>]) -> Put {
        let text = self.parsed.text;
        let mut splices = Splices::default();
        let mut before = Before::Absent;
        if let Some(member) = chain.last() {
            let range = range_of(&member.value);
            before = Before::Value(text[range.clone()].to_owned());
            if value_of(&member.value) != *self.value {
                let indent = layout::indent(text, member.range.start);
                splices.replace(range, self.style.value(self.value, indent));
            }
        }
        Put {
            text: splices.apply(text),
            made: Made {
                at: self.slot.path.len(),
                before,
                gap: None,
            },
        }
    }

    /// Adds the member `path[at]` behind whatever the object ends with, comments included.
    fn insert(&self, at: usize, object: &Object<'t>) -> Put {
        let (text, style) = (self.parsed.text, &self.style);
        let close = object.range.end - 1;
        let place = self
            .parsed
            .mark_before(close)
            .map_or(close, |mark| mark.range.end);
        let last = object.properties.last().map(|member| member.range.end);
        let trailing = last.is_some_and(|end| self.parsed.comma_in(end..close).is_some());
        let mut splices = Splices::default();
        if let Some(end) = last.filter(|_| !trailing) {
            splices.replace(end..end, ",");
        }
        let end = style.line_end;
        let member = self.member(at, &style.indent_in(object));
        let comma = if trailing { "," } else { "" };
        splices.replace(place..place, format!("{end}{member}{comma}"));
        let was = &text[place..close];
        let gap = (!was.contains('\n')).then(|| Gap {
            was: was.to_owned(),
            is: format!("{end}{}", layout::indent(text, object.range.start)),
        });
        if let Some(gap) = &gap {
            splices.replace(place..close, gap.is.clone());
        }
        let before = match last {
            Some(_) => Before::Absent,
            None => Before::Value(text[object.range.start..object.range.end].to_owned()),
        };
        Put {
            text: splices.apply(text),
            made: Made { at, before, gap },
        }
    }

    /// Puts an object where a null stands.
    fn fill(&self, at: usize, range: Range<usize>) -> Put {
        let text = self.parsed.text;
        let value = nested(&self.slot.path[at..], self.value);
        let before = Before::Value(text[range.clone()].to_owned());
        let mut splices = Splices::default();
        let indent = layout::indent(text, range.start);
        splices.replace(range, self.style.value(&value, indent));
        Put {
            text: splices.apply(text),
            made: Made {
                at,
                before,
                gap: None,
            },
        }
    }

    /// Behind the blanks and comments of a text without a value.
    fn start_document(&self) -> Put {
        let (text, end) = (self.parsed.text, self.style.line_end);
        let kept = if text.trim().is_empty() { "" } else { text };
        let between = if kept.is_empty() || kept.ends_with('\n') {
            ""
        } else {
            end
        };
        let value = self.style.value(&nested(self.slot.path, self.value), "");
        Put {
            text: format!("{kept}{between}{value}{end}"),
            made: Made {
                at: 0,
                before: Before::Document(text.to_owned()),
                gap: None,
            },
        }
    }

    fn member(&self, at: usize, indent: &str) -> String {
        let path = self.slot.path;
        self.style
            .member(path[at], &nested(&path[at + 1..], self.value), indent)
    }
}

pub(super) fn take_out(text: &str, slot: &Slot<'_>, made: &Made) -> Result<String, ConfigError> {
    let parsed = Parsed::new(text, slot.syntax)?;
    let Found::Member(chain) = parsed.find(slot.path)? else {
        return Ok(text.to_owned());
    };
    let removal = Removal {
        parsed: &parsed,
        chain,
        made,
    };
    Ok(removal.text(slot))
}

/// A member on its way out of a text.
struct Removal<'p, 't> {
    parsed: &'p Parsed<'t>,
    /// The members on the way to it, itself last.
    chain: Vec<&'p Member<'t>>,
    made: &'p Made,
}

impl<'p, 't> Removal<'p, 't> {
    fn text(&self, slot: &Slot<'_>) -> String {
        let cut = self.cut();
        self.restored(cut, slot)
            .unwrap_or_else(|| self.without(cut))
    }

    /// The outermost member that goes: one that was made, and holds nothing but ours.
    fn cut(&self) -> usize {
        let mut cut = self.chain.len() - 1;
        while cut > self.made.at && self.holds_only(cut, &[]) {
            cut -= 1;
        }
        cut
    }

    /// Whether the object around `chain[at]` has no other member and, around it, these comments.
    fn holds_only(&self, at: usize, comments: &[&str]) -> bool {
        let range = range_of(self.chain[at]);
        self.object_around(at).is_some_and(|object| {
            let around = object.range.start..object.range.end;
            object.properties.len() == 1 && self.parsed.comments_around(around, &range) == comments
        })
    }

    fn object_around(&self, at: usize) -> Option<&'p Object<'t>> {
        let node = match at.checked_sub(1) {
            Some(outer) => Some(&self.chain[outer].value),
            None => self.parsed.root.as_ref(),
        };
        node.and_then(Node::as_object)
    }

    /// The text with what stood there before, if that is known and nothing came to it.
    fn restored(&self, cut: usize, slot: &Slot<'_>) -> Option<String> {
        let text = self.parsed.text;
        match &self.made.before {
            Before::Absent => None,
            Before::Document(before) => {
                let range = range_of(self.parsed.root.as_ref()?);
                let is_alone = text[range.end..].trim().is_empty()
                    && text[..range.start].trim() == before.trim();
                (cut == 0 && is_alone && self.holds_only(0, &[])).then(|| before.clone())
            }
            Before::Value(before) => {
                let range = if self.made.at == self.chain.len() {
                    range_of(&self.chain.last()?.value)
                } else {
                    let earlier = Parsed::new(before, slot.syntax).ok()?;
                    let comments = earlier.comments_around(0..before.len(), &(0..0));
                    if cut != self.made.at || !self.holds_only(cut, &comments) {
                        return None;
                    }
                    let object = self.object_around(cut)?;
                    object.range.start..object.range.end
                };
                let mut splices = Splices::default();
                splices.replace(range, before.clone());
                Some(splices.apply(text))
            }
        }
    }

    /// The text without the member, its comma, and the blanks before it.
    fn without(&self, cut: usize) -> String {
        let (parsed, text) = (self.parsed, self.parsed.text);
        let Some(object) = self.object_around(cut) else {
            return text.to_owned();
        };
        let member = range_of(self.chain[cut]);
        let close = object.range.end - 1;
        let mut splices = Splices::default();
        let mut stop = member.end;
        if let Some(comma) = parsed.comma_in(member.end..close) {
            stop = comma.range.end;
            splices.replace(comma.range.clone(), "");
        } else if let Some(before) = object
            .properties
            .iter()
            .rev()
            .find(|m| m.range.end <= member.start)
            && let Some(comma) = parsed.comma_in(before.range.end..member.start)
        {
            splices.replace(comma.range.clone(), "");
        }
        let (blanks, tail) = self.blanks_around(&member, stop, close);
        splices.replace(blanks.start..member.end, "");
        splices.replace(stop..blanks.end, "");
        if let Some(tail) = tail {
            splices.replace(stop..close, tail);
        }
        splices.apply(text)
    }

    /// The blanks that go with a member, those before it or those behind it, and what the blanks
    /// between it and the closing brace become.
    fn blanks_around(
        &self,
        member: &Range<usize>,
        stop: usize,
        close: usize,
    ) -> (Range<usize>, Option<String>) {
        let text = self.parsed.text;
        let before = self.parsed.mark_before(member.start);
        let after_comment = before.is_some_and(|mark| mark.kind == MarkKind::LineComment);
        let behind = &text[stop..close];
        let is_last = behind.trim().is_empty();
        let gap = self.made.gap.as_ref().filter(|gap| {
            is_last && behind == gap.is && (!after_comment || gap.was.contains('\n'))
        });
        let line_ends_here = text[stop..layout::line_stop(text, stop)].trim().is_empty();
        let blanks = match before {
            Some(mark) if line_ends_here || (is_last && !after_comment) => mark.range.end..stop,
            _ => {
                let others = behind.trim_start_matches([' ', '\t']);
                member.start..stop + (behind.len() - others.len())
            }
        };
        (blanks, gap.map(|gap| gap.was.clone()))
    }
}
