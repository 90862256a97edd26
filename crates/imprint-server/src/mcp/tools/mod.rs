//! The tools: one file for each, and what they share.

mod answer;
mod arguments;
mod faults;
mod guidelines;
mod page;
mod schema;
mod skill_edit;
mod skills;
mod toolsets;

use std::sync::Arc;

use imprint_core::{
    ItemId, Registry,
    fit::{Location, Peer},
    secret::masked_in,
};
use imprint_format::text;
use rmcp::{ErrorData, model::CallToolResult};
use serde_json::{Map, Value};

use super::instructions;
use crate::{ServerContext, caller::Caller};

pub(crate) use schema::list;
pub use toolsets::{NotAToolset, Toolsets};

/// A tool that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Skills,
    SkillEdit,
    Guidelines,
}

impl Tool {
    pub(crate) const ALL: [Self; 3] = [Self::Skills, Self::SkillEdit, Self::Guidelines];

    /// The tool of this name, whether it is offered or not.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::SkillEdit => "skill_edit",
            Self::Guidelines => "guidelines",
        }
    }
}

/// Names with dots, which several clients can't call, and what took their place.
const OLD_NAMES: [(&str, &str); 4] = [
    ("sync.get_profile", "sync_get_profile"),
    ("sync.get_recent_decisions", "sync_get_recent_decisions"),
    ("sync.record_decision", "sync_record_decision"),
    ("sync.submit_feedback", "sync_submit_feedback"),
];

/// One call of a tool.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) context: Arc<ServerContext>,
    pub(crate) caller: Arc<Caller>,
    /// The items as the caller sees them, changed in the name of the caller's client.
    pub(crate) registry: Registry,
    pub(crate) peer: Peer,
    pub(crate) arguments: Map<String, Value>,
}

impl Call {
    /// Where an item's files stand for clients on this machine. Nobody else is told: it is no use
    /// to them, and paths tell names.
    async fn folder_of(&self, item: ItemId) -> Option<String> {
        if self.peer.location == Location::Elsewhere {
            return None;
        }
        self.context.folders.folder_of(item).await
    }

    /// Characters that a whole answer may have for this client.
    fn page_chars(&self) -> usize {
        instructions::fit_nothing(&self.context, &self.peer).page_chars
    }
}

/// The tool of this name, if it is among those that are offered.
pub(crate) fn find(name: &str, offers: impl Fn(Tool) -> bool) -> Result<Tool, ErrorData> {
    let offered = Tool::ALL.into_iter().filter(|tool| offers(*tool));
    if let Some(tool) = offered.clone().find(|tool| tool.name() == name) {
        return Ok(tool);
    }
    let names: Vec<_> = offered.map(|tool| format!("`{}`", tool.name())).collect();
    let there_are = match names.as_slice() {
        [] => "no tool, for want of scopes".to_owned(),
        names => names.join(", "),
    };
    let message = if let Some((old, new)) = OLD_NAMES.iter().find(|(old, _)| *old == name) {
        format!(
            "the tool `{old}` is called `{new}` now, and this server doesn't offer it; it offers \
             {there_are}"
        )
    } else {
        let name = text::clip(&text::one_line(&masked_in(name)), 100);
        format!("there is no tool `{name}`; this server offers {there_are}")
    };
    Err(ErrorData::invalid_params(message, None))
}

/// Carries out a call. What goes wrong is told in the result, with what to do next.
pub(crate) async fn run(tool: Tool, call: Call) -> CallToolResult {
    let answer = match tool {
        Tool::Skills => skills::run(&call).await,
        Tool::SkillEdit => skill_edit::run(&call).await,
        Tool::Guidelines => guidelines::run(&call).await,
    };
    answer::into_result(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_dots_and_unknown_names_are_told_the_right_ones() {
        let message = |name| find(name, |_| true).expect_err(name).message.into_owned();
        insta::assert_snapshot!(message("sync.get_profile"), @"the tool `sync.get_profile` is called `sync_get_profile` now, and this server doesn't offer it; it offers `skills`, `skill_edit`, `guidelines`");
        insta::assert_snapshot!(message("skill\n"), @"there is no tool `skill`; this server offers `skills`, `skill_edit`, `guidelines`");
    }
}
