//! The spellings of a list of tools.

use std::collections::HashSet;

use crate::yaml::Value;

/// One list from a blank list, comma list, inline or block list; parentheses protect blanks and
/// commas inside them. `None` for a blank value or a shape that is no list.
pub fn parse_tools(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Scalar(text) if text.trim().is_empty() => None,
        Value::Scalar(text) => Some(split(text, |c| c == ',' || c.is_whitespace())),
        Value::Sequence(items) => {
            let items: Option<Vec<String>> = items.iter().map(item_text).collect();
            Some(rejoin(&items?))
        }
        Value::Mapping(_) => None,
    }
}

/// One entry of a YAML list as text. `- Bash(git: add)` is a mapping to YAML.
fn item_text(item: &Value) -> Option<String> {
    match item {
        Value::Scalar(text) => Some(text.clone()),
        Value::Mapping(pairs) => match pairs.as_slice() {
            [(key, Value::Scalar(value))] if key.contains('(') => Some(format!("{key}: {value}")),
            _ => None,
        },
        Value::Sequence(_) => None,
    }
}

/// The entries of a YAML list, those that were split at a comma inside parentheses put together.
fn rejoin(items: &[String]) -> Vec<String> {
    split(&items.join(", "), |c| c == ',')
}

/// The parts between separators that stand outside parentheses, without quotes and blanks around
/// them. A parenthesis that is never closed protects nothing.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<String> {
    let closed = closed_parentheses(text);
    let mut tools = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' if closed.contains(&at) => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && is_separator(c) => {
                push_tool(&mut tools, &text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    push_tool(&mut tools, &text[start..]);
    tools
}

/// The places of the opening parentheses that have a closing one.
fn closed_parentheses(text: &str) -> HashSet<usize> {
    let mut open = Vec::new();
    let mut closed = HashSet::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => closed.extend(open.pop()),
            _ => {}
        }
    }
    closed
}

fn push_tool(tools: &mut Vec<String>, text: &str) {
    let tool = text.trim().trim_matches(['"', '\'']).trim();
    if !tool.is_empty() {
        tools.push(tool.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse_mapping;

    fn tools(header: &str) -> Option<Vec<String>> {
        parse_tools(&parse_mapping(header).unwrap()[0].value)
    }

    #[test]
    fn all_spellings_give_one_list() {
        for spelling in [
            "t: Read Grep Bash(git add:*)",
            "t: Read, Grep, Bash(git add:*)",
            "t: Read,Grep,Bash(git add:*),",
            "t: [Read, Grep, Bash(git add:*)]",
            "t: ['Read', \"Grep\", \"Bash(git add:*)\"]",
            "t:\n  - Read\n  - Grep\n  - Bash(git add:*)\n",
            "t: |\n  Read\n  Grep\n  Bash(git add:*)\n",
        ] {
            let expected = ["Read", "Grep", "Bash(git add:*)"].map(str::to_owned);
            assert_eq!(tools(spelling).unwrap(), expected, "{spelling}");
        }
    }

    #[test]
    fn parentheses_protect() {
        let list = |text: &str| tools(text).unwrap();
        assert_eq!(
            list("t: Read, Bash(git add:*, git commit:*), mcp__notes__search"),
            [
                "Read",
                "Bash(git add:*, git commit:*)",
                "mcp__notes__search"
            ]
        );
        assert_eq!(
            list("t: [Bash(a:*, b (c, d)), Read]"),
            ["Bash(a:*, b (c, d))", "Read"]
        );
        assert_eq!(
            list("t:\n  - Bash(git: add)\n  - Read"),
            ["Bash(git: add)", "Read"]
        );
        assert_eq!(list("t: Bash(git, Read"), ["Bash(git", "Read"]);
        assert_eq!(list("t: Bash((a, b), Read"), ["Bash((a, b)", "Read"]);
        assert_eq!(list("t: a) b"), ["a)", "b"]);
    }

    #[test]
    fn blank_is_omitted_and_empty_is_empty() {
        assert_eq!(tools("t:"), None);
        assert_eq!(tools("t: \"  \""), None);
        assert_eq!(tools("t: []"), Some(Vec::new()));
        assert_eq!(tools("t: {Read: true}"), None);
        assert_eq!(tools("t: [[Read]]"), None);
    }
}
