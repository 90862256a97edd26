//! Word of changes, whichever process makes them: one task that looks at the log's length while
//! somebody waits.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use imprint_core::{LogPosition, Registry};
use tokio::sync::watch;

/// How often the log is looked at: soon enough for a person who looks from one window to another.
const LOOK: Duration = Duration::from_millis(250);

/// Tells those who wait that something has changed. Cheap to clone; clones share one task.
#[derive(Clone, Debug)]
pub(crate) struct Changes(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    registry: Registry,
    /// Where the log was found to stand.
    position: watch::Sender<Option<LogPosition>>,
    /// Whether the task runs. It is held while that is decided.
    running: Mutex<bool>,
}

/// One who waits. The task ends when the last of them is gone.
#[derive(Debug)]
pub(crate) struct Waiting(watch::Receiver<Option<LogPosition>>);

impl Changes {
    /// Nothing is done until somebody waits.
    pub(crate) fn new(registry: Registry) -> Self {
        Self(Arc::new(Watched {
            registry,
            position: watch::Sender::new(None),
            running: Mutex::new(false),
        }))
    }

    /// Somebody waits from now on: of every change that is made after this there is word, perhaps
    /// of some before. Starts the task on the current runtime unless it runs.
    pub(crate) fn wait(&self) -> Waiting {
        let mut running = self.0.running();
        let waiting = Waiting(self.0.position.subscribe());
        if !*running {
            *running = true;
            tokio::spawn(Arc::clone(&self.0).look());
        }
        waiting
    }
}

impl Waiting {
    /// Returns when the log has grown. Changes that follow each other within a look are one.
    pub(crate) async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            // Only at the end of everything.
            std::future::pending::<()>().await;
        }
    }
}

impl Watched {
    async fn look(self: Arc<Self>) {
        loop {
            {
                let mut running = self.running();
                if self.position.receiver_count() == 0 {
                    *running = false;
                    return;
                }
            }
            let found = self.registry.store().position(self.registry.owner()).await;
            match found {
                Ok(found) => {
                    self.position.send_if_modified(|known| {
                        let moved = *known != Some(found);
                        *known = Some(found);
                        moved
                    });
                }
                Err(error) => tracing::debug!(%error, "the log can't be looked at"),
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, bool> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use imprint_core::{Author, Clock, OwnerId, Timestamp, registry::NewItem};
    use imprint_format::ItemKind;
    use imprint_store::InMemoryStore;
    use uuid::Uuid;

    use super::*;

    #[derive(Debug)]
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }

        fn new_uuid(&self) -> Uuid {
            Uuid::from_u128(1)
        }

        fn entropy(&self) -> [u8; 32] {
            [0; 32]
        }
    }

    #[tokio::test]
    async fn all_who_wait_hear_of_a_change_and_the_task_ends_with_them() {
        let store = Arc::new(InMemoryStore::new());
        let registry = Registry::new(store, Arc::new(Stopped), OwnerId::LOCAL);
        let changes = Changes::new(registry.clone());
        assert!(!*changes.0.running());
        let (mut one, mut other) = (changes.wait(), changes.clone().wait());
        let new = NewItem::Texts {
            kind: ItemKind::Skill,
            name: "tea".parse().unwrap(),
            description: "Makes tea.".to_owned(),
            instructions: "Boil water.".to_owned(),
            files: Vec::new(),
        };
        registry.create(&Author::User, new).await.unwrap();
        let both = async { tokio::join!(one.changed(), other.changed()) };
        tokio::time::timeout(Duration::from_secs(20), both)
            .await
            .expect("word of it");
        drop((one, other));
        let ended = async {
            while *changes.0.running() {
                tokio::time::sleep(LOOK / 10).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), ended)
            .await
            .expect("an end");
    }
}
