//! Suggestions: what agents may not change, they may propose, and the user decides.

use std::collections::BTreeMap;

use crate::{
    Author, Change, CommitError, Draft, ItemId, ItemRef, ItemSummary, Proposal, ProposalId,
    ProposalState, Registry, StoreError, Suggestion,
    registry::{ContentError, CreateError, EditError, ItemEdit, NewItem, store_error},
};

/// The most suggestions that wait for the user at a time: an agent gone wild fills no more.
pub const MOST_PENDING: u64 = 200;

/// Why nothing was proposed.
#[derive(Debug, thiserror::Error)]
pub enum ProposeError {
    /// It would not make a new item.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// It would not change the item.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Too many wait already.
    #[error("{MOST_PENDING} proposals wait for the user already")]
    TooMany,
}

/// Why a suggestion was neither accepted nor rejected.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is none of this id.
    #[error("there is no proposal `{0}`")]
    Unknown(String),
    /// More than one begins so.
    #[error("more than one proposal begins with `{0}`")]
    Ambiguous(String),
    /// The user has decided on it already.
    #[error("the proposal is {} already", if *accepted { "accepted" } else { "rejected" })]
    Decided {
        /// What was decided.
        accepted: bool,
    },
    /// What it starts from has changed, or the name is taken, or the item is gone.
    #[error("the proposal no longer fits: {0}")]
    Outdated(CommitError),
    /// Its files can't be read.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Suggests a new item. It passes the same rules and the same scan as one that is made.
    pub async fn propose_new(&self, by: &Author, new: NewItem) -> Result<Proposal, ProposeError> {
        let item = ItemId(self.clock.new_uuid());
        let draft = self.new_draft(item, by, new).await?;
        self.suggest(draft).await
    }

    /// Suggests a change; `None` when nothing would differ.
    pub async fn propose_edit(
        &self,
        by: &Author,
        item: &ItemRef,
        edit: ItemEdit,
    ) -> Result<Option<Proposal>, ProposeError> {
        match self.edited_draft(by, item, edit).await? {
            (_, None) => Ok(None),
            (_, Some(draft)) => Ok(Some(self.suggest(draft).await?)),
        }
    }

    /// The suggestion that a person means, by its id or at least six of its last characters.
    pub async fn find_proposal(&self, reference: &str) -> Result<Proposal, DecideError> {
        let shown = imprint_format::text::clip(&imprint_format::text::one_line(reference), 60);
        if let Ok(id) = reference.parse::<ProposalId>() {
            let found = self.store.proposal(self.owner, id).await?;
            return found.ok_or(DecideError::Unknown(shown));
        }
        let all = self.store.proposals(self.owner, None, u64::MAX).await?;
        let mut found = all.into_iter().filter(|proposal| {
            reference.len() >= 6 && proposal.id.to_string().ends_with(reference)
        });
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            (None, _) => Err(DecideError::Unknown(shown)),
            (Some(_), Some(_)) => Err(DecideError::Ambiguous(shown)),
        }
    }

    /// Makes a suggestion what the item is from now on.
    pub async fn accept_proposal(&self, id: ProposalId) -> Result<ItemSummary, DecideError> {
        let proposal = self.pending(id).await?;
        let draft = Draft {
            item: proposal.item,
            name: proposal.name.clone(),
            description: proposal.description.clone(),
            hidden_from_model: proposal.hidden_from_model,
            parents: proposal.base.into_iter().collect(),
            bundle: self.proposed_files(&proposal).await?,
            author: proposal.author.clone(),
        };
        let changes = vec![
            Change::Revise(draft),
            Change::Decide {
                proposal: id,
                accept: true,
            },
        ];
        self.commit(changes, proposal.item)
            .await
            .map_err(decide_error)
    }

    /// Lays a suggestion aside. It stays in the log.
    pub async fn reject_proposal(&self, id: ProposalId) -> Result<Proposal, DecideError> {
        let proposal = self.pending(id).await?;
        let decide = Change::Decide {
            proposal: id,
            accept: false,
        };
        let batch = self.batch(vec![decide], Vec::new());
        let committed = self.store.commit(self.owner, batch, BTreeMap::new());
        committed.await.map_err(decide_error)?;
        Ok(Proposal {
            state: ProposalState::Rejected,
            ..proposal
        })
    }

    async fn pending(&self, id: ProposalId) -> Result<Proposal, DecideError> {
        let found = self.store.proposal(self.owner, id).await?;
        let proposal = found.ok_or_else(|| DecideError::Unknown(id.to_string()))?;
        match proposal.state {
            ProposalState::Pending => Ok(proposal),
            state => Err(DecideError::Decided {
                accepted: state == ProposalState::Accepted,
            }),
        }
    }

    async fn suggest(&self, draft: Draft) -> Result<Proposal, ProposeError> {
        let store_failed = |error| ProposeError::Edit(EditError::Store(error));
        let waiting = self
            .store
            .proposals(self.owner, Some(ProposalState::Pending), MOST_PENDING)
            .await
            .map_err(store_failed)?;
        if waiting.len() as u64 >= MOST_PENDING {
            return Err(ProposeError::TooMany);
        }
        let suggestion = Suggestion {
            id: ProposalId(self.clock.new_uuid()),
            draft,
        };
        let batch = self.batch(vec![Change::Propose(suggestion.clone())], Vec::new());
        let kept = suggestion.at(batch.at);
        let committed = self.store.commit(self.owner, batch, BTreeMap::new());
        committed
            .await
            .map_err(|error| store_failed(store_error(error)))?;
        Ok(kept)
    }
}

fn decide_error(error: CommitError) -> DecideError {
    match error {
        CommitError::Decided { accepted } => DecideError::Decided { accepted },
        CommitError::Store(error) => DecideError::Store(error),
        other => DecideError::Outdated(other),
    }
}
