//! The one write: what may be changed together, and what the change comes to.
//!
//! A store asks a batch what it [needs](Batch::needs), reads those facts inside its write
//! transaction, lets [`plan`] judge them, and writes the [`CommitPlan`] down. So the rules stand
//! here once, whatever database is behind the port.

use std::collections::{BTreeMap, BTreeSet};

use imprint_format::{Bundle, Digest, ItemKind, ItemName};

use crate::{
    Acceptance, Act, Actor, AuditEnd, AuditEntry, AuditLink, Author, DeviceId, Event, FileRef,
    ItemId, ItemState, ItemSummary, LocalChange, LogPosition, Proposal, ProposalId, ProposalState,
    Record, Revision, RevisionId, StoreError, Subject, Timestamp,
    oauth::{OauthFacts, OauthNeeds},
};

/// What one transaction changes.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Changes that enter the log, in order.
    pub changes: Vec<Change>,
    /// Changes that stay on this machine and enter no log.
    pub local: Vec<LocalChange>,
    /// When, as a label for all of it.
    pub at: Timestamp,
    /// Who, for the audit.
    pub actor: Actor,
}

/// A change that enters the log.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new revision. Creates the item when it is not known; `parents` is what it was made from.
    Revise(Draft),
    /// A new state.
    SetState {
        /// The item.
        item: ItemId,
        /// From now on.
        state: ItemState,
    },
    /// A new pin.
    SetPin {
        /// The item.
        item: ItemId,
        /// From now on.
        pinned: bool,
    },
    /// The user's acceptance of a finding.
    Accept(Acceptance),
    /// A change that an agent suggests.
    Propose(Suggestion),
    /// What the user says to a suggestion. For a yes, the revision stands beside it in the batch.
    Decide {
        /// The suggestion.
        proposal: ProposalId,
        /// Yes or no.
        accept: bool,
    },
}

/// A suggested revision before it has its place in the log. Already validated and scanned.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// Its identity.
    pub id: ProposalId,
    /// What it suggests.
    pub draft: Draft,
}

/// A revision before it has its place in the log. Already validated and scanned.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The item; a fresh id creates one.
    pub item: ItemId,
    /// The name from here on.
    pub name: ItemName,
    /// As read from the entry file.
    pub description: String,
    /// As read from the entry file.
    pub hidden_from_model: bool,
    /// The revisions that it replaces: the head for an edit, none for a new item.
    pub parents: Vec<RevisionId>,
    /// The files.
    pub bundle: Bundle,
    /// Who makes it.
    pub author: Author,
}

impl Suggestion {
    /// The suggestion as it is kept.
    pub fn at(&self, at: Timestamp) -> Proposal {
        let draft = &self.draft;
        Proposal {
            id: self.id,
            item: draft.item,
            kind: draft.bundle.kind(),
            name: draft.name.clone(),
            base: draft.parents.first().copied(),
            description: draft.description.clone(),
            hidden_from_model: draft.hidden_from_model,
            files: file_refs(draft),
            author: draft.author.clone(),
            at,
            state: ProposalState::Pending,
        }
    }
}

/// The facts that [`plan`] needs, as they stand inside the transaction.
#[derive(Clone, Debug)]
pub struct CommitFacts {
    /// This home's device.
    pub device: DeviceId,
    /// The last seq that it used.
    pub last_seq: u64,
    /// The log's length.
    pub position: LogPosition,
    /// Those of [`Needs::items`] that exist.
    pub items: BTreeMap<ItemId, ItemSummary>,
    /// Those of [`Needs::names`] that an unremoved item holds.
    pub names: BTreeMap<(ItemKind, ItemName), ItemId>,
    /// Those of [`Needs::proposals`] that exist.
    pub proposals: BTreeMap<ProposalId, Proposal>,
    /// Where the audit ends.
    pub audit: AuditEnd,
    /// What is known of [`Needs::oauth`].
    pub oauth: OauthFacts,
}

/// What a batch must know before it is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// These items.
    pub items: BTreeSet<ItemId>,
    /// Who holds these names.
    pub names: BTreeSet<(ItemKind, ItemName)>,
    /// These suggestions.
    pub proposals: BTreeSet<ProposalId>,
    /// These requests and tokens.
    pub oauth: OauthNeeds,
}

/// What has to be written, all or nothing.
#[derive(Clone, Debug, Default)]
pub struct CommitPlan {
    /// Appended to the log, in order.
    pub records: Vec<Record>,
    /// Contents to keep, by digest; those that exist already are left as they are.
    pub contents: Vec<(Digest, std::sync::Arc<[u8]>)>,
    /// New revisions, in order.
    pub revisions: Vec<Revision>,
    /// The items as they stand afterwards: inserted or replaced by id. `loads` is not to be
    /// written for items that exist.
    pub items: Vec<ItemSummary>,
    /// Acceptances to keep.
    pub acceptances: Vec<Acceptance>,
    /// Suggestions as they stand afterwards: inserted or replaced by id.
    pub proposals: Vec<Proposal>,
    /// New rows of the audit, in order.
    pub audit: Vec<AuditLink>,
    /// The log's length afterwards.
    pub position: LogPosition,
}

/// What a commit came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// The log's length afterwards.
    pub position: LogPosition,
    /// The changed items as they stand now.
    pub items: Vec<ItemSummary>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The item has moved on since the reading that the change starts from.
    #[error("the item has a newer revision, {}", current.short())]
    Stale {
        /// The item.
        item: ItemId,
        /// Its head now.
        current: RevisionId,
    },
    /// Another unremoved item of the kind has this name.
    #[error("there is already a {kind} called `{name}`")]
    NameTaken {
        /// The kind.
        kind: ItemKind,
        /// The name.
        name: ItemName,
        /// Who has it.
        by: ItemId,
    },
    /// No such item.
    #[error("there is no item {0}")]
    UnknownItem(ItemId),
    /// A removed item can't be edited before it is restored.
    #[error("the item is removed; restore it first")]
    Removed(ItemId),
    /// No such suggestion.
    #[error("there is no proposal {0}")]
    UnknownProposal(ProposalId),
    /// The user has decided on it already.
    #[error("the proposal is {} already", if *accepted { "accepted" } else { "rejected" })]
    Decided {
        /// What was decided.
        accepted: bool,
    },
    /// A code or token was used already.
    #[error("the code or token was used already")]
    Spent,
    /// A request for consent has moved on since the reading that the change starts from.
    #[error("the request has moved on")]
    Overtaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Batch {
    /// What [`plan`] will want to know. States need their item's name only once it is known, so a
    /// change out of [`ItemState::Removed`] is judged with [`CommitFacts::names`] of the item
    /// itself: a store adds the names of all [`Needs::items`] that exist.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        for change in &self.changes {
            match change {
                Change::Revise(draft) => {
                    needs.items.insert(draft.item);
                    needs
                        .names
                        .insert((draft.bundle.kind(), draft.name.clone()));
                }
                Change::SetState { item, .. } | Change::SetPin { item, .. } => {
                    needs.items.insert(*item);
                }
                Change::Propose(suggestion) => {
                    needs.items.insert(suggestion.draft.item);
                }
                Change::Decide { proposal, .. } => {
                    needs.proposals.insert(*proposal);
                }
                Change::Accept(_) => {}
            }
        }
        for change in &self.local {
            if let LocalChange::Oauth(change) = change {
                change.add_needs(&mut needs.oauth);
            }
        }
        needs
    }
}

/// Judges a batch: every draft's parents must be the item's current head (and `expected`, where it
/// names the item, must be too), names must be free, removed items take no edits, states and pins
/// that already hold change nothing and append nothing. Making a removed item active again claims
/// its name. Assigns seqs and revision ids.
pub fn plan(
    batch: &Batch,
    expected: &BTreeMap<ItemId, RevisionId>,
    facts: &CommitFacts,
) -> Result<CommitPlan, CommitError> {
    for (item, head) in expected {
        let known = facts
            .items
            .get(item)
            .ok_or(CommitError::UnknownItem(*item))?;
        if known.head != *head {
            return Err(CommitError::Stale {
                item: *item,
                current: known.head,
            });
        }
    }
    let mut planner = Planner::new(batch, facts);
    for change in &batch.changes {
        planner.apply(change)?;
    }
    let mut oauth = facts.oauth.clone();
    for change in &batch.local {
        if let LocalChange::Oauth(change) = change {
            oauth.admit(change)?;
        }
        if let Some(entry) = change.audited() {
            planner.audit(entry);
        }
    }
    Ok(planner.finish())
}

/// The facts as they develop while a batch is applied to them.
struct Planner<'a> {
    at: Timestamp,
    actor: &'a Actor,
    audit: AuditEnd,
    proposals: BTreeMap<ProposalId, Proposal>,
    device: DeviceId,
    seq: u64,
    items: BTreeMap<ItemId, ItemSummary>,
    names: BTreeMap<(ItemKind, ItemName), ItemId>,
    touched: BTreeSet<ItemId>,
    plan: CommitPlan,
}

impl<'a> Planner<'a> {
    fn new(batch: &'a Batch, facts: &CommitFacts) -> Self {
        Self {
            at: batch.at,
            actor: &batch.actor,
            audit: facts.audit,
            proposals: facts.proposals.clone(),
            device: facts.device,
            seq: facts.last_seq,
            items: facts.items.clone(),
            names: facts.names.clone(),
            touched: BTreeSet::new(),
            plan: CommitPlan {
                position: facts.position,
                ..CommitPlan::default()
            },
        }
    }

    fn apply(&mut self, change: &Change) -> Result<(), CommitError> {
        match change {
            Change::Revise(draft) => self.revise(draft),
            Change::SetState { item, state } => self.set_state(*item, *state),
            Change::SetPin { item, pinned } => self.set_pin(*item, *pinned),
            Change::Accept(acceptance) => {
                self.append(Event::FindingAccepted(acceptance.clone()));
                self.plan.acceptances.push(acceptance.clone());
                let subject = Subject::new("finding", None, Some(&acceptance.rule));
                self.audit(AuditEntry::new(Act::FindingAccepted, subject));
                Ok(())
            }
            Change::Propose(suggestion) => self.propose(suggestion),
            Change::Decide { proposal, accept } => self.decide(*proposal, *accept),
        }
    }

    fn revise(&mut self, draft: &Draft) -> Result<(), CommitError> {
        let before = self.items.get(&draft.item).cloned();
        check_parents(draft, before.as_ref())?;
        self.claim_name(draft, before.as_ref())?;
        let revision = self.revision(draft);
        for (_, file) in draft.bundle.files() {
            self.plan.contents.push((file.digest(), file.bytes.clone()));
        }
        self.append(Event::Revised {
            revision: revision.clone(),
        });
        let after = summary(&revision, before.as_ref(), self.plan.position);
        self.plan.revisions.push(revision);
        let act = match &before {
            Some(_) => Act::ItemChanged,
            None => Act::ItemCreated,
        };
        self.audit(AuditEntry {
            before: before.map(|item| item.head),
            after: Some(after.head),
            ..AuditEntry::new(act, subject_of(&after))
        });
        self.touch(after);
        Ok(())
    }

    /// Keeps a suggestion. What it would change may move on before the user decides.
    fn propose(&mut self, suggestion: &Suggestion) -> Result<(), CommitError> {
        let draft = &suggestion.draft;
        if let Some(item) = self.items.get(&draft.item)
            && item.state == ItemState::Removed
        {
            return Err(CommitError::Removed(draft.item));
        }
        for (_, file) in draft.bundle.files() {
            self.plan.contents.push((file.digest(), file.bytes.clone()));
        }
        let proposal = suggestion.at(self.at);
        self.append(Event::Proposed {
            proposal: proposal.clone(),
        });
        self.audit(AuditEntry {
            before: proposal.base,
            ..AuditEntry::new(Act::Proposed, subject_of_proposal(&proposal))
        });
        self.plan.proposals.push(proposal);
        Ok(())
    }

    fn decide(&mut self, proposal: ProposalId, accepted: bool) -> Result<(), CommitError> {
        let known = self
            .proposals
            .get_mut(&proposal)
            .ok_or(CommitError::UnknownProposal(proposal))?;
        if known.state != ProposalState::Pending {
            let accepted = known.state == ProposalState::Accepted;
            return Err(CommitError::Decided { accepted });
        }
        let (state, act) = if accepted {
            (ProposalState::Accepted, Act::ProposalAccepted)
        } else {
            (ProposalState::Rejected, Act::ProposalRejected)
        };
        known.state = state;
        let decided = known.clone();
        self.append(Event::ProposalDecided { proposal, accepted });
        self.audit(AuditEntry::new(act, subject_of_proposal(&decided)));
        self.plan.proposals.push(decided);
        Ok(())
    }

    /// Frees the item's old name, and takes the new one if nobody else has it.
    fn claim_name(
        &mut self,
        draft: &Draft,
        before: Option<&ItemSummary>,
    ) -> Result<(), CommitError> {
        if let Some(before) = before {
            self.names.remove(&(before.kind, before.name.clone()));
        }
        self.take_name(draft.bundle.kind(), &draft.name, draft.item)
    }

    fn take_name(
        &mut self,
        kind: ItemKind,
        name: &ItemName,
        item: ItemId,
    ) -> Result<(), CommitError> {
        match self.names.insert((kind, name.clone()), item) {
            Some(by) if by != item => Err(CommitError::NameTaken {
                kind,
                name: name.clone(),
                by,
            }),
            _ => Ok(()),
        }
    }

    fn revision(&self, draft: &Draft) -> Revision {
        let mut parents = draft.parents.clone();
        parents.sort_unstable();
        let mut revision = Revision {
            id: RevisionId(Digest::from_bytes([0; 32])),
            item: draft.item,
            kind: draft.bundle.kind(),
            parents,
            name: draft.name.clone(),
            description: draft.description.clone(),
            hidden_from_model: draft.hidden_from_model,
            tree: draft.bundle.tree_digest(),
            files: file_refs(draft),
            author: draft.author.clone(),
            device: self.device,
            seq: self.seq + 1,
            at: self.at,
        };
        revision.id = revision.id_of();
        revision
    }

    fn set_state(&mut self, item: ItemId, state: ItemState) -> Result<(), CommitError> {
        let mut after = self.known(item)?;
        if after.state == state {
            return Ok(());
        }
        if after.state == ItemState::Removed {
            self.take_name(after.kind, &after.name, item)?;
        } else if state == ItemState::Removed {
            self.names.remove(&(after.kind, after.name.clone()));
        }
        after.state = state;
        self.append(Event::StateSet { item, state });
        let entry = AuditEntry::new(Act::ItemStateSet, subject_of(&after));
        self.audit(entry.detail(state.as_str()));
        self.touch(after);
        Ok(())
    }

    fn set_pin(&mut self, item: ItemId, pinned: bool) -> Result<(), CommitError> {
        let mut after = self.known(item)?;
        if after.pinned == pinned {
            return Ok(());
        }
        after.pinned = pinned;
        self.append(Event::PinSet { item, pinned });
        let entry = AuditEntry::new(Act::ItemPinSet, subject_of(&after));
        self.audit(entry.detail(if pinned { "pinned" } else { "unpinned" }));
        self.touch(after);
        Ok(())
    }

    fn known(&self, item: ItemId) -> Result<ItemSummary, CommitError> {
        self.items
            .get(&item)
            .cloned()
            .ok_or(CommitError::UnknownItem(item))
    }

    fn audit(&mut self, entry: AuditEntry) {
        let link = self.audit.link(self.at, self.actor, entry);
        self.plan.audit.push(link);
    }

    fn append(&mut self, event: Event) {
        self.seq += 1;
        self.plan.position.0 += 1;
        self.plan.records.push(Record {
            device: self.device,
            seq: self.seq,
            at: self.at,
            event,
        });
    }

    fn touch(&mut self, mut after: ItemSummary) {
        after.changed_at = self.at;
        after.changed_in = self.plan.position;
        self.touched.insert(after.id);
        self.items.insert(after.id, after);
    }

    fn finish(mut self) -> CommitPlan {
        let touched = std::mem::take(&mut self.touched);
        self.plan.items = touched
            .iter()
            .filter_map(|id| self.items.remove(id))
            .collect();
        self.plan
    }
}

fn file_refs(draft: &Draft) -> Vec<FileRef> {
    let files = draft.bundle.files().map(|(path, file)| FileRef {
        path: path.clone(),
        digest: file.digest(),
        size: file.bytes.len() as u64,
        executable: file.executable,
    });
    files.collect()
}

fn subject_of(item: &ItemSummary) -> Subject {
    let id = Some(item.id.to_string());
    Subject::new(item.kind.as_str(), id, Some(item.name.as_str()))
}

fn subject_of_proposal(proposal: &Proposal) -> Subject {
    let id = Some(proposal.id.to_string());
    Subject::new("proposal", id, Some(proposal.name.as_str()))
}

fn check_parents(draft: &Draft, before: Option<&ItemSummary>) -> Result<(), CommitError> {
    match before {
        None if draft.parents.is_empty() => Ok(()),
        None => Err(CommitError::UnknownItem(draft.item)),
        Some(before) if before.state == ItemState::Removed => Err(CommitError::Removed(draft.item)),
        Some(before) if draft.parents == [before.head] => Ok(()),
        Some(before) => Err(CommitError::Stale {
            item: draft.item,
            current: before.head,
        }),
    }
}

fn summary(
    revision: &Revision,
    before: Option<&ItemSummary>,
    position: LogPosition,
) -> ItemSummary {
    ItemSummary {
        id: revision.item,
        kind: revision.kind,
        name: revision.name.clone(),
        description: revision.description.clone(),
        state: before.map_or(ItemState::Active, |item| item.state),
        pinned: before.is_some_and(|item| item.pinned),
        hidden_from_model: revision.hidden_from_model,
        loads: before.map_or(0, |item| item.loads),
        head: revision.id,
        tree: revision.tree,
        created_at: before.map_or(revision.at, |item| item.created_at),
        changed_at: revision.at,
        changed_in: position,
    }
}

#[cfg(test)]
#[path = "commit_tests.rs"]
mod tests;
