//! The block: the compact list of active items as text for a model.

use crate::ItemSummary;

/// Characters (code points) of one description in the block.
pub const DESCRIPTION_CHARS: usize = 250;
/// Estimated tokens of a whole block, four characters each.
pub const BLOCK_TOKENS: usize = 1_500;
/// Characters that one estimated token stands for.
pub const CHARS_PER_TOKEN: usize = 4;

/// How much room a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockBudget {
    /// Characters of the whole block, counted as `unit` says.
    pub max: usize,
    /// How characters are counted.
    pub unit: CharUnit,
    /// Names only, no descriptions.
    pub names_only: bool,
}

/// How a client counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharUnit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 code units.
    Utf16,
}

/// The block for these items, already filtered (active, visible to models, not left out), within
/// the budget: in the order pinned, most loaded, name; with descriptions while there is room, then
/// by name, then counted with a pointer to `skills(action="list")`. `None` without items, or when
/// not even the count has room. Text from items can't forge a line or close a delimiter.
pub fn block(items: &[&ItemSummary], budget: BlockBudget) -> Option<String> {
    let _ = (items, budget);
    todo!()
}
