//! What happens while the server runs: changes, passes, sessions, a line each.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use imprint_core::{
    ClientFolders, DeviceId, Event, FolderNote, FolderReport, ItemId, ItemState, KeyId,
    LogPosition, SessionId, SessionRecord, Timestamp,
};
use imprint_format::text;
use tokio::time::Instant;

use super::super::{
    items,
    keys::{name_of, names_by_id},
    reach,
};
use crate::{
    failure::Failure,
    output::{Output, count},
    time,
    wiring::App,
};

/// How often the log and the sessions are looked at: changes appear well within a second.
pub(super) const LOOK: Duration = Duration::from_millis(250);
/// How often a pass runs without a change: a client that was installed, or a copy that someone
/// deleted, is seen then.
const PASS: Duration = Duration::from_secs(60);
/// How many sessions are watched for activity.
const WATCHED_SESSIONS: u64 = 100;
/// How many changes are told of at once.
const TOLD_RECORDS: u64 = 50;

/// What was seen last.
pub(super) struct Watch {
    position: LogPosition,
    /// By device, the number of the last record that was told.
    told: HashMap<DeviceId, u64>,
    notes: HashSet<String>,
    sessions: HashMap<SessionId, u64>,
    trouble: Option<String>,
    last_pass: Instant,
}

impl Watch {
    pub(super) async fn start(app: &App, report: &FolderReport) -> Result<Self, Failure> {
        let sessions = sessions(app).await?;
        Ok(Self {
            position: report.position,
            told: HashMap::new(),
            notes: report.notes.iter().map(said).collect(),
            sessions: sessions
                .into_iter()
                .map(|one| (one.id, one.calls))
                .collect(),
            trouble: None,
            last_pass: Instant::now(),
        })
    }

    /// One look. Trouble is told once and does not end the watch.
    pub(super) async fn look(&mut self, app: &App, out: &Output) {
        let seen = match self.changes(app, out).await {
            Ok(()) => self.activity(app, out).await,
            trouble => trouble,
        };
        let trouble = seen.err().map(|failure| failure.message);
        if let Some(message) = trouble.as_ref().filter(|_| trouble != self.trouble) {
            out.warning(message);
        }
        self.trouble = trouble;
    }

    async fn changes(&mut self, app: &App, out: &Output) -> Result<(), Failure> {
        let position = app.registry.store().position(app.registry.owner()).await?;
        if position == self.position && self.last_pass.elapsed() < PASS {
            return Ok(());
        }
        let report = app.folders.write().await?;
        self.records(app, out).await?;
        self.folders(app, out, &report);
        self.position = report.position;
        self.last_pass = Instant::now();
        Ok(())
    }

    /// What the pass did, and what it says for the first time.
    fn folders(&mut self, app: &App, out: &Output, report: &FolderReport) {
        let done = report.done;
        if done.written + done.replaced + done.removed > 0 {
            let now = app.registry.clock().now();
            out.line(&at(now, &reach::counts(report)));
        }
        let new = report
            .notes
            .iter()
            .filter(|note| !self.notes.contains(&said(note)));
        let new: Vec<FolderNote> = new.cloned().collect();
        for sentence in reach::sentences(&new) {
            out.warning(&sentence);
        }
        self.notes = report.notes.iter().map(said).collect();
    }

    /// The records since the last look, a line each. The last pass may not have seen some that
    /// were told then, so each is told by its number once.
    async fn records(&mut self, app: &App, out: &Output) -> Result<(), Failure> {
        let (store, owner) = (app.registry.store(), app.registry.owner());
        let records = store.records(owner, self.position, TOLD_RECORDS).await?;
        for record in &records {
            let told = self.told.entry(record.device).or_default();
            if record.seq > *told {
                *told = record.seq;
                out.line(&at(record.at, &describe(app, &record.event).await?));
            }
        }
        if let Some(last) = records
            .last()
            .filter(|_| records.len() as u64 == TOLD_RECORDS)
        {
            out.line(&at(last.at, "and more"));
        }
        Ok(())
    }

    async fn activity(&mut self, app: &App, out: &Output) -> Result<(), Failure> {
        for session in sessions(app).await? {
            let before = self.sessions.insert(session.id, session.calls);
            if before != Some(session.calls) {
                let names = match session.key {
                    Some(_) if before.is_none() => names_by_id(app).await?,
                    _ => HashMap::new(),
                };
                print_activity(out, &session, before, &names);
            }
        }
        Ok(())
    }
}

/// `before` is how many calls were seen; `None` for a new session. `names` are those of the keys,
/// for a new session alone.
fn print_activity(
    out: &Output,
    session: &SessionRecord,
    before: Option<u64>,
    names: &HashMap<KeyId, String>,
) {
    let name = client_of(session);
    if before.is_none() {
        out.line(&at(session.started_at, &arrival(session, names)));
    }
    let new = session.calls.saturating_sub(before.unwrap_or(0));
    if new > 0 {
        let calls = count(usize::try_from(new).unwrap_or(usize::MAX), "call");
        out.line(&at(session.seen_at, &format!("{name} made {calls}")));
    }
}

/// Who came, and what let it in.
fn arrival(session: &SessionRecord, names: &HashMap<KeyId, String>) -> String {
    let name = client_of(session);
    match session.key {
        Some(key) => format!("{name} connected with key {}", name_of(key, names)),
        None => format!("{name} connected"),
    }
}

fn at(at: Timestamp, what: &str) -> String {
    format!("{}  {what}", time::clock(at))
}

/// What tells one remark from another.
fn said(note: &FolderNote) -> String {
    format!("{}: {}", note.path, note.message)
}

fn client_of(session: &SessionRecord) -> String {
    let name = session.client_name.as_deref();
    let version = session.client_version.as_deref().unwrap_or_default();
    let client = format!("{} {version}", name.unwrap_or("a client without a name"));
    text::one_line(&client)
}

async fn describe(app: &App, event: &Event) -> Result<String, Failure> {
    Ok(match event {
        Event::Revised { revision } => format!(
            "{} {} {} by {}",
            revision.kind,
            revision.name,
            if revision.parents.is_empty() {
                "created"
            } else {
                "changed"
            },
            items::author(&revision.author)
        ),
        Event::StateSet { item, state } => {
            let done = match state {
                ItemState::Active => "enabled",
                ItemState::Disabled | ItemState::Removed => state.as_str(),
            };
            format!("{} {done}", name(app, *item).await?)
        }
        Event::PinSet { item, pinned } => {
            let done = if *pinned { "pinned" } else { "unpinned" };
            format!("{} {done}", name(app, *item).await?)
        }
        Event::FindingAccepted(accepted) => format!("a finding of {} accepted", accepted.rule),
        Event::Proposed { proposal } => format!(
            "a change to {} {} proposed by {}; `imprint {}s proposals` shows it",
            proposal.kind,
            proposal.name,
            items::author(&proposal.author),
            proposal.kind
        ),
        Event::ProposalDecided { proposal, accepted } => {
            let (store, owner) = (app.registry.store(), app.registry.owner());
            let name = store.proposal(owner, *proposal).await?;
            let name = name.map_or_else(String::new, |it| format!(" to {} {}", it.kind, it.name));
            let done = if *accepted { "accepted" } else { "rejected" };
            format!("the change{name} {done}")
        }
    })
}

async fn name(app: &App, item: ItemId) -> Result<String, Failure> {
    let found = app
        .registry
        .store()
        .item(app.registry.owner(), item)
        .await?;
    Ok(found.map_or_else(
        || "an item".to_owned(),
        |item| format!("{} {}", item.kind, item.name),
    ))
}

async fn sessions(app: &App) -> Result<Vec<SessionRecord>, Failure> {
    let store = app.registry.store();
    Ok(store
        .sessions(app.registry.owner(), WATCHED_SESSIONS)
        .await?)
}
