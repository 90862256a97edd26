//! The one write: reads what the commit rules must know, and writes down what they decide.

use std::collections::{BTreeMap, BTreeSet};

use imprint_core::{
    Acceptance, Batch, CommitError, CommitFacts, CommitPlan, Committed, Event, ItemId, ItemSummary,
    LogPosition, OwnerId, Record, Revision, RevisionId, commit::plan,
};
use imprint_format::{Digest, ItemKind, ItemName};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use uuid::Uuid;

use super::{
    audit, device, facts::Facts, fault::Fault, local, oauth, proposals, read, rows::signed,
};

/// Judges the batch and writes it, inside a transaction that already holds the write lock. A
/// refusal has written nothing.
pub(super) fn commit(
    tx: &Transaction<'_>,
    owner: OwnerId,
    batch: &Batch,
    expected: &BTreeMap<ItemId, RevisionId>,
) -> Result<Result<Committed, CommitError>, Fault> {
    let facts = facts(tx, owner, batch, expected)?;
    let plan = match plan(batch, expected, &facts) {
        Ok(plan) => plan,
        Err(refusal) => return Ok(Err(refusal)),
    };
    write(tx, owner, &facts, &plan)?;
    for change in &batch.local {
        local::write(tx, owner, change)?;
    }
    Ok(Ok(Committed {
        position: plan.position,
        items: plan.items,
    }))
}

fn facts(
    conn: &Connection,
    owner: OwnerId,
    batch: &Batch,
    expected: &BTreeMap<ItemId, RevisionId>,
) -> Result<CommitFacts, Fault> {
    let needs = batch.needs();
    let mut items = BTreeMap::new();
    let wanted: BTreeSet<_> = needs.items.iter().chain(expected.keys()).copied().collect();
    for id in wanted {
        items.extend(read::item(conn, owner, id)?.map(|item| (id, item)));
    }
    let held = items.values().map(|item| (item.kind, item.name.clone()));
    let mut names = BTreeMap::new();
    for (kind, name) in needs.names.into_iter().chain(held) {
        if let Some(holder) = holder(conn, owner, kind, &name)? {
            names.insert((kind, name), holder);
        }
    }
    let mut suggested = BTreeMap::new();
    for id in needs.proposals {
        suggested.extend(proposals::proposal(conn, owner, id)?.map(|proposal| (id, proposal)));
    }
    let device = device::id(conn)?;
    Ok(CommitFacts {
        device,
        last_seq: last_seq(conn, owner, device.0)?,
        position: read::position(conn, owner)?,
        items,
        names,
        proposals: suggested,
        audit: audit::end(conn, owner)?,
        oauth: oauth::facts(conn, owner, &needs.oauth)?,
    })
}

/// The unremoved item that has the name.
fn holder(
    conn: &Connection,
    owner: OwnerId,
    kind: ItemKind,
    name: &ItemName,
) -> Result<Option<ItemId>, Fault> {
    let holder = conn
        .prepare_cached(
            "SELECT id FROM items
             WHERE owner = ?1 AND kind = ?2 AND name = ?3 AND state <> 'removed'",
        )?
        .query_row(
            params![owner.0.as_bytes(), kind.as_str(), name.as_str()],
            |row| row.get(0),
        )
        .optional()?;
    Ok(holder.map(|bytes| ItemId(Uuid::from_bytes(bytes))))
}

fn last_seq(conn: &Connection, owner: OwnerId, device: Uuid) -> Result<u64, Fault> {
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(seq) FROM records WHERE owner = ?1 AND device = ?2")?
        .query_row(params![owner.0.as_bytes(), device.as_bytes()], |row| {
            row.get(0)
        })?;
    Ok(last.unwrap_or(0).cast_unsigned())
}

fn write(
    conn: &Connection,
    owner: OwnerId,
    facts: &CommitFacts,
    plan: &CommitPlan,
) -> Result<(), Fault> {
    for (digest, bytes) in &plan.contents {
        keep_content(conn, owner, *digest, bytes)?;
    }
    for (record, position) in plan.records.iter().zip(facts.position.0 + 1..) {
        append(conn, owner, LogPosition(position), record)?;
    }
    if plan.items.len() > 1 {
        release_names(conn, owner, &plan.items)?;
    }
    for item in &plan.items {
        put_item(conn, owner, item)?;
    }
    for acceptance in &plan.acceptances {
        put_acceptance(conn, owner, acceptance)?;
    }
    audit::append(conn, owner, facts.audit, &plan.audit)?;
    Ok(())
}

/// Asks first: binding a large content only to find it there already would copy it.
fn keep_content(
    conn: &Connection,
    owner: OwnerId,
    digest: Digest,
    bytes: &[u8],
) -> Result<(), Fault> {
    let kept = conn
        .prepare_cached("SELECT 1 FROM contents WHERE owner = ?1 AND digest = ?2")?
        .exists(params![owner.0.as_bytes(), digest.as_bytes()])?;
    if !kept {
        conn.prepare_cached("INSERT INTO contents (owner, digest, bytes) VALUES (?1, ?2, ?3)")?
            .execute(params![owner.0.as_bytes(), digest.as_bytes(), bytes])?;
    }
    Ok(())
}

fn append(
    conn: &Connection,
    owner: OwnerId,
    position: LogPosition,
    record: &Record,
) -> Result<(), Fault> {
    let event = serde_json::to_string(&record.event)
        .map_err(|_| Fault::Damaged("a record can't be written as JSON"))?;
    conn.prepare_cached(
        "INSERT INTO records (owner, position, device, seq, at, event)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        signed(position.0),
        record.device.0.as_bytes(),
        signed(record.seq),
        record.at.0,
        event,
    ])?;
    match &record.event {
        Event::Revised { revision } => index_revision(conn, owner, position, revision),
        Event::Proposed { proposal } => proposals::insert(conn, owner, position, proposal.id),
        Event::ProposalDecided { proposal, accepted } => {
            proposals::decide(conn, owner, *proposal, *accepted)
        }
        Event::StateSet { .. } | Event::PinSet { .. } | Event::FindingAccepted(_) => Ok(()),
    }
}

fn index_revision(
    conn: &Connection,
    owner: OwnerId,
    position: LogPosition,
    revision: &Revision,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO revisions (owner, id, item, position) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        revision.id.0.as_bytes(),
        revision.item.0.as_bytes(),
        signed(position.0),
    ])?;
    Ok(())
}

/// Takes items out of the index of unremoved names until they are written anew: it checks row by
/// row, and in one batch an item may take the name that another one gives up.
fn release_names(conn: &Connection, owner: OwnerId, items: &[ItemSummary]) -> Result<(), Fault> {
    let mut release =
        conn.prepare_cached("UPDATE items SET state = 'removed' WHERE owner = ?1 AND id = ?2")?;
    for item in items {
        release.execute(params![owner.0.as_bytes(), item.id.0.as_bytes()])?;
    }
    Ok(())
}

fn put_item(conn: &Connection, owner: OwnerId, item: &ItemSummary) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO items (owner, id, kind, name, state, description, facts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (owner, id) DO UPDATE SET
             kind = excluded.kind, name = excluded.name, state = excluded.state,
             description = excluded.description, facts = excluded.facts",
    )?
    .execute(params![
        owner.0.as_bytes(),
        item.id.0.as_bytes(),
        item.kind.as_str(),
        item.name.as_str(),
        item.state.as_str(),
        item.description,
        Facts::of(item).encode(),
    ])?;
    Ok(())
}

fn put_acceptance(conn: &Connection, owner: OwnerId, acceptance: &Acceptance) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO acceptances (owner, fingerprint, rule, reason) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (owner, fingerprint) DO UPDATE SET
             rule = excluded.rule, reason = excluded.reason",
    )?
    .execute(params![
        owner.0.as_bytes(),
        acceptance.fingerprint.as_bytes(),
        acceptance.rule,
        acceptance.reason,
    ])?;
    Ok(())
}
