//! What agents suggest: the record holds the suggestion, the row what became of it.

use imprint_core::{Event, LogPosition, OwnerId, Proposal, ProposalId, ProposalState};
use rusqlite::{Connection, Row, params};

use super::{
    fault::Fault,
    read::{all, clamped, one},
    rows::{self, signed, wrong_form},
};

pub(super) fn proposals(
    conn: &Connection,
    owner: OwnerId,
    wanted: Option<ProposalState>,
    limit: u64,
) -> Result<Vec<Proposal>, Fault> {
    all(
        conn,
        "SELECT event, state FROM proposals JOIN records USING (owner, position)
         WHERE owner = ?1 AND (?2 IS NULL OR state = ?2) ORDER BY position DESC LIMIT ?3",
        params![owner.0.as_bytes(), wanted.map(name), clamped(limit)],
        proposed,
    )
}

pub(super) fn proposal(
    conn: &Connection,
    owner: OwnerId,
    proposal: ProposalId,
) -> Result<Option<Proposal>, Fault> {
    one(
        conn,
        "SELECT event, state FROM proposals JOIN records USING (owner, position)
         WHERE owner = ?1 AND id = ?2",
        params![owner.0.as_bytes(), proposal.0.as_bytes()],
        proposed,
    )
}

/// Remembers where a suggestion's record lies.
pub(super) fn insert(
    conn: &Connection,
    owner: OwnerId,
    position: LogPosition,
    proposal: ProposalId,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO proposals (owner, id, position, state) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        proposal.0.as_bytes(),
        signed(position.0),
        name(ProposalState::Pending),
    ])?;
    Ok(())
}

pub(super) fn decide(
    conn: &Connection,
    owner: OwnerId,
    proposal: ProposalId,
    accepted: bool,
) -> Result<(), Fault> {
    let state = if accepted {
        ProposalState::Accepted
    } else {
        ProposalState::Rejected
    };
    conn.prepare_cached("UPDATE proposals SET state = ?3 WHERE owner = ?1 AND id = ?2")?
        .execute(params![
            owner.0.as_bytes(),
            proposal.0.as_bytes(),
            name(state)
        ])?;
    Ok(())
}

fn proposed(row: &Row<'_>) -> Result<Proposal, Fault> {
    let Event::Proposed { mut proposal } = rows::event(row, 0)? else {
        return Err(Fault::Damaged(
            "a proposal points at a record of another kind",
        ));
    };
    proposal.state = state(rows::text(row, 1)?)?;
    Ok(proposal)
}

const fn name(state: ProposalState) -> &'static str {
    match state {
        ProposalState::Pending => "pending",
        ProposalState::Accepted => "accepted",
        ProposalState::Rejected => "rejected",
    }
}

fn state(text: &str) -> Result<ProposalState, Fault> {
    [
        ProposalState::Pending,
        ProposalState::Accepted,
        ProposalState::Rejected,
    ]
    .into_iter()
    .find(|state| name(*state) == text)
    .ok_or_else(|| wrong_form(()))
}
