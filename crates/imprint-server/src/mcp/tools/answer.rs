//! What a tool answers: text for a model.

use imprint_core::secret::masked_in;
use rmcp::model::{CallToolResult, ContentBlock};

/// A call that can't be answered as asked: what is wrong, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault(String);

impl Fault {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The same fault, with what to do about it behind it.
    pub(super) fn hint(self, next: &str) -> Self {
        Self(format!("{}. {next}", self.0))
    }

    /// The same fault, after what was done all the same.
    pub(super) fn after(self, done: &str) -> Self {
        Self(format!("{done}\nBut {}", self.0))
    }
}

/// Text, or why there is none.
pub(super) type Answer = Result<String, Fault>;

/// An answer as it goes over the wire.
pub(super) fn into_result(answer: Answer) -> CallToolResult {
    match answer {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        // A fault quotes arguments, and clients log what they are told.
        Err(Fault(text)) => {
            CallToolResult::error(vec![ContentBlock::text(masked_in(&text).into_owned())])
        }
    }
}

/// Names in a row, as text says them: `a`, `b` or `c`.
pub(super) fn either(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<_> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
