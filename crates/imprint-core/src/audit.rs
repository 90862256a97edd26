//! The audit: who did what to what, in a chain in which a gap shows. No contents, no secrets.

use imprint_format::{Digest, text};
use serde::{Deserialize, Serialize};

use crate::{Actor, RevisionId, Timestamp, secret::masked_in};

/// The most characters of a name or a reason in a row.
const TEXT_CHARS: usize = 200;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// An item was made.
    ItemCreated,
    /// An item got a new revision.
    ItemChanged,
    /// An item was enabled, disabled, removed or brought back.
    ItemStateSet,
    /// An item was pinned or unpinned.
    ItemPinSet,
    /// A finding of the scan was accepted.
    FindingAccepted,
    /// A change was proposed.
    Proposed,
    /// A proposal was accepted.
    ProposalAccepted,
    /// A proposal was rejected.
    ProposalRejected,
    /// A key was made.
    KeyCreated,
    /// A key got another name.
    KeyRenamed,
    /// A key got an end, because another takes its place.
    KeyRotated,
    /// A key was taken back.
    KeyRevoked,
    /// A key was seen in an address, where logs and histories keep it.
    KeyLeaked,
    /// An OAuth client registered itself.
    OauthClientRegistered,
    /// The user let an OAuth client in.
    OauthGranted,
    /// The user let an OAuth client wait outside.
    OauthDenied,
    /// A grant was taken back.
    OauthRevoked,
    /// Something that the asker may not do was asked for.
    Refused,
}

/// What it was done to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// `skill`, `persona`, `guideline`, `key`, `grant`, `tool`, `route`, …
    pub kind: String,
    /// Its identity, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Subject {
    /// A subject of this kind. The name is made visible, freed of credentials and cut.
    pub fn new(kind: &str, id: Option<String>, name: Option<&str>) -> Self {
        Self {
            kind: kind.to_owned(),
            id,
            name: name.map(harmless),
        }
    }
}

/// What is to be written down, before it has its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// What was done, or asked for.
    pub act: Act,
    /// To what.
    pub subject: Subject,
    /// The revision that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<RevisionId>,
    /// The revision that it came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<RevisionId>,
    /// More, in a few words: the new state, or why something was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl AuditEntry {
    /// An act on a subject.
    pub fn new(act: Act, subject: Subject) -> Self {
        Self {
            act,
            subject,
            before: None,
            after: None,
            detail: None,
        }
    }

    /// Adds a few words, made visible, freed of credentials and cut.
    #[must_use]
    pub fn detail(mut self, detail: &str) -> Self {
        self.detail = Some(harmless(detail));
        self
    }
}

/// One row of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

/// A row with its link in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLink {
    /// The row as JSON: what is kept and hashed.
    pub row: String,
    /// SHA-256 of a label, the hash before and the row.
    pub hash: Digest,
}

/// The last link: what the next one hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditEnd {
    /// How many rows there are.
    pub seq: u64,
    /// The last hash.
    pub hash: Digest,
}

impl Default for AuditEnd {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl AuditEnd {
    /// Where nothing was written yet.
    pub const NOTHING: Self = Self {
        seq: 0,
        hash: Digest::from_bytes([0; 32]),
    };

    /// Appends a row and moves on.
    pub fn link(&mut self, at: Timestamp, actor: &Actor, entry: AuditEntry) -> AuditLink {
        let row = AuditRow {
            seq: self.seq + 1,
            at,
            actor: actor.clone(),
            entry,
        };
        // Strings, numbers and options: this can't fail.
        let row = serde_json::to_string(&row).unwrap_or_default();
        self.seq += 1;
        self.hash = chained(self.hash, &row);
        AuditLink {
            row,
            hash: self.hash,
        }
    }
}

/// Where a chain doesn't hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the audit does not hold at row {seq}: rows are missing or were changed")]
pub struct AuditGap {
    /// The first row that doesn't follow from the one before.
    pub seq: u64,
}

/// Checks that links, oldest first, follow from `end`, and gives the new end.
pub fn verify(end: AuditEnd, links: &[AuditLink]) -> Result<AuditEnd, AuditGap> {
    let mut end = end;
    for link in links {
        let seq = end.seq + 1;
        let row: Option<AuditRow> = serde_json::from_str(&link.row).ok();
        let follows =
            row.is_some_and(|row| row.seq == seq) && link.hash == chained(end.hash, &link.row);
        if !follows {
            return Err(AuditGap { seq });
        }
        end = AuditEnd {
            seq,
            hash: link.hash,
        };
    }
    Ok(end)
}

fn chained(previous: Digest, row: &str) -> Digest {
    let mut bytes = b"imprint-audit-1\0".to_vec();
    bytes.extend_from_slice(previous.as_bytes());
    bytes.extend_from_slice(row.as_bytes());
    Digest::of(&bytes)
}

fn harmless(words: &str) -> String {
    text::clip(&text::one_line(&masked_in(words)), TEXT_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: u64) -> Vec<AuditLink> {
        let mut end = AuditEnd::NOTHING;
        let entry = |number| {
            let subject = Subject::new("skill", None, Some("deploy"));
            AuditEntry::new(Act::ItemChanged, subject).detail(&format!("change {number}"))
        };
        (0..length)
            .map(|number| end.link(Timestamp(5), &Actor::default(), entry(number)))
            .collect()
    }

    #[test]
    fn a_gap_and_a_change_show() {
        let whole = chain(5);
        assert_eq!(verify(AuditEnd::NOTHING, &whole).unwrap().seq, 5);
        let mut without = whole.clone();
        without.remove(2);
        assert_eq!(
            verify(AuditEnd::NOTHING, &without),
            Err(AuditGap { seq: 3 })
        );
        let mut changed = whole;
        changed[1].row = changed[1].row.replace("change 1", "change 9");
        assert_eq!(
            verify(AuditEnd::NOTHING, &changed),
            Err(AuditGap { seq: 2 })
        );
    }

    #[test]
    fn rows_say_who_and_what_in_one_line_of_json() {
        insta::assert_snapshot!(chain(1)[0].row, @r#"{"seq":1,"at":5,"actor":{"via":"cli"},"act":"item-changed","subject":{"kind":"skill","name":"deploy"},"detail":"change 0"}"#);
    }

    #[test]
    fn no_credential_gets_into_a_row() {
        let key = crate::Token::mint(crate::TokenKind::Key, [9; 32]);
        let entry = AuditEntry::new(
            Act::Refused,
            Subject::new("route", None, Some(key.reveal())),
        )
        .detail(&format!("with {}", key.reveal()));
        let json = serde_json::to_string(&entry).unwrap();
        assert!(!json.contains(key.reveal()), "{json}");
    }
}
