//! `imprint serve`: keeps the clients' folders current and shows what happens.

use std::{collections::HashMap, time::Duration};

use imprint_core::{
    ClientFolders, FolderReport, ItemFilter, ItemState, LogPosition, SessionId, SessionRecord,
};
use imprint_format::ItemKind;

use super::write;
use crate::{
    cli::ServeArgs,
    failure::Failure,
    home::shown,
    output::{Output, count},
    time,
    wiring::App,
};

/// How often the log and the sessions are looked at: changes appear well within a second.
const LOOK: Duration = Duration::from_millis(250);
/// How many sessions are watched for activity.
const WATCHED_SESSIONS: u64 = 100;

pub(super) async fn run(app: &App, out: &Output, _: ServeArgs) -> Result<(), Failure> {
    out.refuse_json("serve")?;
    out.heading(&format!("Imprint {}", env!("CARGO_PKG_VERSION")));
    out.line(&format!("Home: {}", shown(app.home.root())));
    out.line(&kept(app).await?);
    let report = app.folders.write().await?;
    write::print_reach(out, &app.folders.installed().await?, &report);
    out.line("MCP:  every client that starts `imprint mcp` gets the list in its handshake");
    out.line("");
    out.line("Watching for changes; Ctrl-C ends it");
    let mut watch = Watch::start(app, &report).await?;
    loop {
        tokio::select! {
            signal = tokio::signal::ctrl_c() => {
                signal.map_err(|error| Failure::failed(format!("can't wait for Ctrl-C: {error}")))?;
                out.message("Ended; everything is kept");
                return Ok(());
            }
            () = tokio::time::sleep(LOOK) => watch.look(app, out).await,
        }
    }
}

async fn kept(app: &App) -> Result<String, Failure> {
    let filter = ItemFilter {
        states: vec![ItemState::Active, ItemState::Disabled],
        ..ItemFilter::default()
    };
    let items = app
        .registry
        .store()
        .items(app.registry.owner(), &filter)
        .await?;
    if items.is_empty() {
        return Ok("Kept: nothing yet; `imprint import PATH` takes in what you have, `imprint demo` shows the idea".to_owned());
    }
    let counts: Vec<_> = ItemKind::ALL
        .iter()
        .map(|kind| (kind, items.iter().filter(|item| item.kind == *kind).count()))
        .filter(|(_, number)| *number > 0)
        .map(|(kind, number)| count(number, kind.as_str()))
        .collect();
    Ok(format!("Kept: {}", counts.join(", ")))
}

/// What was seen last.
struct Watch {
    position: LogPosition,
    sessions: HashMap<SessionId, u64>,
    trouble: Option<String>,
}

impl Watch {
    async fn start(app: &App, report: &FolderReport) -> Result<Self, Failure> {
        let sessions = sessions(app)
            .await?
            .into_iter()
            .map(|one| (one.id, one.calls))
            .collect();
        Ok(Self {
            position: report.position,
            sessions,
            trouble: None,
        })
    }

    /// One look. Trouble is told once and does not end the watch.
    async fn look(&mut self, app: &App, out: &Output) {
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
        if position == self.position {
            return Ok(());
        }
        let report = app.folders.write().await?;
        for line in self.told(app).await? {
            out.line(&line);
        }
        let done = report.done;
        if done.written + done.replaced + done.removed > 0 {
            out.line(&format!("{}  {}", now(app), write::counts(&report)));
        }
        for note in &report.notes {
            out.warning(&format!("{}: {}", note.path, note.message));
        }
        self.position = report.position;
        Ok(())
    }

    /// The records since the last look, a line each.
    async fn told(&self, app: &App) -> Result<Vec<String>, Failure> {
        let store = app.registry.store();
        let records = store
            .records(app.registry.owner(), self.position, 50)
            .await?;
        let mut lines = Vec::new();
        for record in &records {
            lines.push(format!(
                "{}  {}",
                time::shown(record.at),
                describe(app, &record.event).await?
            ));
        }
        Ok(lines)
    }

    async fn activity(&mut self, app: &App, out: &Output) -> Result<(), Failure> {
        for session in sessions(app).await? {
            let name = session
                .client_name
                .as_deref()
                .unwrap_or("a client without a name");
            match self.sessions.insert(session.id, session.calls) {
                None => out.line(&format!(
                    "{}  {name} {} connected ({})",
                    time::shown(session.started_at),
                    session.client_version.as_deref().unwrap_or_default(),
                    session.protocol,
                )),
                Some(before) if before < session.calls => out.line(&format!(
                    "{}  {name}: {}",
                    time::shown(session.seen_at),
                    count(
                        usize::try_from(session.calls - before).unwrap_or(usize::MAX),
                        "call"
                    ),
                )),
                Some(_) => {}
            }
        }
        Ok(())
    }
}

async fn describe(app: &App, event: &imprint_core::Event) -> Result<String, Failure> {
    use imprint_core::Event;
    let name = async |id| -> Result<String, Failure> {
        let item = app.registry.store().item(app.registry.owner(), id).await?;
        Ok(item.map_or_else(
            || "an item".to_owned(),
            |item| format!("{} {}", item.kind, item.name),
        ))
    };
    Ok(match event {
        Event::Revised { revision } if revision.parents.is_empty() => {
            format!("{} {} created", revision.kind, revision.name)
        }
        Event::Revised { revision } => format!("{} {} changed", revision.kind, revision.name),
        Event::StateSet { item, state } => {
            format!("{} is {} now", name(*item).await?, state.as_str())
        }
        Event::PinSet { item, pinned } => {
            format!(
                "{} {}",
                name(*item).await?,
                if *pinned { "pinned" } else { "unpinned" }
            )
        }
        Event::FindingAccepted(accepted) => format!("a finding of {} accepted", accepted.rule),
    })
}

async fn sessions(app: &App) -> Result<Vec<SessionRecord>, Failure> {
    Ok(app
        .registry
        .store()
        .sessions(app.registry.owner(), WATCHED_SESSIONS)
        .await?)
}

fn now(app: &App) -> String {
    time::shown(app.registry.clock().now())
}
