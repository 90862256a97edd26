//! What must hold of a block.

use imprint_core::{ItemSummary, catalog::unescape};
use imprint_format::text::one_line;
use serde::Deserialize;

use super::get::Get;
use crate::cases::{
    block::{Block, Described},
    item::regex,
    schema::OneOrMore,
    verdict::{CaseError, Verdict, shortened},
};

/// The facts that a case asserts. What is absent or `null` is not asserted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Facts {
    block_present: Option<bool>,
    per_description_max: Option<usize>,
    description_in_block_max: Option<usize>,
    /// Estimated tokens, four characters each.
    block_max_est_tokens: Option<usize>,
    block_max_chars: Option<usize>,
    instructions_max_chars: Option<usize>,
    line_count_of_items: Option<usize>,
    listed_plus_counted: Option<usize>,
    each_item_one_line: Option<bool>,
    each_line_names_kind: Option<bool>,
    all_names_listed_or_counted: Option<bool>,
    cut_is_marked: Option<bool>,
    block_delimiters_balanced: Option<bool>,
    no_line_starts_with_fence: Option<bool>,
    must_contain: Option<OneOrMore<String>>,
    must_not_contain: Option<OneOrMore<String>>,
    must_not_match: Option<OneOrMore<String>>,
    must_contain_readable: Option<OneOrMore<String>>,
    lines_must_not_start_with: Option<OneOrMore<String>>,
    must_not_end_with_partial: Option<OneOrMore<String>>,
    pub(super) get: Option<OneOrMore<Get>>,
    pub(super) registry_created: Option<bool>,
    pub(super) stable_over_runs: Option<usize>,
}

/// What a client was given.
#[derive(Debug)]
pub(super) struct Given<'a> {
    pub(super) instructions: &'a str,
    pub(super) block: Option<Block>,
    /// The items that a model may be told of.
    pub(super) listed: Vec<&'a ItemSummary>,
    /// Whether guidelines stand before the block, or the whole has to fit a cut.
    pub(super) is_fitted: bool,
}

/// A difference if a text has more UTF-16 code units than this.
pub(super) fn within(verdict: &mut Verdict, what: &str, text: &str, max: usize) {
    let units: usize = text.chars().map(char::len_utf16).sum();
    verdict.holds(units <= max, || {
        format!("{what}: {units} of {max} characters")
    });
}

pub(super) fn each(texts: Option<&OneOrMore<String>>) -> impl Iterator<Item = &str> {
    texts
        .into_iter()
        .flat_map(OneOrMore::as_slice)
        .map(String::as_str)
}

impl Facts {
    /// Compares what a client was given with what is asserted.
    pub(super) fn compare(
        &self,
        verdict: &mut Verdict,
        given: &Given<'_>,
    ) -> Result<(), CaseError> {
        if let Some(max) = self.instructions_max_chars {
            within(verdict, "the instructions", given.instructions, max);
        }
        if let Some(present) = self.block_present {
            verdict.equal("block present", &present, &given.block.is_some());
        }
        self.compare_wanted(verdict, given);
        let Some(block) = &given.block else {
            let needs_one = self.line_count_of_items.is_some_and(|count| count > 0)
                || self.listed_plus_counted.is_some_and(|count| count > 0)
                || self.each_item_one_line == Some(true)
                || self.description_in_block_max.is_some()
                || self.cut_is_marked == Some(true);
            verdict.holds(!needs_one, || "there is no block".to_owned());
            return Ok(());
        };
        self.compare_sizes(verdict, block);
        self.compare_texts(verdict, block)?;
        self.compare_lines(verdict, block);
        self.compare_items(verdict, block, given);
        self.compare_cuts(verdict, block, given);
        Ok(())
    }

    /// What must stand there, stands in the block; where there is more that the case can be about,
    /// it may also stand before it.
    fn compare_wanted(&self, verdict: &mut Verdict, given: &Given<'_>) {
        let may_be_before = given.is_fitted || self.instructions_max_chars.is_some();
        let text = match &given.block {
            Some(block) if !may_be_before => block.text.as_str(),
            _ => given.instructions,
        };
        for wanted in each(self.must_contain.as_ref()) {
            verdict.holds(text.contains(wanted), || {
                format!("{wanted:?} is not in {:?}", shortened(text))
            });
        }
        let readable = unescape(text);
        for wanted in each(self.must_contain_readable.as_ref()) {
            verdict.holds(readable.contains(wanted), || {
                format!("{wanted:?} can't be read in {:?}", shortened(&readable))
            });
        }
    }

    fn compare_sizes(&self, verdict: &mut Verdict, block: &Block) {
        if let Some(tokens) = self.block_max_est_tokens {
            within(verdict, "the block", &block.text, tokens * 4);
        }
        if let Some(max) = self.block_max_chars {
            within(verdict, "the block", &block.text, max);
        }
        let max = self
            .per_description_max
            .iter()
            .chain(&self.description_in_block_max);
        let Some(max) = max.min().copied() else {
            return;
        };
        for item in &block.described {
            let chars = item.description.chars().count();
            verdict.holds(chars <= max, || {
                format!("the description of `{}` has {chars} characters", item.name)
            });
        }
    }

    fn compare_texts(&self, verdict: &mut Verdict, block: &Block) -> Result<(), CaseError> {
        for unwanted in each(self.must_not_contain.as_ref()) {
            verdict.holds(!block.text.contains(unwanted), || {
                format!("{unwanted:?} is in the block")
            });
        }
        for pattern in each(self.must_not_match.as_ref()) {
            verdict.holds(!regex(pattern)?.is_match(&block.text), || {
                format!("the block matches `{pattern}`")
            });
        }
        if self.block_delimiters_balanced == Some(true) {
            verdict.holds(is_balanced(&block.text), || {
                "the block's delimiters are not balanced".to_owned()
            });
        }
        Ok(())
    }

    fn compare_lines(&self, verdict: &mut Verdict, block: &Block) {
        // The first line is the block's own head, the only one that no text of an item is in.
        for line in block.text.lines().skip(1) {
            for start in each(self.lines_must_not_start_with.as_ref()) {
                verdict.holds(!line.trim_start().starts_with(start), || {
                    format!("a line starts with {start:?}")
                });
            }
            if self.no_line_starts_with_fence == Some(true) {
                let line = line.trim_start();
                let is_fence = line.starts_with("```") || line.starts_with("~~~");
                verdict.holds(!is_fence, || format!("a line opens a fence: {line:?}"));
            }
        }
        if self.each_item_one_line == Some(true) || self.each_line_names_kind == Some(true) {
            for line in &block.foreign {
                verdict.differs(format!("a line is no item's: {:?}", shortened(line)));
            }
        }
    }

    fn compare_items(&self, verdict: &mut Verdict, block: &Block, given: &Given<'_>) {
        if let Some(count) = self.line_count_of_items {
            verdict.equal("lines of items", &count, &block.described.len());
        }
        if let Some(count) = self.listed_plus_counted {
            verdict.equal("listed and counted", &count, &block.accounted_for());
        }
        if self.all_names_listed_or_counted == Some(true) {
            let count = given.listed.len();
            verdict.equal("listed and counted", &count, &block.accounted_for());
        }
        if self.each_item_one_line == Some(true) {
            for item in &given.listed {
                let lines = block.described.iter();
                let lines = lines.filter(|described| is_of(described, item)).count();
                verdict.equal(&format!("lines of `{}`", item.name), &1, &lines);
            }
        }
    }

    fn compare_cuts(&self, verdict: &mut Verdict, block: &Block, given: &Given<'_>) {
        for described in &block.described {
            let Some(item) = given.listed.iter().find(|item| is_of(described, item)) else {
                verdict.differs(format!("`{}` is no listed item", described.name));
                continue;
            };
            let shown = &described.description;
            let is_cut = unescape(shown) != one_line(&item.description);
            let unmarked = shown.strip_suffix('…');
            if self.cut_is_marked == Some(true) && is_cut {
                verdict.holds(unmarked.is_some(), || {
                    format!("the cut of `{}` is not marked", item.name)
                });
            }
            let end = unmarked.unwrap_or(shown);
            for partial in each(self.must_not_end_with_partial.as_ref()) {
                verdict.holds(!end.ends_with(partial), || {
                    format!("the description of `{}` ends in {partial:?}", item.name)
                });
            }
        }
    }
}

fn is_of(described: &Described, item: &ItemSummary) -> bool {
    described.kind == item.kind.as_str() && described.name == item.name.as_str()
}

/// Whether everything that is opened like a tag is closed, in order. A block without tags is
/// balanced: then nothing in it can close anything.
fn is_balanced(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let Some((tag, _)) = part.split_once('>') else {
            continue;
        };
        match tag.strip_prefix('/') {
            Some(closed) if open.pop() != Some(closed) => return false,
            Some(_) => {}
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap_or_default()),
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_must_close_in_order() {
        assert!(is_balanced("plain < text & more"));
        assert!(is_balanced("<a><b x=1>text</b><c/></a>"));
        assert!(!is_balanced("<a>text</b>"));
        assert!(!is_balanced("text</skill>"));
        assert!(!is_balanced("<a>"));
    }

    #[test]
    fn unknown_facts_are_refused() {
        let facts = serde_json::from_str::<Facts>(r#"{"block_presnt": true}"#);
        assert!(facts.is_err());
    }
}
