//! The spellings of a list of tools.

use crate::yaml::Value;

/// One list from a blank list, comma list, inline or block list; parentheses protect blanks and
/// commas inside them. `None` for a blank value or a shape that is no list.
pub fn parse_tools(value: &Value) -> Option<Vec<String>> {
    let _ = value;
    todo!()
}
