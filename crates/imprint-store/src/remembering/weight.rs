//! How much memory an answer takes, roughly.

use std::sync::Arc;

use imprint_core::{
    Acceptance, FileRef, ItemSummary, KeyRecord, Proposal, Revision, RevisionId,
    oauth::{OauthGrant, OauthToken},
};

use super::stamp::LogEnd;

/// What short texts of bounded length take together: client names, addresses, scopes.
const SHORT_TEXTS: usize = 512;

/// An answer that can be weighed.
pub(super) trait Weight: Sized {
    /// What it points at, in bytes.
    fn beyond(&self) -> usize;

    /// All of it, in bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.beyond()
    }
}

impl Weight for bool {
    fn beyond(&self) -> usize {
        0
    }
}

impl Weight for LogEnd {
    fn beyond(&self) -> usize {
        0
    }
}

impl Weight for Arc<[u8]> {
    fn beyond(&self) -> usize {
        self.len()
    }
}

impl<T: Weight> Weight for Option<T> {
    fn beyond(&self) -> usize {
        self.as_ref().map_or(0, T::beyond)
    }
}

impl<T: Weight> Weight for Vec<T> {
    fn beyond(&self) -> usize {
        self.iter().map(T::bytes).sum()
    }
}

impl Weight for ItemSummary {
    fn beyond(&self) -> usize {
        self.name.as_str().len() + self.description.len()
    }
}

impl Weight for FileRef {
    fn beyond(&self) -> usize {
        self.path.as_str().len()
    }
}

impl Weight for Revision {
    fn beyond(&self) -> usize {
        let texts = self.name.as_str().len() + self.description.len() + SHORT_TEXTS;
        texts + self.parents.len() * size_of::<RevisionId>() + self.files.beyond()
    }
}

impl Weight for Proposal {
    fn beyond(&self) -> usize {
        let texts = self.name.as_str().len() + self.description.len() + SHORT_TEXTS;
        texts + self.files.beyond()
    }
}

impl Weight for Acceptance {
    fn beyond(&self) -> usize {
        self.rule.len() + self.reason.len()
    }
}

impl Weight for KeyRecord {
    fn beyond(&self) -> usize {
        let names = self.projects.iter().chain(&self.fence.names);
        let names: usize = names
            .map(|name| size_of_val(name) + name.as_str().len())
            .sum();
        let tags: usize = self
            .fence
            .tags
            .iter()
            .map(|tag| size_of_val(tag) + tag.len())
            .sum();
        names + tags + SHORT_TEXTS
    }
}

impl Weight for OauthGrant {
    fn beyond(&self) -> usize {
        SHORT_TEXTS
    }
}

impl Weight for OauthToken {
    fn beyond(&self) -> usize {
        SHORT_TEXTS
    }
}
