//! What is recorded of a client's connection, apart from the answers: never before one, never
//! where no registry is, and never so that a client notices a failure.

use std::{
    collections::BTreeMap,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use imprint_core::{ItemId, LocalChange, Registry, SessionId, SessionRecord, secret::masked_in};
use imprint_format::text;
use tokio::sync::{mpsc, oneshot};

use super::tools::Tool;

/// How much is kept of what a client says about itself, in characters.
const KEPT_CHARS: usize = 200;
/// How long at least lies between two records of one session, unless it says something new.
const INTERVAL: Duration = Duration::from_secs(5);
/// How long the last record may take.
const LAST_RECORD: Duration = Duration::from_millis(500);

/// What happens on a connection.
#[derive(Debug)]
enum Note {
    Heard(Heard),
    Called,
    Loaded(ItemId),
    Answered,
    Ended(oneshot::Sender<()>),
}

/// What the other side says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) protocol: String,
}

/// Takes note of what happens on a connection or in a request. Never waits.
pub(crate) trait Notes: fmt::Debug + Send + Sync {
    /// The other side said who it is.
    fn heard(&self, heard: &Heard);
    /// A tool was called, and did what was asked or said why not.
    fn called(&self, tool: Tool, done: bool);
    /// An item's instructions were loaded.
    fn loaded(&self, item: ItemId);
}

/// Where notes go, if anywhere. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionLog(Option<Arc<dyn Notes>>);

impl SessionLog {
    /// A log that passes notes on.
    pub(crate) fn to(notes: Arc<dyn Notes>) -> Self {
        Self(Some(notes))
    }

    pub(crate) fn heard(&self, heard: &Heard) {
        self.0.iter().for_each(|notes| notes.heard(heard));
    }

    pub(crate) fn called(&self, tool: Tool, done: bool) {
        self.0.iter().for_each(|notes| notes.called(tool, done));
    }

    pub(crate) fn loaded(&self, item: ItemId) {
        self.0.iter().for_each(|notes| notes.loaded(item));
    }
}

/// The record of one connection over pipes. Cheap to clone; never waits.
#[derive(Clone, Debug)]
pub(crate) struct PipeLog {
    notes: mpsc::UnboundedSender<Note>,
}

impl PipeLog {
    /// Starts the record's own task on the current runtime.
    pub(crate) fn start(registry: Registry, named_client: Option<String>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let recorder = Recorder {
            registry,
            named_client,
            session: None,
            loads: Vec::new(),
            news: false,
            recorded: None,
        };
        tokio::spawn(recorder.run(receiver));
        Self { notes: sender }
    }

    /// A record that keeps nothing.
    pub(crate) fn none() -> Self {
        let (notes, _) = mpsc::unbounded_channel();
        Self { notes }
    }

    /// An answer was sent: a good time to write.
    pub(crate) fn answered(&self) {
        self.note(Note::Answered);
    }

    /// Writes what is left to write, unless that takes too long.
    pub(crate) async fn end(&self) {
        let (done, ended) = oneshot::channel();
        self.note(Note::Ended(done));
        let _ = tokio::time::timeout(LAST_RECORD, ended).await;
    }

    fn note(&self, note: Note) {
        // The recorder only ends on request or with the runtime, and there may be none.
        let _ = self.notes.send(note);
    }
}

impl Notes for PipeLog {
    fn heard(&self, heard: &Heard) {
        self.note(Note::Heard(heard.clone()));
    }

    fn called(&self, _: Tool, _: bool) {
        self.note(Note::Called);
    }

    fn loaded(&self, item: ItemId) {
        self.note(Note::Loaded(item));
    }
}

/// What a client says of itself as it is kept: made visible, freed of credentials and cut.
pub(crate) fn harmless(said: &str) -> String {
    text::clip(&text::one_line(&masked_in(said)), KEPT_CHARS)
}

struct Recorder {
    registry: Registry,
    named_client: Option<String>,
    session: Option<SessionRecord>,
    loads: Vec<ItemId>,
    /// There is more to record than that time passed.
    news: bool,
    recorded: Option<Instant>,
}

impl Recorder {
    async fn run(mut self, mut notes: mpsc::UnboundedReceiver<Note>) {
        while let Some(note) = notes.recv().await {
            match note {
                Note::Heard(heard) => self.heard(&heard),
                Note::Called => self.called(),
                Note::Loaded(item) => {
                    self.loads.push(item);
                    self.news = true;
                }
                Note::Answered => {
                    if let Some(session) = &mut self.session {
                        session.seen_at = self.registry.clock().now();
                    }
                    if self.news || self.recorded.is_some_and(|at| at.elapsed() >= INTERVAL) {
                        self.record().await;
                    }
                }
                Note::Ended(done) => {
                    self.record().await;
                    let _ = done.send(());
                    return;
                }
            }
        }
    }

    fn heard(&mut self, heard: &Heard) {
        let name = heard.name.as_deref().map(harmless);
        let version = heard.version.as_deref().map(harmless);
        let protocol = harmless(&heard.protocol);
        let now = self.registry.clock().now();
        let session = self.session.get_or_insert_with(|| SessionRecord {
            id: SessionId(self.registry.clock().new_uuid()),
            client_name: None,
            client_version: None,
            named_client: self.named_client.clone(),
            key: None,
            grant: None,
            protocol: String::new(),
            transport: "stdio".to_owned(),
            started_at: now,
            seen_at: now,
            calls: 0,
        });
        // A request without a name says nothing against the one that was heard before.
        let name = name.or_else(|| session.client_name.clone());
        let version = version.or_else(|| session.client_version.clone());
        let same = session.client_name == name
            && session.client_version == version
            && session.protocol == protocol;
        if !same {
            session.client_name = name;
            session.client_version = version;
            session.protocol = protocol;
            self.news = true;
        }
    }

    fn called(&mut self) {
        if let Some(session) = &mut self.session {
            session.calls += 1;
        }
    }

    /// Writes the session and the loads. What can't be written is dropped, so that a database that
    /// fails is not asked again and again for the same.
    async fn record(&mut self) {
        let mut local: Vec<_> = self.loads.drain(..).map(LocalChange::Loaded).collect();
        local.extend(self.session.clone().map(LocalChange::Session));
        self.news = false;
        self.recorded = Some(Instant::now());
        if local.is_empty() {
            return;
        }
        let store = self.registry.store();
        let written = match store.exists().await {
            Ok(true) => {
                let batch = self.registry.batch(Vec::new(), local);
                let owner = self.registry.owner();
                store.commit(owner, batch, BTreeMap::new()).await.err()
            }
            Ok(false) => None,
            Err(error) => Some(error.into()),
        };
        if let Some(error) = written {
            tracing::debug!(%error, "the session is not recorded");
        }
    }
}
