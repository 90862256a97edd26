//! The few connections of one store: one that writes, some that read.

use std::{
    collections::BTreeMap,
    panic,
    sync::{Arc, Mutex, PoisonError},
};

use imprint_core::{
    AuditEnd, Batch, CommitError, CommitFacts, Committed, DeviceId, ItemId, LocalChange,
    LogPosition, OwnerId, RevisionId, StoreError, commit::plan,
};
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    commit::commit,
    fault::Fault,
    file::DatabaseFile,
    open::{self, Opened, Settings},
    watch::Watch,
};
use crate::Generation;

/// Connections that read at one time. More would wait for the same disk.
const READERS: usize = 4;

/// Opens connections when they are first needed, and again when another file has taken the place
/// of the one that they have open.
#[derive(Debug)]
pub(super) struct Connections {
    file: DatabaseFile,
    settings: Settings,
    idle: Mutex<Vec<Opened>>,
    may_read: Arc<Semaphore>,
    watch: Watch,
    writer: Arc<tokio::sync::Mutex<Option<Writer>>>,
}

/// The connection that writes.
#[derive(Debug)]
struct Writer {
    opened: Opened,
    durability: Durability,
}

/// What a transaction waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Durability {
    /// The disk has it: for everything that enters the log.
    Full,
    /// The system has it: sessions and counts outlive this process, and whatever a power failure
    /// takes of them is no loss.
    Normal,
}

impl Connections {
    pub(super) fn new(file: DatabaseFile, settings: Settings) -> Self {
        Self {
            file,
            settings,
            idle: Mutex::default(),
            may_read: Arc::new(Semaphore::new(READERS)),
            watch: Watch::default(),
            writer: Arc::default(),
        }
    }

    /// See [`crate::Generations`].
    pub(super) fn generation(&self) -> Option<Generation> {
        self.watch.generation(&self.file)
    }

    /// Answers a query from one state of the database, off the async threads; `None` where nothing
    /// was ever written.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        query: impl Fn(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let permit = Arc::clone(&self.may_read).acquire_owned().await;
        let this = Arc::clone(self);
        blocking(move || {
            let _permit = permit;
            this.read_now(query)
        })
        .await
    }

    /// The one write. Runs to its end even when nobody waits for it any more.
    pub(super) async fn commit(
        self: &Arc<Self>,
        owner: OwnerId,
        batch: Batch,
        expected: BTreeMap<ItemId, RevisionId>,
    ) -> Result<Committed, CommitError> {
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        let this = Arc::clone(self);
        blocking(move || {
            if this.is_empty(writer.as_ref())? && !worth_a_file(&batch, &expected)? {
                return Ok(Committed::default());
            }
            let attempt = || this.try_commit(&mut writer, owner, &batch, &expected);
            let outcome = this.settings.patience.retry(attempt);
            outcome.map_err(|fault| this.error(fault))?
        })
        .await
    }

    /// Whether nothing was ever written here. An open writer has seen to that.
    fn is_empty(&self, writer: Option<&Writer>) -> Result<bool, StoreError> {
        let identity = self.file.identity()?;
        if writer.is_some_and(|writer| Some(writer.opened.identity) == identity) {
            return Ok(false);
        }
        Ok(self.read_now(|_| Ok(()))?.is_none())
    }

    fn read_now<T>(
        &self,
        query: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<Option<T>, StoreError> {
        let answer = self.settings.patience.retry(|| self.try_read(&query));
        answer.map_err(|fault| self.error(fault))
    }

    fn try_read<T>(
        &self,
        query: impl Fn(&Connection) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let Some(mut reader) = self.reader()? else {
            return Ok(None);
        };
        let answer = {
            let tx = reader.conn.transaction()?;
            self.settings.migrations.check(&tx)?;
            query(&tx)?
        };
        if reader.live {
            self.watch.keep(&self.file, reader.identity);
            self.idle().push(reader);
        }
        Ok(Some(answer))
    }

    fn reader(&self) -> Result<Option<Opened>, Fault> {
        let identity = self.file.identity()?;
        let idle = {
            let mut idle = self.idle();
            idle.retain(|reader| Some(reader.identity) == identity);
            idle.pop()
        };
        match (identity, idle) {
            (None, _) => Ok(None),
            (Some(_), Some(reader)) => Ok(Some(reader)),
            (Some(_), None) => open::for_reading(&self.file, self.settings),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Opened>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that failed is not used again.
    fn try_commit(
        &self,
        slot: &mut Option<Writer>,
        owner: OwnerId,
        batch: &Batch,
        expected: &BTreeMap<ItemId, RevisionId>,
    ) -> Result<Result<Committed, CommitError>, Fault> {
        let mut writer = self.writer(slot.take())?;
        let lasts = !batch.changes.is_empty() || batch.local.iter().any(LocalChange::is_kept);
        writer.set_durability(if lasts {
            Durability::Full
        } else {
            Durability::Normal
        })?;
        let tx = writer
            .opened
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        self.settings.migrations.check(&tx)?;
        let outcome = commit(&tx, owner, batch, expected)?;
        match outcome {
            Ok(_) => tx.commit()?,
            Err(_) => tx.rollback()?,
        }
        *slot = Some(writer);
        Ok(outcome)
    }

    fn writer(&self, before: Option<Writer>) -> Result<Writer, Fault> {
        let identity = self.file.identity()?;
        match before.filter(|writer| Some(writer.opened.identity) == identity) {
            Some(writer) => Ok(writer),
            None => Ok(Writer {
                opened: open::for_writing(&self.file, self.settings)?,
                durability: Durability::Full,
            }),
        }
    }

    fn error(&self, fault: Fault) -> StoreError {
        fault.into_error(self.file.path(), self.settings.patience.0)
    }
}

impl Writer {
    fn set_durability(&mut self, durability: Durability) -> Result<(), Fault> {
        if self.durability != durability {
            let level = match durability {
                Durability::Full => "FULL",
                Durability::Normal => "NORMAL",
            };
            self.opened.conn.pragma_update(None, "synchronous", level)?;
            self.durability = durability;
        }
        Ok(())
    }
}

/// Whether a batch on nothing leaves something to keep: what the rules refuse, and what is local
/// to a registry that isn't there, must not create one.
fn worth_a_file(
    batch: &Batch,
    expected: &BTreeMap<ItemId, RevisionId>,
) -> Result<bool, CommitError> {
    let nothing = CommitFacts {
        device: DeviceId(Uuid::nil()),
        last_seq: 0,
        position: LogPosition(0),
        items: BTreeMap::new(),
        names: BTreeMap::new(),
        proposals: BTreeMap::new(),
        audit: AuditEnd::NOTHING,
        oauth: imprint_core::oauth::OauthFacts::default(),
    };
    let plan = plan(batch, expected, &nothing)?;
    Ok(!plan.records.is_empty() || batch.local.iter().any(LocalChange::is_kept))
}

/// Runs what may wait for disk or locks where waiting is allowed, on any flavour of runtime.
async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panicked) => panic::resume_unwind(panicked),
            Err(_) => Err(E::from(StoreError::Unavailable {
                message: "the program is ending".to_owned(),
            })),
        },
    }
}
