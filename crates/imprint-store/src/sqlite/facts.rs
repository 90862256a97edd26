//! The `facts` column of an item: what is read only with the whole item, in fixed width.

use imprint_core::{ItemSummary, LogPosition, RevisionId, Timestamp};
use imprint_format::Digest;

/// The parts of an [`ItemSummary`] that no query asks for by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) head: RevisionId,
    pub(super) tree: Digest,
    pub(super) created_at: Timestamp,
    pub(super) changed_at: Timestamp,
    pub(super) changed_in: LogPosition,
    pub(super) pinned: bool,
    pub(super) hidden_from_model: bool,
}

/// Two digests, three numbers, two flags.
const BYTES: usize = 2 * 32 + 3 * 8 + 2;

impl Facts {
    pub(super) fn of(item: &ItemSummary) -> Self {
        Self {
            head: item.head,
            tree: item.tree,
            created_at: item.created_at,
            changed_at: item.changed_at,
            changed_in: item.changed_in,
            pinned: item.pinned,
            hidden_from_model: item.hidden_from_model,
        }
    }

    /// The fields in the order of the struct, numbers with their highest byte first.
    pub(super) fn encode(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend_from_slice(self.head.0.as_bytes());
        bytes.extend_from_slice(self.tree.as_bytes());
        bytes.extend_from_slice(&self.created_at.0.to_be_bytes());
        bytes.extend_from_slice(&self.changed_at.0.to_be_bytes());
        bytes.extend_from_slice(&self.changed_in.0.to_be_bytes());
        bytes.extend_from_slice(&[self.pinned.into(), self.hidden_from_model.into()]);
        bytes
    }

    /// `None` unless the bytes are what [`Facts::encode`] gives.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk()?;
        let (tree, rest) = rest.split_first_chunk()?;
        let (created_at, rest) = rest.split_first_chunk()?;
        let (changed_at, rest) = rest.split_first_chunk()?;
        let (changed_in, rest) = rest.split_first_chunk()?;
        let &[pinned @ 0..=1, hidden_from_model @ 0..=1] = rest else {
            return None;
        };
        Some(Self {
            head: RevisionId(Digest::from_bytes(*head)),
            tree: Digest::from_bytes(*tree),
            created_at: Timestamp(i64::from_be_bytes(*created_at)),
            changed_at: Timestamp(i64::from_be_bytes(*changed_at)),
            changed_in: LogPosition(u64::from_be_bytes(*changed_in)),
            pinned: pinned == 1,
            hidden_from_model: hidden_from_model == 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            head: RevisionId(Digest::of(b"head")),
            tree: Digest::of(b"tree"),
            created_at: Timestamp(-5),
            changed_at: Timestamp(i64::MAX),
            changed_in: LogPosition(7),
            pinned: true,
            hidden_from_model: false,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = facts().encode();
        assert_eq!(bytes.len(), BYTES);
        assert_eq!(Facts::decode(&bytes), Some(facts()));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = facts().encode();
        assert_eq!(Facts::decode(&[]), None);
        assert_eq!(Facts::decode(&bytes[1..]), None);
        assert_eq!(Facts::decode(&[bytes.as_slice(), &[0]].concat()), None);
        let mut odd = bytes;
        odd[BYTES - 1] = 2;
        assert_eq!(Facts::decode(&odd), None);
    }
}
