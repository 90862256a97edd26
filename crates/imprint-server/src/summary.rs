//! What the server offers, for those who describe it before it runs.

use imprint_core::{
    ClientTable,
    fit::{FitInput, Peer, fit},
};

use crate::mcp::list_tools;

/// A tool, as someone reads of it who has not started the server yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSummary {
    /// The name that clients call it by.
    pub name: String,
    /// Its description in a registry without items, on one line.
    pub description: String,
}

/// All tools, in the order in which clients list them.
pub fn tools() -> Vec<ToolSummary> {
    let without_items = fit(FitInput {
        items: &[],
        guidelines: &[],
        report: None,
        peer: &Peer::default(),
        clients: ClientTable::new(&[]),
    });
    list_tools(&without_items.skills_description, |_| true)
        .into_iter()
        .map(|tool| ToolSummary {
            name: tool.name.into_owned(),
            description: tool.description.unwrap_or_default().into_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_described_on_one_line() {
        let tools = tools();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["skills", "skill_edit", "guidelines"]);
        for tool in tools {
            let text = tool.description;
            assert!(text.ends_with('.') && !text.contains('\n'), "{text}");
        }
    }
}
