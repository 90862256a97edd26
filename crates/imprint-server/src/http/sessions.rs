//! What is recorded of traffic over HTTP: sessions, loads and when keys and grants were used. Requests only
//! count in memory; once a second the counts are written.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use imprint_core::{
    HeardSession, ItemId, LocalChange, Registry, SessionId, SessionRecord, Timestamp,
    oauth::OauthChange,
};
use tokio_util::sync::CancellationToken;

use super::{
    identity::Principal,
    metrics::{Metrics, ToolOutcome},
};
use crate::mcp::{Heard, Notes, Tool, harmless};

/// How often counts are written.
const FLUSH: Duration = Duration::from_secs(1);
/// At least so long lies between two records of the use of one key or grant, in milliseconds.
const USED_MS: i64 = 60_000;
/// Clients choose their names: of more than so many a second the rest is not recorded.
const MOST_NAMES: usize = 1_000;

/// Counts of all requests since the last flush.
#[derive(Debug)]
pub(crate) struct HttpSessions {
    registry: Registry,
    metrics: Metrics,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    heard: HashMap<(Principal, Option<String>), Traffic>,
    loads: HashMap<ItemId, u64>,
    used: HashMap<Principal, (Timestamp, Option<String>)>,
    /// When a use was last written by this process.
    written: HashMap<Principal, Timestamp>,
}

#[derive(Debug)]
struct Traffic {
    version: Option<String>,
    protocol: String,
    named_client: Option<String>,
    first_at: Timestamp,
    seen_at: Timestamp,
    calls: u64,
}

impl HttpSessions {
    /// Nothing yet. [`Self::keep_writing`] writes what comes.
    pub(crate) fn new(registry: Registry, metrics: Metrics) -> Arc<Self> {
        Arc::new(Self {
            registry,
            metrics,
            counts: Mutex::default(),
        })
    }

    /// Writes the counts every second until `stop`, and the rest then.
    pub(crate) async fn keep_writing(self: Arc<Self>, stop: CancellationToken) {
        while stop
            .run_until_cancelled(tokio::time::sleep(FLUSH))
            .await
            .is_some()
        {
            self.flush(false).await;
        }
        self.flush(true).await;
    }

    /// The notes of one request.
    pub(crate) fn notes(
        self: &Arc<Self>,
        principal: Principal,
        named_client: Option<String>,
    ) -> RequestNotes {
        RequestNotes {
            sessions: Arc::clone(self),
            principal,
            named_client,
            name: Mutex::default(),
        }
    }

    /// Someone showed a key, or an OAuth client its token.
    pub(crate) fn used(&self, principal: Principal) {
        let now = self.registry.clock().now();
        let mut counts = self.counts();
        let used = counts.used.entry(principal).or_insert((now, None));
        used.0 = now;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what was counted. What can't be written is dropped, so that a database that fails
    /// is not asked again and again for the same.
    pub(super) async fn flush(&self, all: bool) {
        let local = self.take(all);
        if local.is_empty() {
            return;
        }
        let batch = self.registry.batch(Vec::new(), local);
        let (store, owner) = (self.registry.store(), self.registry.owner());
        let written = store.commit(owner, batch, std::collections::BTreeMap::new());
        if let Err(error) = written.await {
            tracing::debug!(%error, "the traffic of the last second is not recorded");
        }
    }

    fn take(&self, all: bool) -> Vec<LocalChange> {
        let mut counts = self.counts();
        let heard = std::mem::take(&mut counts.heard);
        let loads = std::mem::take(&mut counts.loads);
        // A request without a name goes on with the session that was begun before it.
        let mut heard: Vec<_> = heard.into_iter().collect();
        heard.sort_by_key(|(_, traffic)| traffic.first_at);
        let mut local: Vec<_> = heard
            .into_iter()
            .map(|((principal, name), traffic)| self.session(principal, name, traffic))
            .collect();
        let loaded = |(item, times): (ItemId, u64)| {
            std::iter::repeat_n(
                LocalChange::Loaded(item),
                usize::try_from(times).unwrap_or(0),
            )
        };
        local.extend(loads.into_iter().flat_map(loaded));
        local.extend(counts.due_uses(all));
        local
    }

    fn session(
        &self,
        principal: Principal,
        client_name: Option<String>,
        traffic: Traffic,
    ) -> LocalChange {
        LocalChange::Heard(HeardSession {
            session: SessionRecord {
                id: SessionId(self.registry.clock().new_uuid()),
                client_name,
                client_version: traffic.version,
                named_client: traffic.named_client,
                key: principal.key(),
                grant: principal.grant(),
                protocol: traffic.protocol,
                transport: "http".to_owned(),
                started_at: traffic.first_at,
                seen_at: traffic.seen_at,
                calls: traffic.calls,
            },
        })
    }
}

impl Counts {
    /// The uses that were not written within the last minute; all at the end.
    fn due_uses(&mut self, all: bool) -> Vec<LocalChange> {
        let written = &mut self.written;
        let due = self.used.extract_if(|principal, (at, _)| {
            all || written
                .get(principal)
                .is_none_or(|before| at.0 - before.0 >= USED_MS)
        });
        let due: Vec<_> = due.collect();
        due.into_iter()
            .map(|(principal, (at, client))| {
                written.insert(principal, at);
                match principal {
                    Principal::Key(key) => LocalChange::KeyUsed { key, at, client },
                    Principal::Grant(grant) => {
                        LocalChange::Oauth(OauthChange::GrantUsed { grant, at })
                    }
                }
            })
            .collect()
    }
}

/// The notes of one request.
#[derive(Debug)]
pub(crate) struct RequestNotes {
    sessions: Arc<HttpSessions>,
    principal: Principal,
    named_client: Option<String>,
    name: Mutex<Option<String>>,
}

impl RequestNotes {
    fn name(&self) -> MutexGuard<'_, Option<String>> {
        self.name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notes for RequestNotes {
    fn heard(&self, heard: &Heard) {
        let name = heard.name.as_deref().map(harmless);
        self.name().clone_from(&name);
        let now = self.sessions.registry.clock().now();
        let mut counts = self.sessions.counts();
        if let Some(name) = &name {
            let used = counts.used.entry(self.principal).or_insert((now, None));
            used.1 = Some(name.clone());
        }
        let who = (self.principal, name);
        if counts.heard.len() >= MOST_NAMES && !counts.heard.contains_key(&who) {
            return;
        }
        let traffic = counts.heard.entry(who).or_insert_with(|| Traffic {
            version: None,
            protocol: String::new(),
            named_client: self.named_client.clone(),
            first_at: now,
            seen_at: now,
            calls: 0,
        });
        traffic.seen_at = now;
        traffic.version = heard
            .version
            .as_deref()
            .map(harmless)
            .or(traffic.version.take());
        traffic.protocol = harmless(&heard.protocol);
    }

    fn called(&self, tool: Tool, done: bool) {
        let outcome = if done {
            ToolOutcome::Done
        } else {
            ToolOutcome::Failed
        };
        self.sessions.metrics.tool_call(tool.name(), outcome);
        let who = (self.principal, self.name().clone());
        if let Some(traffic) = self.sessions.counts().heard.get_mut(&who) {
            traffic.calls += 1;
        }
    }

    fn loaded(&self, item: ItemId) {
        *self.sessions.counts().loads.entry(item).or_default() += 1;
    }
}
