//! What an undo would take back, and what it came to.

use serde::Serialize;

use super::SetupFailure;

/// What was taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    /// Clients' files out of which our entry was taken.
    pub disconnected: Vec<String>,
    /// What was moved back: where it is again.
    pub moved_back: Vec<String>,
    /// Copies that are no more looked after and are as they were.
    pub released: Vec<String>,
    /// Items that setup had created and that are removed now.
    pub removed: usize,
    /// Items that have the revision again that they had before.
    pub restored: usize,
    /// What was left as it is, because it was edited since.
    pub kept: Vec<KeptByUndo>,
    /// What the system refused. Another undo tries it again.
    pub failures: Vec<SetupFailure>,
}

/// What an undo would take back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UndoPlan {
    /// The clients, by id, whose entry is taken out.
    pub disconnect: Vec<String>,
    /// What is moved back: where it was.
    pub move_back: Vec<String>,
    /// Copies that are no more looked after.
    pub release: usize,
    /// Items that setup created.
    pub remove: usize,
    /// Items that get their earlier revision back.
    pub restore: usize,
}

/// Something that undo left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeptByUndo {
    /// The place or the item.
    pub what: String,
    /// Why.
    pub why: String,
    /// Where the original is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}
